package sandbox

import "math"

// Each copy crosses up to four limits: what its leader's broker can send and
// its own broker receive at all, and the replication throttle of either where
// the topic lists the replica.
const (
	limitOut = iota
	limitIn
	limitLeader
	limitFollower
	limits
)

// shareOut divides the bandwidth among the copies: every limit equally among
// those that cross it, and what one of them cannot use among the others
// (max-min fairness). It does nothing unless something has changed.
func (c *cluster) shareOut() {
	if !c.dirty {
		return
	}
	c.dirty = false
	copies := c.compact()
	room := c.room()
	users := make([]int, len(room))
	crosses := make([][]int, len(copies))
	for i, f := range copies {
		crosses[i] = c.crossed(f)
		for _, l := range crosses[i] {
			users[l]++
		}
	}
	fill(copies, crosses, room, users)
	c.countInflow(copies)
}

// compact forgets the followers that are gone and returns those that copy.
func (c *cluster) compact() []*follower {
	kept, copies := c.lagging[:0], []*follower(nil)
	for _, f := range c.lagging {
		if f.gone {
			continue
		}
		kept = append(kept, f)
		f.rate = 0
		if !f.caught && c.canCopy(f) {
			copies = append(copies, f)
		}
	}
	clear(c.lagging[len(kept):])
	c.lagging = kept
	return copies
}

// room returns the bytes a second of every limit of every broker, less what
// the followers in sync take of a throttle that lists them: Kafka counts their
// bytes, though it never holds them back.
func (c *cluster) room() []float64 {
	room := make([]float64, len(c.brokers)*limits)
	at := make(map[int32]int, len(c.brokers))
	for i, b := range c.brokers {
		at[b.id] = i * limits
		room[i*limits+limitOut], room[i*limits+limitIn] = c.rate, c.rate
		room[i*limits+limitLeader] = c.throttleRate(b, leaderRate)
		room[i*limits+limitFollower] = c.throttleRate(b, followerRate)
	}
	for _, p := range c.busy {
		for _, id := range p.isr {
			if id == p.leader || p.leader < 0 {
				continue
			}
			if p.topic.leaderSide.lists(p.id, p.leader) {
				room[at[p.leader]+limitLeader] = max(0, room[at[p.leader]+limitLeader]-p.traffic)
			}
			if p.topic.followSide.lists(p.id, id) {
				room[at[id]+limitFollower] = max(0, room[at[id]+limitFollower]-p.traffic)
			}
		}
	}
	return room
}

// crossed returns the indexes into room of the limits that a copy crosses.
func (c *cluster) crossed(f *follower) []int {
	src, dst := c.index(f.p.leader)*limits, c.index(f.broker)*limits
	out := []int{src + limitOut, dst + limitIn}
	if f.p.topic.leaderSide.lists(f.p.id, f.p.leader) {
		out = append(out, src+limitLeader)
	}
	if f.p.topic.followSide.lists(f.p.id, f.broker) {
		out = append(out, dst+limitFollower)
	}
	return out
}

func (c *cluster) index(id int32) int {
	lo, hi := 0, len(c.brokers)
	for lo < hi {
		if mid := (lo + hi) / 2; c.brokers[mid].id < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// fill raises all copies' rates together and fixes those of a limit when it is
// used up, until every copy has met a limit.
func fill(copies []*follower, crosses [][]int, room []float64, users []int) {
	left := len(copies)
	fixed := make([]bool, len(copies))
	for left > 0 {
		least := math.Inf(1)
		for l, n := range users {
			if n > 0 {
				least = min(least, room[l]/float64(n))
			}
		}
		tight := map[int]bool{}
		for l, n := range users {
			if n > 0 && room[l]/float64(n) <= least*(1+1e-9) {
				tight[l] = true
			}
		}
		for i, f := range copies {
			if fixed[i] || !crossesAny(crosses[i], tight) {
				continue
			}
			fixed[i], f.rate = true, least
			left--
			for _, l := range crosses[i] {
				room[l] = max(0, room[l]-least)
				users[l]--
			}
		}
	}
}

func crossesAny(list []int, set map[int]bool) bool {
	for _, x := range list {
		if set[x] {
			return true
		}
	}
	return false
}

func (c *cluster) countInflow(copies []*follower) {
	for _, b := range c.brokers {
		for _, d := range b.dirs {
			d.inflow = 0
		}
	}
	for _, f := range copies {
		if d := c.byID[f.broker].dir(f.p); d != nil {
			d.inflow += f.rate
		}
	}
}
