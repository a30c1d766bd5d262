package render

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize"
)

// Bytes is a number of bytes in decimal units, "1.2 GB".
func Bytes(n int64) string {
	if n < 0 {
		return "-" + humanize.Bytes(uint64(-n))
	}
	return humanize.Bytes(uint64(n))
}

// Rate is a number of bytes per second, "50 MB/s"; 0 is no limit.
func Rate(n int64) string {
	if n <= 0 {
		return "no throttle"
	}
	return Bytes(n) + "/s"
}

// Seconds is a length of time in the two largest units that matter, "5h20m".
func Seconds(n int64) string {
	d := time.Duration(n) * time.Second
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", n)
	case d < time.Hour:
		return twoUnits(n/60, "m", n%60, "s")
	case d < 48*time.Hour:
		return twoUnits(n/3600, "h", n%3600/60, "m")
	}
	return twoUnits(n/86400, "d", n%86400/3600, "h")
}

func twoUnits(a int64, unitA string, b int64, unitB string) string {
	if b == 0 {
		return fmt.Sprintf("%d%s", a, unitA)
	}
	return fmt.Sprintf("%d%s%d%s", a, unitA, b, unitB)
}

// Count is a number with its noun, "1 topic", "1,200 topics".
func Count(n int, one, many string) string { return count(n, one, many) }

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return humanize.Comma(int64(n)) + " " + many
}

// Moment is a time of a document, to the second.
func Moment(rfc3339 string) string {
	t, err := time.Parse(time.RFC3339Nano, rfc3339)
	if err != nil {
		return word(rfc3339)
	}
	return t.UTC().Format(time.RFC3339)
}

// elapsed is how long a run took.
func elapsed(seconds float64) string {
	if seconds < 1 {
		return "under a second"
	}
	return Seconds(int64(seconds))
}

// more is a number of things that are not shown, "28 more partitions".
func more(n int, one, many string) string { return count(n, "more "+one, "more "+many) }

// joined is a list in words, or what stands for an empty one.
func joined(parts []string, empty string) string {
	if len(parts) == 0 {
		return empty
	}
	return strings.Join(parts, ", ")
}
