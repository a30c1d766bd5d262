//go:build race

package sandbox_test

// raced says that the race detector makes everything slow.
const raced = true
