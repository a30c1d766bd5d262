package planner

import (
	"fmt"
	"strings"

	"ballast/config"
)

// vendorPrefixes open the names of configs that some vendor's brokers have and
// Apache Kafka does not. They are left alone unless declared.
var vendorPrefixes = []string{"confluent.", "redpanda.", "aws.", "aiven.", "warpstream."}

// foreign says whether an undeclared override belongs to somebody else: to a
// running move, to a vendor, or to whom ignore_config leaves it.
func foreign(key string, ignored []string) bool {
	if throttledLists[key] {
		return true
	}
	for _, glob := range ignored {
		if config.MatchGlob(glob, key) {
			return true
		}
	}
	_, known := config.KnownKey(key)
	return !known && isVendors(key)
}

func isVendors(key string) bool {
	for _, p := range vendorPrefixes {
		if strings.HasPrefix(key, p) {
			return true
		}
	}
	return false
}

// quoted is a value that a person wrote, safe for a terminal.
func quoted(s string) string { return fmt.Sprintf("%q", s) }
