package planner

import (
	"fmt"

	"ballast/config"
)

// fold has what a policy that cannot be evaluated says of many topics once,
// with their names. What policies say where they can be evaluated stays.
func fold(list []config.Diagnostic) []config.Diagnostic {
	type finding struct {
		file          string
		line          int
		code, summary string
	}
	at := map[finding]int{}
	names := map[int][]string{}
	var out []config.Diagnostic
	for _, d := range list {
		f := finding{d.File, d.Line, d.Code, d.Summary}
		i, again := at[f]
		if d.Code == "policy" || !again {
			i = len(out)
			out = append(out, d)
		}
		if d.Code != "policy" && d.Topic != "" {
			at[f] = i
			names[i] = append(names[i], d.Topic)
		}
	}
	for i, topics := range names {
		out[i].Detail += forTopics(topics)
		if len(topics) > 1 {
			out[i].Topic = ""
		}
	}
	return out
}

func forTopics(names []string) string {
	if len(names) == 1 {
		return fmt.Sprintf(" The policy cannot be evaluated for topic %q.", names[0])
	}
	return fmt.Sprintf(" The policy cannot be evaluated for %d topics: %s; the values are those of the first.", len(names), some(names))
}
