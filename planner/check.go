package planner

import (
	"fmt"
	"slices"

	"ballast/config"
	"ballast/state"
)

// ItemState says how a part of a plan stands to the cluster.
type ItemState string

// The states of an item.
const (
	AsPlanned ItemState = "as_planned" // as it was when the plan was made: go
	Already   ItemState = "already"    // as the plan wants it: skip
	Stale     ItemState = "stale"      // anything else: refuse
)

// ItemKind says what an item is.
type ItemKind string

// The kinds of items.
const (
	ItemCluster   ItemKind = "cluster"   // the cluster id
	ItemBroker    ItemKind = "broker"    // a registered broker and its rack
	ItemTopic     ItemKind = "topic"     // that the topic is there, or is not, or has so many partitions
	ItemPartition ItemKind = "partition" // a partition's replica list
	ItemLeader    ItemKind = "leader"    // an election; never stale, since it can be repeated
	ItemConfig    ItemKind = "config"    // an override
)

// Item is one part of a plan and how it stands. Planned is what the plan was
// made from, Wanted what it makes of that, Live what there is.
type Item struct {
	Kind      ItemKind       `json:"kind"`
	Topic     string         `json:"topic,omitempty"`
	Partition int32          `json:"partition,omitempty"` // of a partition or a leader
	Key       string         `json:"key,omitempty"`       // of a config
	Broker    state.BrokerID `json:"broker,omitempty"`    // of a broker
	State     ItemState      `json:"state"`
	Planned   string         `json:"planned"`
	Live      string         `json:"live"`
	Wanted    string         `json:"wanted,omitempty"`
	// InFlight says that the partition is being moved right now: towards what is
	// wanted where the State is Already.
	InFlight bool `json:"in_flight,omitempty"`
}

// String is the item as a line for a person.
func (i Item) String() string {
	what := string(i.Kind)
	switch i.Kind {
	case ItemBroker:
		what = fmt.Sprintf("broker %d", i.Broker)
	case ItemTopic:
		what = fmt.Sprintf("topic %q", i.Topic)
	case ItemPartition, ItemLeader:
		what = fmt.Sprintf("%s-%d", i.Topic, i.Partition)
	case ItemConfig:
		what = fmt.Sprintf("topic %q, %s", i.Topic, i.Key)
	}
	return fmt.Sprintf("%s: planned from %s, is now %s", what, i.Planned, i.Live)
}

// Staleness is how a plan stands to a cluster, item by item, in the plan's order.
type Staleness struct {
	Items []Item
}

// Stale are the items for which the plan must be refused.
func (s Staleness) Stale() []Item { return s.in(Stale) }

// Done says whether the cluster is all that the plan wants: nothing is left to do.
func (s Staleness) Done() bool { return len(s.in(Already)) == len(s.Items) }

func (s Staleness) in(want ItemState) []Item {
	var out []Item
	for _, i := range s.Items {
		if i.State == want {
			out = append(out, i)
		}
	}
	return out
}

// Partitions are the states of all partitions whose lists the plan changes.
func (s Staleness) Partitions() map[state.TopicPartition]ItemState {
	out := map[state.TopicPartition]ItemState{}
	for _, i := range s.Items {
		if i.Kind == ItemPartition {
			out[state.TopicPartition{Topic: i.Topic, Partition: i.Partition}] = i.State
		}
	}
	return out
}

// Check compares what a plan was made from with a fresh snapshot. A plan that
// has been carried out, wholly or in part, is not stale for that. Which brokers
// are alive is no matter of staleness but of apply's gates.
func Check(p *Plan, s *state.Snapshot) Staleness {
	c := &checker{plan: p, live: s, elected: elections(p)}
	for i := range p.Changes {
		c.change(&p.Changes[i])
	}
	if p.Cluster.ID != s.ClusterID {
		c.add(Item{Kind: ItemCluster, State: Stale, Planned: quoted(p.Cluster.ID), Live: quoted(s.ClusterID)})
	}
	if !(Staleness{c.items}).Done() {
		c.brokers()
	}
	return Staleness{c.items}
}

type checker struct {
	plan    *Plan
	live    *state.Snapshot
	elected map[state.TopicPartition]bool
	items   []Item
}

// elections are the partitions whose leaders a plan elects.
func elections(p *Plan) map[state.TopicPartition]bool {
	out := map[state.TopicPartition]bool{}
	for i := range p.Steps {
		if p.Steps[i].Kind == ElectLeaders {
			for _, m := range p.Steps[i].Moves {
				out[state.TopicPartition{Topic: m.Topic, Partition: m.Partition}] = true
			}
		}
	}
	return out
}

func (c *checker) add(i Item) { c.items = append(c.items, i) }

func (c *checker) change(ch *Change) {
	t := c.live.Topic(ch.Topic)
	switch {
	case ch.Action == Create:
		c.created(ch, t)
	case ch.Action == Delete:
		c.deleted(ch, t)
	case t == nil:
		c.add(Item{Kind: ItemTopic, Topic: ch.Topic, State: Stale, Planned: "there", Live: "gone"})
	default:
		c.updated(ch, t)
	}
}

// created: Kafka creates a topic with all its partitions and overrides at once.
func (c *checker) created(ch *Change, t *state.Topic) {
	i := Item{Kind: ItemTopic, Topic: ch.Topic, State: AsPlanned, Planned: "absent", Live: "absent",
		Wanted: partitions(len(ch.Assignments))}
	if t != nil {
		i.State, i.Live = Stale, partitions(len(t.Partitions))
	}
	if t != nil && c.hasAll(ch, t) {
		i.State = Already
	}
	c.add(i)
}

// hasAll says whether a topic is as the change creates it.
func (c *checker) hasAll(ch *Change, t *state.Topic) bool {
	if len(t.Partitions) != len(ch.Assignments) {
		return false
	}
	for i, a := range ch.Assignments {
		if !slices.Equal(t.Partitions[i].Target(), a.After) {
			return false
		}
	}
	for _, k := range ch.Config {
		v, ok := override(t, k.Name)
		if k.After == nil || !ok || !config.SameValue(k.Name, v, *k.After) {
			return false
		}
	}
	return true
}

func (c *checker) deleted(ch *Change, t *state.Topic) {
	i := Item{Kind: ItemTopic, Topic: ch.Topic, State: AsPlanned, Planned: "there", Live: "there", Wanted: "absent"}
	if t == nil {
		i.State, i.Live = Already, "absent"
	}
	c.add(i)
}

func (c *checker) updated(ch *Change, t *state.Topic) {
	grown := 0
	for i := range ch.Assignments {
		a := &ch.Assignments[i]
		if len(a.Before) == 0 {
			grown++
			continue
		}
		c.partition(ch.Topic, a, t)
	}
	if grown > 0 {
		c.growth(ch, t, grown)
	}
	c.configs(ch, t)
}

func (c *checker) partition(topic string, a *Assignment, t *state.Topic) {
	i := Item{Kind: ItemPartition, Topic: topic, Partition: a.Partition, State: Stale,
		Planned: brokers(a.Before), Wanted: brokers(a.After), Live: "gone"}
	if int(a.Partition) >= len(t.Partitions) {
		c.add(i)
		return
	}
	p := &t.Partitions[a.Partition]
	now := p.Target()
	i.Live, i.InFlight = brokers(now), p.InFlight()
	switch {
	case slices.Equal(now, a.After):
		i.State = Already
	case slices.Equal(now, a.Before):
		i.State = AsPlanned
	}
	c.add(i)
	if c.elected[state.TopicPartition{Topic: topic, Partition: a.Partition}] && i.State != Stale {
		c.leader(topic, a, p)
	}
}

func (c *checker) leader(topic string, a *Assignment, p *state.Partition) {
	i := Item{Kind: ItemLeader, Topic: topic, Partition: a.Partition, State: AsPlanned,
		Planned: fmt.Sprint(a.LeaderBefore), Wanted: fmt.Sprint(a.LeaderAfter), Live: fmt.Sprint(p.Leader)}
	if p.Leader == a.LeaderAfter {
		i.State = Already
	}
	c.add(i)
}

// growth: the partitions that the topic had, or has after its growth.
func (c *checker) growth(ch *Change, t *state.Topic, grown int) {
	had := 0
	if ch.Partitions != nil {
		had = ch.Partitions.Before
	}
	i := Item{Kind: ItemTopic, Topic: ch.Topic, State: Stale, Planned: partitions(had),
		Live: partitions(len(t.Partitions)), Wanted: partitions(had + grown)}
	switch {
	case len(t.Partitions) == had:
		i.State = AsPlanned
	case len(t.Partitions) == had+grown && hasNew(ch, t):
		i.State = Already
	}
	c.add(i)
}

func hasNew(ch *Change, t *state.Topic) bool {
	for _, a := range ch.Assignments {
		if len(a.Before) == 0 && !slices.Equal(t.Partitions[a.Partition].Target(), a.After) {
			return false
		}
	}
	return true
}

func partitions(n int) string {
	if n == 1 {
		return "1 partition"
	}
	return fmt.Sprintf("%d partitions", n)
}
