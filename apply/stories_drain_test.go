package apply

import (
	"strings"
	"testing"
	"time"

	"ballast/config"
	"ballast/state"
)

func TestADeadBrokerThatDrainsTakesNoConfig(t *testing.T) {
	f := newFixture(t, 4, 4)
	f.topic("orders", 20e6, ids(1, 3), ids(3, 2), ids(2, 1))
	f.topic("single", 1e6, ids(3))
	f.kill(3)
	f.mustLimit = true
	d := desired(topic("orders", 3, 2))
	d.Brokers = []config.Broker{{ID: 3, Drain: true, Rack: "r3"}}
	d.Apply.ThrottleSide = config.BothSides
	d.Apply.MaxBatchPartitions = 1
	start := f.now
	f.mustRun(f.plan(d))
	f.settled(d)
	if len(f.told(EventSkipped)) == 0 {
		t.Errorf("the dead broker is not told of\n%s", f.story())
	}
	if took := f.now.Sub(start); took > 5*time.Minute {
		t.Errorf("took %s", took)
	}
}

func TestAMoveThatKeepsADeadReplicaIsPutOff(t *testing.T) {
	f := newFixture(t, 4, 4)
	f.topic("orders", 20e6, ids(1, 2), ids(2, 3))
	d := short(desired(topic("orders", 2, 2)))
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 4), 1: ids(2, 4)}
	p := f.plan(d)
	f.afterStart(func() { f.brokers[1].alive = false; f.advance(0) })
	res, err := f.run(p)
	if err != nil || res.Exit != ExitStopped || len(res.Deferred) != 1 || res.Deferred[0].Partitions[0] != 0 {
		t.Fatalf("exit %d, %v, %+v\n%s", res.Exit, err, res, f.story())
	}
	same(t, ids(2, 4), f.replicas("orders", 1))
	same(t, 0, len(f.throttles()))
}

func TestADrainEndsWithALookAtTheLogDirs(t *testing.T) {
	f := newFixture(t, 4, 4)
	f.topic("orders", 20e6, ids(1, 3), ids(3, 2))
	d := desired(topic("orders", 2, 2))
	d.Brokers = []config.Broker{{ID: 3, Drain: true}}
	f.mustRun(f.plan(d))
	if e := f.told(EventDrained); len(e) != 1 || !strings.Contains(e[0].Message, "safe to stop") {
		t.Errorf("%s", f.story())
	}
	f.topic("undeclared", 1e6, ids(3, 1))
	f.topic("orders2", 1e6, ids(3, 1))
	f.events = nil
	d.Topics = append(d.Topics, topic("orders2", 1, 2))
	f.mustRun(f.plan(d))
	if e := f.told(EventDrained); len(e) != 1 || !strings.Contains(e[0].Message, "still hold undeclared-0") {
		t.Errorf("%s", f.story())
	}
}

func TestADrainedBrokerThatVotesInTheQuorumIsWarnedOf(t *testing.T) {
	for name, c := range map[string]struct {
		voters []brokerID
		secret error
		want   string
	}{
		"votes":           {ids(1, 2, 3), nil, "broker 3 votes in the metadata quorum, with [1 2]"},
		"does not vote":   {ids(1, 2), nil, ""},
		"may not be read": {nil, &state.Error{Code: 31, Name: "CLUSTER_AUTHORIZATION_FAILED"}, "could not be read"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, 4, 4)
			f.voters, f.secret = c.voters, c.secret
			f.topic("orders", 20e6, ids(1, 3))
			d := desired(topic("orders", 1, 2))
			d.Brokers = []config.Broker{{ID: 3, Drain: true}}
			f.mustRun(f.plan(d))
			warned := f.told(EventWarning)
			if c.want == "" && len(warned) > 0 || c.want != "" && (len(warned) != 1 || !strings.Contains(warned[0].Message, c.want)) {
				t.Errorf("%s", f.story())
			}
		})
	}
}
