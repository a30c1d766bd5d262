package kafka

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// AlterConfigs sets and deletes configs (IncrementalAlterConfigs, KIP-339). A
// broker's go to that broker itself, since no other takes them; the others to
// any. A value that Kafka would lose or misread is refused and not sent.
func (c *Client) AlterConfigs(ctx context.Context, alters []state.AlterConfigs) ([]error, error) {
	errs := make([]error, len(alters))
	var anywhere []int
	own := map[state.BrokerID][]int{}
	for i, a := range alters {
		if errs[i] = checkChanges(a.Changes); errs[i] != nil {
			continue
		}
		if id, ok := brokerOf(a.Resource); ok {
			own[id] = append(own[id], i)
		} else {
			anywhere = append(anywhere, i)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(own)) {
		to := func(ctx context.Context, req kmsg.Request) (kmsg.Response, error) { return c.writeBroker(ctx, id, req) }
		// That one broker does not answer says nothing about the others: the
		// error is in its items.
		_ = deliver(ctx, errs, configBatches(alters, own[id]), alterConfigs(alters, to))
	}
	return errs, deliver(ctx, errs, configBatches(alters, anywhere), alterConfigs(alters, c.writeAny))
}

func configBatches(alters []state.AlterConfigs, at []int) [][]int {
	weight := func(i int) int {
		n := 0
		for _, ch := range alters[i].Changes {
			n += 100 + len(ch.Name)
			if ch.Value != nil {
				n += len(*ch.Value)
			}
		}
		return n
	}
	return batches(at, weight, maxBytes, func(i int) any { return alters[i].Resource })
}

// alterConfigs sends changes through to.
func alterConfigs(alters []state.AlterConfigs, to func(context.Context, kmsg.Request) (kmsg.Response, error)) send {
	return func(ctx context.Context, at []int) ([]error, time.Duration, error) {
		req := kmsg.NewPtrIncrementalAlterConfigsRequest()
		for _, i := range at {
			req.Resources = append(req.Resources, alterResource(alters[i]))
		}
		resp, err := to(ctx, req)
		if err != nil {
			return nil, 0, err
		}
		r := resp.(*kmsg.IncrementalAlterConfigsResponse)
		answers := map[state.ConfigResource]error{}
		for _, a := range r.Resources {
			answers[state.ConfigResource{Type: state.ResourceType(a.ResourceType), Name: a.ResourceName}] = kafkaError(a.ErrorCode, a.ErrorMessage)
		}
		return answered(at, func(i int) state.ConfigResource { return alters[i].Resource }, answers), millis(r.ThrottleMillis), nil
	}
}

func alterResource(a state.AlterConfigs) kmsg.IncrementalAlterConfigsRequestResource {
	res := kmsg.NewIncrementalAlterConfigsRequestResource()
	res.ResourceType, res.ResourceName = kmsg.ConfigResourceType(a.Resource.Type), a.Resource.Name
	for _, ch := range a.Changes {
		cfg := kmsg.NewIncrementalAlterConfigsRequestResourceConfig()
		cfg.Name, cfg.Op, cfg.Value = ch.Name, kmsg.IncrementalAlterConfigOpSet, ch.Value
		if ch.Value == nil {
			cfg.Op = kmsg.IncrementalAlterConfigOpDelete
		}
		res.Configs = append(res.Configs, cfg)
	}
	return res
}

// checkChanges refuses values that must not be sent.
func checkChanges(changes []state.ConfigChange) error {
	for _, ch := range changes {
		if ch.Value == nil {
			continue
		}
		if err := checkValue(ch.Name, *ch.Value); err != nil {
			return err
		}
		if *ch.Value == "" {
			return &RefusedError{fmt.Sprintf("%s: an empty value would not be stored as one; delete the config instead", ch.Name)}
		}
	}
	return nil
}

// checkValues refuses configs of a new topic that are too long.
func checkValues(config map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(config)) {
		if err := checkValue(name, config[name]); err != nil {
			return err
		}
	}
	return nil
}

func checkValue(name, value string) error {
	if len(value) > maxConfigValue {
		return &RefusedError{fmt.Sprintf("%s: the value has %d bytes; Kafka stores at most %d", name, len(value), maxConfigValue)}
	}
	return nil
}
