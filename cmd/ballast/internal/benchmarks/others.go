package benchmarks

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"ballast/planner"
	"ballast/state"
)

// Lists are replica lists, by topic and partition.
type Lists map[string][][]state.BrokerID

// Compared are the scenarios on which other ways are looked at: 60 topics of 20
// partitions on some 30 brokers.
func Compared() []Scenario {
	c := Cluster{Racks: thirds(30), Topics: 60, Partitions: 20, RF: 3, Heavy: true, Seed: 1}
	added := c.with(newBrokers(1))
	chance := added.with(func(c *Cluster) { c.Layout = Random })
	unequal := added.with(func(c *Cluster) { c.Racks = []int{12, 9, 6, 3} })
	two := c.with(func(c *Cluster) { c.RF = 2 })
	return []Scenario{
		{Name: "3 brokers added to 27", Cluster: added, Balance: "cluster"},
		{Name: "the same, replicas where chance put them", Cluster: chance, Balance: "cluster"},
		{Name: "3 brokers of 30 drained", Cluster: c, Balance: "cluster", Drain: 1},
		{Name: "a twentieth of partitions break the rack rule", Cluster: c, Balance: "cluster", Repair: 20},
		{Name: "4 brokers added, one to each rack: then 12, 9, 6 and 3", Cluster: unequal, Balance: "cluster"},
		{Name: "RF 2 raised to 3", Cluster: two, Balance: "cluster", RF: 3},
	}
}

// Planned are the lists that the binary's plan leads to.
func Planned(binary, dir string, s Scenario) (Lists, error) {
	m, err := Measure(binary, dir, s)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(m.plan)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	p, err := planner.Decode(file, m.plan)
	if err != nil {
		return nil, err
	}
	lists := now(s.Snapshot())
	for _, c := range p.Changes {
		for _, a := range c.Assignments {
			lists[c.Topic][a.Partition] = a.After
		}
	}
	return lists, nil
}

// now are the lists of a snapshot.
func now(s *state.Snapshot) Lists {
	lists := Lists{}
	for i := range s.Topics {
		for j := range s.Topics[i].Partitions {
			lists[s.Topics[i].Name] = append(lists[s.Topics[i].Name], slices.Clone(s.Topics[i].Partitions[j].Replicas))
		}
	}
	return lists
}

// Usable are the brokers of a snapshot that are not to be emptied.
func (s Scenario) Usable(snapshot *state.Snapshot) (out []state.Broker) {
	for _, b := range snapshot.Brokers {
		rack := int(b.ID)/1000 - 1
		if int(b.ID)%1000 < s.Cluster.Racks[rack]-s.Drain {
			out = append(out, b)
		}
	}
	return out
}

// Figures are what replica lists cost, and how good they are.
type Figures struct {
	Copies     int   // replicas on brokers that had none of the partition
	Bytes      int64 // of these
	Apart      int   // the fullest broker less the emptiest, in replicas, of those that are not to be emptied
	TopicApart int   // the same within a topic, of the topic where it is largest
	Broken     int   // partitions that are not spread over racks as rack_spread = "even" wants
}

// Judge gives the figures of replica lists.
func (s Scenario) Judge(lists Lists) (f Figures) {
	snapshot := s.Snapshot()
	usable := s.Usable(snapshot)
	total := map[state.BrokerID]int{}
	for i := range snapshot.Topics {
		t, own := &snapshot.Topics[i], map[state.BrokerID]int{}
		for j, list := range lists[t.Name] {
			for _, b := range list {
				own[b]++
				total[b]++
				if !state.Contains(t.Partitions[j].Replicas, b) {
					f.Copies++
					f.Bytes += t.Partitions[j].Size.Bytes
				}
			}
			if !evenly(list, usable, max(s.RF, s.Cluster.RF)) {
				f.Broken++
			}
		}
		f.TopicApart = max(f.TopicApart, apart(own, usable))
	}
	f.Apart = apart(total, usable)
	return f
}

// evenly says whether a list has rf replicas on usable brokers, floor or ceil of
// rf / racks in each of their racks.
func evenly(list []state.BrokerID, usable []state.Broker, rf int) bool {
	held, placed := map[string]int{}, 0
	for _, b := range usable {
		if _, ok := held[b.Rack]; !ok {
			held[b.Rack] = 0
		}
		if state.Contains(list, b.ID) {
			held[b.Rack]++
			placed++
		}
	}
	for _, n := range held {
		if n < rf/len(held) || n > (rf+len(held)-1)/len(held) {
			return false
		}
	}
	return placed == rf
}

func apart(load map[state.BrokerID]int, brokers []state.Broker) int {
	least, most := 1<<30, 0
	for _, b := range brokers {
		least, most = min(least, load[b.ID]), max(most, load[b.ID])
	}
	return most - least
}

// Way is a way to place replicas, and the figures that it gives: one for each
// run where chance has a part in it.
type Way struct {
	Scenario, Name string
	Runs           []Figures
}

// ComparedTable is the ways as a Markdown table. Where runs differ the least and
// the largest figure are given.
func ComparedTable(ways []Way) string {
	var b strings.Builder
	b.WriteString("| problem | way | copies | GB copied | apart | apart within a topic | against the rack rule |\n|---|---|---|---|---|---|---|\n")
	for _, w := range ways {
		fmt.Fprintf(&b, "| %s | %s |", w.Scenario, w.Name)
		for _, of := range []func(Figures) int{
			func(f Figures) int { return f.Copies },
			func(f Figures) int { return int((f.Bytes + 500_000_000) / 1_000_000_000) },
			func(f Figures) int { return f.Apart },
			func(f Figures) int { return f.TopicApart },
			func(f Figures) int { return f.Broken },
		} {
			fmt.Fprintf(&b, " %s |", span(w.Runs, of))
		}
		b.WriteString("\n")
	}
	return b.String()
}

func span(runs []Figures, of func(Figures) int) string {
	least, most := of(runs[0]), of(runs[0])
	for _, f := range runs[1:] {
		least, most = min(least, of(f)), max(most, of(f))
	}
	if least == most {
		return thousands(least)
	}
	return thousands(least) + " to " + thousands(most)
}

// thousands is a number with a comma before each three digits.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
