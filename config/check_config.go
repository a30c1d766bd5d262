package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
)

// vendorPrefixes begin the config keys of vendors' brokers. Kafka itself does
// not know them.
var vendorPrefixes = []string{"confluent."}

// VendorKey says whether a config key is one that only a vendor's brokers have.
func VendorKey(key string) bool {
	for _, p := range vendorPrefixes {
		if strings.HasPrefix(key, p) {
			return true
		}
	}
	return false
}

// checkConfig checks a declared override and says whether it can be used. A
// key that Kafka does not know is a warning: the brokers may be newer.
func (d *decoder) checkConfig(key, value string, at hcl.Range) bool {
	if value == "" {
		d.report(fault("empty_config", "Empty config value", fmt.Sprintf("The config %s has an empty value. To take a key away leave it out, or set it to null where defaults has it.", quote(key)), at))
		return false
	}
	if err := CheckValue(key, value); err != nil {
		d.report(fault("invalid_config_value", "Invalid config value", fmt.Sprintf("The config %s cannot be %s: %s", quote(key), quote(value), sentence(err)), at))
		return false
	}
	if throttleKey(key) {
		d.report(fault("reserved_config", "Config that is not to be declared", fmt.Sprintf("The config %s belongs to whoever moves replicas: it is set and taken away with each move. Leave it out.", quote(key)), at))
		return false
	}
	if _, ok := KnownKey(key); !ok {
		d.unknownKey(key, at)
	} else if hint := suspicious(key, value); hint != "" {
		d.report(caution("suspicious_unit", "Suspicious config value", hint, at))
	}
	return true
}

func throttleKey(key string) bool { return strings.HasSuffix(key, ".replication.throttled.replicas") }

func (d *decoder) unknownKey(key string, at hcl.Range) {
	if VendorKey(key) {
		d.report(caution("vendor_config_key", "Config key of a vendor", fmt.Sprintf("Apache Kafka has no topic config %s; brokers of its vendor may. Only they can check it.", quote(key)), at))
		return
	}
	detail := fmt.Sprintf("Kafka %s has no topic config %s.", KafkaVersion, quote(key))
	if s := SuggestKey(key); s != "" {
		detail += fmt.Sprintf(" Did you mean %q?", s)
		if unit := units[key[strings.LastIndexByte(key, '.')+1:]]; unit == "ms" {
			detail += " Its unit is milliseconds."
		}
	}
	d.report(caution("unknown_config_key", "Unknown config key", detail, at))
}

// suspicious says why a valid value was probably meant in another unit, or "".
func suspicious(key, value string) string {
	n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	if err != nil {
		return ""
	}
	switch key {
	case "retention.ms", "segment.ms", "local.retention.ms":
		if n > 0 && n < 10_000 {
			return fmt.Sprintf("The config %q counts milliseconds: %d is %s. A day is 24 * 3600 * 1000, or \"1d\".", key, n, milliseconds(n))
		}
	case "retention.bytes", "local.retention.bytes":
		if n >= 0 && n < 1<<20 {
			return fmt.Sprintf("The config %q counts bytes, for each partition: %d is next to nothing. A gigabyte is 1000 * 1000 * 1000, or \"1GB\".", key, n)
		}
	case "max.message.bytes":
		if n < 1024 {
			return fmt.Sprintf("The config %q counts bytes: hardly any batch of records fits into %d.", key, n)
		}
	}
	return ""
}

func milliseconds(n int64) string {
	if n < 1000 {
		return "less than a second"
	}
	return fmt.Sprintf("%d seconds", n/1000)
}
