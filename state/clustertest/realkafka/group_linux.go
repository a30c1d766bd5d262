package realkafka

import "syscall"

// ownGroup puts a process into a group of its own, so that a terminal's
// interrupt goes to the test alone, and has the kernel end it with the test.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
