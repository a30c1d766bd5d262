package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"ballast/state"
)

var (
	kindTopicGlobs = kind{words: "glob or list of globs", convert: func(v cty.Value) (any, error) {
		if v.Type() == cty.String {
			v = cty.TupleVal([]cty.Value{v})
		}
		return filled(toNames)(v)
	}}
	kindPerRack = kind{words: "map of numbers by rack", convert: toPerRack}
	kindPin     = kind{words: "map of broker ids by partition", convert: toPin}
)

// entries takes a map or an object apart, and gives what is wrong with any of
// its entries.
func entries(v cty.Value, like string, each func(key string, e cty.Value) error) error {
	t := v.Type()
	if !t.IsObjectType() && !t.IsMapType() {
		return fmt.Errorf("a map like %s is needed, this is %s", like, friendly(v))
	}
	var wrong []error
	for it := v.ElementIterator(); it.Next(); {
		key, e := it.Element()
		if e.IsNull() {
			wrong = append(wrong, fmt.Errorf("%s is null", quote(key.AsString())))
		} else if err := each(key.AsString(), e); err != nil {
			wrong = append(wrong, err)
		}
	}
	return together(wrong)
}

// together are errors in one sentence, the first ones of many; nil for none.
func together(wrong []error) error {
	const most = 5
	if len(wrong) == 0 {
		return nil
	}
	var words []string
	for _, err := range wrong[:min(most, len(wrong))] {
		words = append(words, err.Error())
	}
	if len(wrong) > most {
		words = append(words, fmt.Sprintf("and so on, %d in all", len(wrong)))
	}
	return errors.New(strings.Join(words, "; "))
}

// toPerRack takes a map of numbers of replicas by rack.
func toPerRack(v cty.Value) (any, error) {
	out := map[string]int{}
	err := entries(v, "{ r1 = 2, r2 = 1 }", func(rack string, e cty.Value) error {
		n, err := kindInteger(0, 32_767).convert(e)
		if err != nil {
			return fmt.Errorf("%s: %w", quote(rack), err)
		}
		out[rack] = n.(int)
		return nil
	})
	if err == nil && len(out) == 0 {
		err = errors.New("it is empty, and would place no replica anywhere")
	}
	return out, err
}

// toPin takes a map of lists of broker ids by partition.
func toPin(v cty.Value) (any, error) {
	out := map[int32][]state.BrokerID{}
	err := entries(v, `{ "0" = [1, 4, 7] }`, func(key string, e cty.Value) error {
		partition, err := strconv.ParseInt(key, 10, 32)
		if err != nil || partition < 0 || strconv.FormatInt(partition, 10) != key {
			return fmt.Errorf("%s is not a partition: these are whole numbers from 0", quote(key))
		}
		brokers, err := toBrokers(e)
		if err == nil && len(brokers.([]state.BrokerID)) == 0 {
			err = errors.New("the list is empty")
		}
		if err != nil {
			return fmt.Errorf("partition %d: %w", partition, err)
		}
		out[int32(partition)] = brokers.([]state.BrokerID)
		return nil
	})
	return out, err
}

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
