package kafka

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
	"golang.org/x/sync/errgroup"

	"ballast/state"
)

// configBatch is how many resources one DescribeConfigs asks for. A topic has
// some 40 keys, and Kafka took 4 s for the first 200 on a slow machine.
const configBatch = 250

// throttleRates are the configs of a broker that a snapshot holds.
var throttleRates = []string{"leader.replication.throttled.rate", "follower.replication.throttled.rate"}

// Configs reads effective values with their sources: the named keys, or all
// for nil. A broker's are read from that broker itself, since no other knows
// them; those of topics and of the cluster-wide default from any, unless a
// topic's throttle lists are named: these are read from every live broker, and
// given when all agree on them.
func (c *Client) Configs(ctx context.Context, resources []state.ConfigResource, keys []string) ([]map[string]state.ConfigValue, []error, error) {
	values := make([]map[string]state.ConfigValue, len(resources))
	errs := make([]error, len(resources))
	r := &configReader{client: c, resources: resources, keys: keys, values: values, errs: errs}
	return values, errs, r.run(ctx)
}

// configReader reads the configs of many resources in batches.
type configReader struct {
	client    *Client
	resources []state.ConfigResource
	keys      []string
	values    []map[string]state.ConfigValue
	errs      []error
	names     sync.Map // every key's and value's one copy
}

// run asks for all resources, a few requests at a time.
func (r *configReader) run(ctx context.Context) error {
	var anywhere []int
	own := map[state.BrokerID][]int{}
	for i, res := range r.resources {
		if id, ok := brokerOf(res); ok {
			own[id] = append(own[id], i)
		} else {
			anywhere = append(anywhere, i)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(16)
	for id, at := range own {
		g.Go(func() error { r.fromBroker(ctx, id, at); return nil }) // the answer is in errs
	}
	if wantsAgreement(r.keys) && len(anywhere) > 0 {
		g.Go(func() error { return r.fromAll(ctx, anywhere) })
		return g.Wait()
	}
	for n, at := range chunks(anywhere, configBatch) {
		g.Go(func() error { return r.fromAny(ctx, n, at) })
	}
	return g.Wait()
}

// brokerOf is the broker that a resource belongs to.
func brokerOf(res state.ConfigResource) (state.BrokerID, bool) {
	if res.Type != state.BrokerResource || res.Name == "" {
		return 0, false
	}
	id, err := strconv.ParseInt(res.Name, 10, 32)
	return state.BrokerID(id), err == nil
}

// fromBroker reads resources from one broker, and says whether it answered.
// That it does not is an error of these resources alone.
func (r *configReader) fromBroker(ctx context.Context, id state.BrokerID, at []int) bool {
	resp, err := r.client.readBroker(ctx, id, r.request(at))
	if err != nil {
		fill(r.errs, at, err)
		return false
	}
	r.take(at, resp.(*kmsg.DescribeConfigsResponse))
	return true
}

// fromAny reads resources that every broker knows.
func (r *configReader) fromAny(ctx context.Context, n int, at []int) error {
	resp, err := r.client.readSpread(ctx, n, r.request(at))
	if err != nil {
		return err
	}
	r.take(at, resp.(*kmsg.DescribeConfigsResponse))
	return nil
}

func (r *configReader) request(at []int) kmsg.Request {
	req := kmsg.NewPtrDescribeConfigsRequest()
	for _, i := range at {
		res := kmsg.NewDescribeConfigsRequestResource()
		res.ResourceType = kmsg.ConfigResourceType(r.resources[i].Type)
		res.ResourceName = r.resources[i].Name
		res.ConfigNames = r.keys
		req.Resources = append(req.Resources, res)
	}
	return req
}

// take sorts the answers to the resources that were asked for.
func (r *configReader) take(at []int, resp *kmsg.DescribeConfigsResponse) {
	byResource := make(map[state.ConfigResource]*kmsg.DescribeConfigsResponseResource, len(resp.Resources))
	for i := range resp.Resources {
		a := &resp.Resources[i]
		byResource[state.ConfigResource{Type: state.ResourceType(a.ResourceType), Name: a.ResourceName}] = a
	}
	for _, i := range at {
		a := byResource[r.resources[i]]
		if a == nil {
			r.errs[i] = fmt.Errorf("the answer says nothing about %q", r.resources[i].Name)
			continue
		}
		if r.errs[i] = kafkaError(a.ErrorCode, a.ErrorMessage); r.errs[i] == nil {
			r.values[i] = r.valuesOf(a.Configs)
		}
	}
}

// valuesOf gives the configs by name. A value that is null (sensitive, or not
// set at all) is left out.
func (r *configReader) valuesOf(configs []kmsg.DescribeConfigsResponseResourceConfig) map[string]state.ConfigValue {
	out := make(map[string]state.ConfigValue, len(configs))
	for i := range configs {
		cfg := &configs[i]
		if cfg.Value != nil {
			out[r.one(cfg.Name)] = state.ConfigValue{Value: r.one(*cfg.Value), Source: sourceOf(cfg)}
		}
	}
	return out
}

// one gives the one copy of a string that thousands of topics share.
func (r *configReader) one(s string) string {
	v, _ := r.names.LoadOrStore(s, s)
	return v.(string)
}

// sourceOf translates Kafka's source of a config.
func sourceOf(cfg *kmsg.DescribeConfigsResponseResourceConfig) state.ConfigSource {
	switch cfg.Source {
	case kmsg.ConfigSourceDynamicTopicConfig:
		return state.SourceTopic
	case kmsg.ConfigSourceDynamicBrokerConfig:
		return state.SourceBroker
	case kmsg.ConfigSourceDynamicDefaultBrokerConfig:
		return state.SourceCluster
	case kmsg.ConfigSourceStaticBrokerConfig:
		return state.SourceStatic
	}
	return state.SourceDefault
}

// addTopicConfigs reads all configs of all topics of the snapshot.
func (c *Client) addTopicConfigs(ctx context.Context, s *state.Snapshot, f *finding) error {
	resources := make([]state.ConfigResource, len(s.Topics))
	for i := range s.Topics {
		resources[i] = state.ConfigResource{Type: state.TopicResource, Name: s.Topics[i].Name}
	}
	values, errs, err := c.Configs(ctx, resources, nil)
	if err != nil {
		return err
	}
	for i := range s.Topics {
		s.Topics[i].Config = values[i]
		if errs[i] != nil {
			f.add("topic_config", s.Topics[i].Name, needs(errs[i], "DescribeConfigs on the topic"))
		}
	}
	return nil
}

// addBrokerConfigs reads the throttle rates of the live brokers, and gives the
// errors of those that let the time limit pass: they need not be waited for a
// second time.
func (c *Client) addBrokerConfigs(ctx context.Context, s *state.Snapshot, f *finding) (map[state.BrokerID]error, error) {
	var live []int
	var resources []state.ConfigResource
	for i := range s.Brokers {
		b := &s.Brokers[i] // not a copy: its log dirs are being read meanwhile
		name := strconv.Itoa(int(b.ID))
		if !b.Alive {
			f.add("broker_config", name, fmt.Sprintf("broker %d is not alive", b.ID))
			continue
		}
		live = append(live, i)
		resources = append(resources, state.ConfigResource{Type: state.BrokerResource, Name: name})
	}
	values, errs, err := c.Configs(ctx, resources, throttleRates)
	if err != nil {
		return nil, err
	}
	silent := map[state.BrokerID]error{}
	for at, i := range live {
		s.Brokers[i].Config = values[at]
		if errs[at] != nil {
			f.add("broker_config", resources[at].Name, needs(errs[at], "DescribeConfigs on the cluster"))
		}
		if errors.Is(errs[at], errNoAnswer) {
			silent[s.Brokers[i].ID] = errs[at]
		}
	}
	return silent, nil
}

// chunks cuts a list into pieces of at most n.
func chunks[T any](list []T, n int) [][]T {
	var out [][]T
	for len(list) > n {
		out = append(out, list[:n:n])
		list = list[n:]
	}
	if len(list) > 0 {
		out = append(out, list)
	}
	return out
}
