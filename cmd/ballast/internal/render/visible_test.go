package render

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"ballast/planner"
)

func TestADocumentActsOnNoTerminal(t *testing.T) {
	for _, text := range []string{"plain", "größe 日本", "a\x1b[31mb", "a\u202eb", "a\x7f\u0085b", "a\U000e0001b", ""} {
		src, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{1, 2, 3, 1000} {
			var b strings.Builder
			err := Visible(&b, func(w io.Writer) error {
				for rest := src; len(rest) > 0; {
					n := min(size, len(rest))
					if _, err := w.Write(rest[:n]); err != nil {
						return err
					}
					rest = rest[n:]
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if strings.ContainsAny(b.String(), "\x1b\u202e\x7f\u0085\U000e0001") {
				t.Errorf("%q in pieces of %d is raw: %q", text, size, b.String())
			}
			var back string
			if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back != text {
				t.Errorf("%q in pieces of %d comes back as %q, %v", text, size, back, err)
			}
		}
	}
}

func TestAPageActsOnNoTerminal(t *testing.T) {
	p := &planner.Plan{Cluster: planner.Cluster{ID: "a\x1b]0;b\x07c", Name: "n\u202em"}, Targets: []string{"topic.\x1b"}}
	var b strings.Builder
	if err := HTML(&b, p); err != nil {
		t.Fatal(err)
	}
	if i := strings.IndexAny(b.String(), "\x1b\x07\u202e"); i >= 0 {
		t.Errorf("raw at %d: %q", i, b.String()[max(0, i-40):i+10])
	}
}

func TestColumnsThatDoNotFitAreNamed(t *testing.T) {
	tbl := table{columns: []column{{head: "broker"}, {head: "free", drop: 1}, {head: "log dirs", drop: 2}}}
	tbl.add("1", strings.Repeat("9", 30), strings.Repeat("d", 30))
	var narrow, full strings.Builder
	tbl.write(&narrow, Options{Width: 60}, "")
	if !strings.Contains(narrow.String(), "too narrow for: log dirs; -full shows all") {
		t.Errorf("a column is left out without a word:\n%s", narrow.String())
	}
	tbl.write(&full, Options{Width: 60, Full: true}, "")
	if !strings.Contains(full.String(), "ddd") {
		t.Errorf("-full leaves a column out:\n%s", full.String())
	}
}
