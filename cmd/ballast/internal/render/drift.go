package render

import (
	"io"
	"strings"

	"ballast/cmd/ballast/internal/drift"
)

// Drift draws a drift report: what stays first, then what passes.
func Drift(w io.Writer, r *drift.Report, o Options) error {
	b := newWriter(w)
	t := &text{w: b, o: o}
	t.line("Cluster %s as read at %s", clusterWords(r.Cluster), Moment(r.Cluster.TakenAt))
	t.line("")
	t.drifted("Drift that stays until somebody acts", r.Durable, yellow)
	t.drifted("What passes by itself, or with a broker's return", r.Transient, dim)
	t.line("%s", t.o.paint(bold, driftSummary(r)))
	return b.Flush()
}

func (t *text) drifted(title string, items []drift.Item, colour style) {
	if len(items) == 0 {
		return
	}
	t.line("%s:", title)
	for i, item := range items {
		if i == foldTopics && !t.o.Full {
			t.line("  … %s; -full shows all", more(len(items)-i, "item", "items"))
			break
		}
		name := ":"
		if item.Topic != "" {
			name = " " + Quote(item.Topic) + ":"
		}
		t.line("  %s%s %s%s", t.o.paint(colour, Safe(strings.ReplaceAll(string(item.Kind), "_", " "))), name, Safe(item.Detail), origin(item.Origin))
	}
	t.line("")
}

func origin(o drift.Origin) string {
	switch o {
	case drift.FromCluster:
		return " (the cluster has changed)"
	case drift.FromDeclaration:
		return " (so it was then: the declaration is newer)"
	case drift.FromBoth:
		return " (both the cluster and the declaration have changed)"
	case drift.Pending:
		return " (as the plan found it: it was not applied, or was undone)"
	case drift.Unknown:
		return " (the declaration has changed since, and the plan does not say how this was)"
	}
	return ""
}

func driftSummary(r *drift.Report) string {
	line := "No drift"
	if r.Drifted {
		line = "Drift: " + count(len(r.Durable), "thing differs", "things differ")
	}
	if n := len(r.Transient); n > 0 {
		line += ", " + count(n, "passing", "passing")
	}
	line += "; " + count(r.Unmanaged, "topic is not declared", "topics are not declared")
	if r.Against != nil {
		line += "; compared with " + word(r.Against.File) + " of " + Moment(r.Against.TakenAt)
	}
	if r.Errored {
		line += "; the declaration has errors, so this may not be all"
	}
	return line + "."
}
