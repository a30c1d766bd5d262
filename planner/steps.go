package planner

import (
	"sort"

	"ballast/state"
)

// work is what is to be done for one topic beside its moves.
type work struct {
	early    []StepConfig // configs that destroy nothing and that moves may need
	minISR   []StepConfig // min.insync.replicas raised
	late     []StepConfig // configs that put data at risk without deleting any
	gone     []StepConfig // configs that make data go
	added    []Move       // partitions
	elected  []Move
	led      []Move // elections that most likely are not needed: see elect
	last     int    // the last batch that moves something of it, -1 where none does
	inFlight bool   // a move of it is under way that the plan waits for
	adopted  []Move // moves in flight to what is wanted, to be waited for before min.insync.replicas is raised
}

// stepper writes the steps of a plan in the order of apply.
type stepper struct {
	m     *maker
	steps []Step
}

// steps puts the changes in order: what topics without moves need comes first,
// and what follows a topic's moves comes right after its last batch, so that no
// topic waits for another one's moves longer than the batches make it.
func (m *maker) makeSteps() {
	moves := m.collectMoves()
	m.batches = m.pack(moves)
	for _, t := range m.subjects {
		if t.change != nil {
			t.work = m.workOf(t)
		}
	}
	for i, b := range m.batches {
		for _, v := range b.moves {
			m.byName[v.Topic].work.last = i
		}
	}
	for _, t := range m.subjects {
		if t.work != nil && t.work.inFlight {
			t.work.last = len(m.batches) // after everything that does not wait
		}
	}
	s := &stepper{m: m, steps: []Step{}}
	s.write()
	for i := range s.steps {
		s.steps[i].ID = i + 1
	}
	m.plan.Steps = s.steps
}

// workOf sorts a change into what has to be done when.
func (m *maker) workOf(t *subject) *work {
	w := &work{last: -1}
	c := t.change
	for i := range c.Config {
		m.sortConfig(w, t, &c.Config[i])
	}
	for i := range c.Assignments {
		a := &c.Assignments[i]
		if len(a.Before) == 0 {
			w.added = append(w.added, Move{c.Topic, a.Partition, a.Before, a.After})
		} else if m.mustElect(&t.live.Partitions[a.Partition], a) {
			m.addElection(w, t, a)
		}
	}
	if t.live != nil {
		for i := range t.live.Partitions {
			w.inFlight = w.inFlight || t.live.Partitions[i].InFlight()
		}
	}
	if t.live != nil && len(w.minISR) > 0 {
		w.adopted = m.adopted(t)
	}
	return w
}

// adopted are the moves in flight that end as wanted. A step that waits for them
// has the list as it ends on both sides.
func (m *maker) adopted(t *subject) []Move {
	var out []Move
	for i := range t.live.Partitions {
		if p := &t.live.Partitions[i]; p.InFlight() && m.leadsToWanted(t, p) {
			out = append(out, Move{t.name, p.ID, p.Target(), p.Target()})
		}
	}
	return out
}

// mustElect says whether the preferred leader of a partition has to be elected:
// it is alive, and does not lead now or once a move in flight has ended.
func (m *maker) mustElect(p *state.Partition, a *Assignment) bool {
	if a.LeaderAfter != a.After[0] || !m.net.alive(a.LeaderAfter) {
		return false
	}
	return a.LeaderBefore != a.LeaderAfter || m.settledLeader(p) != a.LeaderAfter
}

// addElection sorts an election by whether it changes anything: where the
// leader goes with its replica, Kafka hands over to the first of the new list by
// itself (KIP-455), and the election only makes sure of it.
func (m *maker) addElection(w *work, t *subject, a *Assignment) {
	v := Move{t.name, a.Partition, a.After, a.After}
	if state.Contains(a.After, m.settledLeader(&t.live.Partitions[a.Partition])) {
		w.elected = append(w.elected, v)
	} else {
		w.led = append(w.led, v)
	}
}

func (s *stepper) write() {
	done := s.byLast()
	s.each(func(t *subject) {
		if t.change.Action == Create {
			s.create(t)
		}
	})
	s.each(func(t *subject) { s.configure(t, t.work.early) })
	if s.m.d.Apply.ReclaimFirst {
		s.each(func(t *subject) { s.configure(t, t.work.gone) })
		s.deletions()
	}
	s.finish(done[-1])
	for i := range s.m.batches {
		s.reassign(&s.m.batches[i])
		s.finish(done[i])
	}
	s.finish(done[len(s.m.batches)])
	if !s.m.d.Apply.ReclaimFirst {
		s.deletions()
	}
}

// byLast groups the topics by the last batch that moves something of them.
func (s *stepper) byLast() map[int][]*subject {
	out := map[int][]*subject{}
	s.each(func(t *subject) {
		if t.change.Action == Update {
			out[t.work.last] = append(out[t.work.last], t)
		}
	})
	return out
}

// each calls f for every topic that changes, by name.
func (s *stepper) each(f func(t *subject)) {
	for _, t := range s.m.subjects {
		if t.work != nil {
			f(t)
		}
	}
}

// finish does what follows the moves of topics: partitions are added, leaders
// elected, min.insync.replicas is raised, and then configs that make data go.
func (s *stepper) finish(topics []*subject) {
	var elections, led []Move
	for _, t := range topics {
		s.adopt(t)
		if len(t.work.added) > 0 {
			s.add(Step{Kind: AddPartitions, Topic: t.name, Moves: t.work.added})
		}
		elections = append(elections, t.work.elected...)
		led = append(led, t.work.led...)
	}
	s.elect(elections, led)
	for _, t := range topics {
		s.configure(t, t.work.minISR)
		s.configure(t, t.work.late)
		if !s.m.d.Apply.ReclaimFirst {
			s.configure(t, t.work.gone)
		}
	}
}

func (s *stepper) add(step Step) { s.steps = append(s.steps, step) }

func (s *stepper) create(t *subject) {
	step := Step{Kind: CreateTopic, Topic: t.name, Moves: t.work.added}
	for i := range t.change.Config {
		step.Config = append(step.Config, StepConfig{Name: t.change.Config[i].Name, After: t.change.Config[i].After})
	}
	s.add(step)
}

func (s *stepper) configure(t *subject, config []StepConfig) {
	if len(config) > 0 && t.change.Action == Update {
		s.add(Step{Kind: SetConfig, Topic: t.name, Config: config})
	}
}

// elect writes elections in steps of as many partitions as may be disturbed at
// once, those that are needed first; only these have to be spaced out.
func (s *stepper) elect(needed, led []Move) {
	most, all := max(1, s.m.d.Apply.Elections.Count), append(needed[:len(needed):len(needed)], led...)
	for from := 0; from < len(all); from += most {
		to := min(from+most, len(all))
		step := Step{Kind: ElectLeaders, Moves: all[from:to:to]}
		step.Topic = onlyTopic(step.Moves)
		if from > 0 && from < len(needed) {
			step.Seconds = int64(s.m.d.Apply.Elections.Every.Seconds())
		}
		s.add(step)
	}
}

// onlyTopic is the topic that all moves are of, or "".
func onlyTopic(moves []Move) string {
	for _, v := range moves {
		if v.Topic != moves[0].Topic {
			return ""
		}
	}
	return moves[0].Topic
}

func (s *stepper) reassign(b *batch) {
	step := Step{Kind: Reassign}
	sort.Slice(b.moves, func(i, j int) bool {
		if b.moves[i].Topic != b.moves[j].Topic {
			return b.moves[i].Topic < b.moves[j].Topic
		}
		return b.moves[i].Partition < b.moves[j].Partition
	})
	for _, v := range b.moves {
		step.Moves = append(step.Moves, v.Move)
	}
	step.Topic = onlyTopic(step.Moves)
	s.m.cost(&step, b)
	s.add(step)
}

// adopt waits for moves in flight, in steps of as many as a batch may hold.
func (s *stepper) adopt(t *subject) {
	most := max(1, s.m.d.Apply.MaxBatchPartitions)
	for moves := t.work.adopted; len(moves) > 0; {
		n := min(most, len(moves))
		s.add(Step{Kind: Reassign, Topic: t.name, Moves: moves[:n:n]})
		moves = moves[n:]
	}
}

func (s *stepper) deletions() {
	s.each(func(t *subject) {
		if t.change.Action == Delete {
			most := t.absent.MaxBytes
			s.add(Step{Kind: DeleteTopic, Topic: t.name, MaxBytes: &most, AllowRemote: t.absent.AllowRemote})
		}
	})
}

// minISRNow is the min.insync.replicas of a topic as it is, 1 where unknown.
func (m *maker) minISRNow(t *subject) int { return minISROf(t.live, m.inherits) }

func minISROf(t *state.Topic, in *inheritance) int {
	if v, ok := t.Config[minISR]; ok {
		return atoi(v.Value)
	}
	if t.Config == nil {
		return 1
	}
	v, _ := in.presumed(minISR)
	return atoi(v)
}
