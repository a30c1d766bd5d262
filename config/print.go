package config

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
)

// PrintOptions say how diagnostics are printed.
type PrintOptions struct {
	Color bool
	Width int // columns; 0: lines are not wrapped
}

// Print prints diagnostics, the configuration's own or any others, each with
// its source line where the configuration has it.
func (l *Loaded) Print(w io.Writer, diags []Diagnostic, o PrintOptions) error {
	return printDiagnostics(w, diags, l.sources, &l.secrets, o)
}

// PrintDiagnostics prints diagnostics of one file that was given as text, as
// those of Format, each with its source line.
func PrintDiagnostics(w io.Writer, diags []Diagnostic, name string, src []byte, o PrintOptions) error {
	body, broken := parse(name, src)
	return printDiagnostics(w, diags, map[string]*document{name: newDocument(src, body, !HasErrors(broken))}, nil, o)
}

func printDiagnostics(w io.Writer, diags []Diagnostic, sources map[string]*document, s *secrets, o PrintOptions) error {
	out := bufio.NewWriter(w)
	for _, d := range diags {
		p := &printer{o: o, secrets: s, paint: colors(o.Color, d.Severity)}
		p.diagnostic(d, sources)
		p.frame(out)
	}
	return out.Flush()
}

// paint are the escape sequences of a diagnostic, empty without colour.
type paint struct{ severity, bold, underline, reset string }

func colors(on bool, s Severity) paint {
	if !on {
		return paint{}
	}
	c := paint{severity: "\x1b[1;31m", bold: "\x1b[1m", underline: "\x1b[4m", reset: "\x1b[0m"}
	if s == SeverityWarning {
		c.severity = "\x1b[1;33m"
	}
	return c
}

// printer collects the lines of one diagnostic and puts a bar beside them.
type printer struct {
	o       PrintOptions
	secrets *secrets
	paint   paint
	lines   []string
}

func (p *printer) line(format string, args ...any) {
	p.lines = append(p.lines, fmt.Sprintf(format, args...))
}

// frame writes the collected lines with a bar at their left.
func (p *printer) frame(w io.Writer) {
	bar := func(s string) string { return p.paint.severity + s + p.paint.reset }
	fmt.Fprintln(w, bar("╷"))
	for _, line := range p.lines {
		fmt.Fprintln(w, strings.TrimRight(bar("│")+" "+line, " "))
	}
	fmt.Fprintln(w, bar("╵"))
}

func (p *printer) diagnostic(d Diagnostic, sources map[string]*document) {
	word := "Error"
	if d.Severity == SeverityWarning {
		word = "Warning"
	}
	p.line("%s%s: %s%s%s%s", p.paint.severity, word, p.paint.reset, p.paint.bold, p.clean(d.Summary), p.paint.reset)
	p.line("")
	p.source(d, sources)
	if d.Detail != "" {
		p.text(p.clean(d.Detail))
	}
}

// source shows where the diagnostic is.
func (p *printer) source(d Diagnostic, sources map[string]*document) {
	s := snippetOf(d, sources)
	switch {
	case d.File == "" && d.Topic == "":
		return
	case d.File == "":
		p.line("  topic %s", quote(d.Topic))
	case d.Line == 0:
		p.line("  on %s", escape(d.File))
	case s.context != "":
		p.line("  on %s line %d, in %s:", escape(d.File), d.Line, escape(s.context))
	default:
		p.line("  on %s line %d:", escape(d.File), d.Line)
	}
	for _, l := range s.lines {
		if d.hidden {
			p.line("%5d: (sensitive)", l.number)
			break
		}
		p.code(l)
	}
	for _, v := range valuesOf(d, sources[d.File]) {
		p.line("    %s", p.clean(v))
	}
	p.line("")
}

// code shows a line of the source with the range marked: underlined in colour,
// by a line of carets without.
func (p *printer) code(l snippetLine) {
	before, marked, after := p.visible(l.text[:l.from]), p.visible(l.text[l.from:l.to]), p.visible(l.text[l.to:])
	before, marked, after = p.fit(before, marked, after)
	p.line("%5d: %s%s%s%s%s", l.number, before, p.paint.underline, marked, p.paint.reset, after)
	if !p.o.Color && l.marked {
		p.line("       %s%s", strings.Repeat(" ", runewidth.StringWidth(before)), strings.Repeat("^", max(1, runewidth.StringWidth(marked))))
	}
}

// fit shortens a line of the source to the terminal's width, about the mark.
func (p *printer) fit(before, marked, after string) (string, string, string) {
	room := p.o.Width - len("│ 12345: ")
	if p.o.Width == 0 {
		room = 1000 // nobody reads a longer line
	}
	room = max(room, 20)
	if runewidth.StringWidth(before+marked+after) <= room {
		return before, marked, after
	}
	if half := room / 2; runewidth.StringWidth(before) > half {
		before = "…" + runewidth.TruncateLeft(before, runewidth.StringWidth(before)-half+1, "")
	}
	room -= runewidth.StringWidth(before)
	if runewidth.StringWidth(marked) > room {
		return before, runewidth.Truncate(marked, room, "…"), ""
	}
	return before, marked, runewidth.Truncate(after, room-runewidth.StringWidth(marked), "…")
}

// visible makes a part of a source line printable: tabs as two columns, control
// characters escaped.
func (p *printer) visible(s string) string { return p.clean(strings.ReplaceAll(s, "\t", "  ")) }

// clean makes a text fit to be shown.
func (p *printer) clean(s string) string { return escape(p.secrets.redact(s)) }

// text prints a paragraph, wrapped.
func (p *printer) text(s string) {
	for _, line := range strings.Split(s, "\n") {
		for _, wrapped := range wrap(line, p.o.Width-2) {
			p.line("%s", wrapped)
		}
	}
}

// wrap breaks a line at spaces so that each part has at most width columns. A
// width of 0 or less wraps nothing, and neither does an indented line break:
// that is a command or a table.
func wrap(line string, width int) []string {
	if width < 20 || runewidth.StringWidth(line) <= width || strings.HasPrefix(line, " ") {
		return []string{line}
	}
	var out []string
	current := ""
	for _, word := range strings.Fields(line) {
		if current != "" && runewidth.StringWidth(current)+1+runewidth.StringWidth(word) > width {
			out = append(out, current)
			current = ""
		}
		if current != "" {
			current += " "
		}
		current += word
	}
	return append(out, current)
}
