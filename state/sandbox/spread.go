package sandbox

// spread places new partitions where a request names no brokers: over racks
// first, each on the live brokers with the fewest replicas of the topic. Kafka
// draws lots here; the sandbox gives the same answer every time.
func (c *cluster) spread(t *topic, count, rf int) ([][]int32, *kafkaError) {
	if rf <= 0 {
		return nil, errorf(38, "Replication factor must be larger than 0, or -1 to use the default value.")
	}
	live := c.live()
	if len(c.brokers) < rf {
		return nil, errorf(38, "Unable to replicate the partition %d time(s): The target replication factor of %d cannot be reached because only %d broker(s) are registered or some brokers have all their log directories cordoned.", rf, rf, len(c.brokers))
	}
	if len(live) == 0 {
		return nil, errorf(38, "Unable to replicate the partition %d time(s): All brokers are currently fenced.", rf)
	}
	load, leads := map[int32]int{}, map[int32]int{}
	if t != nil {
		for _, p := range t.partitions {
			for i, id := range p.replicas {
				load[id]++
				if i == 0 {
					leads[id]++
				}
			}
		}
	}
	out := make([][]int32, count)
	for i := range out {
		out[i] = c.spreadOne(rf, load, leads)
	}
	return out, nil
}

func (c *cluster) spreadOne(rf int, load, leads map[int32]int) []int32 {
	var list []int32
	racks := map[string]int{}
	for len(list) < rf {
		best := (*broker)(nil)
		for _, b := range c.brokers {
			if has(list, b.id) {
				continue
			}
			if best == nil || before(key(b, racks, load, leads, len(list) == 0), key(best, racks, load, leads, len(list) == 0)) {
				best = b
			}
		}
		if len(list) == 0 {
			leads[best.id]++
		}
		load[best.id]++
		racks[best.rack]++
		list = append(list, best.id)
	}
	return list
}

// key orders brokers: alive, racks least used, leaders for the first replica,
// replicas, id.
func key(b *broker, racks map[string]int, load, leads map[int32]int, first bool) [5]int {
	fenced, lead := 0, 0
	if b.fenced {
		fenced = 1
	}
	if first {
		lead = leads[b.id]
	}
	return [5]int{fenced, racks[b.rack], lead, load[b.id], int(b.id)}
}

func before(a, b [5]int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}
