package config

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"ballast/state"
)

// surveyed is a live topic as it will be written.
type surveyed struct {
	name       string
	partitions int
	factor     int               // 0: its partitions differ
	config     map[string]string // overrides that can be declared
	ignored    []string          // keys that cannot, sorted; "*" where none could be read
	spread     RackSpread
	notes      []string // comments above the block
}

// survey reads what is to be written of a topic.
func (g *generator) survey(t *state.Topic) *surveyed {
	out := &surveyed{name: t.Name, partitions: len(t.Partitions), config: map[string]string{}}
	out.factor = g.factorOf(t, out)
	g.spreadOf(t, out)
	if t.Config == nil {
		out.ignored = []string{"*"}
		out.note("Its configs could not be read.")
		return out
	}
	for _, key := range sortedKeys(t.Config) {
		if v := t.Config[key]; v.Source == state.SourceTopic && !throttleKey(key) && !VendorKey(key) {
			out.override(key, v.Value)
		}
	}
	return out
}

func (s *surveyed) note(format string, args ...any) {
	s.notes = append(s.notes, strings.ReplaceAll(escape(fmt.Sprintf(format, args...)), "\n", " "))
}

// override takes an override over, or leaves it to somebody else where it
// could not be declared.
func (s *surveyed) override(key, value string) {
	n, err := strconv.Atoi(value)
	switch {
	case value == "" || CheckValue(key, value) != nil:
		s.note("%s is left alone: Kafka %s would not take its value.", key, KafkaVersion)
	case key == "min.insync.replicas" && err == nil && s.factor > 0 && n > s.factor:
		s.note("min.insync.replicas is left alone: it is %d, above the replication factor.", n)
	default:
		s.config[key] = value
		return
	}
	s.ignored = append(s.ignored, key)
}

// factorOf is a topic's replication factor, 0 where its partitions differ.
func (g *generator) factorOf(t *state.Topic, out *surveyed) int {
	least, most := 0, 0
	for i := range t.Partitions {
		n := len(t.Partitions[i].Target())
		if i == 0 || n < least {
			least = n
		}
		most = max(most, n)
	}
	if least != most {
		out.note("Its partitions have %d to %d replicas. Give it a replication_factor.", least, most)
		return 0
	}
	return most
}

// rackView is how the racks of a cluster look.
type rackView struct {
	of    map[state.BrokerID]string // "": none
	count int                       // racks with a live broker
	all   bool                      // every live broker has one
	none  bool                      // no live broker has one
}

func racksOf(s *state.Snapshot) rackView {
	v := rackView{of: map[state.BrokerID]string{}, all: true, none: true}
	live := map[string]bool{}
	for _, b := range s.Brokers {
		v.of[b.ID] = b.Rack
		if !b.Alive {
			continue
		}
		v.all = v.all && b.Rack != ""
		v.none = v.none && b.Rack == ""
		if b.Rack != "" {
			live[b.Rack] = true
		}
	}
	v.count = len(live)
	return v
}

// spreadOf loosens rack_spread where the topic is not spread as it would be by
// default.
func (g *generator) spreadOf(t *state.Topic, out *surveyed) {
	switch {
	case g.racks.none:
	case !g.racks.all:
		out.spread = SpreadNone
	default:
		if uneven := g.uneven(t); len(uneven) > 0 {
			out.spread = SpreadNone
			out.note("%s not even over the racks; without rack_spread replicas would move.", partitionsAre(uneven))
		}
	}
}

func partitionsAre(list []int32) string {
	if len(list) == 1 {
		return fmt.Sprintf("Partition %d is", list[0])
	}
	if len(list) > 5 {
		return fmt.Sprintf("%d partitions are", len(list))
	}
	words := make([]string, len(list))
	for i, p := range list {
		words[i] = fmt.Sprint(p)
	}
	return "Partitions " + join(words) + " are"
}

// uneven returns the partitions that the default rack_spread would move.
func (g *generator) uneven(t *state.Topic) []int32 {
	var out []int32
	for i := range t.Partitions {
		p := &t.Partitions[i]
		replicas, counts := p.Target(), map[string]int{}
		for _, id := range replicas {
			counts[g.racks.of[id]]++
		}
		if !g.even(len(replicas), counts) {
			out = append(out, p.ID)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i] < out[j] })
	return out
}

// even says whether each rack holds floor or ceil of the replicas' share.
func (g *generator) even(replicas int, counts map[string]int) bool {
	if counts[""] > 0 || g.racks.count == 0 {
		return false // a broker whose rack is not known
	}
	low, high := replicas/g.racks.count, (replicas+g.racks.count-1)/g.racks.count
	if low > 0 && len(counts) < g.racks.count {
		return false
	}
	for _, n := range counts {
		if n < low || n > high {
			return false
		}
	}
	return true
}
