package kafka

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// Kafka's codes of consumer groups.
const (
	codeCoordinatorLoading      = 14
	codeCoordinatorNotAvailable = 15
	codeNotCoordinator          = 16
	codeIllegalGeneration       = 22
	codeUnknownMember           = 25
	codeRebalanceInProgress     = 27
	codeMemberIDRequired        = 79
)

// groupLock is a lock that is membership of a consumer group of which one
// member has the partition. A member that joins makes all others join again;
// who has the partition keeps it, whoever hands it out.
type groupLock struct {
	client       *Client
	group, topic string
	session      time.Duration
	holder       []byte

	mu         sync.Mutex
	member     string
	generation int32
	holding    bool
	lost       error

	stop context.CancelFunc
	done chan struct{}
}

// take joins the group and takes the partition, or says who has it.
func (g *groupLock) take(ctx context.Context) error {
	held, err := g.heldByAnother(ctx)
	if err != nil {
		return fmt.Errorf("taking the lock of topic %q: %w", g.topic, err)
	}
	if held != nil {
		return held
	}
	winner, err := g.join(ctx)
	if err != nil {
		return fmt.Errorf("taking the lock of topic %q: %w", g.topic, err)
	}
	if !g.holding {
		_ = g.depart(ctx) // the other's session does not depend on it
		return &LogHeldError{Topic: g.topic, Holder: winner}
	}
	beat, stop := context.WithCancel(context.Background())
	g.stop, g.done = stop, make(chan struct{})
	go g.beatOn(beat)
	return nil
}

// heldByAnother looks whether the group has a member, without disturbing it.
func (g *groupLock) heldByAnother(ctx context.Context) (*LogHeldError, error) {
	req := kmsg.NewPtrDescribeGroupsRequest()
	req.Groups = []string{g.group}
	resp, err := g.ask(ctx, req)
	if err != nil {
		return nil, err
	}
	groups := resp.(*kmsg.DescribeGroupsResponse).Groups
	if len(groups) != 1 || groups[0].ErrorCode != 0 || groups[0].State != "Stable" {
		return nil, nil // joining will tell
	}
	for i := range groups[0].Members {
		m := &groups[0].Members[i]
		var a kmsg.ConsumerMemberAssignment
		if a.ReadFrom(m.MemberAssignment) == nil && len(a.Topics) > 0 {
			who, _ := claim(m.ProtocolMetadata)
			return &LogHeldError{Topic: g.topic, Holder: who}, nil
		}
	}
	return nil, nil
}

// beatOn tells the coordinator that we are there, until it is stopped or the
// lock is lost.
func (g *groupLock) beatOn(ctx context.Context) {
	defer close(g.done)
	for sleep(ctx, g.session/5) == nil {
		ask, cancel := context.WithTimeout(ctx, g.session/2)
		g.mu.Lock()
		err := g.beat(ask)
		lost := g.lost
		g.mu.Unlock()
		cancel()
		if lost != nil && err != nil {
			return
		}
	}
}

// beat sends one heartbeat, and joins again where the group asks for it. That
// it gets no answer is no loss yet: the session decides, and held asks.
func (g *groupLock) beat(ctx context.Context) error {
	req := kmsg.NewPtrHeartbeatRequest()
	req.Group, req.Generation, req.MemberID = g.group, g.generation, g.member
	resp, err := g.ask(ctx, req)
	if err != nil {
		return err
	}
	return g.answer(ctx, resp.(*kmsg.HeartbeatResponse).ErrorCode)
}

// answer takes what the coordinator says to a member's request.
func (g *groupLock) answer(ctx context.Context, code int16) error {
	switch code {
	case 0:
		return nil
	case codeRebalanceInProgress:
		_, err := g.join(ctx)
		if err == nil && !g.holding {
			err = g.lose(errors.New("another run was given it"))
		}
		return err
	case codeIllegalGeneration, codeUnknownMember:
		return g.lose(kafkaError(code, nil))
	}
	return kafkaError(code, nil)
}

// lose notes that the lock is gone for good.
func (g *groupLock) lose(why error) error {
	g.holding = false
	g.lost = fmt.Errorf("the lock of topic %q was lost: %w", g.topic, why)
	return g.lost
}

// held asks the coordinator by an offset commit under our generation, which
// only a member of the present one may do.
func (g *groupLock) held(ctx context.Context) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, 2*g.session)
	defer cancel()
	for {
		if g.lost != nil {
			return g.lost
		}
		code, err := g.commit(ctx)
		if err == nil && code == 0 {
			return nil
		}
		if err == nil {
			err = g.answer(ctx, code)
		}
		if err != nil && !isPassing(err) {
			return err
		}
		if sleep(ctx, 100*time.Millisecond) != nil {
			return fmt.Errorf("whether the lock of topic %q is still held could not be found out: %w", g.topic, err)
		}
	}
}

func (g *groupLock) commit(ctx context.Context) (int16, error) {
	req := kmsg.NewPtrOffsetCommitRequest()
	req.Group, req.Generation, req.MemberID = g.group, g.generation, g.member
	p := kmsg.NewOffsetCommitRequestTopicPartition()
	t := kmsg.NewOffsetCommitRequestTopic()
	t.Topic, t.Partitions = g.topic, append(t.Partitions, p)
	req.Topics = append(req.Topics, t)
	resp, err := g.ask(ctx, req)
	if err != nil {
		return 0, err
	}
	for _, t := range resp.(*kmsg.OffsetCommitResponse).Topics {
		for _, p := range t.Partitions {
			return p.ErrorCode, nil
		}
	}
	return 0, errors.New("the answer to OffsetCommit is empty")
}

// leave gives the lock back.
func (g *groupLock) leave(ctx context.Context) error {
	g.stop()
	<-g.done
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.lost != nil {
		return nil
	}
	g.lost = fmt.Errorf("the lock of topic %q was given back", g.topic)
	return g.depart(ctx)
}

func (g *groupLock) depart(ctx context.Context) error {
	req := kmsg.NewPtrLeaveGroupRequest()
	req.Group, req.MemberID = g.group, g.member
	m := kmsg.NewLeaveGroupRequestMember()
	m.MemberID = g.member
	req.Members = append(req.Members, m)
	_, err := g.ask(ctx, req)
	return err
}

// ask puts a request to the group's coordinator. A new cluster has none for
// some seconds.
func (g *groupLock) ask(ctx context.Context, req kmsg.Request) (kmsg.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, g.client.opts.Timeout+g.session)
	defer cancel()
	for {
		id, err := g.coordinator(ctx)
		if err == nil {
			return g.client.askMember(ctx, id, req)
		}
		if !isPassing(err) {
			return nil, err
		}
		if sleep(ctx, 200*time.Millisecond) != nil {
			return nil, err
		}
	}
}

// coordinator finds the group's coordinator.
func (g *groupLock) coordinator(ctx context.Context) (state.BrokerID, error) {
	req := kmsg.NewPtrFindCoordinatorRequest()
	req.CoordinatorKey, req.CoordinatorKeys = g.group, []string{g.group}
	resp, err := g.client.readAny(ctx, req)
	if err != nil {
		return 0, err
	}
	r := resp.(*kmsg.FindCoordinatorResponse)
	for _, c := range r.Coordinators {
		return state.BrokerID(c.NodeID), kafkaError(c.ErrorCode, c.ErrorMessage)
	}
	return state.BrokerID(r.NodeID), kafkaError(r.ErrorCode, r.ErrorMessage)
}

// askMember puts a group's request to a broker, once: it is bound to a member
// and a generation, and the answer decides.
func (c *Client) askMember(ctx context.Context, id state.BrokerID, req kmsg.Request) (kmsg.Response, error) {
	addr, err := c.address(ctx, id)
	if err != nil {
		return nil, err
	}
	resp, err := c.peer(addr).ask(ctx, req, true)
	if err != nil {
		return nil, fmt.Errorf("broker %d at %s: %w", id, addr, unmarked(err))
	}
	return resp, nil
}
