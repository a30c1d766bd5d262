package sandbox

import (
	"slices"
	"sort"
	"strconv"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func describeConfigs(c *call, req *kmsg.DescribeConfigsRequest) kmsg.Response {
	resp := kmsg.NewPtrDescribeConfigsResponse()
	for i := range req.Resources {
		r := &req.Resources[i]
		out := kmsg.NewDescribeConfigsResponseResource()
		out.ResourceType, out.ResourceName = r.ResourceType, r.ResourceName
		configs, err := c.configsOf(r)
		if err != nil {
			out.ErrorCode, out.ErrorMessage = err.code, err.message()
		}
		for _, e := range configs {
			if r.ConfigNames == nil || slices.Contains(r.ConfigNames, e.Name) {
				if !req.IncludeSynonyms {
					e.ConfigSynonyms = nil
				}
				out.Configs = append(out.Configs, e)
			}
		}
		resp.Resources = append(resp.Resources, out)
	}
	return resp
}

type configEntry = kmsg.DescribeConfigsResponseResourceConfig

func never(string) bool { return false }

func (c *call) configsOf(r *kmsg.DescribeConfigsRequestResource) ([]configEntry, *kafkaError) {
	asked := func(key string) bool { return r.ConfigNames == nil || slices.Contains(r.ConfigNames, key) }
	switch r.ResourceType {
	case kmsg.ConfigResourceTypeTopic:
		if wrong := invalidName(r.ResourceName); wrong != "" {
			return nil, errorf(17, "Topic name is invalid: %s", wrong)
		}
		t := c.cluster.topics[r.ResourceName]
		if t == nil {
			return nil, &kafkaError{3, ""}
		}
		if t.denied {
			return nil, errorf(29, "Topic authorization failed.")
		}
		shown := *t
		shown.overrides = c.sandbox.visible(2, t.name, t.overrides, asked)
		return c.as(c.broker, never).topicConfigs(&shown), nil
	case kmsg.ConfigResourceTypeBroker:
		if r.ResourceName == "" {
			return c.as(c.broker, asked).defaultConfigs(), nil
		}
		if err := c.mustBeMe(r.ResourceName, "Unexpected broker id, expected %d or empty string, but received %s"); err != nil {
			return nil, err
		}
		shown := *c.broker
		shown.dynamic = c.sandbox.visible(4, r.ResourceName, shown.dynamic, asked)
		return c.as(&shown, asked).brokerConfigs(), nil
	case kmsg.ConfigResourceTypeBrokerLogger, kmsg.ConfigResourceTypeClientMetrics, kmsg.ConfigResourceTypeGroupConfig:
		return nil, nil
	}
	return nil, errorf(42, "Unsupported resource type: %d", r.ResourceType)
}

// as returns the call as a reader of configs sees the cluster: with the
// cluster's defaults that are visible, and the broker as it is given.
func (c *call) as(b *broker, asked func(string) bool) *call {
	shown, out := *c.cluster, *c
	shown.defaults = c.sandbox.visible(4, "", shown.defaults, asked)
	out.cluster, out.broker = &shown, b
	return &out
}

// mustBeMe refuses what is for another broker.
func (c *call) mustBeMe(name, text string) *kafkaError {
	id, err := strconv.ParseInt(name, 10, 32)
	if err != nil {
		return errorf(42, "Node id must be an integer, but it is: %s", name)
	}
	if int32(id) != c.broker.id {
		return errorf(42, text, c.broker.id, name)
	}
	return nil
}

func (c *call) topicConfigs(t *topic) []configEntry {
	out := make([]configEntry, 0, len(topicKeys))
	for i := range topicKeys {
		k := &topicKeys[i]
		value, source := c.topicValue(t, k.name, c.broker)
		e := entry(k.name, value, source, k.kind)
		e.ConfigSynonyms = c.synonyms(t, k)
		out = append(out, e)
	}
	for _, key := range sortedKeys(t.overrides) {
		if topicKeyOf[key] == nil {
			out = append(out, entry(key, t.overrides[key], kmsg.ConfigSourceDynamicTopicConfig, kmsg.ConfigTypeString))
		}
	}
	return out
}

func (c *call) synonyms(t *topic, k *topicKey) []kmsg.DescribeConfigsResponseResourceConfigConfigSynonym {
	var out []kmsg.DescribeConfigsResponseResourceConfigConfigSynonym
	add := func(name, value string, ok bool, source kmsg.ConfigSource) {
		if ok {
			s := kmsg.NewDescribeConfigsResponseResourceConfigConfigSynonym()
			s.Name, s.Value, s.Source = name, &value, source
			out = append(out, s)
		}
	}
	v, ok := t.overrides[k.name]
	add(k.name, v, ok, kmsg.ConfigSourceDynamicTopicConfig)
	if k.broker == "" {
		return out
	}
	v, ok = c.broker.dynamic[k.broker]
	add(k.broker, v, ok, kmsg.ConfigSourceDynamicBrokerConfig)
	v, ok = c.cluster.defaults[k.broker]
	add(k.broker, v, ok, kmsg.ConfigSourceDynamicDefaultBrokerConfig)
	v, ok = c.cluster.static[k.broker]
	add(k.broker, v, ok, kmsg.ConfigSourceStaticBrokerConfig)
	v, ok = brokerDefault(k.broker)
	add(k.broker, v, ok, kmsg.ConfigSourceDefaultConfig)
	return out
}

// brokerConfigs are all of this broker's.
func (c *call) brokerConfigs() []configEntry {
	keys := map[string]kmsg.ConfigType{}
	for name, k := range topicKeyFor {
		keys[name] = k.kind
	}
	for i := range brokerKeys {
		keys[brokerKeys[i].name] = brokerKeys[i].kind
	}
	for _, m := range []map[string]string{c.broker.dynamic, c.cluster.defaults, c.broker.static, c.cluster.static} {
		for name := range m {
			if _, known := keys[name]; !known {
				keys[name] = 0
			}
		}
	}
	var out []configEntry
	for _, name := range sortedKeys(keys) {
		value, source := c.brokerValue(c.broker, name)
		if source != 0 {
			out = append(out, c.brokerEntry(name, value, source, keys[name]))
		}
	}
	return out
}

func (c *call) brokerEntry(name, value string, source kmsg.ConfigSource, kind kmsg.ConfigType) configEntry {
	e := entry(name, value, source, kind)
	k := brokerKeyOf[name]
	e.ReadOnly = kind == 0 || k != nil && k.fixed
	if _, ok := brokerDefault(name); kind == 0 || source == kmsg.ConfigSourceDefaultConfig && !ok {
		e.Value = nil
	}
	e.IsSensitive = kind == 0
	for _, l := range []struct {
		values map[string]string
		source kmsg.ConfigSource
	}{
		{c.broker.dynamic, kmsg.ConfigSourceDynamicBrokerConfig},
		{c.cluster.defaults, kmsg.ConfigSourceDynamicDefaultBrokerConfig},
		{c.broker.static, kmsg.ConfigSourceStaticBrokerConfig},
		{c.cluster.static, kmsg.ConfigSourceStaticBrokerConfig},
		{defaultOf(name), kmsg.ConfigSourceDefaultConfig},
	} {
		if v, ok := l.values[name]; ok {
			s := kmsg.NewDescribeConfigsResponseResourceConfigConfigSynonym()
			s.Name, s.Value, s.Source = name, &v, l.source
			if kind == 0 {
				s.Value = nil
			}
			e.ConfigSynonyms = append(e.ConfigSynonyms, s)
		}
	}
	return e
}

func defaultOf(name string) map[string]string {
	if v, ok := brokerDefault(name); ok {
		return map[string]string{name: v}
	}
	return nil
}

// defaultConfigs are the cluster-wide dynamic defaults.
func (c *call) defaultConfigs() []configEntry {
	var out []configEntry
	for _, name := range sortedKeys(c.cluster.defaults) {
		var kind kmsg.ConfigType
		if k := topicKeyFor[name]; k != nil {
			kind = k.kind
		} else if k := brokerKeyOf[name]; k != nil {
			kind = k.kind
		}
		e := c.brokerEntry(name, c.cluster.defaults[name], kmsg.ConfigSourceDynamicDefaultBrokerConfig, kind)
		e.ConfigSynonyms = slices.DeleteFunc(e.ConfigSynonyms, func(s kmsg.DescribeConfigsResponseResourceConfigConfigSynonym) bool {
			return s.Source != kmsg.ConfigSourceDynamicDefaultBrokerConfig
		})
		out = append(out, e)
	}
	return out
}

func entry(name, value string, source kmsg.ConfigSource, kind kmsg.ConfigType) configEntry {
	e := kmsg.NewDescribeConfigsResponseResourceConfig()
	e.Name, e.Value, e.Source, e.ConfigType = name, &value, source, kind
	e.IsDefault = source == kmsg.ConfigSourceDefaultConfig
	return e
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}
