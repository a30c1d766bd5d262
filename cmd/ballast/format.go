package main

import (
	"encoding/json"
	"io"
	"time"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/planner"
)

// The formats that a plan can be printed in.
const (
	formatText     = "text"
	formatMarkdown = "markdown"
	formatHTML     = "html"
	formatJSON     = "json"
)

var formats = []string{formatText, formatMarkdown, formatHTML, formatJSON}

func formatFlag() cli.Flag {
	return stringFlag("format", "`FORMAT` of the plan: text, markdown (a comment for a pull request), html (one page) or json")
}

// formatOf tells the format that -format and -json ask for.
func formatOf(c *cli.Context) (string, error) {
	format := c.String("format")
	switch {
	case format == "" && c.Bool("json"):
		return formatJSON, nil
	case format == "":
		return formatText, nil
	case c.Bool("json") && format != formatJSON:
		return "", fail("-json and -format "+render.Quote(format)+" contradict each other", "Give one of them.")
	}
	for _, f := range formats {
		if f == format {
			return f, nil
		}
	}
	hint := ""
	if n := nearest(format, formats); n != "" {
		hint = " Did you mean " + n + "?"
	}
	return "", fail("Unknown format "+render.Quote(format), "The formats are text, markdown, html and json.%s", hint)
}

// printPlan prints a plan on standard output.
func printPlan(s *streams, p *planner.Plan, format string, o render.Options) error {
	switch format {
	case formatJSON:
		return render.Visible(s.out, func(w io.Writer) error { return planner.Encode(w, p) })
	case formatMarkdown:
		return render.Markdown(s.out, p, time.Now())
	case formatHTML:
		return render.HTML(s.out, p)
	}
	view := s.view(o.Full)
	view.ErrorsElsewhere, view.Quiet = o.ErrorsElsewhere, o.Quiet
	return render.Text(s.out, p, view)
}

// printJSON prints a document for people and programs on standard output.
func printJSON(s *streams, document any) error {
	return render.Visible(s.out, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(document)
	})
}
