// Package config turns HCL files into a Desired: loading, variables,
// evaluation, diagnostics and canonical layout. It is the only room that knows
// hcl and cty; what it hands out is plain data.
//
// Read desired.go first for what comes out, then load.go for how.
package config
