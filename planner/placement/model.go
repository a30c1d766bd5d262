package placement

// model is a problem in flat arrays, and the placement as it is being changed.
// What is free to move is a unit: one replica of one partition. Everything else
// is load.
type model struct {
	in      *Problem
	brokers int
	racks   int     // Problem.Racks and one more, for brokers without a rack
	rackOf  []int16 // by broker
	weight  []int64 // by broker
	scope   []int16 // brokers that are alive and do not drain
	topics  []topicModel
	parts   []part
	homes   []int16   // eligible brokers that hold a partition today, see part
	stays   []int16   // dead brokers whose replica stays, see part
	bounds  [][]Bound // by rack, see part

	unitAt    []int16 // by unit: its broker
	unitPart  []int32 // by unit: its partition
	unitHolds []uint8 // by unit: what its partition has on that broker today
	homeHolds []uint8 // by home: the same
	count     []int8  // by partition and rack: replicas there, those that stay included
	load      []int32 // by topic and broker: replicas
	total     []int32 // by broker: replicas of all topics
}

// topicModel is what the search has to know of a topic.
type topicModel struct {
	in         *Topic
	first, n   int32 // its partitions in model.parts; none where nothing of it can change
	eligible   []bool
	eligibleIn []int16 // by rack: how many
	zones      []zone
	zonesIn    []int32 // by rack: where its zones begin
	aims       []int16 // ranks of the leader preference, see findAims
	infeasible *Infeasible
}

// part is a partition whose replicas are chosen here.
type part struct {
	topic, index  int32
	in            *Partition
	rf            int16
	exists        bool
	locked        bool  // no replica may change its rack
	leader        int16 // the live leader where it may stay, or -1
	preferred     int16 // the first live replica of the list, or -1
	bytes         int64 // of a copy; 0 where unknown, or where fewest is not wanted
	unit, home    int32 // where its units and homes begin
	stay          int32 // where the dead replicas that stay begin
	units, homesN int16
	staysN        int16
	vacant        int16 // homes that none of its units is on
	bounds        int32
	aim           int16 // the rank of the leader preference that it can come to at no more copies
}

// unitsOf are the brokers of p's units.
func (m *model) unitsOf(p *part) []int16 { return m.unitAt[p.unit : p.unit+int32(p.units)] }

// homesOf are the eligible brokers that hold p today.
func (m *model) homesOf(p *part) []int16 { return m.homes[p.home : p.home+int32(p.homesN)] }

// staysOf are the dead brokers that hold p today and keep it.
func (m *model) staysOf(p *part) []int16 { return m.stays[p.stay : p.stay+int32(p.staysN)] }

// counts are p's replicas by rack.
func (m *model) counts(i int32) []int8 {
	return m.count[int(i)*m.racks : (int(i)+1)*m.racks]
}

// loads are t's replicas by broker.
func (m *model) loads(t int32) []int32 {
	return m.load[int(t)*m.brokers : (int(t)+1)*m.brokers]
}

// byRack are brokers by their rack.
func (m *model) byRack(brokers []int16) [][]int16 {
	out := make([][]int16, m.racks)
	for _, b := range brokers {
		out[m.rackOf[b]] = append(out[m.rackOf[b]], b)
	}
	return out
}

// ranked says whether where t's leaders are matters to where its replicas are.
func (t *topicModel) ranked() bool { return t.in.LeaderRank != nil }

// listed says whether a leader on broker b is as t's preference wants it.
func (t *topicModel) listed(b int16) bool {
	return t.in.LeaderRank == nil || t.in.LeaderRank[b] < t.in.NumLeaderRanks
}

// has says whether list holds b.
func has(list []int16, b int16) bool {
	for _, x := range list {
		if x == b {
			return true
		}
	}
	return false
}
