package planner_test

import (
	"testing"

	"ballast/planner"
	"ballast/state"
)

// reviewed is a plan and what it was made from.
func reviewed() (*planner.Plan, *state.Snapshot) {
	s := cluster(4, 0, with(topic("t", on(1, 2), on(2, 3)), "retention.ms", "1000", "flush.ms", "7"))
	w := want("t", 3, 3, "retention.ms", "2000")
	w.IgnoreConfig = []string{"flush.*"}
	return planOf(desired(w, want("new", 1, 1)), s), s
}

func TestWhatHasChangedSinceThePlanIsStale(t *testing.T) {
	tests := map[string]struct {
		change func(s *state.Snapshot)
		kind   planner.ItemKind // "": not stale
	}{
		"nothing":     {func(s *state.Snapshot) {}, ""},
		"a partition": {func(s *state.Snapshot) { s.Topics[0].Partitions[0].Replicas = on(1, 4) }, planner.ItemPartition},
		"an order":    {func(s *state.Snapshot) { s.Topics[0].Partitions[0].Replicas = on(2, 1) }, planner.ItemPartition},
		"a leader":    {func(s *state.Snapshot) { s.Topics[0].Partitions[0].Leader = 2 }, ""},
		"growth": {func(s *state.Snapshot) {
			s.Topics[0] = with(topic("t", on(1, 2), on(2, 3), on(1, 2), on(1, 2)), "retention.ms", "1000")
		}, planner.ItemTopic},
		"its override":       {func(s *state.Snapshot) { with(s.Topics[0], "retention.ms", "5") }, planner.ItemConfig},
		"another override":   {func(s *state.Snapshot) { with(s.Topics[0], "segment.ms", "5") }, planner.ItemConfig},
		"an ignored key":     {func(s *state.Snapshot) { with(s.Topics[0], "flush.ms", "5", "flush.messages", "8") }, ""},
		"throttled replicas": {func(s *state.Snapshot) { with(s.Topics[0], "leader.replication.throttled.replicas", "*") }, ""},
		"the topic is gone":  {func(s *state.Snapshot) { s.Topics = nil }, planner.ItemTopic},
		"another made it":    {func(s *state.Snapshot) { s.Topics = append([]state.Topic{topic("new", on(1), on(2))}, s.Topics...) }, planner.ItemTopic},
		"a new broker":       {func(s *state.Snapshot) { s.Brokers = append(s.Brokers, state.Broker{ID: 9, Alive: true}) }, planner.ItemBroker},
		"a rack":             {func(s *state.Snapshot) { s.Brokers[0].Rack = "x" }, planner.ItemBroker},
		"a broker is gone":   {func(s *state.Snapshot) { s.Brokers = s.Brokers[:3] }, planner.ItemBroker},
		"a broker died":      {func(s *state.Snapshot) { s.Brokers[3].Alive = false }, ""},
		"another cluster":    {func(s *state.Snapshot) { s.ClusterID = "x" }, planner.ItemCluster},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p, s := reviewed()
			test.change(s)
			stale := planner.Check(p, s).Stale()
			if test.kind == "" && len(stale) > 0 {
				t.Fatalf("stale: %s", stale[0])
			}
			if test.kind != "" && (len(stale) != 1 || stale[0].Kind != test.kind) {
				t.Fatalf("stale: %+v, want one %s", stale, test.kind)
			}
		})
	}
}

func TestAPlanThatWasCarriedOutIsDone(t *testing.T) {
	p, s := reviewed()
	for _, step := range p.Steps {
		s = planner.Replay(s, step)
	}
	s.Brokers = append(s.Brokers, state.Broker{ID: 9, Alive: true})
	if c := planner.Check(p, s); !c.Done() || len(c.Stale()) > 0 {
		t.Errorf("%+v", c.Items)
	}
}

func TestAMoveInFlightTowardsWhatIsWantedIsAlreadySo(t *testing.T) {
	p, s := reviewed()
	move := movesOf(t, p)[0]
	part := &s.Topics[0].Partitions[move.Partition]
	part.Replicas, part.Adding = move.After, move.After[2:]
	for _, i := range planner.Check(p, s).Items {
		if i.Kind == planner.ItemPartition && i.Partition == move.Partition && (i.State != planner.Already || !i.InFlight) {
			t.Errorf("%+v", i)
		}
	}
}

func movesOf(t *testing.T, p *planner.Plan) []planner.Move {
	for _, step := range p.Steps {
		if step.Kind == planner.Reassign {
			return step.Moves
		}
	}
	t.Fatalf("nothing moves: %s", kinds(p))
	return nil
}
