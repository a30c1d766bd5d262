package sizing

import "sort"

// held is what a broker gets of the topic.
type held struct{ replicas, leaders int64 }

// byRack are the indices of brokers by rack, racks by name; all in one where
// racks do not count.
func byRack(brokers []Broker, spread bool) [][]int {
	at := map[string][]int{}
	for i, b := range brokers {
		rack := ""
		if spread {
			rack = b.Rack
		}
		at[rack] = append(at[rack], i)
	}
	var names []string
	for name := range at {
		names = append(names, name)
	}
	sort.Strings(names)
	var out [][]int
	for _, name := range names {
		if !spread || name != "" {
			out = append(out, at[name])
		}
	}
	return out
}

// share is what each broker gets at most where so many partitions with rf
// replicas are placed as evenly as the rack rule lets it: no broker holds two
// replicas of a partition, each rack floor(rf/racks) to ceil(rf/racks). False
// where that cannot be.
func share(brokers []Broker, partitions, rf int, spread bool) ([]held, bool) {
	racks := byRack(brokers, spread)
	n, p := int64(len(racks)), int64(partitions)
	if n == 0 || rf > len(brokers) {
		return nil, false
	}
	least, most := int64(rf)/n*p, ceilDiv(int64(rf), n)*p
	fits := func(level int64) bool {
		sum := int64(0)
		for _, rack := range racks {
			room := capacity(brokers, rack, level, p)
			if room < least {
				return false
			}
			sum += min(room, most)
		}
		return sum >= p*int64(rf)
	}
	level := lowest(p, fits)
	if !fits(level) {
		return nil, false
	}
	out := make([]held, len(brokers))
	for _, rack := range racks {
		want := min(capacity(brokers, rack, level, p), most)
		own := lowest(p, func(l int64) bool { return capacity(brokers, rack, l, p) >= want })
		for _, b := range rack {
			out[b].replicas = min(own*weight(brokers[b]), p)
		}
	}
	lead(brokers, out, p)
	return out, true
}

// lead gives each broker its share of the leaders by weight.
func lead(brokers []Broker, out []held, partitions int64) {
	weights := int64(0)
	for _, b := range brokers {
		weights += weight(b)
	}
	for i, b := range brokers {
		out[i].leaders = min(out[i].replicas, ceilDiv(partitions*weight(b), weights))
	}
}

func weight(b Broker) int64 { return int64(max(1, b.Weight)) }

// capacity is how many replicas a rack's brokers hold at a level per weight.
func capacity(brokers []Broker, rack []int, level, partitions int64) (sum int64) {
	for _, b := range rack {
		sum += min(level*weight(brokers[b]), partitions)
	}
	return sum
}

// lowest is the lowest level up to the highest that does, or the highest.
func lowest(highest int64, does func(int64) bool) int64 {
	return int64(sort.Search(int(highest), func(l int) bool { return does(int64(l)) }))
}
