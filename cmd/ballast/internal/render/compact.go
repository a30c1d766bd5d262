package render

import (
	"fmt"
	"strconv"
	"strings"
)

// compact names topics with names that differ in a number at their end, and
// follow one another, by the first and the last.
func compact(topics []string) []string {
	var out []string
	for i := 0; i < len(topics); {
		j := i + 1
		for j < len(topics) && follows(topics[j-1], topics[j]) {
			j++
		}
		switch {
		case j-i > 2:
			out = append(out, fmt.Sprintf("%s … %s (%d)", word(topics[i]), word(topics[j-1]), j-i))
		default:
			for _, name := range topics[i:j] {
				out = append(out, word(name))
			}
		}
		i = j
	}
	return out
}

// follows says whether b is named as a is, with the next number.
func follows(a, b string) bool {
	nameA, numberA := numbered(a)
	nameB, numberB := numbered(b)
	if nameA != nameB || len(numberA) != len(numberB) {
		return false
	}
	x, errX := strconv.ParseInt(numberA, 10, 64)
	y, errY := strconv.ParseInt(numberB, 10, 64)
	return errX == nil && errY == nil && y == x+1
}

// numbered parts a name from the digits that it ends with.
func numbered(name string) (before, digits string) {
	before = strings.TrimRight(name, "0123456789")
	return before, name[len(before):]
}
