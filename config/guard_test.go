package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestWhatWouldBreakTheParserIsRefusedFirst(t *testing.T) {
	in := func(expression string) string { return "topic \"a\" {\n  partitions = " + expression + "\n}\n" }
	for name, c := range map[string]struct{ text, code string }{
		"parentheses":       {in(strings.Repeat("(", 20_000) + "1" + strings.Repeat(")", 20_000)), "too_deep"},
		"lists":             {in(strings.Repeat("[", 20_000)), "too_deep"},
		"objects":           {in(strings.Repeat("{a=", 20_000)), "too_deep"},
		"sums":              {in("1" + strings.Repeat("+1", 100_000)), "too_deep"},
		"sums over lines":   {in("(1" + strings.Repeat("\n+1", 100_000) + ")"), "too_deep"},
		"signs":             {in(strings.Repeat("-", 100_000) + "1"), "too_deep"},
		"nots":              {in(strings.Repeat("!", 100_000) + "true"), "too_deep"},
		"conditions":        {in(strings.Repeat("true ? 1 : ", 20_000) + "1"), "too_deep"},
		"indices":           {in("x" + strings.Repeat("[0]", 20_000)), "too_deep"},
		"splats":            {in("x" + strings.Repeat("[*]", 20_000)), "too_deep"},
		"templates":         {in(strings.Repeat(`"${`, 20_000)), "too_deep"},
		"template controls": {in(`"` + strings.Repeat(`%{ if true }`, 100_000) + `"`), "too_deep"},
		"blocks":            {strings.Repeat("a {\n", 20_000), "too_deep"},
		"an exponent":       {in("1e10000000"), "number_too_large"},
		"a small exponent":  {in("1e-10000000"), "number_too_large"},
		"a quoted exponent": {in(`"1e10000000"`), "number_too_large"},
		"digits":            {in(strings.Repeat("9", 100_000)), "number_too_large"},
		"invalid UTF-8":     {in("\"\xff\""), "invalid_utf8"},
		"10 MB":             {strings.Repeat("# 3456789\n", 1_000_000), "file_too_large"},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			l := Load(write(t, "main.hcl", c.text), Options{})
			if len(l.Diagnostics) != 1 || (l.Diagnostics[0].Code != c.code && !(c.code == "file_too_large" && l.Diagnostics[0].Code == "unreadable")) {
				t.Fatalf("not refused as %s: %.2000s", c.code, printed(t, l))
			}
			if d := l.Diagnostics[0]; d.File != "main.hcl" || d.Line == 0 {
				t.Errorf("no place: %+v", d)
			}
			if out := printed(t, l); len(out) > 4000 {
				t.Errorf("%d bytes printed", len(out))
			}
			if took := time.Since(began); took > time.Minute {
				t.Errorf("took %v", took)
			}
			if _, diags := Format("main.hcl", []byte(c.text)); !HasErrors(diags) {
				t.Error("Format takes it")
			}
		})
	}
}

func TestOrdinaryDepthIsAllowed(t *testing.T) {
	var items strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&items, "    \"vendor.key-%d\" = -%d,\n", i, i)
	}
	texts := []string{
		"topic \"a\" {\n  partitions = " + strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300) + "\n}\n",
		"topic \"a\" {\n  partitions = 1" + strings.Repeat(" + 1", 400) + "\n}\n",
		"topic \"a\" {\n  config = {\n" + items.String() + "  }\n}\n",
		strings.Repeat("# a - b + c ( [ {\n", 2000) + "topic \"a\" {}\n",
	}
	for _, text := range texts {
		if l := load(t, text); HasErrors(l.Diagnostics) {
			t.Errorf("%.100s: %.1000s", text, printed(t, l))
		}
	}
}

func TestByteOrderMarkIsNoError(t *testing.T) {
	d := sound(t, "\ufefftopic \"a\" {}\n")
	if len(d.Topics) != 1 {
		t.Error("the topic is missing")
	}
}

func TestUnusualDirectories(t *testing.T) {
	dir := write(t, ".hidden.hcl", "no such thing", "notes.txt", "nor this", "main.hcl", "topic \"a\" {}\n")
	if err := os.Mkdir(filepath.Join(dir, "sub.hcl"), 0o755); err != nil {
		t.Fatal(err)
	}
	if l := Load(dir, Options{}); len(l.Diagnostics) > 0 || len(l.Desired.Files) != 1 {
		t.Errorf("%s%v", printed(t, l), l.Desired.Files)
	}
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "dangling.hcl")); err != nil {
		t.Fatal(err)
	}
	if l := Load(dir, Options{}); len(l.Diagnostics) != 1 || l.Diagnostics[0].File != "dangling.hcl" {
		t.Errorf("a dangling link: %s", printed(t, l))
	}
	for _, missing := range []string{filepath.Join(dir, "nowhere"), filepath.Join(dir, "main.hcl")} {
		l := Load(missing, Options{})
		if l.Desired != nil || len(l.Diagnostics) != 1 || l.Diagnostics[0].Code != "unreadable" {
			t.Errorf("%s: %s", missing, printed(t, l))
		}
	}
}

func TestValuesDoNotRunAway(t *testing.T) {
	var texts, lists, numbers strings.Builder
	texts.WriteString("locals {\n  x0 = \"xxxxxxxxxxxxxxxx\"\n")
	lists.WriteString("locals {\n  x0 = []\n")
	numbers.WriteString("locals {\n  x0 = 1e400\n")
	for i := 1; i < 2000; i++ {
		fmt.Fprintf(&texts, "  x%d = \"${local.x%d}${local.x%d}\"\n", i, i-1, i-1)
		fmt.Fprintf(&lists, "  x%d = [local.x%d]\n", i, i-1)
		fmt.Fprintf(&numbers, "  x%d = local.x%d * local.x%d\n", i, i-1, i-1)
	}
	for name, text := range map[string]string{"texts": texts.String(), "lists": lists.String(), "numbers": numbers.String()} {
		l := load(t, text+"}\ntopic \"a\" {\n  config = { \"vendor.x\" = \"${local.x1999}\" }\n}\n")
		if len(l.Diagnostics) != 1 || l.Diagnostics[0].Code != "invalid_local" {
			t.Errorf("%s: %.2000s", name, printed(t, l))
		}
		if len(l.Desired.Broken) != 1 {
			t.Errorf("%s: the topic that needs it is not broken", name)
		}
	}
}
