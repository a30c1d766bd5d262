package planner_test

import (
	"strings"
	"testing"

	"ballast/config"
)

// Each of these conflicts needs all that it names, and nothing else.
func TestTheSmallestConflictIsNamed(t *testing.T) {
	distinct, racked, classed, drained := want("t", 1, 3), want("t", 1, 3), want("t", 1, 3), want("t", 1, 3)
	distinct.Replicas = config.Replicas{RackSpread: config.SpreadDistinct, Racks: []string{"a", "b"}}
	racked.Replicas = config.Replicas{RackSpread: config.SpreadNone, Racks: []string{"a"}}
	classed.Replicas = config.Replicas{RackSpread: config.SpreadNone, Racks: []string{"a", "b", "c"}, Class: "ssd"}
	drained.Replicas = config.Replicas{RackSpread: config.SpreadDistinct}
	for says, d := range map[string]*config.Desired{
		`3 replicas cannot be had with replicas.racks (2) and replicas.rack_spread = "distinct" together;`: desired(distinct),
		`3 replicas cannot be had with replicas.racks (1);`:                                                desired(racked),
		`3 replicas cannot be had with replicas.class = "ssd";`:                                            desired(classed),
		`3 replicas cannot be had with 2 draining brokers and replicas.rack_spread = "distinct" together;`: drain(desired(drained), 3, 6),
		`9 replicas are more than this cluster can hold at all.`:                                           desired(want("t", 1, 9)),
	} {
		d.Classes = []config.BrokerClass{{Name: "ssd", Racks: []string{"b"}}}
		p := planOf(d, cluster(6, 3))
		if text := strings.Join(codes(p), "\n"); !strings.Contains(text, says) {
			t.Errorf("%q is not said:\n%s", says, text)
		}
	}
}
