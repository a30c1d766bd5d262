package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
)

// Exit codes. They are API.
const (
	exitDone    = 0 // done, or nothing to do
	exitError   = 1 // an error; nothing of this run is half done
	exitChanges = 2 // changes are present
	exitPartWay = 3 // apply stopped part way, and the journal says where
)

// exit ends the process with a code that is no error in itself.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// failure is an error for a person: what is wrong, and why or what to do.
type failure struct {
	summary string
	detail  string
}

func (f *failure) Error() string {
	if f.detail == "" {
		return f.summary
	}
	return f.summary + "\n\n" + f.detail
}

// fail makes a failure; what the detail says ends with the next command.
func fail(summary, detail string, args ...any) error {
	return &failure{summary: summary, detail: fmt.Sprintf(detail, args...)}
}

// report prints an error and returns the exit code that it stands for.
func report(s *streams, err error) int {
	if err == nil {
		return exitDone
	}
	var code exit
	if errors.As(err, &code) {
		return int(code)
	}
	var coder cli.ExitCoder
	if errors.As(err, &coder) {
		return coder.ExitCode()
	}
	lines := strings.Split(strings.TrimSpace(render.Safe(err.Error())), "\n")
	fmt.Fprintf(s.err, "%s %s\n", s.redOnErr("Error:"), lines[0])
	for _, line := range lines[1:] {
		fmt.Fprintln(s.err, strings.TrimRight("  "+line, " "))
	}
	return exitError
}
