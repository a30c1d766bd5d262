package apply_test

import (
	"strings"
	"testing"

	"ballast/apply"
	"ballast/state"
	"ballast/state/sandbox"
)

// Rates that were there before the run come back to the letter, whatever their
// source: a broker's own, the cluster's default, and server.properties'.
func TestSandboxRatesOfEverySourceComeBack(t *testing.T) {
	const rate = "follower.replication.throttled.rate"
	for _, source := range []state.ConfigSource{state.SourceBroker, state.SourceCluster, state.SourceStatic} {
		t.Run(string(source), func(t *testing.T) {
			rates := func(o *sandbox.Options) {
				for i := range o.Snapshot.Brokers {
					o.Snapshot.Brokers[i].Config = map[string]state.ConfigValue{rate: {Value: "7000000", Source: source}}
				}
			}
			l := newLabOf(t, rates, stored("orders", 20*mb, list(1, 3), list(5, 3)))
			before := l.rates(rate)
			if !strings.Contains(before, "7000000 "+string(source)) {
				t.Fatalf("the sandbox begins with %s", before)
			}
			limitedMeanwhile := false
			l.on = func(e apply.Event) {
				if e.Kind == apply.EventSubmitted {
					limitedMeanwhile = l.rates(rate) != before
				}
			}
			l.mustApply(limited(5*mb, wanted("orders", 2, 3)))
			if !limitedMeanwhile {
				t.Error("no rate of the run's own while it moved")
			}
			if after := l.rates(rate); after != before {
				t.Errorf("rates are %s, were %s", after, before)
			}
		})
	}
}

// rates has every broker's value of a rate, and its source.
func (l *lab) rates(name string) string {
	var out []string
	for _, b := range l.Sandbox.Snapshot().Brokers {
		out = append(out, b.Config[name].Value+" "+string(b.Config[name].Source))
	}
	return strings.Join(out, ", ")
}
