package render

import (
	"fmt"
	"slices"
	"strings"

	"ballast/config"
	"ballast/planner"
)

// alike are topics with the same change and the same risks.
type alike struct {
	action     planner.Action
	what       string   // the change in words
	risks      []string // their codes
	topics     []string
	partitions int // that are assigned, of all of them
}

// unfolded shows changes in detail and returns the others by kind. Of a long
// plan these are the first few of each kind; deletions, and risks that stop a
// plan, are always shown.
func (t *text) unfolded(show func(planner.Change)) []*alike {
	var folded []*alike
	kinds := map[string]*alike{}
	met, shown := map[string]int{}, 0
	for _, c := range t.p.Changes {
		k, key := kindOf(c)
		met[key]++
		few := met[key] <= foldAlike && (len(c.Risks) > 0 || shown < foldTopics)
		if t.o.Full || len(t.p.Changes) <= foldTopics || c.Action == planner.Delete || grave(c.Risks) || few {
			shown++
			show(c)
			continue
		}
		if kinds[key] == nil {
			kinds[key] = k
			folded = append(folded, k)
		}
		kinds[key].topics = append(kinds[key].topics, c.Topic)
		kinds[key].partitions += len(c.Assignments)
	}
	return folded
}

// kindOf is a change's kind and what tells it from other kinds.
func kindOf(c planner.Change) (*alike, string) {
	k := &alike{action: c.Action}
	var parts []string
	if c.Partitions != nil {
		parts = append(parts, shapeWords("partitions", *c.Partitions))
	}
	if c.ReplicationFactor != nil {
		parts = append(parts, shapeWords("replication factor", *c.ReplicationFactor))
	}
	for _, x := range c.Config {
		parts = append(parts, Safe(x.Name)+" "+value(x.After)+sourceNote(x.AfterSource))
	}
	if len(parts) == 0 {
		parts = append(parts, "replicas or leaders")
	}
	for _, r := range c.Risks {
		k.risks = append(k.risks, r.Code)
	}
	k.what = strings.Join(parts, ", ")
	return k, fmt.Sprint(c.Action, "\x00", k.what, "\x00", k.risks)
}

func shapeWords(name string, n planner.BeforeAfter) string {
	if n.Before == 0 {
		return fmt.Sprintf("%s %d", name, n.After)
	}
	return fmt.Sprintf("%s %d -> %d", name, n.Before, n.After)
}

// grave says whether one of the risks is an error.
func grave(risks []planner.Risk) bool {
	return slices.ContainsFunc(risks, func(r planner.Risk) bool { return r.Severity == config.SeverityError })
}

// riskyKinds are the kinds that have a risk.
func riskyKinds(kinds []*alike) []*alike {
	return slices.DeleteFunc(kinds, func(k *alike) bool { return len(k.risks) == 0 })
}

// folded counts further changes by kind and names their topics. All those with
// a risk are named, and of the others as many kinds as can be read.
func (t *text) folded(kinds []*alike) {
	if len(kinds) == 0 {
		return
	}
	t.line("  and %s; -full shows them in detail:", more(countTopics(kinds), "topic", "topics"))
	plainKinds, rest := 0, []*alike(nil)
	for _, k := range kinds {
		if len(k.risks) == 0 {
			plainKinds++
		}
		if len(k.risks) == 0 && plainKinds > foldKinds {
			rest = append(rest, k)
			continue
		}
		t.kind(k)
	}
	if len(rest) > 0 {
		t.line("    … %s", more(countTopics(rest), "topic", "topics"))
	}
	t.line("")
}

func countTopics(kinds []*alike) (n int) {
	for _, k := range kinds {
		n += len(k.topics)
	}
	return n
}

func (t *text) kind(k *alike) {
	s := symbols[k.action]
	assigned := ""
	if k.partitions > 0 {
		assigned = ", " + count(k.partitions, "partition", "partitions") + " assigned"
	}
	t.line("    %s %s: %s%s", t.o.paint(s.colour, s.sign), count(len(k.topics), "topic", "topics"), k.what, assigned)
	if len(k.risks) > 0 {
		t.line("      %s %s", t.o.paint(yellow, "!"), t.o.paint(yellow, "with the risk, as of those above: "+Safe(strings.Join(k.risks, ", "))))
	}
	names := compact(k.topics)
	if n := len(names); n > foldTopics && len(k.risks) == 0 {
		names = append(names[:foldTopics:foldTopics], fmt.Sprintf("and %d more", n-foldTopics))
	}
	t.wrapped("      ", strings.Join(names, ", "))
}
