package consumer

import (
	"cmp"
	"slices"
)

// constrained is the sticky assignment where all subscribe alike, so that every
// member ends with floor or ceil of an even share.
type constrained struct {
	*group
	claims   *claims
	owners   []int
	count    []int // by member
	revoked  []bool
	least    int // floor of an even share
	most     int // ceil
	over     int // members that have more than the floor
	overMost int // how many may
	under    []int
	exactly  []int // members that have the floor and may get one more
}

func (g *group) constrained(c *claims) (owners []int, changing []bool) {
	n := len(g.members)
	if n == 0 {
		return g.unowned(), nil
	}
	total := len(g.topicOf)
	k := &constrained{
		group: g, claims: c, owners: g.unowned(), count: make([]int, n), revoked: slices.Clone(c.revoked),
		least: total / n, most: (total + n - 1) / n, overMost: total % n,
	}
	for m := range g.members {
		k.keep(m)
	}
	return k.owners, k.fill()
}

// keep leaves a member what it owns, up to its share.
func (k *constrained) keep(m int) {
	owned := slices.DeleteFunc(slices.Clone(k.claims.owned[m]), func(p int) bool { return k.claims.revoked[p] })
	slices.SortFunc(owned, func(a, b int) int { return cmp.Or(cmp.Compare(k.number(a), k.number(b)), cmp.Compare(a, b)) })
	kept := min(len(owned), k.least)
	switch {
	case len(owned) < k.least:
		k.under = append(k.under, m)
	case len(owned) >= k.most && k.over < k.overMost:
		kept = k.most
		if k.over++; k.over == k.overMost {
			k.exactly = nil
		}
	case k.over < k.overMost:
		k.exactly = append(k.exactly, m)
	}
	for i, p := range owned {
		if i < kept {
			k.give(p, m)
		} else {
			k.revoked[p] = true
		}
	}
}

func (k *constrained) give(p, m int) {
	k.owners[p] = m
	k.count[m]++
}

// fill gives out what nobody has, in turn: first to those below the floor, then
// to those at it. It tells what changes hands.
func (k *constrained) fill() (changing []bool) {
	changing = make([]bool, len(k.owners))
	turn := 0
	for p, owner := range k.owners {
		if owner != nobody {
			continue
		}
		changing[p] = k.revoked[p]
		if len(k.under) == 0 {
			k.give(p, k.exactly[0])
			k.exactly = k.exactly[1:]
			continue
		}
		if turn >= len(k.under) {
			turn = 0
		}
		m := k.under[turn]
		k.give(p, m)
		if k.count[m] == k.least {
			k.under = slices.Delete(k.under, turn, turn+1)
			k.exactly = append(k.exactly, m)
		} else {
			turn++
		}
	}
	return changing
}
