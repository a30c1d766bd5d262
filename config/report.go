package config

import (
	"fmt"
	"sort"

	"github.com/hashicorp/hcl/v2"
)

// fault is an error at a place.
func fault(code, summary, detail string, at hcl.Range) Diagnostic {
	return newDiagnostic(SeverityError, code, summary, detail, at)
}

// caution is a warning at a place.
func caution(code, summary, detail string, at hcl.Range) Diagnostic {
	return newDiagnostic(SeverityWarning, code, summary, detail, at)
}

func newDiagnostic(severity Severity, code, summary, detail string, at hcl.Range) Diagnostic {
	d := Diagnostic{Severity: severity, Code: code, Summary: escape(summary), Detail: escape(detail), File: at.Filename, Line: at.Start.Line}
	d.hcl = &hcl.Diagnostic{Severity: hclSeverity(severity), Summary: d.Summary, Detail: d.Detail}
	if at.Filename != "" {
		d.hcl.Subject = &at
	}
	return d
}

func hclSeverity(s Severity) hcl.DiagnosticSeverity {
	if s == SeverityWarning {
		return hcl.DiagWarning
	}
	return hcl.DiagError
}

// about says which topic the diagnostic is of, by its Kafka name.
func (d Diagnostic) about(topic string) Diagnostic {
	d.Topic = topic
	return d
}

// evaluating says which expression the diagnostic is of, so that the values of
// its variables can be shown.
func (d Diagnostic) evaluating(e hcl.Expression, ctx *hcl.EvalContext) Diagnostic {
	d.hcl.Expression, d.hcl.EvalContext = e, ctx
	return d
}

// hiding says that the source line must not be shown.
func (d Diagnostic) hiding(yes bool) Diagnostic {
	d.hidden = d.hidden || yes
	return d
}

// findings collects the diagnostics of a run, each once.
type findings struct {
	list    []Diagnostic
	seen    map[string]bool
	secrets *secrets
}

func (f *findings) add(d Diagnostic) {
	f.secrets.hideAt(&d)
	d.Summary, d.Detail = f.secrets.redact(d.Summary), f.secrets.redact(d.Detail)
	column := 0
	if d.hcl != nil && d.hcl.Subject != nil {
		column = d.hcl.Subject.Start.Column
	}
	key := fmt.Sprintf("%s\x00%d\x00%d\x00%s\x00%s\x00%s", d.File, d.Line, column, d.Code, d.Summary, d.Detail)
	if f.seen[key] {
		return
	}
	if f.seen == nil {
		f.seen = map[string]bool{}
	}
	f.seen[key] = true
	f.list = append(f.list, d)
}

// sorted returns the diagnostics in file order; those of no file come first.
func (f *findings) sorted() []Diagnostic {
	sort.SliceStable(f.list, func(i, j int) bool {
		a, b := f.list[i], f.list[j]
		if a.File != b.File {
			return a.File < b.File
		}
		if a.Line != b.Line {
			return a.Line < b.Line
		}
		return column(a) < column(b)
	})
	return f.list
}

func column(d Diagnostic) int {
	if d.hcl == nil || d.hcl.Subject == nil {
		return 0
	}
	return d.hcl.Subject.Start.Column
}

// hclCodes are the stable codes of hcl's own errors, by their summaries.
var hclCodes = map[string]string{
	"Call to unknown function":      "unknown_function",
	"Function calls not allowed":    "unknown_function",
	"Not enough function arguments": "invalid_call",
	"Too many function arguments":   "invalid_call",
	"Invalid function argument":     "invalid_call",
	"Error in function call":        "invalid_call",
	"Unknown variable":              "unknown_variable",
	"Variables not allowed":         "unknown_variable",
}

// fromHCL makes diagnostics of hcl's own. other is the code of those that have
// none of theirs.
func fromHCL(diags hcl.Diagnostics, other string) []Diagnostic {
	var out []Diagnostic
	for _, d := range diags {
		code := hclCodes[d.Summary]
		if code == "" {
			code = other
		}
		detail := d.Detail
		if secretCall(d) {
			detail = "The call failed. Its arguments are sensitive, and so is what it says of them."
		}
		severity := SeverityError
		if d.Severity == hcl.DiagWarning {
			severity = SeverityWarning
		}
		var at hcl.Range
		switch {
		case d.Subject != nil && d.Subject.Filename != "":
			at = *d.Subject
		case d.Context != nil:
			at = *d.Context
		}
		n := newDiagnostic(severity, code, d.Summary, detail, at)
		n.hcl.Context, n.hcl.Expression, n.hcl.EvalContext = d.Context, d.Expression, d.EvalContext
		out = append(out, n)
	}
	return out
}

// secretCall says whether the error is that of an expression with sensitive
// parts, which hcl may have quoted.
func secretCall(d *hcl.Diagnostic) bool {
	if d.Expression == nil || d.EvalContext == nil {
		return false
	}
	for _, traversal := range d.Expression.Variables() {
		v, diags := traversal.TraverseAbs(d.EvalContext)
		if !diags.HasErrors() && v.ContainsMarked() {
			return true
		}
	}
	return false
}
