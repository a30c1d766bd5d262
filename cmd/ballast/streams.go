package main

import (
	"bufio"
	"io"
	"os"

	"golang.org/x/term"

	"ballast/cmd/ballast/internal/render"
	"ballast/config"
)

// streams are the process's surroundings: its standard streams and environment.
type streams struct {
	in       io.Reader
	out, err io.Writer
	env      func(string) (string, bool)

	answers *bufio.Reader // of in, kept over several questions
}

func processStreams() *streams {
	return &streams{in: os.Stdin, out: os.Stdout, err: os.Stderr, env: os.LookupEnv}
}

// terminal returns the width of the terminal that a stream is, or false.
func terminal(stream any) (width int, ok bool) {
	f, isFile := stream.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	w, _, err := term.GetSize(int(f.Fd()))
	if err != nil || w <= 0 {
		w = render.DefaultWidth
	}
	return w, true
}

// color says whether a stream may be coloured: a terminal that is not dumb,
// unless NO_COLOR is set to anything (no-color.org).
func (s *streams) color(stream any) bool {
	if v, ok := s.env("NO_COLOR"); ok && v != "" {
		return false
	}
	if v, _ := s.env("TERM"); v == "dumb" {
		return false
	}
	_, ok := terminal(stream)
	return ok
}

// view is how documents are drawn on standard output.
func (s *streams) view(full bool) render.Options {
	width, _ := terminal(s.out)
	return render.Options{Width: width, Color: s.color(s.out), Full: full}
}

// diagnostics is how diagnostics are printed on standard error.
func (s *streams) diagnostics() config.PrintOptions {
	width, ok := terminal(s.err)
	if !ok {
		width = render.DefaultWidth
	}
	return config.PrintOptions{Color: s.color(s.err), Width: width}
}

func (s *streams) redOnErr(text string) string {
	if !s.color(s.err) {
		return text
	}
	return "\x1b[31m" + text + "\x1b[0m"
}

// events is how a run's events are drawn on standard error.
func (s *streams) events(quiet bool) render.EventOptions {
	width, ok := terminal(s.err)
	return render.EventOptions{Options: render.Options{Width: width, Color: s.color(s.err), Quiet: quiet}, Bar: ok}
}
