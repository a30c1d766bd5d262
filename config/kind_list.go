package config

import (
	"errors"
	"fmt"
	"time"

	"github.com/zclconf/go-cty/cty"

	"ballast/state"
)

// elements returns the elements of a list, a set or a tuple.
func elements(v cty.Value, of string) ([]cty.Value, error) {
	t := v.Type()
	if !t.IsListType() && !t.IsSetType() && !t.IsTupleType() {
		return nil, fmt.Errorf("a list of %s is needed, this is %s", of, friendly(v))
	}
	out := make([]cty.Value, 0, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		if e.IsNull() {
			return nil, fmt.Errorf("a list of %s is needed, and an element of this one is null", of)
		}
		out = append(out, e)
	}
	return out, nil
}

// positive refuses a size or a duration of nothing.
func positive(convert func(cty.Value) (any, error)) func(cty.Value) (any, error) {
	return func(v cty.Value) (any, error) {
		out, err := convert(v)
		if err == nil && (out == any(int64(0)) || out == any(time.Duration(0))) {
			err = errors.New("it has to be more than nothing")
		}
		return out, err
	}
}

// filled refuses a list without elements: nothing could be placed by it.
func filled(convert func(cty.Value) (any, error)) func(cty.Value) (any, error) {
	return func(v cty.Value) (any, error) {
		out, err := convert(v)
		if err == nil && v.LengthInt() == 0 {
			err = errors.New("the list is empty; leave it out, or set it to null to take a default away")
		}
		return out, err
	}
}

// toNames takes a list of different, non-empty strings.
func toNames(v cty.Value) (any, error) {
	list, err := elements(v, "strings")
	if err != nil {
		return nil, err
	}
	out, seen := make([]string, 0, len(list)), map[string]bool{}
	for _, e := range list {
		s, err := toString(e)
		switch {
		case err != nil:
			return nil, err
		case s == "":
			return nil, errors.New("an element of the list is empty")
		case seen[s]:
			return nil, fmt.Errorf("%s is in the list twice", quote(s))
		}
		seen[s] = true
		out = append(out, s)
	}
	return out, nil
}

// toBrokers takes a list of different broker ids.
func toBrokers(v cty.Value) (any, error) {
	list, err := elements(v, "broker ids")
	if err != nil {
		return nil, err
	}
	out := make([]state.BrokerID, 0, len(list))
	for _, e := range list {
		id, err := toBroker(e)
		if err != nil {
			return nil, err
		}
		if state.Contains(out, id) {
			return nil, fmt.Errorf("broker %d is in the list twice", id)
		}
		out = append(out, id)
	}
	return out, nil
}

func toBroker(v cty.Value) (state.BrokerID, error) {
	n, err := toInteger(v)
	if err != nil {
		return 0, err
	}
	if n < 0 || n > 1<<31-1 {
		return 0, fmt.Errorf("%d is not a broker id: these are whole numbers from 0", n)
	}
	return state.BrokerID(n), nil
}
