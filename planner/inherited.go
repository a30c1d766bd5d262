package planner

import (
	"ballast/config"
	"ballast/state"
)

// inheritance tells what value a topic has for a key without an override of
// its own. A snapshot shows a topic's effective values only, so under an
// override the inherited one is known by evidence: what topics without that
// override show, or the brokers' own settings, as long as all of it agrees.
type inheritance struct {
	s     *state.Snapshot
	known map[string]*state.ConfigValue
}

func newInheritance(s *state.Snapshot) *inheritance {
	return &inheritance{s: s, known: map[string]*state.ConfigValue{}}
}

// value returns the inherited value of a key and its source, and whether the
// cluster shows it.
func (in *inheritance) value(key string) (state.ConfigValue, bool) {
	v, ok := in.known[key]
	if !ok {
		v = in.look(key)
		in.known[key] = v
	}
	if v == nil {
		return state.ConfigValue{}, false
	}
	return *v, true
}

func (in *inheritance) look(key string) *state.ConfigValue {
	var found *state.ConfigValue
	for i := range in.s.Topics {
		if v, ok := in.s.Topics[i].Config[key]; ok && v.Source != state.SourceTopic {
			if found != nil && *found != v {
				return nil
			}
			found = &v
		}
	}
	if found == nil {
		return in.lookAtBrokers(key)
	}
	return found
}

func (in *inheritance) lookAtBrokers(key string) *state.ConfigValue {
	info, known := config.KnownKey(key)
	if !known || info.Broker == "" {
		return nil
	}
	var found *state.ConfigValue
	for i := range in.s.Brokers {
		v, ok := in.s.Brokers[i].Config[info.Broker]
		if !ok {
			continue
		}
		if found != nil && *found != v {
			return nil
		}
		found = &v
	}
	return found
}

// presumed is the inherited value, or Kafka's own default where the cluster
// does not show it; ok is false where neither is known. It serves for weighing
// what might happen, never for saying what is.
func (in *inheritance) presumed(key string) (value string, ok bool) {
	if v, ok := in.value(key); ok {
		return v.Value, true
	}
	info, ok := config.KnownKey(key)
	return info.Default, ok
}
