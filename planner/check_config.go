package planner

import (
	"fmt"
	"sort"

	"ballast/config"
	"ballast/state"
)

// throttledLists are the keys by which a throttle is told its replicas. They
// are set for the time of a move and belong to whoever moves, never to a
// configuration.
var throttledLists = map[string]bool{
	"leader.replication.throttled.replicas":   true,
	"follower.replication.throttled.replicas": true,
}

// override returns a topic's own value of a key (DYNAMIC_TOPIC_CONFIG).
func override(t *state.Topic, key string) (string, bool) {
	v, ok := t.Config[key]
	return v.Value, ok && v.Source == state.SourceTopic
}

// configs compares every override that the plan answers for: those that it
// changes, and those that it read and leaves.
func (c *checker) configs(ch *Change, t *state.Topic) {
	read, wasRead := c.plan.Bound.Overrides[ch.Topic]
	if !wasRead || t.Config == nil {
		if len(ch.Config) > 0 {
			c.add(Item{Kind: ItemConfig, Topic: ch.Topic, State: Stale, Planned: "read", Live: "not readable"})
		}
		return
	}
	wanted := map[string]*string{}
	for i := range ch.Config {
		wanted[ch.Config[i].Name] = ch.Config[i].After
		if ch.Config[i].AfterSource != state.SourceTopic {
			wanted[ch.Config[i].Name] = nil
		}
	}
	for _, key := range c.keys(ch.Topic, read, wanted, t) {
		c.config(ch.Topic, key, read, wanted, t)
	}
}

// keys are all keys to look at, sorted: the plan's, those read, those live.
func (c *checker) keys(topic string, read map[string]string, wanted map[string]*string, t *state.Topic) []string {
	all := map[string]bool{}
	for k := range read {
		all[k] = true
	}
	for k := range wanted {
		all[k] = true
	}
	for k, v := range t.Config {
		if v.Source == state.SourceTopic && !foreign(k, c.plan.Bound.Ignored[topic]) {
			all[k] = true
		}
	}
	out := make([]string, 0, len(all))
	for k := range all {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func (c *checker) config(topic, key string, read map[string]string, wanted map[string]*string, t *state.Topic) {
	before, had := read[key]
	now, has := override(t, key)
	want, changes := wanted[key]
	as := had == has && (!has || config.SameValue(key, before, now))
	done := changes && (want == nil) == !has && (!has || config.SameValue(key, *want, now))
	if !changes && as {
		return
	}
	i := Item{Kind: ItemConfig, Topic: topic, Key: key, State: Stale,
		Planned: valueOr(before, had), Live: valueOr(now, has)}
	if changes {
		i.Wanted = "no override"
		if want != nil {
			i.Wanted = quoted(*want)
		}
	}
	switch {
	case done:
		i.State = Already
	case as:
		i.State = AsPlanned
	}
	c.add(i)
}

// brokers compares the registered brokers and their racks. A dead broker whose
// rack the cluster has forgotten counts as it was.
func (c *checker) brokers() {
	planned := map[state.BrokerID]string{}
	for _, b := range c.plan.Bound.Brokers {
		planned[b.ID] = b.Rack
	}
	live := map[state.BrokerID]*state.Broker{}
	for i := range c.live.Brokers {
		b := &c.live.Brokers[i]
		live[b.ID] = b
		if _, ok := planned[b.ID]; !ok {
			c.add(Item{Kind: ItemBroker, Broker: b.ID, State: Stale, Planned: "not registered", Live: "registered" + inRack(b.Rack)})
		}
	}
	for _, b := range c.plan.Bound.Brokers {
		now := live[b.ID]
		if now == nil && !c.mentioned(b.ID) {
			c.add(Item{Kind: ItemBroker, Broker: b.ID, State: Stale, Planned: "registered" + inRack(b.Rack), Live: "not registered"})
		}
		if now != nil && now.Rack != b.Rack && (now.Alive || now.Rack != "" && b.Rack != "") {
			c.add(Item{Kind: ItemBroker, Broker: b.ID, State: Stale, Planned: "registered" + inRack(b.Rack), Live: "registered" + inRack(now.Rack)})
		}
	}
}

// mentioned says whether a replica list names the broker: it is registered,
// though dead, where the cluster's answer leaves dead brokers out.
func (c *checker) mentioned(id state.BrokerID) bool {
	for i := range c.live.Topics {
		for j := range c.live.Topics[i].Partitions {
			if state.Contains(c.live.Topics[i].Partitions[j].Replicas, id) {
				return true
			}
		}
	}
	return false
}

func inRack(rack string) string {
	if rack == "" {
		return " without a rack"
	}
	return " in rack " + quoted(rack)
}

func brokers(list []state.BrokerID) string { return fmt.Sprint(list) }

func valueOr(v string, ok bool) string {
	if !ok {
		return "no override"
	}
	return quoted(v)
}
