// Package config turns HCL files into a Desired: loading, variables,
// evaluation, diagnostics and canonical layout. It is the only room that knows
// hcl and cty; what it hands out is plain data.
//
// The language is in the tables of schema*.go; decode.go reads a block by its
// table into settings, merge.go puts the defaults under a topic's own, and the
// rules of check*.go look at the outcome. A new attribute is a row in a table
// and a line where its value goes.
//
// Read desired.go first for what comes out, then load.go for how.
package config
