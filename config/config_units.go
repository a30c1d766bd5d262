package config

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var quantityText = regexp.MustCompile(`^[0-9].*[A-Za-z]$`)

// inKafkasUnits replaces a size or a duration with its unit, in a config that
// counts bytes or milliseconds, by the number that Kafka takes. All other texts
// stay as they are.
func inKafkasUnits(key, value string) (string, error) {
	info, _ := KnownKey(key)
	if info.Type != TypeInt && info.Type != TypeLong || !quantityText.MatchString(value) {
		return value, nil
	}
	switch {
	case strings.HasSuffix(key, ".bytes"):
		n, err := ParseBytes(value)
		return strconv.FormatInt(n, 10), err
	case strings.HasSuffix(key, ".ms"):
		d, err := parseDuration(value)
		if err == nil && d%time.Millisecond != 0 {
			err = fmt.Errorf("%s is not a whole number of milliseconds", quote(value))
		}
		return strconv.FormatInt(d.Milliseconds(), 10), err
	}
	return value, nil
}
