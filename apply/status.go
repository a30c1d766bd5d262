package apply

import (
	"context"
	"slices"
	"sort"
	"strconv"
	"time"

	"ballast/state"
)

// StatusOptions is what Status needs.
type StatusOptions struct {
	Cluster  Cluster
	Journal  Journal // nil: nothing is known to be ours. It is read without its lock
	Clock    Clock   // nil: WallClock
	Previous *Report // an earlier report, for rates; nil: none are given
}

// Report is a cluster's state as an operator wants to know it.
type Report struct {
	ClusterID string
	TakenAt   time.Time
	// Unfinished says that the journal speaks of an apply that has not ended;
	// Note is why it stopped, where it could say so.
	Unfinished bool
	Note       string
	Journal    string
	// Holder is the run that holds the journal's lock now; nil where none does,
	// or where that could not be read.
	Holder *Holder
	// JournalError is why the journal could not be read: nothing then counts as ours.
	JournalError string

	Moves     []MoveStatus
	Throttles []ThrottleStatus

	Offline         []state.TopicPartition // without a leader
	UnderMinISR     []state.TopicPartition //
	AtMinISR        []state.TopicPartition // one failure from it, RF above min ISR
	UnderReplicated []state.TopicPartition // adding replicas aside
	NotPreferred    []state.TopicPartition // led, and not by the preferred leader

	Brokers []BrokerStatus
	Unread  []state.Unread
}

// MoveStatus is a move in flight.
type MoveStatus struct {
	state.TopicPartition
	Target   []state.BrokerID
	Adding   []state.BrokerID
	Removing []state.BrokerID
	Ours     bool
	Copies   []CopyStatus
}

// CopyStatus is how far one added replica has come. Bytes are nil where they
// could not be read, as those of a broker that is down.
type CopyStatus struct {
	Broker state.BrokerID
	Alive  bool
	InSync bool
	Bytes  *int64
	Of     *int64   // the leader's
	Rate   *float64 // bytes per second since the previous report
	Left   *float64 // at that rate; nil where nothing arrives
}

// ThrottleStatus is a replication throttle that is set.
type ThrottleStatus struct {
	Resource state.ConfigResource
	Name     string
	Value    string
	Source   state.ConfigSource
	Ours     bool
	Prior    *string // of ours: what it is put back to
}

// BrokerStatus is a broker's load and its log dirs.
type BrokerStatus struct {
	ID       state.BrokerID
	Rack     string
	Alive    bool
	Replicas int
	Leaders  int
	Bytes    *int64 // on its log dirs; nil where unknown
	LogDirs  []state.LogDir
}

// Status reads what is in flight, what is throttled and by whom, and how the
// cluster is.
func Status(ctx context.Context, o StatusOptions) (*Report, error) {
	clock := o.Clock
	if clock == nil {
		clock = WallClock{}
	}
	snap, err := o.Cluster.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	flight, err := o.Cluster.Reassignments(ctx)
	if err != nil {
		return nil, err
	}
	rep := &Report{ClusterID: snap.ClusterID, TakenAt: clock.Now().UTC(), Unread: snap.Unread}
	mem := rep.readJournal(ctx, o.Journal)
	l := newLook(snap, flight)
	sizes, err := readSizes(ctx, o.Cluster, l)
	if err != nil {
		return nil, err
	}
	rep.health(l)
	rep.moves(l, mem, sizes, o.Previous)
	rep.throttles(snap, mem)
	rep.brokers(l, sizes)
	return rep, nil
}

func (rep *Report) readJournal(ctx context.Context, j Journal) *memory {
	if j == nil {
		return newMemory()
	}
	rep.Journal = j.Name()
	records, err := j.Records(ctx)
	if err != nil {
		rep.JournalError = err.Error()
		return newMemory()
	}
	mem := remember(records)
	rep.Unfinished, rep.Note = mem.unfinished(), mem.note
	if w, ok := j.(Watched); ok && rep.Unfinished {
		rep.Holder, _ = w.HeldBy(ctx) // who cannot be asked is not named
	}
	return mem
}

// clusterSizes is what the live brokers told of their log dirs.
type clusterSizes struct {
	replicas map[replica]int64
	dirs     map[state.BrokerID][]state.LogDir
	bytes    map[state.BrokerID]int64
}

func readSizes(ctx context.Context, c Cluster, l *look) (clusterSizes, error) {
	out := clusterSizes{map[replica]int64{}, map[state.BrokerID][]state.LogDir{}, map[state.BrokerID]int64{}}
	ask := sortedIDs(l.alive)
	if len(ask) == 0 {
		return out, nil
	}
	dirs, errs, err := c.LogDirs(ctx, ask)
	if err != nil {
		return out, err
	}
	for i, d := range dirs {
		if errs[i] != nil {
			continue
		}
		out.dirs[d.Broker] = d.Dirs
		out.bytes[d.Broker] = 0
		for _, rep := range d.Replicas {
			out.bytes[d.Broker] += rep.Bytes
			if !rep.Future {
				out.replicas[replica{rep.TopicPartition, d.Broker}] = rep.Bytes
			}
		}
	}
	return out, nil
}

func (rep *Report) health(l *look) {
	least := map[string]int{}
	for i := range l.meta.Topics {
		t := &l.meta.Topics[i]
		if n, err := strconv.Atoi(t.Config[minISRConfig].Value); err == nil {
			least[t.Name] = n
		}
	}
	l.each(func(tp state.TopicPartition, p *state.Partition) {
		n, known := least[tp.Topic]
		if p.Leader == state.NoLeader {
			rep.Offline = append(rep.Offline, tp)
		}
		if known && underMinISR(p, n) {
			rep.UnderMinISR = append(rep.UnderMinISR, tp)
		}
		if rf := len(p.Replicas) - len(p.Adding); known && len(p.ISR) == n && rf > n {
			rep.AtMinISR = append(rep.AtMinISR, tp)
		}
		if len(outOfSync(p)) > 0 {
			rep.UnderReplicated = append(rep.UnderReplicated, tp)
		}
		if to := p.Target(); p.Leader != state.NoLeader && len(to) > 0 && p.Leader != to[0] && !p.InFlight() {
			rep.NotPreferred = append(rep.NotPreferred, tp)
		}
	})
}

func (rep *Report) moves(l *look, mem *memory, sizes clusterSizes, prev *Report) {
	for tp, f := range l.flight {
		m := MoveStatus{TopicPartition: tp, Target: l.target(tp), Adding: f.Adding, Removing: f.Removing}
		mine, ok := mem.moves[tp]
		m.Ours = ok && slices.Equal(mine.After, m.Target)
		p := l.partition(tp)
		for _, b := range f.Adding {
			m.Copies = append(m.Copies, copyStatus(tp, p, b, l, sizes))
		}
		rep.Moves = append(rep.Moves, m)
	}
	sort.Slice(rep.Moves, func(i, j int) bool {
		a, b := rep.Moves[i].TopicPartition, rep.Moves[j].TopicPartition
		return a.Topic < b.Topic || a.Topic == b.Topic && a.Partition < b.Partition
	})
	rep.rates(prev)
}

func copyStatus(tp state.TopicPartition, p *state.Partition, b state.BrokerID, l *look, sizes clusterSizes) CopyStatus {
	c := CopyStatus{Broker: b, Alive: l.alive[b]}
	if n, ok := sizes.replicas[replica{tp, b}]; ok {
		c.Bytes = &n
	}
	if p != nil {
		c.InSync = state.Contains(p.ISR, b)
		if n, ok := sizes.replicas[replica{tp, p.Leader}]; ok {
			c.Of = &n
		}
	}
	return c
}

// rates compares with an earlier report.
func (rep *Report) rates(prev *Report) {
	if prev == nil {
		return
	}
	passed := rep.TakenAt.Sub(prev.TakenAt).Seconds()
	had := map[replica]int64{}
	for _, m := range prev.Moves {
		for _, c := range m.Copies {
			if c.Bytes != nil {
				had[replica{m.TopicPartition, c.Broker}] = *c.Bytes
			}
		}
	}
	for i := range rep.Moves {
		for j := range rep.Moves[i].Copies {
			c := &rep.Moves[i].Copies[j]
			before, ok := had[replica{rep.Moves[i].TopicPartition, c.Broker}]
			if ok && c.Bytes != nil && passed > 0 && *c.Bytes >= before {
				rate := float64(*c.Bytes-before) / passed
				c.Rate = &rate
				c.Left = timeLeft(c)
			}
		}
	}
}

// throttles are all throttle values of the cluster, brokers' before topics'.
// What a broker or topic merely inherits as a default is none.
func (rep *Report) throttles(snap *state.Snapshot, mem *memory) {
	add := func(k throttleKey, v state.ConfigValue) {
		if v.Source == state.SourceDefault || v.Value == "" {
			return
		}
		s := ThrottleStatus{Resource: state.ConfigResource{Type: k.typ, Name: k.of}, Name: k.name, Value: v.Value, Source: v.Source}
		if t, ok := mem.throttles[k]; ok && isOwn(k.typ, v.Source) && isOurs(t, &v.Value) {
			s.Ours, s.Prior = true, t.Prior
		}
		rep.Throttles = append(rep.Throttles, s)
	}
	for i := range snap.Brokers {
		for _, name := range []string{followerRate, leaderRate} {
			if v, ok := snap.Brokers[i].Config[name]; ok {
				add(brokerKey(snap.Brokers[i].ID, name), v)
			}
		}
	}
	for i := range snap.Topics {
		for _, name := range []string{followerList, leaderList} {
			if v, ok := snap.Topics[i].Config[name]; ok {
				add(topicKey(snap.Topics[i].Name, name), v)
			}
		}
	}
}

// timeLeft is what a copy has still to go at its rate.
func timeLeft(c *CopyStatus) *float64 {
	if c.Of == nil || *c.Rate <= 0 || c.InSync {
		return nil
	}
	left := float64(max(*c.Of-*c.Bytes, 0)) / *c.Rate
	return &left
}

func (rep *Report) brokers(l *look, sizes clusterSizes) {
	index := map[state.BrokerID]int{}
	for _, b := range l.meta.Brokers {
		index[b.ID] = len(rep.Brokers)
		s := BrokerStatus{ID: b.ID, Rack: b.Rack, Alive: b.Alive, LogDirs: sizes.dirs[b.ID]}
		if n, ok := sizes.bytes[b.ID]; ok {
			s.Bytes = &n
		}
		rep.Brokers = append(rep.Brokers, s)
	}
	l.each(func(_ state.TopicPartition, p *state.Partition) {
		for _, b := range p.Replicas {
			if i, ok := index[b]; ok {
				rep.Brokers[i].Replicas++
			}
		}
		if i, ok := index[p.Leader]; ok {
			rep.Brokers[i].Leaders++
		}
	})
}
