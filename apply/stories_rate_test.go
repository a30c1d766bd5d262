package apply

import (
	"strings"
	"testing"

	"ballast/config"
	"ballast/state"
)

func TestAThrottleClimbsWhileISRsHoldAndFallsWhenTheyShrink(t *testing.T) {
	f := newFixture(t, 4, 4)
	f.topic("orders", 20e9, ids(1))
	f.topic("other", 1e6, ids(1, 2))
	f.mustLimit = true
	d := desired(topic("orders", 1, 2))
	d.Apply.Throttle = config.Throttle{Network: 100e6, StartPercent: 20, MaxPercent: 50}
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 3)}
	p := f.plan(d)
	var rates []string
	f.onEvent = func(e Event) {
		if e.Kind != EventThrottleSet {
			return
		}
		rates = append(rates, *f.config(brokerKey(3, followerRate)))
		if len(rates) == 6 {
			f.kill(2)
		}
		if len(rates) == 7 {
			f.restart(2)
		}
	}
	f.mustRun(p)
	f.settled(d)
	same(t, []string{"20000000", "25000000", "31250000", "39062500", "48828125", "50000000", "25000000", "31250000", "39062500", "48828125", "50000000"}, rates)
}

func TestAThrottleFallsWhereAPartitionElsewhereComesNearMinISR(t *testing.T) {
	f := newFixture(t, 5, 5)
	f.topic("orders", 20e9, ids(1))
	f.topic("far", 1e6, ids(4, 5))
	f.topics["far"].config[minISRConfig] = &simValue{value: ptr("1")}
	d := desired(topic("orders", 1, 2))
	d.Apply.Throttle = config.Throttle{Network: 100e6, StartPercent: 20, MaxPercent: 50}
	d.Topics[0].Replicas.Pin = map[int32][]state.BrokerID{0: ids(1, 3)}
	p := f.plan(d)
	var rates []string
	f.onEvent = func(e Event) {
		if e.Kind != EventThrottleSet {
			return
		}
		if rates = append(rates, *f.config(brokerKey(3, followerRate))); len(rates) == 3 {
			f.kill(5)
		}
		if len(rates) == 4 {
			f.restart(5)
		}
	}
	f.mustRun(p)
	same(t, []string{"20000000", "25000000", "31250000", "15625000", "19531250"}, rates[:5])
	if w := f.told(EventWarning); len(w) != 1 || !strings.Contains(w[0].Message, "far-0") {
		t.Errorf("%s", f.story())
	}
}

func TestTheRateOfARunAtWorkIsChanged(t *testing.T) {
	f, d := slowRaise(t)
	rate := make(chan float64, 2)
	f.opt = func(o *Options) { o.Rate = rate }
	var rates []string
	f.onEvent = func(e Event) {
		switch {
		case firstProgress(e) && len(rates) == 1:
			rate <- 4
		case e.Kind == EventThrottleSet:
			rates = append(rates, strings.Join(f.throttles(), " "))
		}
	}
	f.mustRun(f.plan(d)) // which wants each move submitted once
	f.settled(d)
	if len(rates) < 2 || !strings.Contains(rates[0], followerRate+"=10000000") || !strings.Contains(rates[1], followerRate+"=40000000") {
		t.Errorf("rates %v\n%s", rates, f.story())
	}
}

func TestARateIsChangedWithoutRestartingMoves(t *testing.T) {
	f, d := slowRaise(t)
	f.stopWhen(firstProgress)
	if _, err := f.run(f.plan(d)); err != nil {
		t.Fatal(err)
	}
	f.stop, f.onEvent = nil, nil
	before := f.throttles()
	f.opt = func(o *Options) { o.Throttle = ptr(int64(40_000_000)) }
	var during []string
	f.onEvent = func(e Event) {
		if firstProgress(e) && during == nil {
			during = f.throttles()
		}
	}
	f.mustRun(nil)
	f.settled(d)
	if strings.Join(before, " ") == strings.Join(during, " ") || !strings.Contains(strings.Join(during, " "), "=40000000") {
		t.Errorf("before %v, during %v", before, during)
	}
}
