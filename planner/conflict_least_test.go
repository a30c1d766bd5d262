package planner_test

import (
	"fmt"
	"math/bits"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// Broker 3 drains, and brokers 1 to 5 have no other in rack c: t-0 cannot be had
// with all three restrictions, and with any two it could. Four replicas, of t-1, are
// too many for distinct racks alone. Two, of t-2, are not.
func TestTheSmallestConflictOfAllPartitionsIsNamed(t *testing.T) {
	s := cluster(6, 3, topic("t", on(1, 2, 3), on(1, 2, 3, 4), on(1, 2), on(1, 2, 3)))
	w := want("t", 4, 0)
	w.Replicas = config.Replicas{RackSpread: config.SpreadDistinct, Brokers: on(1, 2, 3, 4, 5)}
	conflictSays(t, drain(desired(w), 3), s, "infeasible_rack_spread_distinct: 4 replicas of t-1 in distinct racks need 4 racks that can hold one, there are 2 (1 of its 4 partitions) (")
	conflictSays(t, drain(desired(w), 3), s, `4 replicas cannot be had with replicas.rack_spread = "distinct"; without that they could.`+
		" 2 more of its partitions cannot be placed for other reasons (t-0 the first). Nothing is planned")
	conflictSays(t, drain(desired(w), 3), s, `Topics that this plan does not move have replicas on it: "t". For "t" see the errors.`)
	s.Topics[0] = topic("t", on(1, 2), on(1, 2, 3))
	w.Partitions = 2
	conflictSays(t, drain(desired(w), 3), s, "there are 2 (1 of its 2 partitions) (")
	conflictSays(t, drain(desired(w), 3), s, `replicas.brokers (5), 1 draining broker and replicas.rack_spread = "distinct" together; without any one of these they could. Nothing is planned`)
}

// Of 100,000 partitions those that fail differ by what waits for a dead broker, in
// few ways that matter.
func TestTheConflictOfVeryManyPartitionsIsFound(t *testing.T) {
	s := cluster(300, 3)
	for i := range 60 {
		s.Brokers[i*5].Alive = false
	}
	var lists [][]state.BrokerID
	for i := range 100_000 {
		var list []state.BrokerID
		for k := range 3 {
			list = append(list, state.BrokerID((i*7+k*(1+i/300))%300+1))
		}
		if list[0] != list[1] && list[1] != list[2] && list[0] != list[2] {
			lists = append(lists, list)
		}
	}
	s.Topics = []state.Topic{topic("t", lists...)}
	w := want("t", len(lists), 4)
	w.Replicas = config.Replicas{RackSpread: config.SpreadDistinct}
	conflictSays(t, desired(w), s, `4 replicas cannot be had with replicas.rack_spread = "distinct"; without that they could. Nothing is planned`)
	conflictSays(t, desired(w), s, fmt.Sprintf("there are 3 (all its %d partitions)", len(lists)))
}

var saysConcerned = regexp.MustCompile(`\((?:all its|(\d+) of its) (\d+) partitions\)`)
var saysOthers = regexp.MustCompile(`(\d+) more of its partitions cannot`)

// concerned reads how many partitions have the conflict named, and how many more fail.
func concerned(t *rapid.T, p *planner.Plan) (shared, others int) {
	text := strings.Join(codes(p), "\n")
	number := func(text string) (n int) {
		if _, err := fmt.Sscan(text, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if said := saysOthers.FindStringSubmatch(text); said != nil {
		others = number(said[1])
	}
	said := saysConcerned.FindStringSubmatch(text)
	if said[1] == "" {
		return number(said[2]), others
	}
	return number(said[1]), others
}

// Each partition is planned alone under every set of restrictions: no set that is
// smaller than the one named conflicts for any, and as many fail, with it and
// otherwise, as is said.
func TestNoPartitionHasASmallerConflict(t *testing.T) {
	found, several := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		const all = 1<<7 - 1
		x := drawRuled(t)
		lists := make([][]state.BrokerID, rapid.IntRange(2, 3).Draw(t, "partitions"))
		for i := range lists {
			ids := rapid.Permutation(brokerIDs(x.cluster)).Draw(t, "list")
			lists[i] = ids[:rapid.IntRange(1, min(4, len(ids))).Draw(t, "held")]
		}
		if rapid.Bool().Draw(t, "undeclared factor") && x.want.Replicas.PerRack == nil {
			x.want.ReplicationFactor = 0
		}
		x.want.Partitions, x.cluster.Topics = len(lists), []state.Topic{topic("t", lists...)}
		plan := x.under(all)
		detail := infeasible(plan)
		conflicts := make([]map[uint]bool, len(lists))
		x.want.Partitions = 1
		fail, least := 0, 99
		for i, list := range lists {
			x.cluster.Topics, conflicts[i] = []state.Topic{topic("t", list)}, map[uint]bool{}
			for set := range uint(all + 1) {
				if conflicts[i][set] = infeasible(x.under(set)) != ""; conflicts[i][set] && infeasible(x.under(all)) != "" {
					least = min(least, bits.OnesCount(set))
				}
			}
			if conflicts[i][all] {
				fail++
			}
		}
		if detail == "" || fail == 0 {
			if fail > 0 || detail != "" {
				t.Fatalf("%d fail: %q", fail, detail)
			}
			return
		}
		named := uint(0)
		if said := saysConflict.FindStringSubmatch(detail); said != nil {
			named = setOf(t, strings.TrimSuffix(strings.Split(said[1], ", nor with ")[0], " together"))
		}
		with := 0
		for i := range lists {
			if conflicts[i][all] && conflicts[i][named] {
				with++
			}
		}
		if found++; fail < len(lists) {
			several++
		}
		shared, others := concerned(t, plan)
		if bits.OnesCount(named) != least || shared != with || shared+others != fail {
			t.Fatalf("least is %d, %d have that conflict and %d fail: %s", least, with, fail, detail)
		}
	})
	if found == 0 || several == 0 {
		t.Errorf("%d topics are too narrow, %d in part", found, several)
	}
}
