package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/config"
)

func fmtVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:        "fmt",
		Usage:       "give the configuration's files their canonical layout",
		UsageText:   "ballast fmt [-check] [-diff] [DIR|FILE]",
		Description: "Prints the names of the files that it changes.",
		Flags: []cli.Flag{
			boolFlag("check", "write nothing; exit with 1 where a file would change"),
			boolFlag("diff", "print what changes"),
		},
		Action: func(c *cli.Context) error { return runFmt(s, c) },
	}
}

func runFmt(s *streams, c *cli.Context) error {
	target, err := oneArgument(c, ".")
	if err != nil {
		return err
	}
	files, err := hclFiles(target)
	if err != nil {
		return err
	}
	f := formatter{s: s, check: c.Bool("check"), diff: c.Bool("diff")}
	for _, file := range files {
		if err := f.file(file); err != nil {
			return err
		}
	}
	if f.broken || f.check && f.changed > 0 {
		return exit(exitError)
	}
	return nil
}

// hclFiles are the configuration files of a directory, or the one file given.
func hclFiles(target string) ([]string, error) {
	info, err := os.Stat(target)
	if err != nil {
		return nil, fail("There is nothing to format", "%v", err)
	}
	if !info.IsDir() {
		return []string{target}, nil
	}
	files, err := filepath.Glob(filepath.Join(globEscape(target), "*.hcl"))
	if err != nil || len(files) == 0 {
		return nil, fail("There is nothing to format", "%s has no *.hcl files.", render.Quote(target))
	}
	return files, nil
}

type formatter struct {
	s           *streams
	check, diff bool
	changed     int
	broken      bool
}

func (f *formatter) file(name string) error {
	before, err := os.ReadFile(name)
	if err != nil {
		return fail("A file cannot be read", "%v", err)
	}
	after, diags := config.Format(name, before)
	if config.HasErrors(diags) {
		f.broken = true
		return config.PrintDiagnostics(f.s.err, diags, name, before, f.s.diagnostics())
	}
	if string(before) == string(after) {
		return nil
	}
	f.changed++
	if err := f.tell(name, string(before), string(after)); err != nil {
		return err
	}
	return f.write(name, after)
}

func (f *formatter) tell(name, before, after string) error {
	if f.diff {
		return render.UnifiedDiff(f.s.out, name, before, name, after, f.s.view(true))
	}
	_, err := fmt.Fprintln(f.s.out, render.Safe(name))
	return err
}

func (f *formatter) write(name string, after []byte) error {
	if f.check {
		return nil
	}
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return fail("A file cannot be written", "%v", err)
	}
	info, err := os.Stat(target)
	if err == nil {
		err = replaceFile(target, info.Mode().Perm(), func(w io.Writer) error { _, err := w.Write(after); return err })
	}
	if err != nil {
		return fail("A file cannot be written", "%v", err)
	}
	return nil
}
