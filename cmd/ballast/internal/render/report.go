package render

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"ballast/apply"
	"ballast/planner"
)

// Report draws how a run ended, as Markdown for a comment or a job's summary.
// Plan is nil where none was read; failed is the error
// of a run that was refused.
func Report(w io.Writer, p *planner.Plan, r apply.Result, failed error, again string) error {
	var b strings.Builder
	b.WriteString("<!-- ballast-apply -->\n### " + reportVerdict(r, failed) + "\n\n")
	if p != nil {
		fmt.Fprintf(&b, "Plan %s of cluster %s (%s): %s\n\n", code(p.Digest), inert(p.Cluster.Name), inert(p.Cluster.ID), inert(Summary(p)))
	}
	if failed != nil {
		b.WriteString(fenced(Safe(failed.Error())))
	} else if err := reportResult(&b, r, again); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func reportVerdict(r apply.Result, failed error) string {
	switch {
	case r.Exit == apply.ExitStopped:
		return "Stopped part way"
	case failed != nil:
		return "Refused: nothing was written"
	}
	return "Applied"
}

// reportResult has the text of the result, within a fence.
func reportResult(b *strings.Builder, r apply.Result, again string) error {
	var text bytes.Buffer
	if err := Result(&text, r, again, Options{Width: 120}); err != nil {
		return err
	}
	b.WriteString(fenced(strings.TrimSpace(text.String())))
	return nil
}

// fenced sets a text as it is. Each line is indented, so that none of it can
// close the fence.
func fenced(text string) string {
	return "```text\n    " + strings.ReplaceAll(text, "\n", "\n    ") + "\n```\n"
}
