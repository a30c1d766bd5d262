// Package consumers is the document that `ballast consumers -json` prints: what
// members of consumer groups read now, and what they are foreseen to read once
// a plan has been carried out. docs/consumers.schema.json describes it.
//
// Read document.go first, then make.go; obstacle.go has why nothing is foreseen.
package consumers
