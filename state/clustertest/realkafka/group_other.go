//go:build !linux

package realkafka

import "syscall"

// ownGroup leaves the process in the test's group: this system cannot end it
// with the test, so that at least a terminal's interrupt ends both.
func ownGroup() *syscall.SysProcAttr { return nil }
