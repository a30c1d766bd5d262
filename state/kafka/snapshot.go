package kafka

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"ballast/state"
)

// Snapshot reads the whole cluster: brokers, topics, moves in flight, configs,
// sizes. What may not be read is absent, and listed in Unread; so is a broker
// whose metadata goes on differing from that of another.
func (c *Client) Snapshot(ctx context.Context) (*state.Snapshot, error) {
	s, err := c.agreedMetadata(ctx)
	if err != nil {
		return nil, err
	}
	var configs, throttles, dirs, elr finding
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return c.addTopicConfigs(ctx, s, &configs) })
	g.Go(func() error { // one after the other, as each goes to every broker
		silent, err := c.addBrokerConfigs(ctx, s, &throttles)
		if err != nil {
			return err
		}
		return c.addLogDirs(ctx, s, silent, &dirs)
	})
	g.Go(func() error { return c.addELR(ctx, s, &elr) })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, f := range []finding{configs, throttles, dirs, elr} {
		s.Unread = append(s.Unread, f.unread...)
	}
	return normal(s)
}

// normal brings a snapshot into the one order that snapshots are compared in.
func normal(s *state.Snapshot) (*state.Snapshot, error) {
	if err := s.Normalize(); err != nil {
		return nil, fmt.Errorf("what the cluster answers contradicts itself: %w", err)
	}
	return s, nil
}

// finding is what one part of a snapshot could not read.
type finding struct{ unread []state.Unread }

func (f *finding) add(what, name, reason string) {
	f.unread = append(f.unread, state.Unread{What: what, Name: name, Reason: reason})
}

// Metadata reads brokers, the dead ones included, and the partitions of the
// named topics (nil: all), moves in flight marked. It takes four requests,
// whatever the number of topics.
func (c *Client) Metadata(ctx context.Context, topics []string) (*state.Snapshot, error) {
	before, err := c.moves(ctx, nil)
	if err != nil {
		return nil, err
	}
	for wait := 50 * time.Millisecond; ; wait *= 2 {
		s, after, err := c.readOnce(ctx, topics)
		if err != nil {
			return nil, err
		}
		last := wait > 2*time.Second
		if last || !stale(s, before, after) {
			if clear := addMoves(s, after); clear || last {
				addDead(s)
				return normal(s)
			}
		}
		if err := sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// readOnce reads metadata, and then the moves in flight.
func (c *Client) readOnce(ctx context.Context, topics []string) (*state.Snapshot, []state.OngoingReassignment, error) {
	taken := time.Now().UTC().Truncate(time.Second) // reading takes longer than a fraction says
	m, err := c.readMetadata(ctx, topics)
	if err != nil {
		return nil, nil, err
	}
	s, err := snapshotOf(m)
	if err != nil {
		return nil, nil, err
	}
	s.TakenAt = taken
	if err := c.addFenced(ctx, s); err != nil {
		return nil, nil, err
	}
	after, err := c.moves(ctx, s)
	return s, after, err
}

// moves lists the moves in flight; where that may not be read, none, and it is
// noted in s.
func (c *Client) moves(ctx context.Context, s *state.Snapshot) ([]state.OngoingReassignment, error) {
	list, err := c.Reassignments(ctx)
	var answered *state.Error
	if errors.As(err, &answered) {
		if s != nil {
			s.Unread = append(s.Unread, state.Unread{What: "reassignments", Reason: needs(err, "Describe on the cluster")})
		}
		return nil, nil
	}
	return list, err
}

// needs says why something could not be read, and where that is for want of a
// permission, which.
func needs(err error, operation string) string {
	if isCode(err, codeClusterAuthorization) || isCode(err, codeTopicAuthorization) {
		return err.Error() + ": needs " + operation
	}
	return err.Error()
}
