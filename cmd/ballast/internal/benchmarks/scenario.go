package benchmarks

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ballast/state"
)

// Scenario is a cluster, what is declared of it, and what a plan may take.
type Scenario struct {
	Name    string
	Size    string // its place in a grid, see Grid; "": none
	Work    string
	Cluster Cluster
	RF      int     // declared; 0: as it is
	Balance string  // replicas { balance = … }; "": none declared
	Drain   int     // the last brokers of each rack that are to be emptied
	Repair  int     // every how many partitions one has two replicas in one rack; 0: none
	Seconds float64 // whole process, at most; 0: nothing is promised
	MiB     int     // peak resident memory, at most
}

// thirds is three racks with so many brokers altogether.
func thirds(brokers int) []int { return []int{brokers / 3, brokers / 3, brokers / 3} }

// even is a cluster of topics with 100 partitions on brokers in three racks.
func even(brokers, topics int) Cluster {
	return Cluster{Racks: thirds(brokers), Topics: topics, Partitions: 100, RF: 3, Seed: 1}
}

// with changes a cluster.
func (c Cluster) with(change func(*Cluster)) Cluster {
	change(&c)
	return c
}

func newBrokers(each int) func(*Cluster) { return func(c *Cluster) { c.Empty = each } }

// Promised are the scenarios that docs promise a time for.
func Promised() []Scenario {
	large, larger := even(300, 2000), even(300, 3334)
	random := large.with(func(c *Cluster) { c.Layout, c.Heavy = Random, true })
	two := large.with(func(c *Cluster) { c.RF, c.Empty = 2, 10 })
	unequal := large.with(func(c *Cluster) { c.Racks = []int{120, 90, 60, 30} })
	return []Scenario{
		{Name: "200k partitions, 30 new brokers, cluster", Cluster: large.with(newBrokers(10)), Balance: "cluster", Seconds: 5, MiB: 1024},
		{Name: "200k partitions, 30 new brokers, topic", Cluster: large.with(newBrokers(10)), Balance: "topic", Seconds: 5, MiB: 1024},
		{Name: "200k partitions, 30 of 300 drained", Cluster: large, Drain: 10, Seconds: 4, MiB: 1024},
		{Name: "200k partitions, random, heavy tails, cluster", Cluster: random, Balance: "cluster", MiB: 1024},
		{Name: "200k partitions, random, heavy tails, topic", Cluster: random, Balance: "topic", MiB: 1024},
		{Name: "1M replicas, 30 new brokers, cluster", Cluster: larger.with(newBrokers(10)), Balance: "cluster", Seconds: 10, MiB: 2048},
		{Name: "1M replicas, 30 new brokers, topic", Cluster: larger.with(newBrokers(10)), Balance: "topic", Seconds: 10, MiB: 2048},
		{Name: "1M replicas, 30 of 300 drained", Cluster: larger, Drain: 10, Seconds: 10, MiB: 2048},
		{Name: "RF 2 over three racks, cluster", Cluster: two, Balance: "cluster", Seconds: 12, MiB: 1024},
		{Name: "racks of 120, 90, 60 and 30, cluster", Cluster: unequal, Balance: "cluster", Seconds: 30, MiB: 1024},
		{Name: "5,000 topics, nothing to do", Cluster: Cluster{Racks: thirds(30), Topics: 5000, Partitions: 10, RF: 3, Seed: 1}, Seconds: 1, MiB: 1024},
	}
}

// Growing are scenarios of growing size, to see how time and memory grow with
// it: by replicas, and 200,000 partitions among them.
func Growing() (all []Scenario) {
	for _, size := range []struct {
		name            string
		brokers, topics int // topics of 100 partitions with 3 replicas
	}{{"2k", 30, 7}, {"20k", 90, 67}, {"200k", 300, 667}, {"600k", 300, 2000}, {"1M", 300, 3334}} {
		c := even(size.brokers, size.topics)
		two := c.with(func(c *Cluster) { c.RF = 2 })
		each := size.brokers / 30
		for _, s := range []Scenario{
			{Work: "drain", Cluster: c, Drain: each},
			{Work: "add brokers", Cluster: c.with(newBrokers(each)), Balance: "cluster"},
			{Work: "raise RF", Cluster: two, RF: 3},
			{Work: "rack repair", Cluster: c, Repair: 20},
			{Work: "no change", Cluster: c},
		} {
			s.Size = size.name + " replicas"
			s.Name = s.Size + ", " + s.Work
			all = append(all, s)
		}
	}
	return all
}

// Snapshot is the scenario's cluster.
func (s Scenario) Snapshot() *state.Snapshot {
	snapshot := s.Cluster.Snapshot()
	if s.Repair > 0 {
		breakRacks(snapshot, s.Cluster, s.Repair)
	}
	return snapshot
}

// breakRacks puts the last replica of every so manieth partition into the rack
// of the first.
func breakRacks(snapshot *state.Snapshot, c Cluster, every int) {
	g := 0
	for i := range snapshot.Topics {
		for j := range snapshot.Topics[i].Partitions {
			if g++; g%every != 0 {
				continue
			}
			p := &snapshot.Topics[i].Partitions[j]
			first := p.Replicas[0]
			rack := int(first)/1000 - 1
			p.Replicas[len(p.Replicas)-1] = BrokerID(rack, (int(first)%1000+1)%c.Racks[rack])
			p.ISR = append(p.ISR[:0], p.Replicas...)
		}
	}
}

// HCL is what is declared.
func (s Scenario) HCL() string {
	var b strings.Builder
	rf := max(s.RF, s.Cluster.RF)
	fmt.Fprintf(&b, "defaults {\n  replication_factor  = %d\n  min_insync_replicas = %d\n", rf, max(s.Cluster.RF-1, 1))
	b.WriteString("  replicas {\n    rack_spread = \"even\"\n")
	if s.Balance != "" {
		fmt.Fprintf(&b, "    balance     = %q\n", s.Balance)
	}
	b.WriteString("  }\n")
	if s.Balance != "" {
		fmt.Fprintf(&b, "  leaders {\n    balance = %q\n  }\n", s.Balance)
	}
	b.WriteString("}\n")
	for rack, n := range s.Cluster.Racks {
		for i := n - s.Drain; i < n; i++ {
			fmt.Fprintf(&b, "\nbroker \"%d\" {\n  drain = true\n}\n", BrokerID(rack, i))
		}
	}
	for i := range s.Cluster.Topics {
		fmt.Fprintf(&b, "\ntopic %q {\n  partitions = %d\n}\n", TopicName(i), s.Cluster.Partitions)
	}
	return b.String()
}

// The files that Write makes.
const (
	SnapshotFile = "snapshot.json"
	ConfigFile   = "cluster.hcl"
)

// Write puts the snapshot and the configuration into a directory.
func (s Scenario) Write(dir string) error {
	if err := state.WriteFile(filepath.Join(dir, SnapshotFile), s.Snapshot()); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, ConfigFile), []byte(s.HCL()), 0o644)
}
