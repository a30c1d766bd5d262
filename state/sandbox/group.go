package sandbox

import (
	"fmt"
	"hash/fnv"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// The states of a classic consumer group, in Kafka's words.
const (
	groupEmpty      = "Empty"
	groupPreparing  = "PreparingRebalance"
	groupCompleting = "CompletingRebalance"
	groupStable     = "Stable"
	groupDead       = "Dead"
)

// group is a classic consumer group. Its timers are looked at whenever a
// request of the group comes and whenever one that waits wakes up; they run by
// the wall clock.
type group struct {
	name         string
	state        string
	generation   int32
	protocolType string
	protocol     string
	leader       string
	members      []*member // in the order in which they joined
	offsets      map[offsetKey]offset
	rebalanceBy  time.Time
	made         int
	changed      chan struct{} // closed and renewed whenever something happens
}

type member struct {
	id        string
	instance  *string
	client    string
	host      string
	session   time.Duration
	rebalance time.Duration
	protocols []kmsg.JoinGroupRequestProtocol
	assigned  []byte
	seen      time.Time
	joined    bool // has joined the rebalance under way
	waiting   int  // requests that wait: a member that waits does not expire
	pending   bool // has been given an id and has not come back with it
}

type offsetKey struct {
	topic     string
	partition int32
}

type offset struct {
	offset   int64
	epoch    int32
	metadata *string
}

// coordinator returns the broker that coordinates a group: by its name's hash
// among those that the controller believes alive.
func (c *cluster) coordinator(name string) *broker {
	live := c.live()
	if len(live) == 0 {
		return nil
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return live[int(h.Sum32()%uint32(len(live)))]
}

// groupHere returns a group that this broker coordinates, or the error's code.
// A group that is not there is made where create says so.
func (c *call) groupHere(name string, create bool) (*group, int16) {
	if name == "" {
		return nil, 24
	}
	if c.coordinator(name) != c.broker {
		return nil, 16
	}
	g := c.sandbox.groups[name]
	if g == nil && create {
		g = &group{name: name, state: groupEmpty, offsets: map[offsetKey]offset{}, changed: make(chan struct{})}
		c.sandbox.groups[name] = g
	}
	if g != nil {
		g.expire(time.Now())
	}
	return g, 0
}

func (g *group) member(id string) *member {
	for _, m := range g.members {
		if m.id == id {
			return m
		}
	}
	return nil
}

func (g *group) happen() {
	close(g.changed)
	g.changed = make(chan struct{})
}

// newID makes a member's id as Kafka does: the client's id and something unique.
func (g *group) newID(client string) string {
	g.made++
	h := fnv.New128a()
	fmt.Fprintf(h, "%s %d %d", g.name, g.made, time.Now().UnixNano())
	return fmt.Sprintf("%s-%x", client, h.Sum(nil))
}

// expire removes members whose session is over and, when a rebalance has
// lasted as long as it may, those that have not joined it.
func (g *group) expire(now time.Time) {
	late := g.state == groupPreparing && now.After(g.rebalanceBy)
	for _, m := range slices.Clone(g.members) {
		if m.waiting == 0 && now.Sub(m.seen) > m.session || late && !m.joined && !m.pending {
			g.remove(m)
		}
	}
	g.completeJoin()
}

// remove takes a member out, and makes the others join again.
func (g *group) remove(m *member) {
	g.members = slices.DeleteFunc(g.members, func(x *member) bool { return x == m })
	if !m.pending && g.state != groupEmpty {
		g.prepare()
	}
	g.happen()
}

func (g *group) active() []*member {
	return slices.DeleteFunc(slices.Clone(g.members), func(m *member) bool { return m.pending })
}

// prepare begins a rebalance, or goes on with the one under way.
func (g *group) prepare() {
	if len(g.active()) == 0 {
		g.state, g.leader, g.protocol = groupEmpty, "", ""
		g.generation++
		return
	}
	if g.state == groupPreparing {
		return
	}
	longest := time.Duration(0)
	for _, m := range g.members {
		m.joined, m.assigned = false, nil
		longest = max(longest, m.rebalance)
	}
	g.state, g.rebalanceBy = groupPreparing, time.Now().Add(longest)
	g.happen()
}

// completeJoin ends the first half of a rebalance once every member has
// joined: a new generation, its protocol, its leader.
func (g *group) completeJoin() {
	if g.state != groupPreparing {
		return
	}
	all := g.active()
	for _, m := range all {
		if !m.joined {
			return
		}
	}
	if len(all) == 0 {
		g.prepare()
		return
	}
	g.generation++
	g.state, g.protocol = groupCompleting, common(all)
	if g.member(g.leader) == nil {
		g.leader = all[0].id
	}
	for _, m := range all {
		m.seen = time.Now()
	}
	g.happen()
}

// common returns the protocol that all members know and most like best.
func common(all []*member) string {
	votes := map[string]int{}
	for _, m := range all {
		for _, p := range m.protocols {
			if slices.ContainsFunc(all, func(o *member) bool { return o.metadata(p.Name) == nil }) {
				continue
			}
			votes[p.Name]++
			break
		}
	}
	best := ""
	for _, p := range all[0].protocols {
		if votes[p.Name] > votes[best] {
			best = p.Name
		}
	}
	return best
}

// metadata returns a member's metadata for a protocol, nil where it does not
// know it.
func (m *member) metadata(protocol string) []byte {
	for _, p := range m.protocols {
		if p.Name == protocol {
			if p.Metadata == nil {
				return []byte{}
			}
			return p.Metadata
		}
	}
	return nil
}

// next returns when the group's next timer is due, at most a minute ahead.
func (g *group) next(now time.Time) time.Duration {
	d := time.Minute
	if g.state == groupPreparing {
		d = min(d, g.rebalanceBy.Sub(now))
	}
	for _, m := range g.members {
		if m.waiting == 0 {
			d = min(d, m.seen.Add(m.session).Sub(now))
		}
	}
	return max(d, 0) + time.Millisecond
}
