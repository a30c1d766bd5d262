package benchmarks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// Used is what a process took.
type Used struct {
	Wall time.Duration // from its start to its end
	CPU  time.Duration // user and system
	MiB  int           // peak resident memory
}

// aloneEnv asks a process for nothing but a run of the command that it is given,
// and says for how long at most.
const aloneEnv = "BALLAST_BENCHMARK_ALONE"

// asked says that Alone was called, so that a run of this program ends there.
var asked bool

// Alone runs a command where run asks this process for that, and says with which
// status to end then. A program that measures calls it first of all.
func Alone() (status int, done bool) {
	asked = true
	patience := os.Getenv(aloneEnv)
	if patience == "" {
		return 0, false
	}
	u, err := timed(patience, os.Args[1:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(u)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1, true
	}
	return 0, true
}

// run runs a command in a directory and gives what it took, or ends it once
// patience is over. Linux counts the peak
// memory of whoever starts a process as that process's own; so the one that has
// drawn the cluster starts a small one of itself, which starts the command.
func run(patience time.Duration, dir string, command ...string) (u Used, err error) {
	if !asked {
		return u, errors.New("a program that measures has to call Alone first")
	}
	self, err := os.Executable()
	if err != nil {
		return u, err
	}
	cmd := exec.Command(self, command...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), aloneEnv+"="+patience.String())
	var out, said strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return u, fmt.Errorf("%w: %s", err, said.String())
	}
	return u, json.Unmarshal([]byte(out.String()), &u)
}

// timed runs a command and gives what it took.
func timed(patience string, command []string) (u Used, err error) {
	most, err := time.ParseDuration(patience)
	if err != nil {
		return u, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), aloneEnv+"=")
	cmd.Stderr = os.Stderr
	start := time.Now()
	err = cmd.Run()
	u.Wall = time.Since(start)
	if err != nil {
		return u, fmt.Errorf("after %v: %w", u.Wall.Round(time.Second), err)
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return u, errors.New("this system does not tell what a process used")
	}
	u.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	u.MiB = int(usage.Maxrss / 1024) // Linux counts kilobytes
	return u, nil
}
