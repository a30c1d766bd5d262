package kafka

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"ballast/state"
)

// agreedMetadata is Metadata of all topics, as two brokers have it. Brokers
// answer from what the controller has told them: one that is busy shows a topic
// a second after its creation was acknowledged, one that is cut off from the
// controller shows for ever what was, and nothing in the answer tells. Where
// the two differ both are asked again, the second beside a third, so that of
// three brokers with one behind the other two are found. In a cluster where
// leaders change all the time two readings are never alike; there it is enough
// that they differ elsewhere than before.
func (c *Client) agreedMetadata(ctx context.Context) (*state.Snapshot, error) {
	wait, places := agreeInterval, map[string]bool{}
	for began := time.Now(); ; wait = min(2*wait, time.Second) {
		id, addr, ok := c.witness()
		if !ok {
			return c.Metadata(ctx, nil)
		}
		s, other, err := c.readBeside(ctx, id)
		if err != nil || other == nil {
			return s, err
		}
		place := differing(s, other)
		if place == "" || len(places) >= 2 && !places[place] {
			return s, nil
		}
		places[place] = true
		if took := time.Since(began); took > agreeTimeout {
			reason := fmt.Sprintf("for %.0f s it has told otherwise than another broker of %s: one of the two is behind", took.Seconds(), place)
			s.Unread = append(s.Unread, state.Unread{What: "metadata", Name: fmt.Sprint(id), Reason: reason})
			return s, nil
		}
		c.prefer(addr)
		if err := sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// witness is any live broker other than the one that answers at present.
func (c *Client) witness() (state.BrokerID, string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var others []state.BrokerID
	for id, addr := range c.addrs {
		if addr != c.current {
			others = append(others, id)
		}
	}
	if len(others) == 0 {
		return 0, "", false
	}
	id := others[rand.IntN(len(others))]
	return id, c.addrs[id], true
}

// readBeside reads Metadata, and at the same time what the witness has. A
// witness that does not answer is none: nil.
func (c *Client) readBeside(ctx context.Context, witness state.BrokerID) (s, other *state.Snapshot, err error) {
	aside, stop := context.WithCancel(ctx)
	defer stop()
	heard := make(chan *state.Snapshot, 1)
	go func() { heard <- c.metadataOf(aside, witness) }()
	began := time.Now()
	if s, err = c.Metadata(ctx, nil); err != nil {
		return nil, nil, err
	}
	patience := time.AfterFunc(max(agreePatience, 2*time.Since(began)), stop)
	defer patience.Stop()
	return s, <-heard, nil
}

// metadataOf is what one broker tells of brokers and topics, or nil.
func (c *Client) metadataOf(ctx context.Context, id state.BrokerID) *state.Snapshot {
	resp, err := c.readBroker(ctx, id, metadataRequest(nil))
	if err != nil {
		return nil
	}
	m, err := c.ours(resp)
	if err != nil {
		return nil
	}
	s, err := snapshotOf(m)
	if err != nil {
		return nil
	}
	return s
}

// differing names the first place where two readings differ in what a plan
// rests on, or is ""; the other has live brokers alone. Partitions that move are left out: their lists come from
// the controller.
func differing(s, other *state.Snapshot) string {
	live := slices.DeleteFunc(slices.Clone(s.Brokers), func(b state.Broker) bool { return !b.Alive })
	if !slices.EqualFunc(live, other.Brokers, func(a, b state.Broker) bool { return a.ID == b.ID && a.Rack == b.Rack }) {
		return "the live brokers"
	}
	for i := range max(len(s.Topics), len(other.Topics)) {
		switch {
		case i >= len(s.Topics):
			return topicPlace(other.Topics[i].Name)
		case i >= len(other.Topics) || s.Topics[i].Name != other.Topics[i].Name || len(s.Topics[i].Partitions) != len(other.Topics[i].Partitions):
			return topicPlace(s.Topics[i].Name)
		}
		for j := range s.Topics[i].Partitions {
			p, q := &s.Topics[i].Partitions[j], &other.Topics[i].Partitions[j]
			if !p.InFlight() && (p.Leader != q.Leader || !slices.Equal(p.Replicas, q.Replicas)) {
				return fmt.Sprintf("partition %d of %s", j, topicPlace(s.Topics[i].Name))
			}
		}
	}
	return ""
}

func topicPlace(name string) string { return fmt.Sprintf("topic %q", name) }
