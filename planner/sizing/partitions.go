package sizing

// count finds the number of partitions: the larger of what producers and
// consumers need, max(t/p, t/c) (the rule of thumb in Confluent's "How to choose
// the number of topics/partitions in a Kafka cluster"), no fewer than a group
// has members, since a partition is read by one of them, and than there are,
// since Kafka takes none away; then up to a multiple.
func (r *Report) count(in *Input) {
	r.Needs = []Need{
		{Code: "producers", Rate: in.ProducerRate, Partitions: int(ceilDiv(r.Demand, in.ProducerRate))},
		{Code: "consumers", Rate: in.ConsumerRate, Partitions: int(ceilDiv(r.Demand, in.ConsumerRate))},
	}
	if in.Groups == 0 {
		r.Needs = r.Needs[:1]
	}
	if in.Consumers > 0 {
		r.Needs = append(r.Needs, Need{Code: "members", Partitions: in.Consumers})
	}
	if in.Existing > 0 {
		r.Needs = append(r.Needs, Need{Code: "existing", Partitions: in.Existing})
	}
	for _, n := range r.Needs {
		r.Needed = max(r.Needed, n.Partitions)
	}
	r.round(in)
}

// round goes up to the next multiple: of the number of brokers, so that each can
// lead as many partitions, or of their weights, so that each can lead by its own;
// where there are fewer partitions than that, of the number of racks, so that at
// least each rack can lead as many.
func (r *Report) round(in *Input) {
	all := parts(in.Brokers)
	switch {
	case in.Multiple > 0:
		r.Multiple, r.MultipleOf = in.Multiple, OfGiven
	case r.Needed >= all && all != r.Brokers:
		r.Multiple, r.MultipleOf = all, OfWeights
	case r.Needed >= r.Brokers && all == r.Brokers:
		r.Multiple, r.MultipleOf = r.Brokers, OfBrokers
	case r.Racks > 1 && in.Spread:
		r.Multiple, r.MultipleOf = r.Racks, OfRacks
	default:
		r.Multiple, r.MultipleOf = 1, OfNothing
	}
	r.Partitions = int(ceilDiv(int64(r.Needed), int64(r.Multiple))) * r.Multiple
}

// parts is the sum of the brokers' weights in lowest terms: their number where
// all weigh the same.
func parts(brokers []Broker) int {
	sum, common := int64(0), int64(0)
	for _, b := range brokers {
		sum += weight(b)
		for a, rest := weight(b), common; ; a, rest = rest, a%rest {
			if rest == 0 {
				common = a
				break
			}
		}
	}
	return int(sum / common)
}

// ceilDiv is a/b rounded up, for a >= 0 and b > 0.
func ceilDiv(a, b int64) int64 {
	if a == 0 {
		return 0
	}
	return (a-1)/b + 1
}

// members is how many members a group needs, at least, so that none is given
// more than it can read where partitions are dealt evenly.
func members(partitions int, demand, rate int64) int {
	each := int64(float64(rate) * float64(partitions) / float64(demand))
	return int(ceilDiv(int64(partitions), min(max(each, 1), int64(partitions))))
}
