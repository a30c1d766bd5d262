package render

import (
	"fmt"
	"io"
	"strings"

	"ballast/apply"
)

// foldHeld is how many partitions one reason is shown to hold up.
const foldHeld = 5

// heldUp is one reason that holds a gate up, and what it is about.
type heldUp struct {
	why, do string
	names   []string
}

// heldUpBy gathers what holds a gate up by reason, in the order met.
func heldUpBy(holds []apply.Hold) []*heldUp {
	var out []*heldUp
	at := map[[2]string]*heldUp{}
	for _, h := range holds {
		key := [2]string{h.Why, h.Do}
		if at[key] == nil {
			at[key] = &heldUp{why: h.Why, do: h.Do}
			out = append(out, at[key])
		}
		if h.Topic != "" {
			at[key].names = append(at[key].names, fmt.Sprintf("%s partition %d", Quote(h.Topic), h.Partition))
		}
	}
	return out
}

// writeHolds writes each reason once, with what it holds up, and what can be
// done once for reasons that follow one another.
func writeHolds(w io.Writer, holds []apply.Hold, o Options, indent string) {
	groups := heldUpBy(holds)
	for i, g := range groups {
		if i == foldInFlight && !o.Full {
			fmt.Fprintf(w, "%s… %s\n", indent, more(len(groups)-i, "reason", "reasons"))
			return
		}
		writeWrapped(w, o, indent, g.line(o))
		if g.do != "" && (i+1 == len(groups) || groups[i+1].do != g.do) {
			writeWrapped(w, o, indent+"  ", g.do)
		}
	}
}

func (g *heldUp) line(o Options) string {
	names := g.names
	if len(names) > foldHeld && !o.Full {
		names = names[:foldHeld]
	}
	line := g.why
	if len(names) > 0 {
		line = strings.Join(names, ", ") + andMore(len(g.names)-len(names)) + ": " + g.why
	}
	return line
}

func andMore(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %d more", n)
}

func writeWrapped(w io.Writer, o Options, indent, message string) {
	for _, line := range wrap(Safe(message), o.width()-len(indent)) {
		fmt.Fprintf(w, "%s%s\n", indent, line)
	}
}
