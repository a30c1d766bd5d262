package config

import (
	"errors"
	"fmt"
	"net"
	"regexp"
	"strconv"
	"time"

	"github.com/zclconf/go-cty/cty"
)

var (
	kindBootstrap = kind{words: "list of HOST:PORT", convert: toBootstrap}
	kindThrottle  = kind{words: "rate, \"none\" or object", convert: toThrottle}
	kindElections = kind{words: "object", convert: toElections}
)

// toBootstrap takes a list of addresses.
func toBootstrap(v cty.Value) (any, error) {
	names, err := toNames(v)
	if err != nil {
		return nil, err
	}
	list := names.([]string)
	if len(list) == 0 {
		return nil, errors.New("the list is empty; name at least one broker")
	}
	for _, address := range list {
		if err := CheckAddress(address); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// CheckAddress returns an error when an address is not HOST:PORT.
func CheckAddress(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil || host == "" {
		return fmt.Errorf("%s is not an address; write HOST:PORT, with an IPv6 host in brackets", quote(address))
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return fmt.Errorf("%s has no valid port; ports are from 1 to 65535", quote(address))
	}
	return nil
}

// fields takes an object apart that may have only the named attributes, each
// of its kind.
func fields(v cty.Value, kinds map[string]kind) (map[string]any, error) {
	t := v.Type()
	if !t.IsObjectType() && !t.IsMapType() {
		return nil, fmt.Errorf("an object is needed, this is %s", friendly(v))
	}
	var names []string
	for name := range kinds {
		names = append(names, name)
	}
	out := map[string]any{}
	for it := v.ElementIterator(); it.Next(); {
		key, e := it.Element()
		name := key.AsString()
		k, ok := kinds[name]
		switch {
		case !ok:
			return nil, fmt.Errorf("the object has an unknown attribute %s.%s", quote(name), didYouMean(name, names))
		case e.IsNull():
			continue
		}
		value, err := k.convert(e)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out[name] = value
	}
	return out, nil
}

var kindPercent = kind{words: "percentage", convert: toPercent}

var percentPattern = regexp.MustCompile(`^([0-9]{1,3})%$`)

func toPercent(v cty.Value) (any, error) {
	s, err := toString(v)
	if err != nil {
		return nil, err
	}
	m := percentPattern.FindStringSubmatch(s)
	if m == nil {
		return nil, fmt.Errorf(`%s is not a percentage; write one like "20%%"`, quote(s))
	}
	n, _ := strconv.Atoi(m[1])
	if n < 1 || n > 100 {
		return nil, fmt.Errorf("%s is out of range: it must be from 1%% to 100%%", quote(s))
	}
	return n, nil
}

var kindRate = kind{words: "rate", convert: func(v cty.Value) (any, error) {
	s, err := toString(v)
	if err != nil {
		return nil, err
	}
	n, err := ParseRate(s)
	if err == nil && n < lowestRate {
		err = fmt.Errorf("at %s no copy would end", quote(s))
	}
	return n, err
}}

// toThrottle takes a rate, "none", or a climb: an object with network, start
// and max.
func toThrottle(v cty.Value) (any, error) {
	if v.Type() == cty.String {
		return ParseThrottle(v.AsString())
	}
	if v.Type() == cty.Number {
		return nil, errors.New(`a rate has a unit; write one like "50MB/s", or "none"`)
	}
	f, err := fields(v, map[string]kind{"network": kindRate, "start": kindPercent, "max": kindPercent})
	if err != nil {
		return nil, err
	}
	t := Throttle{StartPercent: 20, MaxPercent: 50}
	set(f, "network", &t.Network)
	set(f, "start", &t.StartPercent)
	set(f, "max", &t.MaxPercent)
	if t.Network == 0 {
		return nil, errors.New(`network is missing: what a broker's network carries, like "1GB/s"`)
	}
	if t.StartPercent > t.MaxPercent {
		return nil, fmt.Errorf("start, %d%%, is above max, %d%%", t.StartPercent, t.MaxPercent)
	}
	return t, nil
}

func toElections(v cty.Value) (any, error) {
	f, err := fields(v, map[string]kind{"count": kindInteger(1, 100_000), "every": kindDuration})
	if err != nil {
		return nil, err
	}
	out := DefaultApply().Elections
	set(f, "count", &out.Count)
	set[time.Duration](f, "every", &out.Every)
	return out, nil
}

// set puts the value of a name, where there is one, into a variable.
func set[T any](values map[string]any, name string, to *T) {
	if v, ok := values[name]; ok && v != nil {
		*to = v.(T)
	}
}
