package benchmarks

import (
	"fmt"
	"testing"
)

// seeds are how often a way is tried that chance has a part in.
const seeds = 9

// compare gives the figures of ballast, balanced over the cluster and by topic,
// and of all other ways on a scenario.
func compare(tb testing.TB, binary string, s Scenario) (ways []Way) {
	tb.Helper()
	for _, balance := range []string{"cluster", "topic"} {
		s := s
		s.Balance = balance
		planned, err := Planned(binary, tb.TempDir(), s)
		if err != nil {
			tb.Fatal(err)
		}
		ways = append(ways, Way{s.Name, fmt.Sprintf("ballast, `%s`", balance), []Figures{s.Judge(planned)}})
	}
	const generate43, generate40 = "`--generate`, Kafka 4.3", "`--generate`, up to 4.0"
	for _, name := range []string{generate43, generate40} {
		w := Way{s.Name, name, nil}
		for seed := range uint64(seeds) {
			lists, err := s.Generated(name == generate43, seed)
			if err != nil {
				tb.Fatal(err)
			}
			w.Runs = append(w.Runs, s.Judge(lists))
		}
		ways = append(ways, w)
	}
	return append(ways, Way{s.Name, greedyByTopic, []Figures{s.Judge(s.Greedy())}})
}

const greedyByTopic = "greedy by topic"

// BenchmarkOthers prints what ballast and others make of the same snapshots.
func BenchmarkOthers(b *testing.B) {
	binary := build(b)
	var ways []Way
	for _, s := range Compared() {
		b.Run(s.Name, func(b *testing.B) {
			var found []Way
			for b.Loop() {
				found = compare(b, binary, s)
			}
			b.ReportMetric(float64(found[0].Runs[0].Copies), "copies")
			ways = append(ways, found...)
		})
	}
	fmt.Printf("\n%s\n", ComparedTable(ways))
}

// Nothing that keeps the rack rule and is as even copies less; and Kafka's own
// way always copies more, and is never more even over the cluster.
func TestOthersCopyMoreOrLeaveMoreUneven(t *testing.T) {
	binary := build(t)
	for _, s := range Compared() {
		ways := compare(t, binary, s)
		cluster, topic := ways[0].Runs[0], ways[1].Runs[0]
		if cluster.Broken+topic.Broken > 0 {
			t.Errorf("%s: partitions break the rack rule: %+v, %+v", s.Name, cluster, topic)
		}
		for _, w := range ways[2:] {
			for _, f := range w.Runs {
				generated := w.Name != greedyByTopic
				if f.Broken > 0 {
					continue
				}
				if f.Apart <= cluster.Apart && less(f, cluster) || f.TopicApart <= topic.TopicApart && less(f, topic) {
					t.Errorf("%s: %s has %+v, here %+v and %+v", s.Name, w.Name, f, cluster, topic)
				}
				if generated && (f.Copies <= max(cluster.Copies, topic.Copies) || f.Apart < cluster.Apart || f.TopicApart < topic.TopicApart) {
					t.Errorf("%s: %s has %+v, here %+v and %+v", s.Name, w.Name, f, cluster, topic)
				}
			}
		}
	}
}

// less says whether a copies less than b.
func less(a, b Figures) bool {
	return a.Copies < b.Copies || a.Copies == b.Copies && a.Bytes < b.Bytes
}
