package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"ballast/state"
)

// Log keeps the records of one run after another in the cluster itself: a
// compacted topic of one partition, so that whoever goes on finds them, on
// whatever machine. Its lock is membership of a consumer group of the topic's
// name: a holder that dies loses it when its session expires.
//
// A group does not fence: callers ask Held before each write. An Append that
// finds that somebody else has written to the topic meanwhile is an error too.
type Log struct {
	opts     LogOptions
	client   *Client // of its own, so that no long request holds a heartbeat up
	lock     *groupLock
	producer *kgo.Client

	run    runID
	seq    int64    // of the last record
	newest int64    // the highest number of a run, whole or not
	end    int64    // the offset of the next record, if nobody else writes
	keys   []string // of all messages that no tombstone has taken away
	loaded bool
}

// LogOptions say where a Log is.
type LogOptions struct {
	Topic   string
	Session time.Duration // after which a dead holder loses the lock; 0 is 15 s
}

// DefaultSession is the session of LogOptions that name none.
const DefaultSession = 15 * time.Second

// LogHeldError says that another holds the lock.
type LogHeldError struct {
	Topic  string
	Holder []byte // as the holder gave it to Lock; empty while it is not known
}

func (e *LogHeldError) Error() string {
	return fmt.Sprintf("the lock of topic %q is held by another run", e.Topic)
}

// HeldBy is the holder. It lets a caller recognise the error without importing
// this package.
func (e *LogHeldError) HeldBy() []byte { return e.Holder }

// OpenLog opens a log. It writes nothing: Lock does.
func (c *Client) OpenLog(ctx context.Context, o LogOptions) (*Log, error) {
	if o.Topic == "" {
		return nil, errors.New("a journal in the cluster needs the name of a topic")
	}
	if o.Session <= 0 {
		o.Session = DefaultSession
	}
	opts := c.opts
	opts.ClusterID = c.ClusterID()
	own, err := Dial(ctx, opts)
	if err != nil {
		return nil, err
	}
	return &Log{opts: o, client: own}, nil
}

// Topic is where the log is.
func (l *Log) Topic() string { return l.opts.Topic }

// Session is how long a dead holder keeps the lock.
func (l *Log) Session() time.Duration { return l.opts.Session }

// Lock creates the topic where there is none, and takes the lock or returns a
// *LogHeldError; it does not wait for a holder. The holder is told to others.
func (l *Log) Lock(ctx context.Context, holder []byte) error {
	if err := l.createTopic(ctx); err != nil {
		return err
	}
	lock := &groupLock{client: l.client, group: l.opts.Topic, topic: l.opts.Topic, session: l.opts.Session, holder: holder}
	if err := lock.take(ctx); err != nil {
		return err
	}
	l.lock, l.loaded = lock, false
	return nil
}

// Held returns an error where the lock is no longer ours. It asks the group's
// coordinator.
func (l *Log) Held(ctx context.Context) error {
	if l.lock == nil {
		return fmt.Errorf("the lock of topic %q is not held", l.opts.Topic)
	}
	return l.lock.held(ctx)
}

// Holder is who has the lock, as given to Lock; held says whether anybody has.
// It disturbs nobody.
func (l *Log) Holder(ctx context.Context) (holder []byte, held bool, err error) {
	lock := &groupLock{client: l.client, group: l.opts.Topic, topic: l.opts.Topic, session: l.opts.Session}
	by, err := lock.heldByAnother(ctx)
	if err != nil || by == nil {
		return nil, false, err
	}
	return by.Holder, true, nil
}

// Close gives the lock back.
func (l *Log) Close() error {
	var err error
	if l.lock != nil {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		err = l.lock.leave(ctx)
		cancel()
		l.lock = nil
	}
	if l.producer != nil {
		l.producer.Close()
		l.producer = nil
	}
	return errors.Join(err, l.client.Close())
}

// createTopic creates the topic with as many replicas as the cluster allows,
// three at most, in as many racks.
func (l *Log) createTopic(ctx context.Context) error {
	s, err := l.client.Metadata(ctx, []string{l.opts.Topic})
	if err != nil {
		return err
	}
	if t := s.Topic(l.opts.Topic); t != nil {
		return l.checkTopic(ctx, t)
	}
	replicas := spread(s.Brokers)
	config := map[string]string{"cleanup.policy": "compact"}
	if len(replicas) > 2 {
		config["min.insync.replicas"] = "2"
	}
	errs, err := l.client.CreateTopics(ctx, []state.NewTopic{{Name: l.opts.Topic, Assignments: [][]state.BrokerID{replicas}, Config: config}})
	if err == nil {
		err = errs[0]
	}
	if err != nil && !isCode(err, state.CodeTopicExists) { // another run was quicker
		return fmt.Errorf("creating the journal's topic %q: %w", l.opts.Topic, err)
	}
	return l.awaitLeader(ctx)
}

// spread gives up to three live brokers, of different racks as far as there
// are any.
func spread(brokers []state.Broker) []state.BrokerID {
	var out []state.BrokerID
	for _, sameRack := range []bool{false, true} {
		racks := map[string]bool{}
		for _, b := range brokers {
			if !b.Alive || len(out) == 3 || state.Contains(out, b.ID) || !sameRack && racks[b.Rack] {
				continue
			}
			racks[b.Rack] = true
			out = append(out, b.ID)
		}
	}
	return out
}

// awaitLeader waits until the topic can be written to.
func (l *Log) awaitLeader(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, l.client.opts.Timeout)
	defer cancel()
	for {
		s, err := l.client.Metadata(ctx, []string{l.opts.Topic})
		if err != nil {
			return err
		}
		if t := s.Topic(l.opts.Topic); t != nil && t.Partitions[0].Leader != state.NoLeader {
			return nil
		}
		if err := sleep(ctx, 50*time.Millisecond); err != nil {
			return fmt.Errorf("the journal's topic %q has no leader", l.opts.Topic)
		}
	}
}
