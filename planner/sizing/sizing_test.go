package sizing

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// brokers are n alike, in racks a, b, c in turn; 0 racks: none.
func brokers(n, racks int) (out []Broker) {
	for i := range n {
		b := Broker{ID: state.BrokerID(i + 1), Weight: 1}
		if racks > 0 {
			b.Rack = string(rune('a' + i%racks))
		}
		out = append(out, b)
	}
	return out
}

// ask is an input on 6 brokers in 3 racks: 60 MB/s, of which a partition takes
// 10 and gives 5, kept for an hour.
func ask(change func(*Input)) Input {
	in := Input{Topic: "t", Throughput: 60e6, Growth: 1, ProducerRate: 10e6, ConsumerRate: 5e6, Groups: 1, RF: 3, Retention: 3600,
		Brokers: brokers(6, 3), Spread: true, MaxReplicas: DefaultMaxReplicas, NetworkHeadroom: 20, DiskHeadroom: 1.2}
	if change != nil {
		change(&in)
	}
	return in
}

func made(t rapid.TB, in Input) *Report {
	t.Helper()
	r, err := Make(in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *Report) of(code string) Check {
	for _, c := range r.Checks {
		if c.Code == code {
			return c
		}
	}
	return Check{}
}

func TestPartitionsAreEnoughAndOneMultipleFewerIsNot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		racks := rapid.IntRange(0, 3).Draw(t, "racks")
		in := ask(func(in *Input) {
			in.Throughput = rapid.Int64Range(1, 1e9).Draw(t, "throughput")
			in.Growth = rapid.SampledFrom([]float64{1, 1.3, 2}).Draw(t, "growth")
			in.ProducerRate, in.ConsumerRate = rapid.Int64Range(1e5, 1e8).Draw(t, "producer"), rapid.Int64Range(1e5, 1e8).Draw(t, "consumer")
			in.Groups, in.Consumers = rapid.IntRange(0, 3).Draw(t, "groups"), rapid.IntRange(0, 50).Draw(t, "consumers")
			in.Existing, in.Multiple = rapid.IntRange(0, 50).Draw(t, "existing"), rapid.IntRange(0, 7).Draw(t, "multiple")
			in.Brokers, in.Spread = brokers(rapid.IntRange(max(1, racks), 12).Draw(t, "brokers"), racks), racks > 0
		})
		r := made(t, in)
		bears := func(n int64) bool {
			return n*in.ProducerRate >= r.Demand && (in.Groups == 0 || n*in.ConsumerRate >= r.Demand) && n >= int64(in.Consumers) && n >= int64(in.Existing) && n > 0
		}
		if !bears(int64(r.Partitions)) || r.Partitions%r.Multiple != 0 {
			t.Errorf("%d partitions, a multiple of %d, do not bear %+v", r.Partitions, r.Multiple, in)
		}
		if bears(int64(r.Partitions - r.Multiple)) {
			t.Errorf("%d partitions would do, not %d", r.Partitions-r.Multiple, r.Partitions)
		}
		if r.MultipleOf == OfBrokers && r.Partitions%len(in.Brokers) != 0 {
			t.Errorf("%d partitions are not led evenly by %d brokers", r.Partitions, len(in.Brokers))
		}
	})
}

// What a broker gets at most is what the planner gives the broker that it gives
// most.
func TestSharesAreWhatThePlannerGives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		racks := rapid.IntRange(0, 3).Draw(t, "racks")
		list := brokers(rapid.IntRange(max(1, racks), 8).Draw(t, "brokers"), 0)
		s := &state.Snapshot{}
		for i := range list {
			if racks > 0 && i < racks {
				list[i].Rack = fmt.Sprint("r", i)
			} else if racks > 0 {
				list[i].Rack = fmt.Sprint("r", rapid.IntRange(0, racks-1).Draw(t, "rack"))
			}
			s.Brokers = append(s.Brokers, state.Broker{ID: list[i].ID, Rack: list[i].Rack, Alive: true})
		}
		partitions, rf := rapid.IntRange(1, 30).Draw(t, "partitions"), rapid.IntRange(1, len(list)).Draw(t, "rf")
		d := &config.Desired{Apply: config.DefaultApply(), Topics: []config.Topic{{Name: "t", Partitions: partitions, ReplicationFactor: rf, Config: map[string]string{}}}}
		p := planner.Make(d, s, planner.Options{})
		shares, ok := share(list, partitions, rf, racks > 0)
		if ok == p.Errored {
			t.Fatalf("fits: %v, planned: %v", ok, !p.Errored)
		}
		if !ok {
			return
		}
		most, planned := int64(0), int64(0)
		for i := range list {
			most, planned = max(most, shares[i].replicas), max(planned, int64(p.Brokers[i].After.Replicas))
			if int64(p.Brokers[i].After.Leaders) > shares[i].replicas {
				t.Errorf("broker %d leads %d", list[i].ID, p.Brokers[i].After.Leaders)
			}
		}
		if most != planned {
			t.Errorf("the broker with most gets %d, the planner gives it %d", most, planned)
		}
	})
}

func TestCountOnPaper(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(*Input)
		want   int
		of     Of
	}{
		{"max(60/10, 60/5) = 12, two a broker", nil, 12, OfBrokers},
		{"nobody consumes: 60/10", func(in *Input) { in.Groups = 0 }, 6, OfBrokers},
		{"grown by half: 18", func(in *Input) { in.Growth = 1.5 }, 18, OfBrokers},
		{"13 members: the next multiple", func(in *Input) { in.Consumers = 13 }, 18, OfBrokers},
		{"there are 20 already", func(in *Input) { in.Existing = 20 }, 24, OfBrokers},
		{"4 on 6 brokers: two a rack", func(in *Input) { in.Throughput = 20e6 }, 6, OfRacks},
		{"4 on 6 brokers without racks", func(in *Input) { in.Throughput = 20e6; in.Brokers, in.Spread = brokers(6, 0), false }, 4, OfNothing},
		{"one broker weighs as three: 12 by 8", func(in *Input) { in.Brokers[0].Weight = 3 }, 16, OfWeights},
		{"all weigh two: as if one", func(in *Input) {
			for i := range in.Brokers {
				in.Brokers[i].Weight = 2
			}
		}, 12, OfBrokers},
		{"12, by 5", func(in *Input) { in.Multiple = 5 }, 15, OfGiven},
	} {
		if r := made(t, ask(c.change)); r.Partitions != c.want || r.MultipleOf != c.of {
			t.Errorf("%s: %d, a multiple of %s", c.what, r.Partitions, r.MultipleOf)
		}
	}
}

// 12 partitions of 5 MB/s, 3 replicas on 6 brokers: 6 replicas and 2 leaders
// each. With one dead its rack has one broker, which then holds 12.
func TestLimitsOnPaper(t *testing.T) {
	r := made(t, ask(func(in *Input) { in.Network = 100e6 }))
	for code, want := range map[string][2]int64{
		"replicas":    {6, 12},
		"network_in":  {30e6, 60e6},
		"network_out": {30e6, 45e6}, // 2 leaders, then 3, x 5 MB/s x (1 group + 2 followers)
	} {
		c := r.of(code)
		if c.Verdict != OK || c.Alive.Value != want[0] || c.Dead.Value != want[1] {
			t.Errorf("%s: %s, %+v, %+v", code, c.Verdict, c.Alive, c.Dead)
		}
	}
	if c := r.of("network_in"); c.Alive.Limit != 80e6 {
		t.Errorf("a fifth of the network stays free: %d", c.Alive.Limit)
	}
	if c := r.of("disk"); c.Verdict != Unchecked || c.Alive != nil {
		t.Errorf("nobody knows the log dirs: %+v", c)
	}
	if r.Broken != 0 || r.Consumers != 12 {
		t.Errorf("broken: %d, members: %d", r.Broken, r.Consumers)
	}
}

// An hour of 5 MB/s is 18 GB, and the segment that goes last another 1 GiB: 6
// replicas of it on two dirs are 3 x 19.07 GB, 1.2 times that 68.7 GB.
func TestDiskIsOfTheFullestLogDir(t *testing.T) {
	dirs := func(free ...int64) (out []state.LogDir) {
		for _, n := range free {
			out = append(out, state.LogDir{Usable: state.KnownSize(n)})
		}
		return append(out, state.LogDir{Offline: true})
	}
	on := func(list []state.LogDir) Check {
		return made(t, ask(func(in *Input) {
			for i := range in.Brokers {
				in.Brokers[i].LogDirs = dirs(900e9, 900e9)
			}
			in.Brokers[4].LogDirs = list
		})).of("disk")
	}
	if c := on(dirs(900e9, 900e9)); c.Verdict != OK || c.Alive.Value != 68665470567 || c.Dead.Value < 2*c.Alive.Value-1 {
		t.Errorf("%+v %+v %+v", c, c.Alive, c.Dead)
	}
	if c := on(dirs(900e9, 60e9)); c.Verdict != Broken || *c.Alive.Broker != 5 || c.Alive.Limit != 60e9 {
		t.Errorf("%+v %+v", c, c.Alive)
	}
	if c := on(nil); c.Verdict != Unchecked || c.Alive == nil {
		t.Errorf("one broker does not tell: %+v", c)
	}
}

func TestOtherTopicsCountOnADeadBroker(t *testing.T) {
	in := ask(func(in *Input) {
		in.Brokers, in.Spread, in.MaxReplicas = brokers(6, 0), false, 110
		for i := range in.Brokers {
			in.Brokers[i].Replicas = 100
		}
	})
	c := made(t, in).of("replicas")
	if c.Verdict != Broken || c.Alive.Value != 106 || c.Dead.Value != 100+20+8 {
		t.Errorf("%+v %+v %+v", c, c.Alive, c.Dead)
	}
}

func TestMembersThatCannotKeepUpAreTold(t *testing.T) {
	c := made(t, ask(func(in *Input) { in.Consumers = 5 })).of("consumers")
	if c.Verdict != Broken || c.Alive.Value != 15e6 || c.Alive.Limit != 5e6 {
		t.Errorf("5 members read 12 partitions of 5 MB/s: %+v %+v", c, c.Alive)
	}
}

func TestMoreReplicasThanBrokersBreakOneLimit(t *testing.T) {
	r := made(t, ask(func(in *Input) { in.RF = 7 }))
	if r.Broken != 1 || r.of("replication_factor").Verdict != Broken || r.of("replicas").Verdict != Unchecked {
		t.Errorf("%+v", r.Checks)
	}
	if r := made(t, ask(func(in *Input) { in.RF = 6 })); r.of("replication_factor").Verdict != OK || r.of("replicas").Dead == nil {
		t.Errorf("%+v", r.Checks)
	}
}

func TestWhatCannotBeIsRefused(t *testing.T) {
	for what, change := range map[string]func(*Input){
		"no throughput":    func(in *Input) { in.Throughput = 0 },
		"too many":         func(in *Input) { in.Throughput, in.ProducerRate = 1e15, 1 },
		"beyond rates":     func(in *Input) { in.Throughput, in.Growth = 1<<62, 1000 },
		"shrinking":        func(in *Input) { in.Growth = 0.5 },
		"no brokers":       func(in *Input) { in.Brokers = nil },
		"no replicas":      func(in *Input) { in.RF = 0 },
		"kept for ever":    func(in *Input) { in.Retention = 0 },
		"all is headroom":  func(in *Input) { in.NetworkHeadroom = 100 },
		"negative members": func(in *Input) { in.Consumers = -1 },
	} {
		if r, err := Make(ask(change)); err == nil {
			t.Errorf("%s: %+v", what, r)
		}
	}
}
