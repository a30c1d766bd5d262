package render

// style is an ANSI SGR sequence.
type style string

// Colours have a meaning each: green arrives, red goes, yellow changes or warns.
const (
	plain  style = ""
	bold   style = "\x1b[1m"
	dim    style = "\x1b[2m"
	red    style = "\x1b[31m"
	green  style = "\x1b[32m"
	yellow style = "\x1b[33m"
	reset        = "\x1b[0m"
)

// paint colours text, or leaves it as it is where colour is off.
func (o Options) paint(s style, text string) string {
	if !o.Color || s == plain || text == "" {
		return text
	}
	return string(s) + text + reset
}
