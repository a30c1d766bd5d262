package placement

import (
	"math"
	"sort"
)

// group has racks that are filled to one level, and how much they get.
type group struct {
	racks []int16
	total int64
}

// groups divides the racks of a filling of that many. There is a level to which
// all are filled, but for racks that may not hold as much, which end at the most
// that they may, and those that must hold more, which end at the least. Each of
// these fills to a level of its own.
func (c *scopeCount) groups(total int64, even *evenness) []group {
	level := lowestLevel(even, func(level int64) bool {
		n := int64(0)
		for r := range c.room {
			n += max(c.room[r].least, min(c.room[r].most, c.upTo(int16(r), level, even)))
		}
		return n >= total
	})
	var out []group
	common := group{total: total}
	for r := range int16(len(c.room)) {
		room := &c.room[r]
		alone := int64(-1)
		switch {
		case len(room.brokers) == 0:
			continue
		case c.upTo(r, level-1, even) >= room.most:
			alone = room.most
		case room.least == room.most || c.upTo(r, level, even) <= room.least:
			alone = room.least
		default:
			common.racks = append(common.racks, r)
			continue
		}
		common.total -= alone
		out = append(out, group{[]int16{r}, alone})
	}
	if len(common.racks) > 0 {
		out = append(out, common)
	}
	return out
}

// upTo is how many the brokers of a rack hold that are filled as long as one more
// costs no more than level.
func (c *scopeCount) upTo(rack int16, level int64, even *evenness) (n int64) {
	for _, b := range c.room[rack].brokers {
		n += even.upTo(b, level, c.base[b])
	}
	return n
}

// fill gives a group its total, each to the lowest. It gives the sum of squared
// deviations, and the least number that must come to brokers that lack them, given
// that of those at the last level any may have one more.
func (c *scopeCount) fill(g group, even *evenness) (sum, copies int64) {
	level := lowestLevel(even, func(level int64) bool {
		n := int64(0)
		for _, r := range g.racks {
			n += c.upTo(r, level, even)
		}
		return n >= g.total
	})
	open, free := g.total, int64(0)
	for _, r := range g.racks {
		for _, b := range c.room[r].brokers {
			n := even.upTo(b, level-1, c.base[b])
			sum += even.deviation(b, int32(n))
			open -= n
			copies += max(0, n-int64(c.have[b]))
			if even.upTo(b, level, c.base[b]) > n && int64(c.have[b]) > n {
				free++
			}
		}
	}
	return sum + open*level, copies + max(0, open-free)
}

// lowestLevel is the lowest level at which enough is filled.
func lowestLevel(even *evenness, enough func(level int64) bool) int64 {
	reach := int64(math.MaxInt32) * even.scale
	for _, o := range even.offset {
		reach = max(reach, o)
	}
	return int64(sort.Search(int(2*reach+1), func(i int) bool { return enough(int64(i) - reach) })) - reach
}

// upTo is how many replicas broker b holds if it is filled from base on as long as
// one more costs no more than level.
func (s *evenness) upTo(b int16, level int64, base int32) int64 {
	x := level + s.scale
	if s.offset != nil {
		x += s.offset[b]
	}
	if x < 0 {
		return int64(base)
	}
	return max(int64(base), x/(2*s.scale))
}

// deviation is the unevenness of a broker with k replicas, but for a constant.
func (s *evenness) deviation(b int16, k int32) int64 {
	d := int64(k) * int64(k) * s.scale
	if s.offset != nil {
		d -= int64(k) * s.offset[b]
	}
	return d
}
