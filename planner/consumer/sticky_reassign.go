package consumer

// reassign moves partitions of a list to members that have at least two fewer
// than their owner, and says whether any was moved.
func (k *general) reassign(list []int) (performed bool) {
	for again := true; again; {
		again = false
		for _, p := range list {
			if k.balanced() {
				break
			}
			if to := k.better(p); to != nobody {
				k.move(p, to)
				again, performed = true, true
			}
		}
	}
	return performed
}

// better is the member that a partition should move to: its owner of an older
// generation if that still subscribes and has at least two fewer, else the one that has least if any
// reader has at least two fewer.
func (k *general) better(p int) int {
	most := k.count[k.owners[p]] - 1
	if old := k.previous[p]; old != nobody && k.takes[old] && k.subscribes[old][k.topicOf[p]] && k.count[old] < most {
		return old
	}
	for _, m := range k.readers[k.topicOf[p]] {
		if k.takes[m] && k.count[m] < most {
			return k.least(p)
		}
	}
	return nobody
}

// balanced says whether no member could get a partition from one that has at
// least two more.
func (k *general) balanced() bool {
	if len(k.ranking) == 0 || k.count[k.ranking[0]] >= k.count[k.ranking[len(k.ranking)-1]]-1 {
		return true
	}
	most := make([]int, len(k.topics)) // by topic: what the fullest of its owners has
	for p, m := range k.owners {
		if m != nobody && k.takes[m] {
			most[k.topicOf[p]] = max(most[k.topicOf[p]], k.count[m])
		}
	}
	for _, m := range k.ranking {
		for t, subscribed := range k.subscribes[m] {
			if subscribed && k.count[m]+1 < most[t] {
				return false
			}
		}
	}
	return true
}

// move gives a partition to another member, or rather one of the same topic
// that has come the other way before, so that none moves for nothing.
func (k *general) move(p, to int) {
	p = k.moved.instead(p, k.topicOf[p], k.owners[p], to)
	from := k.owners[p]
	k.moved.note(p, k.topicOf[p], from, to)
	k.owners[p] = to
	k.count[from]--
	k.rerank(from)
	k.count[to]++
	k.rerank(to)
}

// pair is a move from one member to another.
type pair struct{ from, to int }

// movements are the partitions that have moved so far, by where from and to.
type movements struct {
	of      map[int]pair
	byTopic map[int]map[pair]map[int]bool
}

func newMovements() *movements {
	return &movements{of: map[int]pair{}, byTopic: map[int]map[pair]map[int]bool{}}
}

// instead is the partition to move in place of p: the first of its topic that
// has moved from the new member to where p was at first.
func (m *movements) instead(p, topic, from, to int) int {
	if moved, ok := m.of[p]; ok {
		from = moved.from
	}
	best := p
	found := false
	for q := range m.byTopic[topic][pair{to, from}] {
		if !found || q < best {
			best, found = q, true
		}
	}
	return best
}

// note keeps a move; one that has moved before has moved from where it was at
// first, and one that is back there has not moved.
func (m *movements) note(p, topic, from, to int) {
	if moved, ok := m.of[p]; ok {
		delete(m.byTopic[topic][moved], p)
		delete(m.of, p)
		if from = moved.from; from == to {
			return
		}
	}
	moved := pair{from, to}
	if m.byTopic[topic] == nil {
		m.byTopic[topic] = map[pair]map[int]bool{}
	}
	if m.byTopic[topic][moved] == nil {
		m.byTopic[topic][moved] = map[int]bool{}
	}
	m.byTopic[topic][moved][p] = true
	m.of[p] = moved
}
