package config

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"time"
)

// sizeUnits are the units of sizes, in bytes.
var sizeUnits = map[string]int64{
	"B":  1,
	"kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "PB": 1e15,
	"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40, "PiB": 1 << 50,
}

var quantityPattern = regexp.MustCompile(`^([0-9]{1,30}(?:\.[0-9]{1,30})?) ?([A-Za-z]*)$`)

// ParseBytes reads a size, in bytes: "500GB" is decimal, "500GiB" binary, a
// bare number is bytes.
func ParseBytes(s string) (int64, error) {
	m := quantityPattern.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return 0, fmt.Errorf(`%s is not a size; write one like "500GB" or "64MiB"`, quote(s))
	}
	unit, err := sizeUnit(s, m[2])
	if err != nil {
		return 0, err
	}
	n, _ := new(big.Rat).SetString(m[1])
	n.Mul(n, new(big.Rat).SetInt64(unit))
	if !n.IsInt() || !n.Num().IsInt64() {
		return 0, fmt.Errorf("%s is not a whole number of bytes of at most 64 bits", quote(s))
	}
	return n.Num().Int64(), nil
}

func sizeUnit(s, unit string) (int64, error) {
	if unit == "" {
		return 1, nil
	}
	if u, ok := sizeUnits[unit]; ok {
		return u, nil
	}
	for name := range sizeUnits {
		if strings.EqualFold(name, unit) && name != "kB" {
			return 0, fmt.Errorf("%s has the unit %s; write %s", quote(s), unit, name)
		}
	}
	return 0, fmt.Errorf("%s has an unknown unit; the units are kB, MB, GB, TB, PB and KiB, MiB, GiB, TiB, PiB", quote(s))
}

// ParseRate reads a rate, in bytes per second: a size followed by "/s".
func ParseRate(s string) (int64, error) {
	size, ok := strings.CutSuffix(strings.TrimSpace(s), "/s")
	if !ok {
		return 0, fmt.Errorf(`%s is not a rate; write one like "50MB/s"`, quote(s))
	}
	n, err := ParseBytes(size)
	if err != nil {
		return 0, fmt.Errorf(`%s is not a rate; write one like "50MB/s"`, quote(s))
	}
	return n, nil
}

// lowestRate is the lowest throttle, in bytes per second, that is not taken
// for a mistake. Kafka accepts 0, and then nothing moves.
const lowestRate = 1000

// ParseThrottle reads a fixed throttle: a rate per broker, or "none".
func ParseThrottle(s string) (Throttle, error) {
	if s == "none" {
		return Throttle{}, nil
	}
	n, err := ParseRate(s)
	if err != nil {
		return Throttle{}, fmt.Errorf(`%s is not a throttle; write a rate like "50MB/s", or "none"`, quote(s))
	}
	if n < lowestRate {
		return Throttle{}, fmt.Errorf("at %s no copy would end; the lowest throttle is 1kB/s", quote(s))
	}
	return Throttle{BytesPerSecond: n}, nil
}

var daysPattern = regexp.MustCompile(`^([0-9]{1,5})d(.*)$`)

// parseDuration reads a duration like "30m", "1h30m" or "2d".
func parseDuration(s string) (time.Duration, error) {
	rest, days := s, time.Duration(0)
	if m := daysPattern.FindStringSubmatch(s); m != nil {
		n, _ := new(big.Int).SetString(m[1], 10)
		days, rest = time.Duration(n.Int64())*24*time.Hour, m[2]
		if rest == "" {
			return days, nil
		}
	}
	d, err := time.ParseDuration(rest)
	if err != nil || d < 0 || days+d < 0 {
		return 0, fmt.Errorf(`%s is not a duration; write one like "30m", "1h30m" or "2d"`, quote(s))
	}
	return days + d, nil
}
