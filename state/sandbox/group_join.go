package sandbox

import (
	"bytes"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// await lets a request of a member wait until ready says that it need not any
// longer. It returns with the sandbox locked; false where the client has gone.
func (c *call) await(g *group, m *member, ready func() bool) bool {
	m.waiting++
	defer func() { m.waiting, m.seen = m.waiting-1, time.Now() }()
	for {
		g.expire(time.Now())
		if ready() {
			return true
		}
		changed, timer := g.changed, time.NewTimer(g.next(time.Now()))
		c.sandbox.mu.Unlock()
		here := true
		select {
		case <-changed:
		case <-timer.C:
		case <-c.gone:
			here = false
		case <-c.sandbox.ctx.Done():
			here = false
		}
		timer.Stop()
		c.sandbox.mu.Lock()
		if !here {
			return false
		}
	}
}

func joinGroup(c *call, req *kmsg.JoinGroupRequest) kmsg.Response {
	_, done := c.sandbox.live()
	defer done()
	resp := kmsg.NewPtrJoinGroupResponse()
	resp.Generation, resp.MemberID = -1, req.MemberID
	resp.Protocol = kmsg.StringPtr("")
	g, code := c.groupHere(req.Group, true)
	if code != 0 {
		resp.ErrorCode = code
		return resp
	}
	m, code := c.memberOf(g, req)
	if m != nil {
		resp.MemberID = m.id
	}
	if code != 0 {
		resp.ErrorCode = code
		return resp
	}
	if g.state == groupStable && !m.joins(req) && m.id != g.leader {
		m.seen = time.Now()
		g.answerJoin(m, resp)
		return resp
	}
	if !c.rejoin(g, m, req) {
		return resp
	}
	if g.member(m.id) != m {
		resp.ErrorCode = 25
		return resp
	}
	g.answerJoin(m, resp)
	return resp
}

// rejoin takes a member into the rebalance under way, or begins one, and waits
// for its end; false where the client has gone.
func (c *call) rejoin(g *group, m *member, req *kmsg.JoinGroupRequest) bool {
	m.protocols = req.Protocols
	if len(g.active()) == 1 {
		g.protocolType = req.ProtocolType
	}
	if g.state != groupPreparing {
		g.prepare()
	}
	m.joined = true
	g.happen()
	generation := g.generation
	here := c.await(g, m, func() bool { return g.generation > generation || g.member(m.id) != m })
	m.joined = m.joined && here
	return here
}

// joins says whether a request of a known member changes what it asked for.
func (m *member) joins(req *kmsg.JoinGroupRequest) bool {
	return m.protocols == nil || !slices.EqualFunc(m.protocols, req.Protocols, func(a, b kmsg.JoinGroupRequestProtocol) bool {
		return a.Name == b.Name && bytes.Equal(a.Metadata, b.Metadata)
	})
}

// memberOf returns the member that a request is from, a new one where it has
// no id yet, or the error's code.
func (c *call) memberOf(g *group, req *kmsg.JoinGroupRequest) (*member, int16) {
	if active := g.active(); len(active) > 0 && (g.protocolType != req.ProtocolType || !fits(active, req)) {
		return nil, 23
	}
	if len(req.Protocols) == 0 || req.ProtocolType == "" {
		return nil, 23
	}
	m := g.member(req.MemberID)
	if req.MemberID != "" {
		if m == nil {
			return nil, 25
		}
		m.pending = false
		return m, 0
	}
	m = &member{
		id: g.newID(c.client), instance: req.InstanceID, client: c.client, host: "/" + c.hostOnly(), seen: time.Now(),
		session: time.Duration(req.SessionTimeoutMillis) * time.Millisecond, rebalance: time.Duration(req.RebalanceTimeoutMillis) * time.Millisecond,
	}
	if req.Version == 0 {
		m.rebalance = m.session
	}
	if req.InstanceID != nil {
		g.replaceStatic(*req.InstanceID)
	}
	g.members = append(g.members, m)
	if req.Version >= 4 && req.InstanceID == nil {
		m.pending = true
		return m, 79
	}
	return m, 0
}

// replaceStatic removes the member that had an instance id: it is fenced.
func (g *group) replaceStatic(instance string) {
	for _, m := range slices.Clone(g.members) {
		if m.instance != nil && *m.instance == instance {
			g.remove(m)
		}
	}
}

// fits says whether the protocols of a request have one in common with all
// other members.
func fits(active []*member, req *kmsg.JoinGroupRequest) bool {
	for _, p := range req.Protocols {
		if !slices.ContainsFunc(active, func(m *member) bool { return m.id != req.MemberID && m.metadata(p.Name) == nil }) {
			return true
		}
	}
	return false
}

func (g *group) answerJoin(m *member, resp *kmsg.JoinGroupResponse) {
	resp.Generation, resp.ProtocolType, resp.Protocol, resp.LeaderID, resp.MemberID = g.generation, &g.protocolType, &g.protocol, g.leader, m.id
	if m.id != g.leader {
		return
	}
	for _, o := range g.active() {
		x := kmsg.NewJoinGroupResponseMember()
		x.MemberID, x.InstanceID, x.ProtocolMetadata = o.id, o.instance, o.metadata(g.protocol)
		resp.Members = append(resp.Members, x)
	}
}

func syncGroup(c *call, req *kmsg.SyncGroupRequest) kmsg.Response {
	_, done := c.sandbox.live()
	defer done()
	resp := kmsg.NewPtrSyncGroupResponse()
	g, m, code := c.memberIn(req.Group, req.MemberID, req.Generation)
	if code == 0 && g.state == groupPreparing {
		code = 27
	}
	if code != 0 {
		resp.ErrorCode = code
		return resp
	}
	if g.state == groupCompleting && m.id == g.leader {
		for _, a := range req.GroupAssignment {
			if o := g.member(a.MemberID); o != nil {
				o.assigned = a.MemberAssignment
			}
		}
		g.state = groupStable
		g.happen()
	}
	if !c.await(g, m, func() bool {
		return g.state != groupCompleting || g.generation != req.Generation || g.member(m.id) != m
	}) {
		return resp
	}
	switch {
	case g.member(m.id) != m:
		resp.ErrorCode = 25
	case g.state != groupStable || g.generation != req.Generation:
		resp.ErrorCode = 27
	default:
		resp.ProtocolType, resp.Protocol, resp.MemberAssignment = &g.protocolType, &g.protocol, m.assigned
	}
	return resp
}

// memberIn returns a member of the present generation, or the error's code.
func (c *call) memberIn(name, id string, generation int32) (*group, *member, int16) {
	g, code := c.groupHere(name, false)
	if code != 0 {
		return nil, nil, code
	}
	if g == nil {
		return nil, nil, 25
	}
	m := g.member(id)
	switch {
	case m == nil || m.pending:
		return g, nil, 25
	case generation != g.generation:
		return g, nil, 22
	}
	m.seen = time.Now()
	return g, m, 0
}

func heartbeat(c *call, req *kmsg.HeartbeatRequest) kmsg.Response {
	resp := kmsg.NewPtrHeartbeatResponse()
	g, _, code := c.memberIn(req.Group, req.MemberID, req.Generation)
	if code == 0 && g.state == groupPreparing {
		code = 27
	}
	resp.ErrorCode = code
	return resp
}

func leaveGroup(c *call, req *kmsg.LeaveGroupRequest) kmsg.Response {
	resp := kmsg.NewPtrLeaveGroupResponse()
	g, code := c.groupHere(req.Group, false)
	if resp.ErrorCode = code; code != 0 {
		return resp
	}
	if req.Version < 3 {
		resp.ErrorCode = g.leave(req.MemberID, nil)
		return resp
	}
	for _, m := range req.Members {
		x := kmsg.NewLeaveGroupResponseMember()
		x.MemberID, x.InstanceID = m.MemberID, m.InstanceID
		x.ErrorCode = g.leave(m.MemberID, m.InstanceID)
		resp.Members = append(resp.Members, x)
	}
	return resp
}

func (g *group) leave(id string, instance *string) int16 {
	if g == nil {
		return 25
	}
	for _, m := range g.members {
		if m.id == id || id == "" && instance != nil && m.instance != nil && *m.instance == *instance {
			g.remove(m)
			g.completeJoin()
			return 0
		}
	}
	return 25
}
