package config

import "github.com/hashicorp/hcl/v2"

// Severity of a Diagnostic.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
)

// Diagnostic is an error or a warning that a person can act on, wherever it
// arose. It is what plans hold; a Printer shows it with its source line.
type Diagnostic struct {
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`            // stable, e.g. "partitions_lowered"
	Summary  string   `json:"summary"`         // one line, what is wrong
	Detail   string   `json:"detail"`          // why, and what to do; ends with the next command where there is one
	Topic    string   `json:"topic,omitempty"` // Kafka name
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"`

	hidden bool // the source line may hold what is sensitive

	hcl *hcl.Diagnostic // where it is the language's own: range, context and values
}

// HasErrors says whether any of the diagnostics is an error.
func HasErrors(diags []Diagnostic) bool {
	for _, d := range diags {
		if d.Severity == SeverityError {
			return true
		}
	}
	return false
}
