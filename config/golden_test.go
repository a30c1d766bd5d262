package config

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what the diagnostics are now into testdata/diagnostics")

// TestDiagnostics loads each configuration in testdata/diagnostics and compares
// all that is printed. In an archive "args" has -var and -var-file arguments
// and NAME=VALUE for the environment, one a line; "want" what is printed, and
// each diagnostic's code before it; "never-shown" words that are in none.
func TestDiagnostics(t *testing.T) {
	paths, err := filepath.Glob("testdata/diagnostics/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { golden(t, path) })
	}
}

func golden(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir, want := t.TempDir(), ""
	var never []string
	var o Options
	var files []txtar.File
	for _, f := range archive.Files {
		switch f.Name {
		case "want":
			want = string(f.Data)
			continue
		case "args":
			o = arguments(dir, string(f.Data))
		case "never-shown":
			never = strings.Fields(string(f.Data))
		default:
			if err := os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		files = append(files, f)
	}
	got := coded(t, Load(dir, o), dir)
	for _, secret := range never {
		if strings.Contains(got, secret) {
			t.Errorf("%s is shown", secret)
		}
	}
	if *update {
		archive.Files = append(files, txtar.File{Name: "want", Data: []byte(got)})
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got != want {
		t.Errorf("printed:\n%s\nwanted:\n%s", got, want)
	}
}

func arguments(dir, text string) Options {
	env := map[string]string{}
	o := Options{Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }}
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		flag, value, _ := strings.Cut(line, " ")
		switch flag {
		case "-var":
			o.Vars = append(o.Vars, value)
		case "-var-file":
			o.VarFiles = append(o.VarFiles, filepath.Join(dir, value))
		default:
			name, value, _ := strings.Cut(line, "=")
			env[name] = value
		}
	}
	return o
}

// coded prints the diagnostics, each with its code and topic before it, and
// what became of the topics after them.
func coded(t *testing.T, l *Loaded, dir string) string {
	t.Helper()
	var b bytes.Buffer
	for _, d := range l.Diagnostics {
		b.WriteString(strings.TrimSpace(d.Code+" "+quoteUnlessEmpty(d.Topic)) + "\n")
		if err := l.Print(&b, []Diagnostic{d}, PrintOptions{Width: 100}); err != nil {
			t.Fatal(err)
		}
	}
	if l.Desired == nil {
		b.WriteString("nothing evaluated\n")
		return strings.ReplaceAll(b.String(), dir, "DIR")
	}
	var names []string
	for _, topic := range l.Desired.Topics {
		names = append(names, topic.Name)
	}
	b.WriteString(strings.TrimSpace("topics: "+strings.Join(names, " ")) + "\n")
	b.WriteString(strings.TrimSpace("broken: "+strings.Join(l.Desired.Broken, " ")) + "\n")
	return strings.ReplaceAll(b.String(), dir, "DIR")
}

func quoteUnlessEmpty(s string) string {
	if s == "" {
		return ""
	}
	return quote(s)
}
