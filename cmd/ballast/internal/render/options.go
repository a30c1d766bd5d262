package render

// DefaultWidth is the width of a text where no terminal tells another.
const DefaultWidth = 100

// Options are how a text is drawn. The zero Options are for a pipe.
type Options struct {
	Width int  // columns; 0 is DefaultWidth
	Color bool // with ANSI colours
	Full  bool // nothing is folded

	Quiet bool // only what sums up, and what warns

	// ErrorsElsewhere leaves out the text of a plan's errors, for a caller that
	// prints them with their source lines itself.
	ErrorsElsewhere bool
}

func (o Options) width() int {
	if o.Width <= 0 {
		return DefaultWidth
	}
	return max(o.Width, 40)
}
