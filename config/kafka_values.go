package config

import (
	"fmt"
	"math"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// MaxValueBytes is the longest config value that Kafka stores.
const MaxValueBytes = 32767

// SameValue says whether Kafka takes two values of a topic config for the
// same: numbers by value, booleans in any case, lists in any order. Values of
// a key that Kafka does not know are the same when their text is.
func SameValue(key, a, b string) bool {
	if a == b {
		return true
	}
	info, ok := kafkaKeys[key]
	if !ok {
		return false
	}
	ca, errA := canonical(info.Type, a)
	cb, errB := canonical(info.Type, b)
	return errA == nil && errB == nil && ca == cb
}

// CheckValue returns an error when Kafka would refuse the value of a topic
// config, as its ConfigDef does, nil where Kafka takes it or does not know the
// key.
func CheckValue(key, value string) error {
	if len(value) > MaxValueBytes {
		return fmt.Errorf("it has %d bytes, and Kafka keeps at most %d", len(value), MaxValueBytes)
	}
	info, ok := kafkaKeys[key]
	if !ok {
		return nil
	}
	text, err := canonical(info.Type, value)
	if err != nil {
		return err
	}
	if info.check != nil && !info.check(ordered(info.Type, value, text)) {
		return fmt.Errorf("it can be %s", info.Valid)
	}
	return nil
}

// ordered is what a check looks at: a list as it was written, anything else in
// its canonical text.
func ordered(t KeyType, value, text string) string {
	if t == TypeList {
		return value
	}
	return text
}

// canonical parses a value as Kafka's ConfigDef.parseType does and writes it
// in one way only.
func canonical(t KeyType, value string) (string, error) {
	text := strings.Trim(value, javaSpace)
	switch t {
	case TypeInt:
		return canonicalInteger(text, 32)
	case TypeLong:
		return canonicalInteger(text, 64)
	case TypeDouble:
		return canonicalDouble(text)
	case TypeBoolean:
		text = strings.ToLower(text)
		if text != "true" && text != "false" {
			return "", fmt.Errorf("it is neither true nor false")
		}
		return text, nil
	case TypeList:
		items := listItems(value)
		sort.Strings(items)
		return strings.Join(items, ","), nil
	}
	return value, nil
}

// javaSpace are the characters that String.trim of Java takes off: all up to
// the space.
var javaSpace = func() string {
	var b strings.Builder
	for c := rune(0); c <= ' '; c++ {
		b.WriteRune(c)
	}
	return b.String()
}()

func canonicalInteger(text string, bits int) (string, error) {
	n, err := strconv.ParseInt(text, 10, bits)
	if err != nil {
		return "", fmt.Errorf("it is not a whole number of %d bits", bits)
	}
	return strconv.FormatInt(n, 10), nil
}

var javaDouble = regexp.MustCompile(`^[+-]?(NaN|Infinity|([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?[fFdD]?)$`)

func canonicalDouble(text string) (string, error) {
	if !javaDouble.MatchString(text) {
		return "", fmt.Errorf("it is not a number")
	}
	trimmed := text
	if !strings.HasSuffix(text, "Infinity") {
		trimmed = strings.TrimRight(text, "fFdD")
	}
	f, err := strconv.ParseFloat(trimmed, 64)
	if err != nil && !math.IsInf(f, 0) {
		return "", fmt.Errorf("it is not a number")
	}
	return strconv.FormatFloat(f, 'g', -1, 64), nil
}

// listItems splits a list as Kafka does: at commas with the space around them.
func listItems(value string) []string {
	text := strings.Trim(value, javaSpace)
	if text == "" {
		return nil
	}
	items := strings.Split(text, ",")
	for i := range items {
		items[i] = strings.Trim(items[i], " \t\n\v\f\r")
	}
	return items
}

func between(low, high int64, also ...int64) func(string) bool {
	return func(value string) bool {
		n, err := strconv.ParseInt(value, 10, 64)
		for _, a := range also {
			if n == a {
				return err == nil
			}
		}
		return err == nil && n >= low && n <= high
	}
}

func atLeast(low int64) func(string) bool { return between(low, math.MaxInt64) }

func ratio(value string) bool {
	f, err := strconv.ParseFloat(value, 64)
	return err == nil && !(f < 0) && !(f > 1)
}

func oneOf(values ...string) func(string) bool {
	return func(value string) bool {
		for _, v := range values {
			if v == value {
				return true
			}
		}
		return false
	}
}

func listOf(values ...string) func(string) bool {
	valid := oneOf(values...)
	return func(value string) bool {
		seen := map[string]bool{}
		for _, item := range listItems(value) {
			if !valid(item) || seen[item] {
				return false
			}
			seen[item] = true
		}
		return true
	}
}

var throttledReplica = regexp.MustCompile(`^([0-9]+:[0-9]+)?$`)

// throttledReplicas is Kafka's ThrottledReplicaListValidator.
func throttledReplicas(value string) bool {
	items := listItems(value)
	if len(items) == 1 && items[0] == "*" {
		return true
	}
	for _, item := range items {
		if !throttledReplica.MatchString(item) {
			return false
		}
	}
	return true
}
