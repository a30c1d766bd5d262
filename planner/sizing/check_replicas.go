package sizing

// DefaultMaxReplicas is how many replicas a broker is to hold at most: the rule
// of thumb of Confluent's "Apache Kafka Supports 200K Partitions Per Cluster"
// (2018). KRaft lifted the cluster's bound, not what a broker has to open, flush
// and fetch.
const DefaultMaxReplicas = 4000

// replicasGauge counts a broker's replicas, of all topics.
func replicasGauge(in *Input, _ *Report) gauge {
	return gauge{code: "replicas", unit: Replicas, read: func(b *Broker, h held, _ int) (int64, int64, bool) {
		return int64(b.Replicas) + h.replicas, int64(in.MaxReplicas), true
	}}
}
