package kafka

import "slices"

// runs sorts the messages of a log by run, record and part.
type runs struct {
	byID   map[runID]map[int64]*pieces
	latest runID // the one whose first record was whole last, by number
	newest int64 // the highest number of any
	keys   []string
	gone   map[string]bool
}

// pieces are the parts of one record.
type pieces struct {
	parts [][]byte
	have  int
}

func (p *pieces) whole() bool { return p.have == len(p.parts) }

func newRuns() *runs { return &runs{byID: map[runID]map[int64]*pieces{}, gone: map[string]bool{}} }

// add takes one message, in the order of offsets. What was written twice
// counts once, the first time; messages that are none of ours are passed over.
func (r *runs) add(key string, value []byte) {
	m, ok := parseKey(key)
	if !ok {
		return
	}
	r.newest = max(r.newest, m.run.number)
	if value == nil {
		r.gone[key] = true
		return
	}
	r.keys = append(r.keys, key)
	records := r.byID[m.run]
	if records == nil {
		records = map[int64]*pieces{}
		r.byID[m.run] = records
	}
	p := records[m.seq]
	if p == nil {
		p = &pieces{parts: make([][]byte, m.parts)}
		records[m.seq] = p
	}
	if m.parts == len(p.parts) && p.parts[m.part] == nil {
		p.parts[m.part] = value
		p.have++
	}
	if m.seq == 1 && p.whole() && m.run.number >= r.latest.number {
		r.latest = m.run
	}
}

// records are those of the latest run, up to the first that is not whole.
func (r *runs) records() [][]byte {
	var out [][]byte
	records := r.byID[r.latest]
	for seq := int64(1); ; seq++ {
		p := records[seq]
		if p == nil || !p.whole() {
			return out
		}
		out = append(out, slices.Concat(p.parts...))
	}
}

// live are the keys of all messages that no tombstone has taken away.
func (r *runs) live() []string {
	return slices.DeleteFunc(r.keys, func(key string) bool { return r.gone[key] })
}
