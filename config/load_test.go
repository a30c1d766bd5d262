package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// write puts files, given as name and text in turn, into a new directory.
func write(t testing.TB, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// load loads one file, main.hcl.
func load(t testing.TB, text string) *Loaded {
	t.Helper()
	return Load(write(t, "main.hcl", text), Options{})
}

// printed is what the diagnostics look like on a wide terminal.
func printed(t testing.TB, l *Loaded) string {
	t.Helper()
	var b strings.Builder
	if err := l.Print(&b, l.Diagnostics, PrintOptions{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sound loads a file that must have no diagnostics.
func sound(t testing.TB, text string) *Desired {
	t.Helper()
	l := load(t, text)
	if len(l.Diagnostics) > 0 {
		t.Fatalf("unexpected:\n%s", printed(t, l))
	}
	return l.Desired
}

func TestStarterValidatesAndChangesNothing(t *testing.T) {
	for _, o := range []StarterOptions{{}, {Name: "prod", Bootstrap: []string{"a:9092", "b:9092"}, ClusterID: "4L6g3nShT-eMCtK--X86sw"}} {
		text := Starter(o)
		d := sound(t, string(text))
		if len(d.Topics) != 0 || len(d.Absent) != 0 {
			t.Errorf("it declares topics: %v %v", d.Topics, d.Absent)
		}
		again, diags := Format("main.hcl", text)
		if len(diags) > 0 || string(again) != string(text) {
			t.Errorf("it is not in the canonical layout: %v", diags)
		}
	}
}

// rapidOrTest is what tests and properties have in common.
type rapidOrTest interface {
	Helper()
	Fatalf(format string, args ...any)
	Fatal(args ...any)
}

// writeFiles is write for both.
func writeFiles(t rapidOrTest, files ...string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "ballast-config")
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
