package planner

import (
	"fmt"
	"strings"

	"ballast/config"
)

// warnLeaderPlaces: a preference copies nothing, so a partition without a
// replica in a preferred place is led from elsewhere.
func warnLeaderPlaces(m *maker) {
	for _, t := range m.subjects {
		if !t.planned() || t.want == nil || t.problem == nil || t.problem.LeaderRank == nil {
			continue
		}
		var names []string
		for i := range t.problem.Partitions {
			if !m.hasPreferred(t, i) {
				names = append(names, partitionName(t.name, int32(i)))
			}
		}
		if len(names) > 0 {
			attribute := "leaders.racks"
			if len(t.want.Leaders.Brokers) > 0 {
				attribute = "leaders.brokers"
			}
			m.warn("leaders_no_replica", t.name, t.want.At(attribute), fmt.Sprintf("%d of the partitions of topic %q have no replica where their leader is preferred", len(names), t.name),
				fmt.Sprintf("Leaders are preferred %s; %s have no replica there. The preference alone copies nothing; declare required = true to have replicas copied for it.", preferredPlaces(&t.want.Leaders), partitionsOf(names)))
		}
	}
}

// preferredPlaces says where a topic's leaders are preferred.
func preferredPlaces(l *config.Leaders) string {
	var places []string
	if len(l.Brokers) > 0 {
		places = append(places, "on "+nouns("broker", len(l.Brokers))+" "+join(l.Brokers))
	}
	if len(l.Racks) > 0 {
		places = append(places, "in "+nouns("rack", len(l.Racks))+" "+some(l.Racks))
	}
	return strings.Join(places, ", then ")
}

func nouns(noun string, n int) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

func (m *maker) hasPreferred(t *subject, p int) bool {
	for _, b := range m.after(t, p) {
		i := m.net.index[b]
		if m.net.broker[i].Alive && t.problem.LeaderRank[i] < t.problem.NumLeaderRanks {
			return true
		}
	}
	return false
}
