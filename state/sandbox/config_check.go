package sandbox

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// maxConfigBytes is the longest config value that Kafka can store.
const maxConfigBytes = math.MaxInt16

// check returns what is wrong with a value, in Kafka's words, or "".
func (k *topicKey) check(value string) string {
	if wrong := checkKind(k.kind, value); wrong != "" {
		return wrong
	}
	switch {
	case k.replicas:
		return checkThrottled(value)
	case len(k.oneOf) > 0:
		return checkOneOf(k, value)
	case k.least != nil && value != k.also:
		n, _ := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if n < *k.least {
			return "Value must be at least " + number(*k.least)
		}
		if k.most != nil && n > *k.most {
			return "Value must be no more than " + number(*k.most)
		}
	}
	return ""
}

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

func checkKind(kind kmsg.ConfigType, value string) string {
	value = strings.TrimSpace(value)
	var err error
	switch kind {
	case kmsg.ConfigTypeInt:
		_, err = strconv.ParseInt(value, 10, 32)
	case kmsg.ConfigTypeLong:
		_, err = strconv.ParseInt(value, 10, 64)
	case kmsg.ConfigTypeDouble:
		_, err = strconv.ParseFloat(value, 64)
	case kmsg.ConfigTypeBoolean:
		if !strings.EqualFold(value, "true") && !strings.EqualFold(value, "false") {
			return "Expected value to be either true or false"
		}
	}
	if err != nil {
		return "Not a number of type " + strings.ToUpper(kind.String())
	}
	return ""
}

func checkThrottled(value string) string {
	if _, ok := parseThrottled(value); !ok {
		return "Value must be the literal '*' or a list of replicas in the following format: [partitionId]:[brokerId],[partitionId]:[brokerId],..."
	}
	return ""
}

func checkOneOf(k *topicKey, value string) string {
	values := []string{value}
	if k.kind == kmsg.ConfigTypeList {
		values = splitList(value)
	}
	for _, v := range values {
		if !slices.Contains(k.oneOf, v) {
			return "String must be one of: " + strings.Join(k.oneOf, ", ")
		}
	}
	return ""
}

func splitList(value string) []string {
	if strings.TrimSpace(value) == "" {
		return nil
	}
	out := strings.Split(value, ",")
	for i := range out {
		out[i] = strings.TrimSpace(out[i])
	}
	return out
}

// checkTopicConfig returns the error for an override, or nil.
func checkTopicConfig(key, value string) *kafkaError {
	k := topicKeyOf[key]
	if k == nil {
		return errorf(40, "Unknown topic config name: %s", key)
	}
	if wrong := k.check(value); wrong != "" {
		return errorf(40, "Invalid value %s for configuration %s: %s", value, key, wrong)
	}
	return nil
}

// checkBrokerConfig returns the error for a dynamic broker config, or nil.
// Kafka accepts keys that it does not know.
func checkBrokerConfig(key, value string, cluster, deleted bool) *kafkaError {
	if key == "min.insync.replicas" && !cluster {
		return errorf(40, "Broker-level min.insync.replicas cannot be altered while ELR is enabled.")
	}
	kind := kmsg.ConfigTypeString
	if k := brokerKeyOf[key]; k != nil {
		switch {
		case k.fixed:
			return errorf(42, "Cannot update these configs dynamically: [%s]", key)
		case k.perBroker && cluster:
			return errorf(42, "Cannot update these configs at default cluster level, broker id must be specified: [%s]", key)
		}
		kind = k.kind
	}
	if deleted {
		return nil
	}
	wrong := checkKind(kind, value)
	if k := topicKeyFor[key]; k != nil {
		wrong = k.check(value)
	} else if n, err := strconv.ParseInt(value, 10, 64); wrong == "" && kind == kmsg.ConfigTypeLong && err == nil && n < 0 {
		wrong = "Value must be at least 0"
	}
	if wrong != "" {
		return errorf(42, "Invalid value %s for configuration %s: %s", value, key, wrong)
	}
	return nil
}
