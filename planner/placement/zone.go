package placement

// zone is a set of brokers that are all the same to a replica that comes to
// them: of one rack, and of one rank in the leader preference.
type zone struct {
	rack, rank int16
	brokers    []int16
}

// zonesOf divides the eligible brokers of a topic. They are in order of rack,
// and byRack says where those of each rack begin (one entry more at the end).
func (m *model) zonesOf(t *Topic) (zones []zone, byRack []int32) {
	byRack = append(byRack, 0)
	for r := range int16(m.racks) {
		first := len(zones)
		for _, b := range t.Eligible {
			if m.rackOf[b] != r {
				continue
			}
			rank := int16(0)
			if t.LeaderRank != nil {
				rank = t.LeaderRank[b]
			}
			i := first
			for i < len(zones) && zones[i].rank != rank {
				i++
			}
			if i == len(zones) {
				zones = append(zones, zone{rack: r, rank: rank})
			}
			zones[i].brokers = append(zones[i].brokers, b)
		}
		byRack = append(byRack, int32(len(zones)))
	}
	return zones, byRack
}
