package sandbox

import (
	"fmt"
	"regexp"
	"strings"
)

var legalName = regexp.MustCompile(`^[a-zA-Z0-9._-]+$`)

// invalidName returns what is wrong with a topic's name, in Kafka's words, or "".
func invalidName(name string) string {
	switch {
	case name == "":
		return "the empty string is not allowed"
	case name == ".":
		return "'.' is not allowed"
	case name == "..":
		return "'..' is not allowed"
	case len(name) > 249:
		return fmt.Sprintf("the length of '%s' is longer than the max allowed length 249", name)
	case !legalName.MatchString(name):
		return fmt.Sprintf("'%s' contains one or more characters other than ASCII alphanumerics, '.', '_' and '-'", name)
	}
	return ""
}

// collision returns the topic that differs from name in . and _ only, or "".
func (c *cluster) collision(name string) string {
	if !strings.ContainsAny(name, "._") {
		return ""
	}
	same := strings.ReplaceAll(name, ".", "_")
	for _, other := range c.names {
		if strings.ReplaceAll(other, ".", "_") == same {
			return other
		}
	}
	return ""
}
