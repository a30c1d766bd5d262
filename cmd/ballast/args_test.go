package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/urfave/cli/v2"
)

// testStreams are streams without a terminal, with an environment of their own.
func testStreams(env map[string]string) (s *streams, out, errOut *bytes.Buffer) {
	out, errOut = &bytes.Buffer{}, &bytes.Buffer{}
	lookup := func(k string) (string, bool) { v, ok := env[k]; return v, ok }
	return &streams{in: strings.NewReader(""), out: out, err: errOut, env: lookup}, out, errOut
}

func TestFlagsStandAnywhereAfterTheVerb(t *testing.T) {
	s, _, _ := testStreams(nil)
	app := newApp(s)
	for line, want := range map[string]string{
		"plan -json DIR":                     "plan -json -- DIR",
		"plan DIR -json":                     "plan -json -- DIR",
		"plan --json DIR --out=f":            "plan -json -out=f -- DIR",
		"plan DIR -out f -json":              "plan -out=f -json -- DIR",
		"plan -target x=[1,2] -target y=3":   "plan -target=x=[1,2] -target=y=3 --",
		"plan -var x=[1,2] -var y=3":         "plan -var=x=[1,2] -var=y=3 --",
		"plan -json=false":                   "plan -json=false --",
		"plan -- -json":                      "plan -- -json",
		"plan -":                             "plan -- -",
		"plan help":                          "plan -- help",
		"apply -throttle -1":                 "apply -throttle=-1 --",
		"help plan":                          "plan --help",
		"help":                               "--help",
		"plan -h":                            "plan -h --",
		"-version":                           "version",
		"version":                            "version --",
		"plan -target topic.a -target=t.b D": "plan -target=topic.a -target=t.b -- D",
	} {
		got, err := arrange(app, append([]string{"ballast"}, strings.Fields(line)...))
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if diff := cmp.Diff(strings.Fields(want), got[1:]); diff != "" {
			t.Errorf("%s:\n%s", line, diff)
		}
	}
}

func TestMistypedVerbsAndFlagsAreSuggested(t *testing.T) {
	s, _, _ := testStreams(nil)
	app := newApp(s)
	for line, want := range map[string]string{
		"plna":              "Did you mean `ballast plan`?",
		"plan -jsn":         "Did you mean -json?",
		"plan D --detailed": "has no flag \"--detailed\"",
		"apply -auto-aprov": "Did you mean -auto-approve?",
		"plan -out":         "needs a value",
		"-json plan":        "before the verb",
		"help applly":       "Did you mean `ballast apply`?",
		"zzzzzzzzz":         "`ballast help` lists the verbs",
	} {
		_, err := arrange(app, append([]string{"ballast"}, strings.Fields(line)...))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v lacks %q", line, err, want)
		}
	}
}

func TestEveryFlagHasItsEnvironmentVariable(t *testing.T) {
	s, _, _ := testStreams(nil)
	for _, verb := range newApp(s).Commands {
		for _, f := range verb.Flags {
			name := f.Names()[0]
			want := "BALLAST_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
			vars := f.(cli.DocGenerationFlag).GetEnvVars()
			if len(vars) != 1 || vars[0] != want {
				t.Errorf("%s -%s has %v, want %s", verb.Name, name, vars, want)
			}
		}
	}
}

func TestEveryVerbIsDocumented(t *testing.T) {
	s, out, _ := testStreams(nil)
	for _, verb := range newApp(s).Commands {
		out.Reset()
		if code := run([]string{"ballast", "help", verb.Name}, s); code != exitDone {
			t.Errorf("help %s: exit %d", verb.Name, code)
		}
		for _, f := range verb.Flags {
			if name := f.Names()[0]; !strings.Contains(out.String(), "-"+name) {
				t.Errorf("help %s does not name -%s", verb.Name, name)
			}
		}
		if verb.Usage == "" || verb.UsageText == "" {
			t.Errorf("%s has no usage", verb.Name)
		}
	}
}

func FuzzArrange(f *testing.F) {
	for _, s := range []string{"plan -json DIR", "plan\x00-out", "apply -- -x", "-h", "help", "plan -=", "plan --=x"} {
		f.Add(s)
	}
	s, _, _ := testStreams(nil)
	app := newApp(s)
	f.Fuzz(func(t *testing.T, line string) {
		arrange(app, append([]string{"ballast"}, strings.Fields(line)...))
	})
}
