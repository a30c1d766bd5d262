// Package planner turns a configuration and a snapshot into a plan: diff,
// risks, steps, and the proof that the steps lead where they should. It is
// pure: no clock, no randomness, no I/O; the same input gives the same bytes.
//
// Read plan.go for the document, make.go for the path that makes one, steps.go
// for the order of apply, and replay.go and proof.go for the proof. A rule has a
// file of its own: check_*.go refuse what cannot be planned, warn_*.go tell of
// what a plan leaves, risk_*.go of what a change may cost; the lists of them are
// in warnings.go and risks.go. codec.go reads and writes documents, digest.go
// says what two plans have in common, check.go whether a plan is still true.
package planner
