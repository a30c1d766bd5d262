// Package planner turns a configuration and a snapshot into a plan: diff,
// risks, steps, and the proof that the steps lead where they should. It is
// pure: no clock, no randomness, no I/O; the same input gives the same bytes.
//
// Read plan.go for the document, make.go for the path that makes one, replay.go
// for the proof.
package planner
