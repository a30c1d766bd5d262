// Package status is the document that `ballast status -json` prints: what
// apply.Status has read, with the names and the absences that documents have.
// docs/status.schema.json describes it.
package status
