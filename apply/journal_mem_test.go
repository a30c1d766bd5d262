package apply

import (
	"context"
	"fmt"
)

// memJournal is a journal in memory. It can be killed at any of its writes.
type memJournal struct {
	lines  [][]byte
	writes int
	kill   func(n int) simFault // of the n-th write
	dead   bool
	locked bool
}

func (j *memJournal) Name() string      { return "memory" }
func (j *memJournal) ClusterID() string { return "sim" }

func (j *memJournal) Lock(_ context.Context, h Holder) error {
	if j.locked {
		return &LockedError{Name: "memory", Holder: h}
	}
	j.locked = true
	return nil
}

func (j *memJournal) Held(context.Context) error {
	if !j.locked {
		return fmt.Errorf("lost")
	}
	return nil
}

func (j *memJournal) Records(context.Context) ([]Record, error) {
	var out []Record
	for _, l := range j.lines {
		r, err := DecodeRecord(l)
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	return out, nil
}

func (j *memJournal) write(r Record, keep [][]byte) error {
	if j.dead {
		return errKilled
	}
	j.writes++
	var f simFault
	if j.kill != nil {
		f = j.kill(j.writes)
	}
	if f.killBefore {
		j.dead = true
		return errKilled
	}
	line, err := EncodeRecord(r)
	if err != nil {
		return err
	}
	j.lines = append(keep, line)
	if f.killAfter {
		j.dead = true
		return errKilled
	}
	return nil
}

func (j *memJournal) Begin(_ context.Context, r Record) error {
	r.Seq = 1
	return j.write(r, nil)
}

func (j *memJournal) Append(_ context.Context, r Record) (int64, error) {
	r.Seq = int64(len(j.lines) + 1)
	return r.Seq, j.write(r, j.lines)
}

func (j *memJournal) Close() error {
	j.locked = false
	return nil
}
