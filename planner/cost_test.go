package planner_test

import (
	"strings"
	"testing"

	"ballast/config"
	"ballast/state"
)

// TestBatchesThatTakeLongerThanTheBusiestBrokerSayWhy: two copies between pairs
// of brokers that have nothing to do with one another could go at once.
func TestBatchesThatTakeLongerThanTheBusiestBrokerSayWhy(t *testing.T) {
	const mb = 1_000_000
	a := topic("a", on(1), on(2))
	for i := range a.Partitions {
		a.Partitions[i].Size = state.Size{Bytes: 240 * mb, Known: true}
	}
	for name, c := range map[string]struct {
		set  func(*config.Apply)
		want string
	}{
		"max_batch_bytes":      {func(a *config.Apply) { a.MaxBatchBytes = 300 * mb }, "12 s, and broker 1 alone needs 6 s at 40 MB/s. The cause is max_batch_bytes, 300 MB"},
		"max_batch_partitions": {func(a *config.Apply) { a.MaxBatchPartitions = 1 }, "The cause is max_batch_partitions = 1"},
		"nothing":              {func(*config.Apply) {}, ""},
	} {
		d := desired(want("a", 2, 2))
		d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: {1, 3}, 1: {2, 4}}
		d.Apply.Throttle = config.Throttle{BytesPerSecond: 40 * mb}
		c.set(&d.Apply)
		p := planOf(d, cluster(4, 0, a))
		noErrors(t, p)
		got := ""
		for _, x := range p.Diagnostics {
			if x.Code == "batches_not_tight" {
				got = x.Summary + " " + x.Detail
			}
		}
		if !strings.Contains(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestCopiesOfUnknownSizeAreCountedApart(t *testing.T) {
	a := topic("a", on(1), on(2))
	a.Partitions[0].Size = state.Size{}
	a.Partitions[1].Size = state.Size{Bytes: 100, Known: true}
	p := planOf(desired(want("a", 2, 2)), cluster(3, 0, a))
	noErrors(t, p)
	if e := p.Estimate; e.UnknownSizes != 1 || e.Bytes != 100 || p.Summary.BytesToCopy != 100 {
		t.Errorf("%+v", e)
	}
}
