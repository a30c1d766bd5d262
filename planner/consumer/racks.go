package consumer

import (
	"maps"
	"slices"

	"ballast/state"
)

// LooksAtRacks says whether an assignor would take racks into account for a
// group (KIP-881, AbstractPartitionAssignor.useRackAwareAssignment): Foresee
// does not, so its answer would be another. They all but roundrobin do where
// members tell racks that replicas of what they read are in, unless every
// partition has replicas in all of the racks. The snapshot is the one that is
// assigned from; range looks at each topic alone, the sticky ones at all.
func LooksAtRacks(a Assignor, g *state.Group, s *state.Snapshot) bool {
	if a == RoundRobin {
		return false
	}
	members, topics := map[string]bool{}, map[string]bool{}
	for i := range g.Members {
		if rack := g.Members[i].Rack; rack != "" {
			members[rack] = true
		}
		for _, name := range g.Members[i].Topics {
			topics[name] = true
		}
	}
	if len(members) == 0 {
		return false
	}
	racks := map[state.BrokerID]string{}
	for i := range s.Brokers {
		racks[s.Brokers[i].ID] = s.Brokers[i].Rack
	}
	var all []map[string]bool
	for _, name := range slices.Sorted(maps.Keys(topics)) {
		if t := s.Topic(name); t != nil {
			own := racksOf(t, racks)
			if all = append(all, own...); a == Range && unlike(members, own) {
				return true
			}
		}
	}
	return a != Range && unlike(members, all)
}

// racksOf has the racks of each partition's replicas.
func racksOf(t *state.Topic, of map[state.BrokerID]string) (out []map[string]bool) {
	for i := range t.Partitions {
		racks := map[string]bool{}
		for _, id := range t.Partitions[i].Replicas {
			if of[id] != "" {
				racks[of[id]] = true
			}
		}
		out = append(out, racks)
	}
	return out
}

// unlike says whether it makes a difference to members in some racks which of
// some partitions they read.
func unlike(members map[string]bool, partitions []map[string]bool) bool {
	all, meet := map[string]bool{}, false
	for _, racks := range partitions {
		maps.Copy(all, racks)
	}
	for rack := range members {
		meet = meet || all[rack]
	}
	return meet && slices.ContainsFunc(partitions, func(racks map[string]bool) bool { return len(racks) < len(all) })
}
