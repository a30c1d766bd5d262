package main

import (
	"errors"
	"os"
	"strings"

	"ballast/cmd/ballast/internal/render"
)

// globEscape takes the meaning from what filepath.Glob would expand.
func globEscape(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// openInput opens a document that a person named. Where there is none the error
// says how to make one.
func openInput(file, what, how string) (*os.File, error) {
	f, err := os.Open(file)
	switch {
	case err == nil:
		return f, nil
	case file == "-":
		return nil, fail("\"-\" is no file of "+what, "Standard input is /dev/stdin.")
	case errors.Is(err, os.ErrNotExist):
		return nil, fail("There is no file "+render.Quote(file), "It would be %s. Make one: %s", what, how)
	}
	var of *os.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return nil, fail(render.Quote(file)+" cannot be read", "%v.", err)
}

// exists says whether there is something at a path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
