// Package render draws documents for people: a plan, a run's events, a
// cluster's status. A view reads its document and nothing else, and has no
// rule of its own. Two equal documents give two equal texts.
//
// Read text.go first, which draws a plan for a terminal.
package render
