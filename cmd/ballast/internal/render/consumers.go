package render

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"ballast/cmd/ballast/internal/consumers"
	"ballast/state"
)

// foldMembers is how many members of a group are shown, and foldRuns how many
// runs of partitions of one, unless all are.
const (
	foldMembers = 24
	foldRuns    = 4
)

// Consumers draws who reads what of consumer groups, now and after a plan.
func Consumers(w io.Writer, d *consumers.Document, o Options) error {
	b := newWriter(w)
	t := &text{w: b, o: o}
	t.line("Cluster %s", word(d.ClusterID))
	t.resized(d)
	for _, u := range d.Unread {
		t.wrapped("", fmt.Sprintf("Broker %s did not tell its groups, so they are missing: %s", u.Name, u.Reason))
	}
	switch {
	case len(d.Groups) > 0:
	case d.Plan == "":
		t.line("There is no group that may be described here.")
	case len(d.Topics) > 0:
		t.line("No group is concerned, of those that may be described here.")
	}
	for i := range d.Groups {
		t.line("")
		t.group(&d.Groups[i])
	}
	return b.Flush()
}

// resized tells whose partitions the plan changes.
func (t *text) resized(d *consumers.Document) {
	switch {
	case d.Plan == "":
		t.line("No plan: this is what a rebalance gives with the topics as they are.")
	case len(d.Topics) == 0 && len(d.Groups) == 0:
		t.line("The plan changes no number of partitions, and no group has yet to hear of one; -group NAME shows one all the same.")
	case len(d.Topics) == 0:
		t.line("The plan changes no number of partitions.")
	default:
		t.line("The plan changes the partitions of:")
		for _, x := range d.Topics {
			t.line("  %s", resizedWords(x))
		}
	}
}

func resizedWords(x consumers.Topic) string {
	switch {
	case x.Before == 0:
		return fmt.Sprintf("%s: created with %d", word(x.Topic), x.After)
	case x.After == 0:
		return fmt.Sprintf("%s: deleted, with its %d", word(x.Topic), x.Before)
	}
	return fmt.Sprintf("%s: %d -> %d", word(x.Topic), x.Before, x.After)
}

func (t *text) group(g *consumers.Group) {
	t.line("%s", t.o.paint(bold, groupWords(g)))
	if g.Error != "" {
		t.wrapped("  ", "It could not be read: "+g.Error+".")
		return
	}
	if len(g.Forecasts) == 0 && g.Now != nil {
		t.members(presentMembers(g), g, false)
		t.line("  Now: %s.", spreadWords(*g.Now))
	}
	for i := range g.Forecasts {
		t.forecast(g, &g.Forecasts[i])
	}
	if len(g.Unassigned) > 0 {
		t.line("  Nobody reads now: %s.", t.runs(g.Unassigned))
	}
	if len(g.Missing) > 0 {
		t.wrapped("  ", "Not there now, and subscribed to: "+strings.Join(g.Missing, ", ")+".")
	}
	for _, note := range g.Notes {
		t.wrapped("  ", note)
	}
}

func groupWords(g *consumers.Group) string {
	parts := []string{}
	for _, p := range []string{string(g.Type), g.State, g.Assignor} {
		if p != "" {
			parts = append(parts, word(p))
		}
	}
	if g.Error == "" {
		parts = append(parts, count(len(g.Members), "member", "members"))
	}
	return strings.TrimSuffix("Group "+Quote(g.Group)+": "+strings.Join(parts, ", "), ": ")
}

// presentMembers are a group's members as if nothing changed.
func presentMembers(g *consumers.Group) (out []consumers.Change) {
	for _, m := range g.Members {
		out = append(out, consumers.Change{ID: m.ID, Before: m.Assigned, After: m.Assigned})
	}
	return out
}

func (t *text) forecast(g *consumers.Group, f *consumers.Forecast) {
	if !f.Own {
		t.line("  Under %s:", word(f.Assignor))
	}
	t.members(f.Members, g, true)
	t.line("  Now:   %s.", spreadWords(*g.Now))
	t.line("  After: %s.", spreadWords(f.After))
	t.line("  %s", t.o.paint(moveColour(f), moveWords(f)))
	t.wrapped("  ", pauseWords(f))
}

func moveColour(f *consumers.Forecast) style {
	if len(f.Moved) > 0 {
		return yellow
	}
	return plain
}

// moveWords sums a forecast up.
func moveWords(f *consumers.Forecast) string {
	parts := []string{count(len(f.Moved), "partition moves", "partitions move") + " from one member to another"}
	if n := len(f.Added); n > 0 {
		parts = append(parts, count(n, "is new to all", "are new to all"))
	}
	if n := len(f.Gone); n > 0 {
		parts = append(parts, count(n, "goes", "go"))
	}
	return strings.Join(parts, ", ") + "."
}

// pauseWords tell who stops reading for the rebalance (KIP-429).
func pauseWords(f *consumers.Forecast) string {
	if len(f.Moved)+len(f.Added)+len(f.Gone) == 0 {
		return "Nobody gets anything else."
	}
	if f.Assignor == "cooperative-sticky" {
		return fmt.Sprintf("Only what moves is not read meanwhile (%s).", count(f.Rebalances, "rebalance", "rebalances"))
	}
	return "All members stop for the rebalance: this assignor is eager."
}

func spreadWords(s consumers.Spread) string {
	each := strconv.Itoa(s.Least)
	if s.Least != s.Most {
		each = fmt.Sprintf("%d to %d", s.Least, s.Most)
	}
	idle := "nobody is idle"
	if s.Idle > 0 {
		idle = count(s.Idle, "member is idle", "members are idle")
	}
	return fmt.Sprintf("%s, %s a member; %s", count(s.Partitions, "partition", "partitions"), each, idle)
}

// members draws what each member has; those that change first where not all fit.
func (t *text) members(list []consumers.Change, g *consumers.Group, foreseen bool) {
	columns := []column{{head: "member", left: true}, {head: "now"}, {head: "reads now", left: true, drop: 1}}
	if foreseen {
		columns = []column{{head: "member", left: true}, {head: "now"}, {head: "after"}, {head: "gains"}, {head: "loses"}, {head: "reads now", left: true, drop: 2}, {head: "reads after", left: true, drop: 1}}
	}
	tbl := table{columns: columns}
	shown, names := list, memberNames(g, t.o.Full)
	if len(shown) > foldMembers && !t.o.Full {
		shown = shown[:foldMembers]
	}
	for _, c := range shown {
		row := []string{names[c.ID], strconv.Itoa(len(c.Before))}
		if foreseen {
			row = append(row, strconv.Itoa(len(c.After)), strconv.Itoa(len(c.Gained)), strconv.Itoa(len(c.Lost)), t.runs(c.Before), t.runs(c.After))
		} else {
			row = append(row, t.runs(c.Before))
		}
		tbl.add(row...)
	}
	tbl.write(t.w, t.o, "  ")
	if n := len(list) - len(shown); n > 0 {
		t.line("  … %s; -full shows all", more(n, "member", "members"))
	}
}

// memberNames are the names by which members are shown: a static one's instance
// id, else its id, of which the end is cut where it stays unique.
func memberNames(g *consumers.Group, full bool) map[string]string {
	names, taken := map[string]string{}, map[string]int{}
	for _, m := range g.Members {
		names[m.ID] = word(shortened(m.ID, full))
		if m.InstanceID != "" {
			names[m.ID] = word(m.InstanceID) + " (static)"
		}
		taken[names[m.ID]]++
	}
	for id, name := range names {
		if taken[name] > 1 {
			names[id] = word(id)
		}
	}
	return names
}

// shortened is an id CLIENT-UUID without most of its UUID.
func shortened(id string, full bool) string {
	const uuid = 36
	if cut := len(id) - uuid; !full && cut > 0 && id[cut-1] == '-' && strings.Count(id[cut:], "-") == 4 {
		return id[:cut+8] + "…"
	}
	return id
}

// runs are partitions in words, topic by topic, numbers that follow one another
// as a run: "orders 0-2,5; audit 1".
func (t *text) runs(list []state.TopicPartition) string {
	var parts []string
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[end].Topic == list[i].Topic && list[end].Partition == list[end-1].Partition+1 {
			end++
		}
		run := strconv.Itoa(int(list[i].Partition))
		if end-i > 1 {
			run += "-" + strconv.Itoa(int(list[end-1].Partition))
		}
		if i > 0 && list[i-1].Topic == list[i].Topic {
			parts = append(parts, ","+run)
		} else if i > 0 {
			parts = append(parts, "; "+word(list[i].Topic)+" "+run)
		} else {
			parts = append(parts, word(list[i].Topic)+" "+run)
		}
		i = end
	}
	if n := len(parts) - foldRuns; n > 0 && !t.o.Full {
		parts = append(parts[:foldRuns], " …")
	}
	if len(parts) == 0 {
		return "-"
	}
	return strings.Join(parts, "")
}
