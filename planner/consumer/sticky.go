package consumer

import "slices"

// claims is what members report to own, as far as it can be believed.
type claims struct {
	owned   [][]int // by member, in the order reported
	revoked []bool  // by partition: claimed twice in one generation, so nobody's
	newest  int32   // the highest generation
}

// claim settles who owns what. Of two claims to a partition that of the newer
// generation holds; two of the same generation void each other.
func (g *group) claim() *claims {
	c := &claims{owned: make([][]int, len(g.members)), revoked: make([]bool, len(g.topicOf)), newest: NeverAssigned}
	holder := g.unowned()
	for m := range g.members {
		c.newest = max(c.newest, g.members[m].Generation)
		for _, p := range g.owned[m] {
			g.settle(c, holder, m, p)
		}
	}
	return c
}

func (g *group) settle(c *claims, holder []int, m, p int) {
	other := holder[p]
	if other == nobody {
		c.owned[m] = append(c.owned[m], p)
		holder[p] = m
		return
	}
	mine, theirs := g.members[m].Generation, g.members[other].Generation
	if mine < theirs {
		return
	}
	c.owned[other] = slices.DeleteFunc(c.owned[other], func(q int) bool { return q == p })
	holder[p] = m
	if mine > theirs {
		c.owned[m] = append(c.owned[m], p)
	} else {
		c.revoked[p] = true
	}
}

// sticky keeps as much as an even assignment allows. It also gives the
// partitions that a cooperative member may not start to read at once: those
// that change hands.
func (g *group) sticky() (owners []int, changing []bool) {
	c := g.claim()
	if g.subscribedAlike() {
		return g.constrained(c)
	}
	owners = g.general(c)
	return owners, g.changed(owners)
}

// subscribedAlike says whether all members subscribe to the same topics, those
// that don't exist included. (Kafka overlooks members that subscribe to nothing
// where its hash map has them before all others, and then gives them partitions.)
func (g *group) subscribedAlike() bool {
	for i := 1; i < len(g.members); i++ {
		if !slices.Equal(topicSet(g.members[i]), topicSet(g.members[0])) {
			return false
		}
	}
	return true
}

func topicSet(m Member) []string {
	return slices.Compact(slices.Sorted(slices.Values(m.Topics)))
}

// changed has the partitions whose new owner did not report them while another
// member did.
func (g *group) changed(owners []int) []bool {
	out := make([]bool, len(owners))
	for m, owned := range g.owned {
		for _, p := range owned {
			out[p] = out[p] || owners[p] != m
		}
	}
	for m, owned := range g.owned {
		for _, p := range owned {
			if owners[p] == m {
				out[p] = false
			}
		}
	}
	return out
}
