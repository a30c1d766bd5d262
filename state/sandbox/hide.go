package sandbox

import (
	"maps"
	"time"
)

// resourceKey names one config of one resource.
type resourceKey struct {
	kind int8 // 2 topic, 4 broker
	name string
	key  string
}

// hiding is an order to hide writes of a config for a while.
type hiding struct {
	key   string
	d     time.Duration
	reads int
}

// hiddenValue is what readers see in place of the present value.
type hiddenValue struct {
	value string
	set   bool
	until time.Time
	reads int
}

// HideConfig lets every later write of a config key (of any resource) be
// invisible to DescribeConfigs: it shows the value from before until d has
// passed by the cluster's clock and n reads of it have been answered. Kafka
// does this for some 60 ms.
func (s *Sandbox) HideConfig(key string, d time.Duration, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hiding = append(s.hiding, hiding{key, d, n})
}

// ShowConfigs ends all hiding.
func (s *Sandbox) ShowConfigs() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hiding = nil
	clear(s.hidden)
}

// hide remembers the value that a write replaces, where that is ordered.
func (s *Sandbox) hide(r resourceKey, value string, set bool) {
	for _, h := range s.hiding {
		if h.key != r.key {
			continue
		}
		if old, ok := s.hidden[r]; ok && !s.shown(old) {
			value, set = old.value, old.set
		}
		s.hidden[r] = hiddenValue{value, set, s.cluster.now.Add(h.d), h.reads}
	}
}

func (s *Sandbox) shown(h hiddenValue) bool {
	return h.reads <= 0 && !s.cluster.now.Before(h.until)
}

// visible returns the values of a resource as a reader sees them, and counts
// the read of those that were asked for.
func (s *Sandbox) visible(kind int8, name string, values map[string]string, asked func(string) bool) map[string]string {
	out := values
	for r, h := range s.hidden {
		if r.kind != kind || r.name != name || s.shown(h) {
			continue
		}
		if h.reads > 0 && asked(r.key) {
			h.reads--
			s.hidden[r] = h
		}
		out = maps.Clone(out)
		if h.set {
			out[r.key] = h.value
		} else {
			delete(out, r.key)
		}
	}
	return out
}

// DenyConfigs refuses DescribeConfigs of a topic (authorisation) from now on.
func (s *Sandbox) DenyConfigs(topic string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.cluster.topics[topic]; t != nil {
		t.denied = true
	}
}

// StallMove stops all copying of a partition until ResumeMove.
func (s *Sandbox) StallMove(topic string, partition int32) { s.setStalled(topic, partition, true) }

// ResumeMove lets a stalled partition copy again.
func (s *Sandbox) ResumeMove(topic string, partition int32) { s.setStalled(topic, partition, false) }

func (s *Sandbox) setStalled(topic string, id int32, stalled bool) {
	c, done := s.live()
	defer done()
	if p := c.partition(topic, id); p != nil {
		p.stalled, c.dirty = stalled, true
	}
}
