package sandbox

import (
	"fmt"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"ballast/state"
)

// asError returns the error as the other rooms know it, nil for none.
func (e *kafkaError) asError() error {
	if e == nil {
		return nil
	}
	out := &state.Error{Code: e.code, Message: e.text}
	if k := kerr.TypedErrorForCode(e.code); k != nil {
		out.Name = k.Message
	}
	return out
}

// KillBroker kills a broker's process (SIGKILL): connections are cut at once,
// and the cluster believes it alive until its session has expired.
func (s *Sandbox) KillBroker(id state.BrokerID) error {
	c, done := s.live()
	defer done()
	b := c.byID[int32(id)]
	if b == nil || !b.running {
		return fmt.Errorf("broker %d is not running", id)
	}
	b.running, b.joinAt, c.dirty = false, noEvent, true
	if !b.fenced {
		b.fenceAt = c.now.Add(c.session)
	}
	s.ports[b.id].close()
	return nil
}

// StopBroker shuts a broker down in order (SIGTERM): its leaders move and its
// replicas leave the ISR before it ends, so the cluster knows at once.
func (s *Sandbox) StopBroker(id state.BrokerID) error {
	c, done := s.live()
	defer done()
	b := c.byID[int32(id)]
	if b == nil || !b.running {
		return fmt.Errorf("broker %d is not running", id)
	}
	c.fence(b)
	b.running, b.joinAt, c.dirty = false, noEvent, true
	s.ports[b.id].close()
	return nil
}

// RestartBroker starts a dead broker again, on its old port and with what its
// log dirs hold: its replicas copy what they lack. It is in metadata after
// Options.RestartTime.
func (s *Sandbox) RestartBroker(id state.BrokerID) error {
	s.mu.Lock()
	old := s.ports[int32(id)]
	dead := old != nil && !s.cluster.byID[int32(id)].running
	s.mu.Unlock()
	if !dead {
		return fmt.Errorf("broker %d is not dead", id)
	}
	opened, err := relisten(old.address)
	if err != nil {
		return fmt.Errorf("broker %d: %w", id, err)
	}
	c, done := s.live()
	defer done()
	b := c.byID[int32(id)]
	if b.running || s.ctx.Err() != nil {
		opened.close()
		return fmt.Errorf("broker %d is not dead", id)
	}
	s.ports[b.id] = opened
	if !b.fenced {
		c.fence(b) // it registers anew
	}
	b.running, b.joinAt, b.behind, c.dirty = true, c.now.Add(c.restart), nil, true
	s.serve(b.id)
	return nil
}

// relisten opens a port again. Somebody's outgoing connection may sit on it
// for a moment.
func relisten(address string) (*port, error) {
	for tries := 0; ; tries++ {
		opened, err := listen(address)
		if err == nil || tries == 40 {
			return opened, err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Fill adds bytes to a partition, as if they had been produced and replicated
// at once. They cannot be read back; offsets go on by one for every 1,000.
func (s *Sandbox) Fill(topic string, partition int32, bytes int64) error {
	c, done := s.live()
	defer done()
	p := c.partition(topic, partition)
	if p == nil {
		return fmt.Errorf("no partition %s-%d", topic, partition)
	}
	p.log.fill(bytes)
	c.grow(p, bytes)
	return nil
}

// Traffic lets producers add so many bytes a second to a partition from now
// on; 0 ends it.
func (s *Sandbox) Traffic(topic string, id int32, bytesPerSecond int64) error {
	c, done := s.live()
	defer done()
	p := c.partition(topic, id)
	if p == nil {
		return fmt.Errorf("no partition %s-%d", topic, id)
	}
	c.busy = slices.DeleteFunc(c.busy, func(x *partition) bool { return x == p })
	if p.traffic = float64(bytesPerSecond); bytesPerSecond > 0 {
		c.busy = append(c.busy, p)
	}
	c.dirty = true
	return nil
}

// SetDisk makes a broker's first log directory have so many usable bytes now.
func (s *Sandbox) SetDisk(id state.BrokerID, usable int64) error {
	c, done := s.live()
	defer done()
	b := c.byID[int32(id)]
	if b == nil {
		return fmt.Errorf("no broker %d", id)
	}
	d := b.dirs[0]
	d.usable, d.base, c.dirty = usable, d.used, true
	d.total = max(d.total, usable+int64(d.used))
	return nil
}

// FailLogDir makes a log directory fail: its replicas are offline for good. A
// broker whose last directory fails shuts down, as Kafka's does.
func (s *Sandbox) FailLogDir(id state.BrokerID, path string) error {
	c, done := s.live()
	b := c.byID[int32(id)]
	if b == nil {
		done()
		return fmt.Errorf("no broker %d", id)
	}
	found, online := false, 0
	for _, d := range b.dirs {
		if d.path == path {
			d.offline, found, c.dirty = true, true, true
		}
		if !d.offline {
			online++
		}
	}
	if found && online > 0 {
		c.eachOn(b.id, func(p *partition) {
			if !c.usable(p, b.id) {
				c.leaveISR(p, b.id)
				c.electAny(p)
				c.complete(p)
			}
		})
	}
	done()
	switch {
	case !found:
		return fmt.Errorf("broker %d has no log dir %q", id, path)
	case online == 0:
		return s.KillBroker(id)
	}
	return nil
}
