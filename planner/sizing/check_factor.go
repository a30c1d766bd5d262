package sizing

// checkFactor: Kafka refuses more replicas of a partition than there are brokers.
func checkFactor(in *Input) Check {
	return Check{Code: "replication_factor", Unit: Brokers, Alive: &Measure{Value: int64(in.RF), Limit: int64(len(in.Brokers))}}
}
