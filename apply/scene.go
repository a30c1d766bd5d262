package apply

import (
	"context"
	"time"

	"ballast/state"
)

// scene is what gates look at for moves.
func (r *run) scene(l *look, moves []Moving) *scene {
	s := &scene{
		look: l, batch: moves, brokers: batchBrokers(moves), run: r,
		inBatch: map[state.TopicPartition]Moving{}, arriving: map[state.BrokerID]int64{},
	}
	for _, m := range moves {
		s.inBatch[m.Key()] = m
	}
	return s
}

// sceneWithDisks reads the log dirs of the batch's brokers too, and with them
// the present sizes.
func (r *run) sceneWithDisks(l *look, moves []Moving) (*scene, error) {
	s := r.scene(l, moves)
	dirs, err := r.allLogDirs(sortedIDs(s.brokers), l)
	if err != nil {
		return nil, err
	}
	s.disks = map[state.BrokerID][]state.LogDir{}
	for _, d := range dirs {
		s.disks[d.Broker] = d.Dirs
	}
	r.learnSizes(dirs, l)
	for _, c := range r.copiesOf(moves, l) {
		for _, b := range without(c.After, c.Before) {
			s.arriving[b] += max(c.bytes, 0)
		}
	}
	return s, nil
}

// silentFor is how long a broker whose log dirs matter may give no answer.
const silentFor = 20 * time.Second

// allLogDirs is logDirs for what is decided by them, as a gate is: a broker
// that gives no answer is asked again for a while.
func (r *run) allLogDirs(brokers []state.BrokerID, l *look) ([]state.BrokerLogDirs, error) {
	began := r.clock.Now()
	for wait := newBackoff(pollMaxWait); ; {
		dirs, silent, err := r.askLogDirs(brokers, l)
		if err != nil || !silent || r.clock.Now().Sub(began) > silentFor {
			return dirs, err
		}
		if err := r.sleep(wait.NextBackOff()); err != nil {
			return nil, err
		}
	}
}

// logDirs reads those of the live ones among brokers. What cannot be read, or
// not now, is left out.
func (r *run) logDirs(brokers []state.BrokerID, l *look) ([]state.BrokerLogDirs, error) {
	dirs, _, err := r.askLogDirs(brokers, l)
	return dirs, err
}

// askLogDirs says too whether a broker is silent that may answer later.
func (r *run) askLogDirs(brokers []state.BrokerID, l *look) (out []state.BrokerLogDirs, silent bool, err error) {
	var ask []state.BrokerID
	for _, b := range brokers {
		if l.alive[b] {
			ask = append(ask, b)
		}
	}
	if len(ask) == 0 {
		return nil, false, nil
	}
	err = r.read("the log dirs", func(ctx context.Context) error {
		dirs, errs, err := r.cluster.LogDirs(ctx, ask)
		if err != nil {
			return err
		}
		out, silent = nil, false
		for i := range dirs {
			if errs[i] == nil {
				out = append(out, dirs[i])
				continue
			}
			silent = silent || isTransient(errs[i])
		}
		return nil
	})
	return out, silent, err
}

// learnSizes keeps the size of each leader's replica.
func (r *run) learnSizes(dirs []state.BrokerLogDirs, l *look) {
	for _, d := range dirs {
		for _, rep := range d.Replicas {
			if p := l.partition(rep.TopicPartition); p != nil && !rep.Future && p.Leader == d.Broker {
				r.sizes[rep.TopicPartition] = rep.Bytes
			}
		}
	}
}

// copyOf is a move with its source and size, as far as these are known.
func (r *run) copyOf(m Moving, l *look) copyOf {
	c := copyOf{Moving: m, source: noBroker, bytes: -1}
	if p := l.partition(m.Key()); p != nil && p.Leader != state.NoLeader {
		c.source = p.Leader
	}
	if n, ok := r.sizes[m.Key()]; ok {
		c.bytes = n
	}
	return c
}

func (r *run) copiesOf(moves []Moving, l *look) []copyOf {
	out := make([]copyOf, len(moves))
	for i, m := range moves {
		out[i] = r.copyOf(m, l)
	}
	return out
}

// movesToCome are the moves of the steps after the present one, of topics that
// can go on.
func (r *run) movesToCome() []Moving {
	var out []Moving
	for i := r.step; i < len(r.plan.Steps); i++ {
		out = append(out, r.movesOf(i)...)
	}
	return out
}
