package placement

// Components of a cost in the choice of replicas, most important first. Costs
// are compared component by component, so no component is worth any number of
// a later one.
const (
	costRule    = iota // unevenness where balance is a rule
	costCopies         // replicas on brokers that lacked one
	costBytes          // bytes of these
	costISR            // in-sync replicas given up
	costPlace          // ranks of the best place for a leader
	costLeader         // leaders given up
	costTopic          // unevenness by topic
	costCluster        // unevenness over the cluster
	components
)

// Components of a cost in the choice of leaders.
const (
	leadRank    = iota // rank in the leader preference
	leadRule           // unevenness where balance is a rule
	leadChanges        // changes of preferred leader
	leadTopic          // unevenness by topic
	leadCluster        // unevenness over the cluster
)

// vec is a cost, compared in lexicographic order.
type vec [components]int64

// less says whether a is the smaller cost.
func (a *vec) less(b *vec) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// negative says whether a is less than nothing.
func (a *vec) negative() bool {
	for _, x := range a {
		if x != 0 {
			return x < 0
		}
	}
	return false
}

// plus adds b.
func (a *vec) plus(b *vec) {
	for i := range a {
		a[i] += b[i]
	}
}
