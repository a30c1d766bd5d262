package render

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// wrap breaks a text at spaces so that no line is wider than width, where its
// words allow. Lines of the text stay lines.
func wrap(text string, width int) []string {
	var out []string
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		out = append(out, wrapLine(line, width)...)
	}
	return out
}

func wrapLine(line string, width int) []string {
	if runewidth.StringWidth(line) <= width {
		return []string{line}
	}
	var out []string
	current, used := "", 0
	for _, word := range strings.Fields(line) {
		n := runewidth.StringWidth(word)
		if current != "" && used+1+n > width {
			out, current, used = append(out, current), "", 0
		}
		if current != "" {
			current, used = current+" ", used+1
		}
		current, used = current+word, used+n
	}
	return append(out, current)
}
