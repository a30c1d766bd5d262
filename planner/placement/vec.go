package placement

// Components of a cost in the choice of replicas, most important first. Costs
// are compared component by component, so no component is worth any number of
// a later one.
const (
	costRule    = iota // unevenness where balance is a rule
	costCopies         // replicas on brokers that lacked one
	costBytes          // bytes of these
	costWorth          // what the replicas given up were worth, see below
	costTopic          // unevenness by topic
	costCluster        // unevenness over the cluster
)

// components is how many a cost has at most.
const components = 8

// Worths are levels of their own in one component: any number of a smaller one,
// up to 65,535, counts less than one of a larger.
const (
	worthPreferred = 1       // the first live replica of the list
	worthLeader    = 1 << 16 // the live leader
	worthPlace     = 1 << 32 // a rank of the best place for a leader
	worthISR       = 1 << 48 // a replica in sync
)

// Components of a cost in the choice of leaders.
const (
	leadRank     = iota // rank in the leader preference
	leadRule            // unevenness where balance is a rule
	leadRuleRack        // unevenness of racks where balance over the cluster is a rule
	leadChanges         // changes of preferred leader
	leadTopic           // unevenness by topic
	leadCluster         // unevenness over the cluster
	leadRacks           // unevenness of racks over the cluster
	leadReorders        // lists that change in nothing but their order
)

// vec is a cost, compared in lexicographic order.
type vec [components]int64

// less says whether a is the smaller cost.
func (a *vec) less(b *vec) bool {
	switch {
	case a[0] != b[0]:
		return a[0] < b[0]
	case a[1] != b[1]:
		return a[1] < b[1]
	case a[2] != b[2]:
		return a[2] < b[2]
	case a[3] != b[3]:
		return a[3] < b[3]
	case a[4] != b[4]:
		return a[4] < b[4]
	case a[5] != b[5]:
		return a[5] < b[5]
	}
	return a[6] < b[6] || a[6] == b[6] && a[7] < b[7]
}

// negative says whether a is less than nothing.
func (a *vec) negative() bool { return a.less(&vec{}) }

// positive says whether a is more than nothing.
func (a *vec) positive() bool { return (&vec{}).less(a) }

// minus takes b away.
func (a *vec) minus(b *vec) {
	for i := range a {
		a[i] -= b[i]
	}
}

// plus adds b.
func (a *vec) plus(b *vec) {
	a[0] += b[0]
	a[1] += b[1]
	a[2] += b[2]
	a[3] += b[3]
	a[4] += b[4]
	a[5] += b[5]
	a[6] += b[6]
	a[7] += b[7]
}
