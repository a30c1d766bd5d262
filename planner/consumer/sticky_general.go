package consumer

import (
	"cmp"
	"slices"
)

// general is the sticky assignment where members subscribe to different topics:
// keep what is owned, give out the rest to who has least, then move partitions
// as long as that evens out.
type general struct {
	*group
	owners   []int
	count    []int  // by member
	previous []int  // by partition: its owner in an older generation
	ranking  []int  // members that take part, those with fewest partitions first
	takes    []bool // by member: takes part in reassignments
	moved    *movements
}

func (g *group) general(c *claims) []int {
	k := &general{group: g, owners: g.unowned(), count: make([]int, len(g.members)), moved: newMovements(), takes: make([]bool, len(g.members))}
	revoking := k.keep(c)
	k.previous = g.older(c.newest)
	for m := range g.members {
		k.takes[m] = true
	}
	k.rank()
	fresh := k.count[k.ranking[len(k.ranking)-1]] == 0
	all := k.scarcestFirst()
	given := k.giveOut(all)
	k.narrow()
	k.balance(all, given, fresh, revoking)
	return k.owners
}

// keep leaves members what they own and still subscribe to; it says whether
// somebody has to give up what it no longer subscribes to.
func (k *general) keep(c *claims) (revoking bool) {
	for m, owned := range c.owned {
		for _, p := range owned {
			if !k.subscribes[m][k.topicOf[p]] {
				revoking = true
				continue
			}
			k.owners[p] = m
			k.count[m]++
		}
	}
	return revoking
}

// older has each partition's owner in the newest of the generations that are
// over.
func (g *group) older(newest int32) []int {
	out := g.unowned()
	for m := range g.members {
		if g.members[m].Generation >= newest {
			continue
		}
		for _, p := range g.owned[m] {
			if out[p] == nobody || g.members[m].Generation > g.members[out[p]].Generation {
				out[p] = m
			}
		}
	}
	return out
}

// scarcestFirst has all partitions, those of topics with fewest readers first.
func (k *general) scarcestFirst() (all []int) {
	topics := make([]int, len(k.topics))
	for t := range topics {
		topics[t] = t
	}
	slices.SortStableFunc(topics, func(a, b int) int { return cmp.Compare(len(k.readers[a]), len(k.readers[b])) })
	for _, t := range topics {
		for p := k.first[t]; p < k.first[t+1]; p++ {
			all = append(all, p)
		}
	}
	return all
}

// rank sorts the members that take part by what they have.
func (k *general) rank() {
	k.ranking = k.ranking[:0]
	for m := range k.members {
		if k.takes[m] {
			k.ranking = append(k.ranking, m)
		}
	}
	slices.SortStableFunc(k.ranking, func(a, b int) int { return cmp.Compare(k.count[a], k.count[b]) })
}

// rerank puts a member back in order after its count changed.
func (k *general) rerank(m int) {
	i := slices.Index(k.ranking, m)
	k.ranking = slices.Delete(k.ranking, i, i+1)
	at, _ := slices.BinarySearchFunc(k.ranking, m, func(x, m int) int {
		return cmp.Or(cmp.Compare(k.count[x], k.count[m]), cmp.Compare(x, m))
	})
	k.ranking = slices.Insert(k.ranking, at, m)
}

// least is the subscriber of a partition's topic that has least.
func (k *general) least(p int) int {
	for _, m := range k.ranking {
		if k.subscribes[m][k.topicOf[p]] {
			return m
		}
	}
	return nobody
}

// giveOut gives the partitions that nobody has to who has least, and tells which.
func (k *general) giveOut(all []int) (given []int) {
	for _, p := range all {
		if k.owners[p] != nobody {
			continue
		}
		given = append(given, p)
		m := k.least(p)
		k.owners[p] = m
		k.count[m]++
		k.rerank(m)
	}
	return given
}

// narrow leaves out members that have all they can get and share none of it.
func (k *general) narrow() {
	for m := range k.members {
		k.takes[m] = k.canTakePart(m)
	}
	k.rank()
}

func (k *general) canTakePart(m int) bool {
	if k.count[m] < k.capacity(m) {
		return true
	}
	for p, owner := range k.owners {
		if owner == m && len(k.readers[k.topicOf[p]]) > 1 {
			return true
		}
	}
	return false
}

// capacity is the number of partitions that a member could have.
func (k *general) capacity(m int) (n int) {
	for t, subscribed := range k.subscribes[m] {
		if subscribed {
			n += k.first[t+1] - k.first[t]
		}
	}
	return n
}

// balance moves partitions until no move evens out; where that helped nothing
// in the end, all stays as it was.
func (k *general) balance(all, given []int, fresh, revoking bool) {
	shared := func(p int) bool { return len(k.readers[k.topicOf[p]]) < 2 }
	all, given = slices.DeleteFunc(all, shared), slices.DeleteFunc(given, shared)
	owners, count, before := slices.Clone(k.owners), slices.Clone(k.count), k.score()
	if !revoking {
		k.reassign(given)
	}
	if k.reassign(all) && !fresh && k.score() >= before {
		k.owners, k.count = owners, count
	}
}

// score is the sum of differences between any two members that take part.
func (k *general) score() (sum int) {
	for i, a := range k.ranking {
		for _, b := range k.ranking[i+1:] {
			sum += max(k.count[a], k.count[b]) - min(k.count[a], k.count[b])
		}
	}
	return sum
}
