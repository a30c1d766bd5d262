package sandbox

import (
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// Request is one request that a broker has received, answered or not.
type Request struct {
	At       time.Time // by the cluster's clock
	Broker   state.BrokerID
	Key      int16
	Version  int16
	Name     string // e.g. "AlterPartitionAssignments"
	ClientID string
	Writes   bool         // it asks for a change of the cluster (validate-only ones do not)
	InFlight []string     // topics with a reassignment under way when it came
	Message  kmsg.Request // as decoded; Produce without its records
}

// requestLog keeps the newest requests.
type requestLog struct {
	limit   int
	entries []Request
	dropped int
}

func (l *requestLog) add(r Request) {
	if len(l.entries) >= 2*l.limit {
		l.dropped += len(l.entries) - l.limit
		l.entries = append([]Request(nil), l.entries[len(l.entries)-l.limit:]...)
	}
	l.entries = append(l.entries, r)
}

// Requests returns the requests received so far, oldest first, of the keys
// that are given or of all.
func (s *Sandbox) Requests(keys ...int16) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Request
	for _, r := range s.log.entries {
		if len(keys) == 0 || hasKey(keys, r.Key) {
			out = append(out, r)
		}
	}
	return out
}

// Writes returns the requests received so far that ask for a change.
func (s *Sandbox) Writes() []Request {
	var out []Request
	for _, r := range s.Requests() {
		if r.Writes {
			out = append(out, r)
		}
	}
	return out
}

// ForgetRequests empties the log of requests.
func (s *Sandbox) ForgetRequests() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log.entries, s.log.dropped = nil, 0
}

func hasKey(keys []int16, key int16) bool {
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}

// record logs a request.
func (s *Sandbox) record(c *cluster, broker int32, r received) {
	s.log.add(Request{
		At: c.now, Broker: state.BrokerID(broker), Key: r.key, Version: r.version, Name: kmsg.NameForKey(r.key), ClientID: r.client,
		Writes: apiOf[r.key].writes && !validateOnly(r.request), InFlight: c.topicsInFlight(apiOf[r.key].writes), Message: forLog(r.request),
	})
}

func validateOnly(r kmsg.Request) bool {
	switch r := r.(type) {
	case *kmsg.CreateTopicsRequest:
		return r.ValidateOnly
	case *kmsg.CreatePartitionsRequest:
		return r.ValidateOnly
	case *kmsg.IncrementalAlterConfigsRequest:
		return r.ValidateOnly
	}
	return false
}

// topicsInFlight is told for writes only.
func (c *cluster) topicsInFlight(want bool) []string {
	if !want {
		return nil
	}
	seen := map[string]bool{}
	for p := range c.moves {
		seen[p.topic.name] = true
	}
	return sortedKeys(seen)
}

// forLog returns a request without what is long and of no interest.
func forLog(r kmsg.Request) kmsg.Request {
	p, ok := r.(*kmsg.ProduceRequest)
	if !ok {
		return r
	}
	short := *p
	short.Topics = nil
	for _, t := range p.Topics {
		kept := t
		kept.Partitions = nil
		for _, x := range t.Partitions {
			x.Records = nil
			kept.Partitions = append(kept.Partitions, x)
		}
		short.Topics = append(short.Topics, kept)
	}
	return &short
}
