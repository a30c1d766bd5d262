package planner

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"sort"

	"ballast/state"
)

// Digest is "sha256:…" over what apply would do and nothing that only informs:
// the cluster id, the changes and the steps, without sizes, times, throttles,
// places in files, reasons and messages. How the moves are cut into batches is
// left out too, since it follows from the sizes, which grow between review and
// deploy: the same decision has the same digest in both. (That a document was
// not edited is what its checksum tells.)
func Digest(p *Plan) string {
	d := digester{h: sha256.New()}
	d.text(Format)
	d.number(int64(p.Version))
	d.text(p.Cluster.ID)
	d.number(int64(len(p.Changes)))
	for i := range p.Changes {
		d.change(&p.Changes[i])
	}
	d.steps(p.Steps)
	d.flush()
	return "sha256:" + hex.EncodeToString(d.h.Sum(nil))
}

// digester writes values to a hash such that no two sequences of values give
// the same bytes.
type digester struct {
	h   hash.Hash
	buf []byte
}

func (d *digester) flush() {
	d.h.Write(d.buf)
	d.buf = d.buf[:0]
}

func (d *digester) number(n int64) {
	if len(d.buf) > 1<<15 {
		d.flush()
	}
	d.buf = binary.AppendVarint(d.buf, n)
}

func (d *digester) text(s string) {
	d.number(int64(len(s)))
	d.buf = append(d.buf, s...)
}

// maybe writes a text that may be nil.
func (d *digester) maybe(s *string) {
	if s == nil {
		d.number(-1)
		return
	}
	d.text(*s)
}

func (d *digester) count(c *BeforeAfter) {
	if c == nil {
		d.number(-1)
		return
	}
	d.number(int64(c.Before))
	d.number(int64(c.After))
}

func (d *digester) list(l []state.BrokerID) {
	d.number(int64(len(l)))
	for _, b := range l {
		d.number(int64(b))
	}
}

func (d *digester) change(c *Change) {
	d.text(c.Topic)
	d.text(string(c.Action))
	d.count(c.Partitions)
	d.count(c.ReplicationFactor)
	d.number(int64(len(c.Config)))
	for _, k := range c.Config {
		d.text(k.Name)
		d.maybe(k.Before)
		d.text(string(k.BeforeSource))
		d.maybe(k.After)
		d.text(string(k.AfterSource))
	}
	d.number(int64(len(c.Assignments)))
	for _, a := range c.Assignments {
		d.number(int64(a.Partition))
		d.list(a.Before)
		d.list(a.After)
		d.number(int64(a.LeaderAfter))
	}
}

// steps writes moves and elections as sets, all other steps in their order.
func (d *digester) steps(steps []Step) {
	moves := map[Kind][]Move{}
	for i := range steps {
		s := &steps[i]
		if s.Kind == Reassign || s.Kind == ElectLeaders {
			moves[s.Kind] = append(moves[s.Kind], s.Moves...)
			continue
		}
		d.step(s)
	}
	for _, kind := range []Kind{Reassign, ElectLeaders} {
		d.text(string(kind))
		d.moves(sortMoves(moves[kind]))
	}
}

func (d *digester) step(s *Step) {
	d.text(string(s.Kind))
	d.text(s.Topic)
	d.number(int64(len(s.Config)))
	for _, c := range s.Config {
		d.text(c.Name)
		d.maybe(c.Before)
		d.maybe(c.After)
	}
	d.moves(s.Moves)
	d.number(-1)
	if s.MaxBytes != nil {
		d.number(*s.MaxBytes)
	}
	if s.AllowRemote {
		d.number(1)
	}
}

func (d *digester) moves(moves []Move) {
	d.number(int64(len(moves)))
	for _, m := range moves {
		d.text(m.Topic)
		d.number(int64(m.Partition))
		d.list(m.Before)
		d.list(m.After)
	}
}

// sortMoves sorts moves in place, by topic and partition.
func sortMoves(moves []Move) []Move {
	sort.Slice(moves, func(i, j int) bool {
		if moves[i].Topic != moves[j].Topic {
			return moves[i].Topic < moves[j].Topic
		}
		return moves[i].Partition < moves[j].Partition
	})
	return moves
}
