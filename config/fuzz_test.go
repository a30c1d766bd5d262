package config

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// seeds gives the fuzzers all that the other tests load.
func seeds(f *testing.F) {
	f.Add([]byte(plain))
	f.Add([]byte(policies))
	f.Add([]byte(variables))
	f.Add(Starter(StarterOptions{}))
	paths, _ := filepath.Glob("testdata/diagnostics/*.txtar")
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, ".hcl") {
				f.Add(file.Data)
			}
		}
	}
}

// FuzzLoad: whatever a file holds, loading it ends, all that is wrong has a
// place, and printing it is safe for a terminal.
func FuzzLoad(f *testing.F) {
	seeds(f)
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, src []byte) {
		// What Load does, without the disk.
		loading := newLoader(dir, Options{})
		loading.sources = []*source{newSource("main.hcl", src)}
		loading.take(loading.sources[0])
		loading.evaluate()
		l := loading.done()
		var out bytes.Buffer
		if err := l.Print(&out, l.Diagnostics, PrintOptions{Width: 80}); err != nil {
			t.Fatal(err)
		}
		for _, r := range out.String() {
			if unsafeRune(r) {
				t.Fatalf("%q printed", r)
			}
		}
		for _, d := range l.Diagnostics {
			if d.File == "" || d.Line == 0 || d.Code == "" || d.Summary == "" {
				t.Fatalf("incomplete: %+v", d)
			}
		}
		for _, p := range l.Desired.Policies {
			p.Evaluate(PolicyInput{Topic: PolicyTopic{Name: "a"}})
		}
		for _, topic := range l.Desired.Topics {
			if CheckTopicName(topic.Name) != nil || topic.Partitions < 0 {
				t.Fatalf("%+v", topic)
			}
		}
	})
}

// FuzzFormat: a layout is final, and says the same.
func FuzzFormat(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, src []byte) {
		once, diags := Format("main.hcl", src)
		if HasErrors(diags) {
			return
		}
		twice, diags := Format("main.hcl", once)
		if HasErrors(diags) {
			t.Fatalf("%q became %q: %+v", src, once, diags)
		}
		if !bytes.Equal(once, twice) {
			t.Fatalf("%q became %q, then %q", src, once, twice)
		}
	})
}
