package sandbox

import (
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// AnyKey makes a Fault meet requests of every kind.
const AnyKey int16 = -1

// Fault is something that is to go wrong with requests. Several faults can
// meet one request.
type Fault struct {
	Key     int16            // of the requests that it meets, or AnyKey
	Brokers []state.BrokerID // that are asked; nil: any
	Topics  []string         // one of which the request names; nil: any request
	Times   int              // how often; 0: until it is taken back

	Delay     time.Duration // the request is worked on so much later, by the cluster's clock
	Code      int16         // every item of the answer has this error, and nothing is done
	NoRequest bool          // the connection is cut before anything is done
	NoAnswer  bool          // the connection is cut after it has been done
	Throttle  time.Duration // the answer says so much throttle time (a quota's)
}

type fault struct {
	Fault
	met int
}

// Order orders a fault and returns a function that takes it back.
func (s *Sandbox) Order(f Fault) (takeBack func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ordered := &fault{Fault: f}
	s.faults = append(s.faults, ordered)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.faults = slices.DeleteFunc(s.faults, func(x *fault) bool { return x == ordered })
	}
}

// Delay lets every request of a kind wait for d before it is worked on.
func (s *Sandbox) Delay(key int16, d time.Duration) (takeBack func()) {
	return s.Order(Fault{Key: key, Delay: d})
}

// FailNext answers the next n requests of a kind with an error code, and does
// nothing of what they ask for.
func (s *Sandbox) FailNext(key, code int16, n int) (takeBack func()) {
	return s.Order(Fault{Key: key, Code: code, Times: n})
}

// NotController answers the next n requests of a kind with NOT_CONTROLLER.
func (s *Sandbox) NotController(key int16, n int) (takeBack func()) { return s.FailNext(key, 41, n) }

// DropAnswer carries the next n requests of a kind out and cuts the connection
// instead of answering.
func (s *Sandbox) DropAnswer(key int16, n int) (takeBack func()) {
	return s.Order(Fault{Key: key, NoAnswer: true, Times: n})
}

// DropRequest cuts the connection at the next n requests of a kind, before
// anything is done.
func (s *Sandbox) DropRequest(key int16, n int) (takeBack func()) {
	return s.Order(Fault{Key: key, NoRequest: true, Times: n})
}

// ThrottleQuota lets the next n answers of a kind tell a quota's throttle time.
func (s *Sandbox) ThrottleQuota(key int16, d time.Duration, n int) (takeBack func()) {
	return s.Order(Fault{Key: key, Throttle: d, Times: n})
}

// HealAll takes back every fault on requests.
func (s *Sandbox) HealAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// DropConnections cuts every connection to a broker; it goes on listening.
func (s *Sandbox) DropConnections(id state.BrokerID) {
	s.mu.Lock()
	p := s.ports[int32(id)]
	s.mu.Unlock()
	if p != nil {
		p.drop()
	}
}

// suffering is what the faults have in store for one request.
type suffering struct {
	delay                 time.Duration
	code                  int16
	dropBefore, dropAfter bool
	throttled             time.Duration
}

// arrive logs a request and finds the faults that meet it.
func (s *Sandbox) arrive(broker int32, r received) suffering {
	c, done := s.live()
	defer done()
	s.record(c, broker, r)
	var out suffering
	if len(s.faults) == 0 {
		return out
	}
	names := topicsOf(r.request, c)
	for _, f := range s.faults {
		if f.Key != r.key && f.Key != AnyKey || f.Times > 0 && f.met >= f.Times || f.Brokers != nil && !slices.Contains(f.Brokers, state.BrokerID(broker)) || !f.names(names) {
			continue
		}
		f.met++
		out.delay += f.Delay
		if f.Code != 0 {
			out.code = f.Code
		}
		out.dropBefore, out.dropAfter = out.dropBefore || f.NoRequest, out.dropAfter || f.NoAnswer
		out.throttled = max(out.throttled, f.Throttle)
	}
	return out
}

func (f *fault) names(topics []string) bool {
	if f.Topics == nil {
		return true
	}
	for _, t := range topics {
		if slices.Contains(f.Topics, t) {
			return true
		}
	}
	return false
}

// suffer waits as ordered; false where the sandbox was closed meanwhile.
func (s *Sandbox) suffer(o suffering) bool {
	return o.delay <= 0 || s.clock.Sleep(s.ctx, o.delay) == nil
}

func (o suffering) fail(r kmsg.Request) kmsg.Response {
	if o.code == 0 {
		return nil
	}
	return failed(r, o.code)
}

func (o suffering) throttle(resp kmsg.Response) {
	if t, ok := resp.(kmsg.SetThrottleResponse); ok && o.throttled > 0 {
		t.SetThrottle(int32(o.throttled.Milliseconds()))
	}
}
