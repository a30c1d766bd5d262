package benchmarks

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ballast/state"
)

// build makes the binary to be measured, or takes the one that BALLAST_BINARY names.
func build(tb testing.TB) string {
	tb.Helper()
	if binary := os.Getenv("BALLAST_BINARY"); binary != "" {
		return binary
	}
	binary := filepath.Join(tb.TempDir(), "ballast")
	if out, err := exec.Command("go", "build", "-o", binary, "ballast/cmd/ballast").CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// BenchmarkPromised measures what docs promise, and fails where it is not kept.
func BenchmarkPromised(b *testing.B) { measure(b, Promised(), Table) }

// BenchmarkGrowing measures how time and memory grow with size.
func BenchmarkGrowing(b *testing.B) { measure(b, Growing(), Grid) }

func measure(b *testing.B, scenarios []Scenario, table func([]Measured) string) {
	binary := build(b)
	var runs []Measured
	for _, s := range scenarios {
		b.Run(s.Name, func(b *testing.B) {
			dir := b.TempDir()
			var m Measured
			for b.Loop() {
				var err error
				if m, err = Measure(binary, dir, s); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(m.Wall.Seconds(), "s/plan")
			b.ReportMetric(float64(m.MiB), "MiB")
			if over := m.Over(); over != "" {
				b.Error(over)
			}
			runs = append(runs, m)
		})
	}
	fmt.Printf("\n%s\n", table(last(runs)))
}

// last keeps the last run of each scenario: a benchmark may be run several times.
func last(runs []Measured) (out []Measured) {
	at := map[string]int{}
	for _, m := range runs {
		if i, ok := at[m.Scenario.Name]; ok {
			out[i] = m
			continue
		}
		at[m.Scenario.Name] = len(out)
		out = append(out, m)
	}
	return out
}

func TestScenariosAreTheSameForTheSameSeed(t *testing.T) {
	s := small()
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := state.Encode(b, s.Snapshot()); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two runs differ")
	}
	s.Cluster.Seed++
	second.Reset()
	if state.Encode(&second, s.Snapshot()); bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("another seed gives the same cluster")
	}
}

// The sizes are the replicas that there are in the end.
func TestGrowingSizesAreInReplicas(t *testing.T) {
	for _, s := range Growing() {
		want := map[string]int{"2k": 2_000, "20k": 20_000, "200k": 200_000, "600k": 600_000, "1M": 1_000_000}[strings.TrimSuffix(s.Size, " replicas")]
		have := s.Cluster.Topics * s.Cluster.Partitions * max(s.RF, s.Cluster.RF)
		if have < want || have > want*21/20 {
			t.Errorf("%s has %d replicas", s.Name, have)
		}
	}
}

func small() Scenario {
	c := even(30, 4).with(func(c *Cluster) { c.Layout, c.Heavy = Random, true })
	return Scenario{Name: "small", Cluster: c, Balance: "cluster", Drain: 1}
}

func TestRoundLayoutIsEven(t *testing.T) {
	loads := even(30, 20).with(newBrokers(1)).Snapshot().Loads()
	for _, l := range loads {
		want := 222 // 2000 partitions on 9 of 10 brokers in each rack
		if l.ID%1000 == 9 {
			want = 0
		}
		if l.Replicas < want || l.Replicas > want+1 || want > 0 && l.Preferred < want/3 {
			t.Errorf("broker %d holds %d replicas and leads %d", l.ID, l.Replicas, l.Preferred)
		}
	}
}

func TestBrokenRacksAreAsManyAsAsked(t *testing.T) {
	s := Scenario{Cluster: even(30, 2), Repair: 20}
	broken := 0
	for _, topic := range s.Snapshot().Topics {
		for _, p := range topic.Partitions {
			if p.Replicas[0]/1000 == p.Replicas[2]/1000 {
				broken++
			}
		}
	}
	if broken != 10 {
		t.Errorf("%d of 200", broken)
	}
}

// One small scenario keeps the measuring itself from rotting.
func TestMeasureOfASmallPlan(t *testing.T) {
	m, err := Measure(build(t), t.TempDir(), small())
	if err != nil {
		t.Fatal(err)
	}
	if m.MiB < 1 || m.Wall <= 0 || m.CPU <= 0 || m.Copies < 1 || m.Copies < m.Bound || m.Steps < 1 {
		t.Errorf("%+v", m)
	}
	if table := Table([]Measured{m}); !strings.Contains(table, "| small | ") {
		t.Error(table)
	}
	m.Scenario.Size, m.Scenario.Work = "few replicas", "drain"
	if grid := Grid([]Measured{m}); !strings.Contains(grid, "| drain |") || !strings.Contains(grid, "| few replicas | ") {
		t.Error(grid)
	}
	m.Scenario.Seconds, m.Scenario.MiB = 1e-9, 1
	if over := m.Over(); !strings.Contains(over, "at most 1e-09; ") || !strings.Contains(over, "MiB, at most 1") {
		t.Error(over)
	}
}
