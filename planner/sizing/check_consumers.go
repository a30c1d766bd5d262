package sizing

// checkConsumers: the member of a group that is given most partitions has to read
// what arrives on them, or its lag grows for ever.
func checkConsumers(in *Input, r *Report) Check {
	most := ceilDiv(int64(r.Partitions), int64(in.Consumers))
	return Check{Code: "consumers", Unit: BytesPerSecond, Alive: &Measure{Value: whole(r.rate() * float64(most)), Limit: in.ConsumerRate}}
}
