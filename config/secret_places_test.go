package config

import (
	"strings"
	"testing"
)

// TestAFailedPasswordIsNotShown: an expression that cannot be evaluated shows
// none of the password in it, in whatever way it is written.
func TestAFailedPasswordIsNotShown(t *testing.T) {
	const sasl = "cluster \"a\" {\n sasl {\n  mechanism = \"PLAIN\"\n  username = \"me\"\n  %\n }\n}\n"
	for name, text := range map[string]string{
		"added to":           strings.Replace(sasl, "%", `password = "hunter2" + nope`, 1),
		"formatted":          strings.Replace(sasl, "%", `password = format("%s%d", "hunter2", nope)`, 1),
		"looked up":          strings.Replace(sasl, "%", `password = lookup({ a = "hunter2" }, "b")`, 1),
		"without quotes":     strings.Replace(sasl, "%", `password = hunter2`, 1),
		"called":             strings.Replace(sasl, "%", `password = hunter2("x")`, 1),
		"by a local":         "locals { p = \"hunter2\" }\n" + strings.Replace(sasl, "%", `password = local.p + 1`, 1),
		"on many lines":      strings.Replace(sasl, "%", "password = join(\"\", [\n  \"hunter2\",\n  nope,\n ])", 1),
		"in a heredoc":       strings.Replace(sasl, "%", "password = <<EOT\nhunter2 ${nope}\nEOT", 1),
		"a token":            strings.Replace(sasl, "%", `token = "hunter2${nope}"`, 1),
		"misspelt":           strings.Replace(sasl, "%", `passwd = "hunter2" + nope`, 1),
		"beside another":     strings.Replace(sasl, "%", `password = "hunter2" + nope, x = 1`, 1),
		"not parsed":         strings.Replace(sasl, "%", "password = \"hunter2\" \"\"\n", 1),
		"heredoc not ended":  strings.Replace(sasl, "%", "password = <<EOT\nhunter2\n", 1),
		"on one line, wrong": "cluster \"a\" { sasl { password = \"hunter2\" + } }\n",
		"in cluster":         "cluster \"a\" {\n password = \"hunter2\"\n}\n",
		"failed in cluster":  "cluster \"a\" {\n password = \"hunter2${nope}\"\n}\n",
		"sasl an attribute":  "cluster \"a\" {\n sasl = { password = \"hunter2\" }\n}\n",
		"a misspelt block":   "cluster \"a\" {\n sals {\n  psswrd = \"hunter2\"\n }\n}\n",
		"outside":            "password = \"hunter2\"\n",
		"sensitive":          "locals { p = sensitive(\"hunter2${nope}\") }\n",
		"sensitive, wrong":   "locals { p = sensitive(\"hunter2\" + ) }\n",
		"a default":          "variable \"v\" {\n sensitive = true\n default = \"hunter2${nope}\"\n}\n",
	} {
		l := load(t, text)
		if len(l.Diagnostics) == 0 {
			t.Errorf("%s: there is no error", name)
		}
		out := printed(t, l)
		for _, d := range l.Diagnostics {
			out += d.Summary + d.Detail
		}
		if strings.Contains(out, "hunter2") {
			t.Errorf("%s:\n%s", name, out)
		}
	}
}

// TestAFailedPasswordIsStillExplained: what is no secret is said.
func TestAFailedPasswordIsStillExplained(t *testing.T) {
	l := load(t, "cluster \"a\" {\n sasl {\n  mechanism = \"PLAIN\"\n  username = \"me\"\n  password = env(\"KAFKA_PASSWORD\")\n }\n}\n")
	out := printed(t, l)
	if !strings.Contains(out, "the environment has no variable \"KAFKA_PASSWORD\"") || !strings.Contains(out, "password = (sensitive)") {
		t.Error(out)
	}
}

func TestAVarFileShowsNothingOfASensitiveVariable(t *testing.T) {
	dir := write(t, "main.hcl", "variable \"v\" {\n sensitive = true\n}\n")
	file := write(t, "a.vars", "v = \"hunter2${nope}\"\n") + "/a.vars"
	l := Load(dir, Options{VarFiles: []string{file}})
	if out := printed(t, l); strings.Contains(out, "hunter2") || !strings.Contains(out, "(sensitive)") {
		t.Error(out)
	}
}
