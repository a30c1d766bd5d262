package sandbox

import (
	"slices"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

func alterConfigs(c *call, req *kmsg.IncrementalAlterConfigsRequest) kmsg.Response {
	resp := kmsg.NewPtrIncrementalAlterConfigsResponse()
	seen := map[string]bool{}
	for i := range req.Resources {
		r := &req.Resources[i]
		out := kmsg.NewIncrementalAlterConfigsResponseResource()
		out.ResourceType, out.ResourceName = r.ResourceType, r.ResourceName
		key := r.ResourceType.String() + "\x00" + r.ResourceName
		err := errorf(42, "Each resource must appear at most once.")
		if !seen[key] {
			err = c.alter(r, req.ValidateOnly)
		}
		seen[key] = true
		if err != nil {
			out.ErrorCode, out.ErrorMessage = err.code, err.message()
		}
		resp.Resources = append(resp.Resources, out)
	}
	return resp
}

// alter changes one resource: everything that is asked for, or nothing.
func (c *call) alter(r *kmsg.IncrementalAlterConfigsRequestResource, dry bool) *kafkaError {
	if err := checkNames(r); err != nil {
		return err
	}
	switch r.ResourceType {
	case kmsg.ConfigResourceTypeTopic:
		return c.alterTopic(r, dry)
	case kmsg.ConfigResourceTypeBroker:
		return c.alterBroker(r, dry)
	}
	return errorf(42, "Unsupported resource type: %d", r.ResourceType)
}

func checkNames(r *kmsg.IncrementalAlterConfigsRequestResource) *kafkaError {
	seen := map[string]bool{}
	var null []string
	for _, x := range r.Configs {
		if seen[x.Name] {
			return errorf(42, "Error due to duplicate config keys")
		}
		seen[x.Name] = true
		if x.Value == nil && x.Op != kmsg.IncrementalAlterConfigOpDelete {
			null = append(null, x.Name)
		}
	}
	if len(null) > 0 {
		return errorf(42, "Null value not supported for : %s", strings.Join(null, ","))
	}
	return nil
}

func (c *call) alterTopic(r *kmsg.IncrementalAlterConfigsRequestResource, dry bool) *kafkaError {
	t := c.topics[r.ResourceName]
	if t == nil {
		return errorf(3, "The topic '%s' does not exist.", r.ResourceName)
	}
	for _, x := range r.Configs {
		if topicKeyOf[x.Name] == nil && x.Op != kmsg.IncrementalAlterConfigOpDelete {
			return errorf(40, "Unknown topic config name: %s", x.Name)
		}
	}
	next := map[string]*string{}
	for _, x := range r.Configs {
		list := topicKeyOf[x.Name] != nil && topicKeyOf[x.Name].kind == kmsg.ConfigTypeList
		base, _ := c.topicValue(t, x.Name, nil)
		value, err := altered(x, base, list)
		if err == nil && value != nil {
			err = checkTopicConfig(x.Name, *value)
		}
		if err != nil {
			return err
		}
		next[x.Name] = value
	}
	if !dry {
		c.store(r, t.overrides, next, func(name string, v *string) { c.setTopic(t, name, v) })
	}
	return nil
}

// store writes what was accepted: values, or nil to delete.
func (c *call) store(r *kmsg.IncrementalAlterConfigsRequestResource, values map[string]string, next map[string]*string, write func(string, *string)) {
	for _, name := range sortedKeys(next) {
		old, was := values[name]
		c.sandbox.hide(resourceKey{int8(r.ResourceType), r.ResourceName, name}, old, was)
		write(name, next[name])
	}
	c.dirty = true
}

// altered returns the value after an operation, nil for none.
func altered(x kmsg.IncrementalAlterConfigsRequestResourceConfig, base string, list bool) (*string, *kafkaError) {
	switch x.Op {
	case kmsg.IncrementalAlterConfigOpDelete:
		return nil, nil
	case kmsg.IncrementalAlterConfigOpSet:
		return x.Value, nil
	}
	verb := "APPEND"
	if x.Op == kmsg.IncrementalAlterConfigOpSubtract {
		verb = "SUBTRACT"
	}
	if !list {
		return nil, errorf(40, "Can't %s to key %s because its type is not LIST.", verb, x.Name)
	}
	have := splitList(base)
	for _, v := range splitList(*x.Value) {
		at := slices.Index(have, v)
		switch {
		case verb == "APPEND" && at < 0:
			have = append(have, v)
		case verb == "SUBTRACT" && at >= 0:
			have = slices.Delete(have, at, at+1)
		}
	}
	value := strings.Join(have, ",")
	if len(value) > maxConfigBytes {
		return nil, errorf(40, "The configuration value cannot be added because it exceeds the maximum value size of %d bytes.", maxConfigBytes)
	}
	return &value, nil
}

func (c *call) alterBroker(r *kmsg.IncrementalAlterConfigsRequestResource, dry bool) *kafkaError {
	values, wide := c.cluster.defaults, r.ResourceName == ""
	if !wide {
		if err := c.mustBeMe(r.ResourceName, "Unexpected broker id, expected %d, but received %s"); err != nil {
			return err
		}
		values = c.broker.dynamic
	}
	next := map[string]*string{}
	for _, x := range r.Configs {
		value, err := alteredBroker(x, values[x.Name], wide)
		if err != nil {
			return err
		}
		next[x.Name] = value
	}
	if !dry {
		c.store(r, values, next, func(name string, v *string) {
			if delete(values, name); v != nil {
				values[name] = *v
			}
		})
	}
	return nil
}

// alteredBroker is altered for a broker config, checked.
func alteredBroker(x kmsg.IncrementalAlterConfigsRequestResourceConfig, base string, wide bool) (*string, *kafkaError) {
	k := topicKeyFor[x.Name]
	known := brokerKeyOf[x.Name] != nil || k != nil
	if !known && (x.Op == kmsg.IncrementalAlterConfigOpAppend || x.Op == kmsg.IncrementalAlterConfigOpSubtract) {
		return nil, errorf(40, "Unknown config name: %s", x.Name)
	}
	value, err := altered(x, base, k != nil && k.kind == kmsg.ConfigTypeList)
	if err != nil {
		return nil, err
	}
	if value == nil {
		return nil, checkBrokerConfig(x.Name, "", wide, true)
	}
	return value, checkBrokerConfig(x.Name, *value, wide, false)
}
