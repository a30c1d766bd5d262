package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/renameio/v2"

	"ballast/cmd/ballast/internal/render"
)

// output is a document that a verb writes to a file which a flag names. All
// that verbs write goes this way: nothing is written over a file of another
// kind, and a file is there as a whole or not at all.
type output struct {
	flag string // that names the file
	what string // the document, with its article
	mode os.FileMode
	// begins tells by a file's beginning whether it is such a document.
	begins *regexp.Regexp
	// stdout: "-" is standard output.
	stdout bool
}

// The documents that verbs write.
var (
	planOutput     = output{flag: "-out", what: "a plan", mode: 0o600, begins: regexp.MustCompile(`^\s*\{\s*"format"\s*:\s*"ballast-plan"`)}
	snapshotOutput = output{flag: "-out", what: "a snapshot", mode: 0o644, begins: regexp.MustCompile(`^\s*\{\s*"format"\s*:\s*"ballast-snapshot"`), stdout: true}
	metricsOutput  = output{flag: "-metrics", what: "ballast's metrics", mode: 0o644, begins: regexp.MustCompile(`^# HELP ballast_`)}
	reportOutput   = output{flag: "-report", what: "a report", mode: 0o644, begins: regexp.MustCompile(`^<!-- ballast-apply -->`)}
)

// check says, before any work is done, what would keep the file from being
// written. No file is no error.
func (o output) check(file string) error {
	if file == "" || file == "-" && o.stdout {
		return nil
	}
	if file == "-" {
		return fail(o.flag+" takes a FILE", "Standard output has what is meant to be read. Give the name of a file, or /dev/stdout.")
	}
	if standardStream(file) != 0 {
		return nil
	}
	file, info, err := o.resolve(file)
	if err != nil {
		return err
	}
	if info != nil && !info.Mode().IsRegular() {
		return nil
	}
	f, err := renameio.NewPendingFile(file)
	if err != nil {
		return o.cannot(file, err)
	}
	return f.Cleanup()
}

// write writes the file with what fill writes: whole or not at all where it is
// a regular file, else as it comes.
func (o output) write(s *streams, file string, fill func(io.Writer) error) error {
	switch {
	case file == "":
		return nil
	case file == "-" && o.stdout, standardStream(file) == 1:
		return fill(s.out)
	case standardStream(file) == 2:
		return fill(s.err)
	}
	if err := o.check(file); err != nil {
		return err
	}
	file, info, err := o.resolve(file)
	if err != nil {
		return err
	}
	if info != nil && !info.Mode().IsRegular() {
		err = intoDevice(file, fill)
	} else {
		err = replaceFile(file, o.mode, fill)
	}
	if err != nil {
		return o.cannot(file, err)
	}
	return nil
}

// resolve follows links to the file that is written, and refuses what must not
// be written over. The info is nil where there is no file yet.
func (o output) resolve(file string) (string, os.FileInfo, error) {
	given := file
	if target, err := filepath.EvalSymlinks(file); err == nil {
		file = target
	}
	if ofConfiguration(given) || ofConfiguration(file) {
		return "", nil, fail(o.flag+" "+render.Quote(file)+" is a configuration's file", "Nothing was written. It would hold %s: give it a name that does not end in .hcl or .hclvars.", o.what)
	}
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return file, nil, o.wants(file)
	case err != nil:
		return "", nil, o.cannot(file, err)
	case info.IsDir():
		return "", nil, fail(o.flag+" "+render.Quote(file)+" is a directory", "Nothing was written. Give the name of a file: %s %s", o.flag, filepath.Join(file, "FILE"))
	case info.Mode().IsRegular() && info.Size() > 0:
		return file, info, o.wantsItsKind(file)
	}
	return file, info, nil
}

// ofConfiguration says whether a file's name is one of a configuration's.
func ofConfiguration(file string) bool {
	ext := strings.ToLower(filepath.Ext(file))
	return ext == ".hcl" || ext == ".hclvars"
}

// wants a directory for a new file.
func (o output) wants(file string) error {
	dir := filepath.Dir(file)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fail("There is no directory "+render.Quote(dir)+" for "+o.flag, "Nothing was written. Make it first: mkdir -p %s", shellWord(dir))
	}
	if _, err := os.Lstat(file); err == nil {
		return fail(o.flag+" "+render.Quote(file)+" is a link to nothing", "Nothing was written. Remove it, or give another name.")
	}
	return nil
}

// wantsItsKind refuses an existing file that is no earlier document of the kind.
func (o output) wantsItsKind(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return o.cannot(file, err)
	}
	defer f.Close()
	head := make([]byte, 512)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return o.cannot(file, err)
	}
	if !o.begins.Match(head[:n]) {
		return fail(o.flag+" "+render.Quote(file)+" is there already, and is not "+o.what, "It was left as it is. Give another name, or remove it first.")
	}
	return nil
}

func (o output) cannot(file string, err error) error {
	var of *os.PathError
	if errors.As(err, &of) {
		err = of.Err
	}
	return fail(fmt.Sprintf("%s %s cannot be written", o.flag, render.Quote(file)), "%v.", err)
}

// replaceFile writes a regular file: to a temporary name, synced, renamed.
func replaceFile(file string, mode os.FileMode, fill func(io.Writer) error) error {
	f, err := renameio.NewPendingFile(file, renameio.WithPermissions(mode))
	if err != nil {
		return err
	}
	defer f.Cleanup() // does nothing after the rename
	if err := fill(f); err != nil {
		return err
	}
	return f.CloseAtomicallyReplace()
}

// intoDevice writes into what is there and is no regular file: a terminal, a
// FIFO. It must not be renamed over.
func intoDevice(file string, fill func(io.Writer) error) error {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	var whole bytes.Buffer
	err = fill(&whole)
	if err == nil {
		_, err = f.Write(whole.Bytes())
	}
	return errors.Join(err, f.Close())
}

// standardStream is 1 or 2 for a name of standard output or standard error,
// which may be a regular file that somebody else has open: it is not replaced.
func standardStream(file string) int {
	for n, name := range []string{"stdout", "stderr"} {
		fd := fmt.Sprint(n + 1)
		if slices.Contains([]string{"/dev/" + name, "/dev/fd/" + fd, "/proc/self/fd/" + fd}, filepath.Clean(file)) {
			return n + 1
		}
	}
	return 0
}
