package render

import (
	"io"
	"math"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
)

// column is one column of a table.
type column struct {
	head string
	left bool // aligned to the left; numbers are not
	// drop says which columns go first where the table is too wide; 0 stays.
	drop int
}

// table is a table of cells without control characters. Cells are aligned by
// the columns that they take on a terminal, which is two for a wide character.
type table struct {
	columns []column
	rows    [][]string
}

func (t *table) add(cells ...string) { t.rows = append(t.rows, cells) }

// write draws the table, every line behind the indent, without the columns
// that do not fit and may go.
func (t *table) write(w io.Writer, o Options, indent string) {
	shown := t.fitting(o.width() - len(indent))
	if o.Full {
		shown = t.fitting(math.MaxInt)
	}
	widths := t.widths()
	line := func(cell func(i int) string) string {
		parts := make([]string, len(shown))
		for n, i := range shown {
			parts[n] = pad(cell(i), widths[i], t.columns[i].left)
		}
		return indent + strings.TrimRight(strings.Join(parts, "  "), " ") + "\n"
	}
	io.WriteString(w, o.paint(bold, strings.TrimSuffix(line(func(i int) string { return t.columns[i].head }), "\n"))+"\n")
	for _, row := range t.rows {
		io.WriteString(w, line(func(i int) string { return row[i] }))
	}
	if without := t.without(shown); len(without) > 0 {
		io.WriteString(w, indent+o.paint(dim, "too narrow for: "+strings.Join(without, ", ")+"; -full shows all")+"\n")
	}
}

// without names the columns that are not shown.
func (t *table) without(shown []int) []string {
	var heads []string
	for i, c := range t.columns {
		if !slices.Contains(shown, i) {
			heads = append(heads, c.head)
		}
	}
	return heads
}

func pad(s string, width int, left bool) string {
	if left {
		return runewidth.FillRight(s, width)
	}
	return runewidth.FillLeft(s, width)
}

func (t *table) widths() []int {
	widths := make([]int, len(t.columns))
	for i, c := range t.columns {
		widths[i] = runewidth.StringWidth(c.head)
		for _, row := range t.rows {
			widths[i] = max(widths[i], runewidth.StringWidth(row[i]))
		}
	}
	return widths
}

// fitting returns the columns that fit into a width, in order.
func (t *table) fitting(width int) []int {
	widths := t.widths()
	for most := t.mostDroppable(); ; most-- {
		var shown []int
		total := -2
		for i, c := range t.columns {
			if c.drop == 0 || c.drop <= most {
				shown, total = append(shown, i), total+widths[i]+2
			}
		}
		if total <= width || most <= 0 {
			return shown
		}
	}
}

func (t *table) mostDroppable() int {
	most := 0
	for _, c := range t.columns {
		most = max(most, c.drop)
	}
	return most
}
