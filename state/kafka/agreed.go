package kafka

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"ballast/state"
)

// throttleLists are the configs of a topic that both ends of a move have to
// know before it begins. Any broker shows them as soon as it knows them itself;
// Kafka 4.3 took up to 245 ms until all six of a cluster did, time enough for
// tens of megabytes without a throttle.
var throttleLists = []string{"leader.replication.throttled.replicas", "follower.replication.throttled.replicas"}

// How long brokers may take to agree, and one of them to answer.
const (
	agreeTimeout  = 10 * time.Second
	agreeInterval = 50 * time.Millisecond
	agreePatience = 5 * time.Second
)

// wantsAgreement says whether the keys are ones that every broker has to know.
func wantsAgreement(keys []string) bool {
	return slices.ContainsFunc(keys, func(k string) bool { return slices.Contains(throttleLists, k) })
}

// fromAll reads topics' configs from every live broker, until they agree on
// them. Brokers that do not answer are left out: they copy nothing either.
func (r *configReader) fromAll(ctx context.Context, at []int) error {
	if err := r.client.refresh(ctx); err != nil {
		return err
	}
	for began := time.Now(); ; {
		differ, err := r.compare(ctx, at)
		if err != nil || len(differ) == 0 {
			return err
		}
		if time.Since(began) > agreeTimeout {
			for _, i := range differ {
				r.errs[i] = fmt.Errorf("the brokers do not agree on the configs of %q", r.resources[i].Name)
			}
			return nil
		}
		if err := sleep(ctx, agreeInterval); err != nil {
			return err
		}
	}
}

// compare reads the resources from every live broker, and gives the places of
// those on which they differ. The values are those of the first that answers.
func (r *configReader) compare(ctx context.Context, at []int) ([]int, error) {
	readings := r.readAll(ctx, at)
	if len(readings) == 0 {
		return nil, &UnreachableError{Reasons: []string{"none of the brokers gives its configs"}}
	}
	var differ []int
	first := readings[0]
	for _, i := range at {
		r.values[i], r.errs[i] = first.values[i], first.errs[i]
		for _, other := range readings[1:] {
			if !maps.Equal(first.values[i], other.values[i]) || (first.errs[i] == nil) != (other.errs[i] == nil) {
				differ = append(differ, i)
				break
			}
		}
	}
	return differ, nil
}

// readAll reads the resources from all live brokers at once.
func (r *configReader) readAll(ctx context.Context, at []int) []*configReader {
	ctx, cancel := context.WithTimeout(ctx, agreePatience)
	defer cancel()
	ids := r.client.liveBrokers()
	readings := make([]*configReader, len(ids))
	var g errgroup.Group
	g.SetLimit(32)
	for n, id := range ids {
		g.Go(func() error {
			one := &configReader{client: r.client, resources: r.resources, keys: r.keys,
				values: make([]map[string]state.ConfigValue, len(r.resources)), errs: make([]error, len(r.resources))}
			for _, part := range chunks(at, configBatch) {
				if !one.fromBroker(ctx, id, part) {
					return nil
				}
			}
			readings[n] = one
			return nil
		})
	}
	_ = g.Wait() // a broker that does not answer is left out
	return slices.DeleteFunc(readings, func(r *configReader) bool { return r == nil })
}

// liveBrokers are the brokers that were alive when last heard of.
func (c *Client) liveBrokers() []state.BrokerID {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.addrs))
}
