package apply

import (
	"context"
	"errors"
	"fmt"
	"sort"

	"ballast/state"
)

// ownValues reads the values that are the resources' own: an override of the
// topic, a dynamic config of the broker. Nil where there is none.
func (r *run) ownValues(keys []throttleKey) (map[throttleKey]*string, error) {
	var out map[throttleKey]*string
	err := r.read("the throttles", func(ctx context.Context) error {
		var err, silent error
		out, silent, err = readOwn(ctx, r.cluster, keys)
		return errors.Join(err, silent)
	})
	return out, err
}

// answered is ownValues of what answers at once: a broker that is just dying
// is no reason to wait.
func (r *run) answered(keys []throttleKey) (map[throttleKey]*string, error) {
	var out map[throttleKey]*string
	err := r.read("the throttles", func(ctx context.Context) error {
		var err error
		out, _, err = readOwn(ctx, r.cluster, keys)
		return err
	})
	return out, err
}

// readOwn leaves out topics that are gone, and what gave another error: silent
// is the first such.
func readOwn(ctx context.Context, c Cluster, keys []throttleKey) (out map[throttleKey]*string, silent, err error) {
	out = map[throttleKey]*string{}
	resources, names := resourcesOf(keys)
	if len(resources) == 0 {
		return out, nil, nil
	}
	values, errs, err := c.Configs(ctx, resources, names)
	if err != nil {
		return nil, nil, err
	}
	index := map[state.ConfigResource]int{}
	for i, res := range resources {
		index[res] = i
		if errs[i] != nil && !isUnknownTopic(errs[i]) && silent == nil {
			silent = fmt.Errorf("%s: %w", describeResource(res), errs[i])
		}
	}
	for _, k := range keys {
		i := index[state.ConfigResource{Type: k.typ, Name: k.of}]
		if errs[i] != nil {
			continue
		}
		out[k] = nil
		ofAll := k.typ == state.BrokerResource && k.of == ""
		if v, ok := values[i][k.name]; ok && (isOwn(k.typ, v.Source) || ofAll && v.Source == state.SourceCluster) {
			text := v.Value
			out[k] = &text
		}
	}
	return out, silent, nil
}

func isOwn(t state.ResourceType, s state.ConfigSource) bool {
	return t == state.TopicResource && s == state.SourceTopic || t == state.BrokerResource && s == state.SourceBroker
}

func isUnknownTopic(err error) bool { return hasCode(err, state.CodeUnknownTopicOrPartition) }

func hasCode(err error, code int16) bool {
	var e *state.Error
	return errors.As(err, &e) && e.Code == code
}

func resourcesOf(keys []throttleKey) ([]state.ConfigResource, []string) {
	seen := map[state.ConfigResource]bool{}
	named := map[string]bool{}
	var resources []state.ConfigResource
	var names []string
	for _, k := range keys {
		res := state.ConfigResource{Type: k.typ, Name: k.of}
		if !seen[res] {
			seen[res] = true
			resources = append(resources, res)
		}
		if !named[k.name] {
			named[k.name] = true
			names = append(names, k.name)
		}
	}
	sort.Slice(resources, func(i, j int) bool {
		a, b := resources[i], resources[j]
		return a.Type > b.Type || a.Type == b.Type && a.Name < b.Name
	})
	sort.Strings(names)
	return resources, names
}

func describeResource(res state.ConfigResource) string {
	if res.Type == state.TopicResource {
		return fmt.Sprintf("topic %q", res.Name)
	}
	if res.Name == "" {
		return "all brokers"
	}
	return "broker " + res.Name
}
