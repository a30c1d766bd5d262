package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

// What is not known of a build is absent: without a commit nothing is said of
// changes to it.
func TestVersionSaysNothingThatIsNotKnown(t *testing.T) {
	recorded := []debug.BuildSetting{{Key: "vcs.revision", Value: "b"}, {Key: "vcs.modified", Value: "true"}}
	for name, c := range map[string]struct {
		commit, modified string
		recorded         []debug.BuildSetting
		want             string
	}{
		"nothing":           {},
		"only Go's record":  {recorded: recorded, want: `"commit":"b","modified":true,`},
		"the linker":        {"a", "false", nil, `"commit":"a","modified":false,`},
		"the linker first":  {"a", "", recorded, `"commit":"a",`},
		"no word on status": {"a", "", nil, `"commit":"a",`},
	} {
		text, err := json.Marshal(buildOf(c.commit, c.modified, c.recorded))
		_, after, _ := strings.Cut(string(text), `"version":"`+version+`",`)
		before, _, _ := strings.Cut(after, `"go":`)
		if err != nil || before != c.want {
			t.Errorf("%s: %s, %v", name, text, err)
		}
	}
}

// The build does not count on Go's stamp, which -buildvcs=false leaves out.
func TestMakeTellsTheCommit(t *testing.T) {
	head, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		t.Skip("these sources are not in a repository")
	}
	out, err := exec.Command("make", "-n", "-C", filepath.Join("..", ".."), "build").Output()
	if err != nil {
		t.Skipf("make does not run: %v", err)
	}
	if want := "-X main.commit=" + strings.TrimSpace(string(head)) + " -X main.modified="; !strings.Contains(string(out), want) {
		t.Errorf("it does not have %q:\n%s", want, out)
	}
}
