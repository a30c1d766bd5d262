package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"ballast/cmd/ballast/internal/render"
)

// confirm asks a person, on a terminal, whether to write to a cluster. Only
// "yes" is yes. Without a terminal nobody can be asked.
func confirm(s *streams, verb, question string) error {
	yes, err := ask(s, verb, question)
	if err == nil && !yes {
		err = fail("Declined", "Nothing was written.")
	}
	return err
}

// ask is confirm where no is an answer, too.
func ask(s *streams, verb, question string) (bool, error) {
	f, ok := s.in.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false, fail("`ballast "+verb+"` writes to a cluster, and there is no terminal to ask on", "Run it again with -auto-approve to go ahead without a question.")
	}
	if s.answers == nil {
		s.answers = bufio.NewReader(s.in)
	}
	ctx, stop := interruptible(context.Background())
	defer stop()
	fmt.Fprintf(s.err, "\n%s\n  Only \"yes\" goes ahead: ", render.Safe(question))
	answered := make(chan bool, 1)
	go func() {
		answer, err := s.answers.ReadString('\n')
		answered <- err == nil && strings.TrimSpace(answer) == "yes"
	}()
	select {
	case yes := <-answered:
		fmt.Fprintln(s.err)
		return yes, nil
	case <-ctx.Done():
		fmt.Fprintln(s.err)
		return false, fail("Interrupted", "Nothing was written.")
	}
}
