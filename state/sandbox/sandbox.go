package sandbox

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sort"
	"strconv"
	"sync"
	"time"

	"ballast/state"
)

// Options say what cluster to start. The zero value of every field but
// Snapshot is usable.
type Options struct {
	Listen   string          // host:port of the first broker, the others on the ports after it; port 0: free ones. Default 127.0.0.1:0
	Snapshot *state.Snapshot // what the cluster is at first; it is not changed
	Speed    float64         // how much faster than the wall clock; default 1. Not with Clock
	Clock    Clock           // default NewScaled(Speed)

	CopyRate       int64         // bytes a second that a broker sends or receives without a throttle; default 200 MB/s
	SessionTimeout time.Duration // from a broker's death until the controller believes it; default 9 s, Kafka's
	RestartTime    time.Duration // from RestartBroker until the broker is in metadata; default 100 ms
	JoinDelay      time.Duration // from a replica's last byte until it is in the ISR; default 50 ms
	SizeStep       int64         // DescribeLogDirs shows a copy under way in steps of so many bytes, as a throttled one comes in bursts; default 1
	CopyDelay      time.Duration // from a replica's birth until it copies (a busy Kafka lets 20 s pass after a large request); default 0
	LogDelay       time.Duration // from a replica's birth until DescribeLogDirs shows it; default 50 ms
	MetadataLag    time.Duration // how long metadata shows a partition as it was before a change, while ListPartitionReassignments is up to date; default 0
	LogLimit       int           // how many requests the log keeps; default 100,000, then the oldest go

	// Before43 ends moves as Kafka 4.0 to 4.2 do: only once every target is in
	// sync, those that stay included.
	Before43 bool

	// Voters are the brokers that vote in the metadata quorum; none: the
	// controllers are nodes of their own.
	Voters []state.BrokerID

	// Stalled replicas are out of the ISR in Snapshot and stay out until
	// ResumeMove; others catch up by themselves.
	Stalled []state.TopicPartition
}

func (o Options) withDefaults() (Options, error) {
	if o.Snapshot == nil || len(o.Snapshot.Brokers) == 0 {
		return o, errors.New("a sandbox needs a snapshot with at least one broker")
	}
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Clock == nil {
		o.Clock = NewScaled(o.Speed)
	}
	if o.CopyRate <= 0 {
		o.CopyRate = 200_000_000
	}
	if o.LogLimit <= 0 {
		o.LogLimit = 100_000
	}
	for _, d := range []struct {
		value  *time.Duration
		orElse time.Duration
	}{{&o.SessionTimeout, 9 * time.Second}, {&o.RestartTime, 100 * time.Millisecond}, {&o.JoinDelay, 50 * time.Millisecond}, {&o.LogDelay, 50 * time.Millisecond}} {
		if *d.value <= 0 {
			*d.value = d.orElse
		}
	}
	return o, nil
}

// Sandbox is a running cluster. Its methods may be called at any time and
// from anywhere.
type Sandbox struct {
	clock   Clock
	ctx     context.Context // ends with Close
	stop    context.CancelFunc
	serving sync.WaitGroup

	mu      sync.Mutex // guards what follows
	cluster *cluster
	ports   map[int32]*port
	groups  map[string]*group
	changed chan struct{} // closed and renewed when records arrive
	log     requestLog
	faults  []*fault
	hiding  []hiding
	hidden  map[resourceKey]hiddenValue
	nextPID int64
}

// Start starts the brokers of a snapshot that are alive. The caller has to
// Close what it gets.
func Start(o Options) (*Sandbox, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	c, err := load(o)
	if err != nil {
		return nil, err
	}
	s := &Sandbox{clock: o.Clock, cluster: c, ports: map[int32]*port{}, groups: map[string]*group{}, changed: make(chan struct{}), hidden: map[resourceKey]hiddenValue{}}
	s.log.limit = o.LogLimit
	s.ctx, s.stop = context.WithCancel(context.Background())
	if err := s.listenAll(o.Listen); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// listenAll opens the ports of all brokers: those of dead ones are closed
// again, so that they keep their number for the day they come back.
func (s *Sandbox) listenAll(first string) error {
	host, number, err := net.SplitHostPort(first)
	if err != nil {
		return fmt.Errorf("sandbox: %q is not host:port: %w", first, err)
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || n > 65535 {
		return fmt.Errorf("sandbox: %q is not a port number", number)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return s.listenFrom(host, n)
}

func (s *Sandbox) listenFrom(host string, n int) error {
	for i, b := range s.cluster.brokers {
		p := 0
		if n > 0 {
			p = n + i
		}
		opened, err := listen(net.JoinHostPort(host, strconv.Itoa(p)))
		if err != nil {
			return fmt.Errorf("sandbox: broker %d: %w", b.id, err)
		}
		b.host, b.port = host, int32(opened.listener.Addr().(*net.TCPAddr).Port)
		b.static["listeners"] = "PLAINTEXT://" + opened.address
		s.ports[b.id] = opened
	}
	for _, b := range s.cluster.brokers {
		if !b.running {
			s.ports[b.id].close()
			continue
		}
		s.serve(b.id)
	}
	return nil
}

// Bootstrap returns the addresses of the brokers that run, in the order of
// their ids.
func (s *Sandbox) Bootstrap() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []string
	for _, b := range s.cluster.brokers {
		if b.running {
			out = append(out, net.JoinHostPort(b.host, strconv.Itoa(int(b.port))))
		}
	}
	return out
}

// ClusterID returns the cluster's id.
func (s *Sandbox) ClusterID() string { return s.cluster.id }

// Clock returns the cluster's clock.
func (s *Sandbox) Clock() Clock { return s.clock }

// Close stops all brokers, and returns when no goroutine of theirs is left.
func (s *Sandbox) Close() error {
	s.stop()
	s.mu.Lock()
	var ports []*port
	for _, p := range s.ports {
		ports = append(ports, p)
	}
	s.mu.Unlock()
	sort.Slice(ports, func(i, j int) bool { return ports[i].address < ports[j].address })
	for _, p := range ports {
		p.close()
	}
	s.serving.Wait()
	return nil
}

// live locks the sandbox and brings the cluster up to the present. The caller
// calls what it returns when it is done.
func (s *Sandbox) live() (*cluster, func()) {
	s.mu.Lock()
	s.cluster.advance(s.clock.Now())
	return s.cluster, s.mu.Unlock
}
