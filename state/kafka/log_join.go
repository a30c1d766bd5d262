package kafka

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// lockProtocol is what members of a lock's group agree on.
const lockProtocol = "ballast-lock"

// claimData is what a member tells of itself.
type claimData struct {
	Holds  bool   `json:"holds"`
	Holder []byte `json:"holder"`
}

// claim reads a member's metadata: who it is, and whether it has the lock.
func claim(metadata []byte) (holder []byte, holds bool) {
	var m kmsg.ConsumerMemberMetadata
	var c claimData
	if m.ReadFrom(metadata) != nil || json.Unmarshal(m.UserData, &c) != nil {
		return nil, false
	}
	return c.Holder, c.Holds
}

// join becomes a member, again where it was one, and gives who has the lock.
func (g *groupLock) join(ctx context.Context) (winner []byte, err error) {
	for {
		winner, err = g.joinOnce(ctx)
		if !isCode(err, codeRebalanceInProgress) && !isPassing(err) {
			return winner, err
		}
		if sleep(ctx, 100*time.Millisecond) != nil {
			return nil, err
		}
	}
}

func (g *groupLock) joinOnce(ctx context.Context) ([]byte, error) {
	joined, err := g.sendJoin(ctx)
	if isCode(err, codeMemberIDRequired) { // KIP-394: the id was given with it
		joined, err = g.sendJoin(ctx)
	}
	if isCode(err, codeUnknownMember) && g.holding {
		return nil, g.lose(err)
	}
	if err != nil {
		return nil, err
	}
	g.generation = joined.Generation
	return g.sync(ctx, joined)
}

func (g *groupLock) sendJoin(ctx context.Context) (*kmsg.JoinGroupResponse, error) {
	req := kmsg.NewPtrJoinGroupRequest()
	req.Group, req.MemberID, req.ProtocolType = g.group, g.member, "consumer"
	req.SessionTimeoutMillis = int32(g.session / time.Millisecond)
	req.RebalanceTimeoutMillis = req.SessionTimeoutMillis
	data, err := json.Marshal(claimData{Holds: g.holding, Holder: g.holder})
	if err != nil {
		return nil, err
	}
	m := kmsg.NewConsumerMemberMetadata()
	m.Topics, m.UserData = []string{g.topic}, data
	p := kmsg.NewJoinGroupRequestProtocol()
	p.Name, p.Metadata = lockProtocol, m.AppendTo(nil)
	req.Protocols = append(req.Protocols, p)
	resp, err := g.ask(ctx, req)
	if err != nil {
		return nil, err
	}
	r := resp.(*kmsg.JoinGroupResponse)
	if r.MemberID != "" {
		g.member = r.MemberID
	}
	return r, kafkaError(r.ErrorCode, nil)
}

// sync hands the partition out, where we are the group's leader, and takes
// what we are given.
func (g *groupLock) sync(ctx context.Context, joined *kmsg.JoinGroupResponse) ([]byte, error) {
	req := kmsg.NewPtrSyncGroupRequest()
	req.Group, req.Generation, req.MemberID = g.group, joined.Generation, joined.MemberID
	req.ProtocolType, req.Protocol = kmsg.StringPtr("consumer"), kmsg.StringPtr(lockProtocol)
	if joined.LeaderID == joined.MemberID {
		req.GroupAssignment = g.assign(joined)
	}
	resp, err := g.ask(ctx, req)
	if err != nil {
		return nil, err
	}
	r := resp.(*kmsg.SyncGroupResponse)
	if err := kafkaError(r.ErrorCode, nil); err != nil {
		return nil, err
	}
	var a kmsg.ConsumerMemberAssignment
	if err := a.ReadFrom(r.MemberAssignment); err != nil {
		return nil, fmt.Errorf("what the group hands out is malformed: %w", err)
	}
	g.holding = len(a.Topics) > 0
	return a.UserData, nil
}

// assign gives the partition to the member that has it, or else to ourselves;
// everybody is told who that is.
func (g *groupLock) assign(joined *kmsg.JoinGroupResponse) []kmsg.SyncGroupRequestGroupAssignment {
	winner, who := joined.MemberID, g.holder
	for i := range joined.Members {
		if holder, holds := claim(joined.Members[i].ProtocolMetadata); holds {
			winner, who = joined.Members[i].MemberID, holder
		}
	}
	var out []kmsg.SyncGroupRequestGroupAssignment
	for i := range joined.Members {
		a := kmsg.NewConsumerMemberAssignment()
		a.UserData = who
		if joined.Members[i].MemberID == winner {
			t := kmsg.NewConsumerMemberAssignmentTopic()
			t.Topic, t.Partitions = g.topic, []int32{0}
			a.Topics = append(a.Topics, t)
		}
		s := kmsg.NewSyncGroupRequestGroupAssignment()
		s.MemberID, s.MemberAssignment = joined.Members[i].MemberID, a.AppendTo(nil)
		out = append(out, s)
	}
	return out
}
