package config

import (
	"sort"
	"strings"

	"github.com/agext/levenshtein"
)

// Nearest returns the candidate that was probably meant by what was given, or "".
func Nearest(given string, candidates []string) string { return nearest(given, candidates) }

// nearest returns the candidate that was probably meant, or "".
func nearest(given string, candidates []string) string {
	best, bestDistance := "", 1+max(2, len(given)/4)
	if len(given) < 4 {
		bestDistance = 2
	}
	sorted := append([]string(nil), candidates...)
	sort.Strings(sorted)
	for _, c := range sorted {
		if c == given {
			continue
		}
		d := levenshtein.Distance(strings.ToLower(given), strings.ToLower(c), nil)
		if d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// didYouMean is the sentence that suggests the nearest candidate, with a space
// before it, or "".
func didYouMean(given string, candidates []string) string {
	if s := nearest(given, candidates); s != "" {
		return " Did you mean " + quote(s) + "?"
	}
	return ""
}

// units are the words with which people end a config key, and the unit that
// Kafka counts in instead.
var units = map[string]string{
	"hours": "ms", "hour": "ms", "minutes": "ms", "seconds": "ms", "secs": "ms", "days": "ms", "millis": "ms", "milliseconds": "ms",
	"kb": "bytes", "mb": "bytes", "gb": "bytes", "size": "bytes",
}

// SuggestKey returns the topic config of Kafka that was probably meant by a
// key that Kafka does not know, or "". It knows the brokers' names for topic
// configs and the units that people expect.
func SuggestKey(key string) string {
	if _, ok := kafkaKeys[key]; ok {
		return ""
	}
	plain := strings.ToLower(strings.NewReplacer("_", ".", "-", ".").Replace(key))
	for _, k := range []string{plain, inKafkasUnit(plain), strings.TrimPrefix(plain, "log."), strings.TrimPrefix(inKafkasUnit(plain), "log.")} {
		if _, ok := kafkaKeys[k]; ok {
			return k
		}
		if topic := topicKeyOf(k); topic != "" {
			return topic
		}
	}
	return nearest(plain, KnownKeys())
}

// inKafkasUnit replaces the unit at the end of a key by the one Kafka has.
func inKafkasUnit(key string) string {
	i := strings.LastIndexByte(key, '.')
	if unit, ok := units[key[i+1:]]; ok && i > 0 {
		return key[:i+1] + unit
	}
	return key
}

// topicKeyOf returns the topic config that inherits from a broker config, or "".
func topicKeyOf(broker string) string {
	for _, name := range KnownKeys() {
		if kafkaKeys[name].Broker == broker {
			return name
		}
	}
	return ""
}
