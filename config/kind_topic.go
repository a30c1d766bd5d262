package config

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"
)

var kindConfig = kind{words: "map of Kafka's config keys", convert: toConfig}

// toConfig takes a map or an object and gives a map of Kafka's own text, with
// a nil for a key that is taken away.
func toConfig(v cty.Value) (any, error) {
	t := v.Type()
	if !t.IsObjectType() && !t.IsMapType() {
		return nil, fmt.Errorf(`a map like { "retention.ms" = 86400000 } is needed, this is %s`, friendly(v))
	}
	out := map[string]*string{}
	for it := v.ElementIterator(); it.Next(); {
		key, e := it.Element()
		name := key.AsString()
		if name == "" {
			return nil, errors.New("a config key is empty")
		}
		if e.IsNull() {
			out[name] = nil
			continue
		}
		text, err := configText(e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", quote(name), err)
		}
		out[name] = &text
	}
	return out, nil
}

// configText writes a value as Kafka does: a list with commas.
func configText(v cty.Value) (string, error) {
	t := v.Type()
	if !t.IsListType() && !t.IsSetType() && !t.IsTupleType() {
		s, err := toString(v)
		if err != nil {
			return "", fmt.Errorf("a string, number, bool or list of these is needed, this is %s", friendly(v))
		}
		return s, nil
	}
	items, err := elements(v, "strings")
	if err != nil {
		return "", err
	}
	texts := make([]string, len(items))
	for i, item := range items {
		if texts[i], err = toString(item); err != nil {
			return "", err
		}
	}
	return strings.Join(texts, ","), nil
}
