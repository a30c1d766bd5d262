package planner

import (
	"fmt"
	"strings"
)

// words say which restrictions conflict with a number of replicas.
func (c *conflict) words(rf int) string {
	replicas, are, they := fmt.Sprintf("%d replicas", rf), "are", "they"
	if rf == 1 {
		replicas, are, they = "1 replica", "is", "it"
	}
	if len(c.sets[0]) == 0 {
		return fmt.Sprintf(". %s %s more than this cluster can hold at all", replicas, are)
	}
	var sets []string
	for _, set := range c.sets {
		sets = append(sets, together(set))
	}
	out := fmt.Sprintf(". %s cannot be had with %s", replicas, strings.Join(sets, ", nor with "))
	return out + "; " + c.wayOut(they)
}

// concerns says which of a topic's partitions it is about, "" where it has one.
func (o *obstacle) concerns() string {
	switch {
	case o.of == 1:
		return ""
	case o.shared == o.of:
		return fmt.Sprintf(" (all its %d partitions)", o.of)
	}
	return fmt.Sprintf(" (%d of its %d partitions)", o.shared, o.of)
}

// others says how many partitions cannot be placed for other reasons.
func (o *obstacle) others(topic string) string {
	if n := len(o.failed) - o.shared; n > 0 {
		return fmt.Sprintf(" %d more of its partitions cannot be placed for other reasons (%s the first).", n, partitionName(topic, o.other))
	}
	return ""
}

// wayOut says what has to be left out.
func (c *conflict) wayOut(they string) string {
	switch n := len(c.sets[0]); {
	case len(c.sets) > 1:
		return "something of each has to change"
	case len(c.enough) == 0:
		return "without all of these " + they + " could"
	case n == 1:
		return "without that " + they + " could"
	case len(c.enough) == n:
		return "without any one of these " + they + " could"
	}
	return "without " + series(c.enough, "or") + " " + they + " could"
}

// together names the restrictions of a set.
func together(set []restriction) string {
	if len(set) == 1 {
		return set[0].name
	}
	return series(set, "and") + " together"
}

// series is "a, b and c".
func series(set []restriction, and string) string {
	var names []string
	for _, r := range set {
		names = append(names, r.name)
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " " + and + " " + names[last]
}
