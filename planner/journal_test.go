package planner_test

import (
	"strings"
	"testing"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

const runs = "ballast-journal"

// journaled declares that the journal is in the cluster.
func journaled(d *config.Desired) *config.Desired {
	d.Journal = config.Journal{Backend: config.KafkaJournal, Topic: runs}
	return d
}

func TestTheJournalsTopicIsNeverPlanned(t *testing.T) {
	s := cluster(3, 0, topic("alpha", on(1)), topic(runs, on(1, 2, 3)), topic("theirs", on(1)))
	for _, how := range []config.UnmanagedReplicas{config.UnmanagedKeep, config.UnmanagedDrain, config.UnmanagedPlace} {
		d := journaled(desired(want("alpha", 1, 1)))
		d.Unmanaged.Replicas = how
		d.Brokers = []config.Broker{{ID: 1, Drain: true, Weight: 1, Source: config.Source{File: "main.hcl", Line: 2}}}
		p := planOf(d, s)
		noErrors(t, p)
		unchanged(t, p, runs)
		if p.Summary.TopicsUnmanaged+p.Summary.TopicsUnchanged > 1 {
			t.Errorf("%s: the journal counts: %+v", how, p.Summary)
		}
		if got := diagnostic(t, p, "drain_incomplete").Detail; !strings.Contains(got, "kafka-reassign-partitions") || strings.Contains(got, "Declare them") != (how == config.UnmanagedKeep) {
			t.Errorf("%s: %s", how, got)
		}
	}
	p := planner.Make(journaled(desired(want("alpha", 1, 1))), s, planner.Options{Targets: []string{"topic." + runs}})
	diagnostic(t, p, "target_unknown")
}

// The first apply creates the journal's topic: what is balanced before is
// balanced after it.
func TestTheJournalsTopicIsNoLoad(t *testing.T) {
	alpha := want("alpha", 3, 1)
	alpha.Replicas.Balance = config.BalanceCluster
	beta := want("beta", 3, 1)
	beta.Replicas.Balance = config.BalanceCluster
	topics := []state.Topic{topic("alpha", on(1), on(2), on(3)), topic("beta", on(1), on(2), on(1)), topic(runs, on(1)), topic("theirs", on(3))}
	before := planOf(journaled(desired(alpha, beta)), cluster(3, 0, topics[0], topics[1], topics[3]))
	after := planOf(journaled(desired(alpha, beta)), cluster(3, 0, topics...))
	noErrors(t, after)
	if before.Digest != after.Digest {
		t.Errorf("before: %+v\nafter: %+v", before.Changes, after.Changes)
	}
}
