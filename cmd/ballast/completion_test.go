package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func completionScript(t *testing.T, shell string) string {
	t.Helper()
	s, out, errOut := testStreams(nil)
	if code := run([]string{"ballast", "completion", shell}, s); code != exitDone {
		t.Fatalf("exit %d: %s", code, errOut)
	}
	file := filepath.Join(t.TempDir(), "completion")
	if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestBashCompletesVerbsAndFlags(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip(err)
	}
	file := completionScript(t, "bash")
	for line, want := range map[string]string{
		"ballast pl":           "plan",
		"ballast plan -detail": "-detailed-exitcode",
		"ballast apply -auto":  "-auto-approve",
		"ballast help snap":    "snapshot",
	} {
		words := strings.Fields(line)
		script := `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ballast; echo "${COMPREPLY[@]}"`
		out, err := exec.Command("bash", append([]string{"-c", script, "bash", file}, words...)...).CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != want {
			t.Errorf("%s is completed to %q, want %q (%v)", line, got, want, err)
		}
	}
}

func TestZshAndFishReadTheirScripts(t *testing.T) {
	for shell, check := range map[string][]string{"zsh": {"zsh", "-n"}, "fish": {"fish", "--no-execute"}} {
		file := completionScript(t, shell)
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(src), "detailed-exitcode") || strings.Contains(string(src), "`") {
			t.Errorf("the script for %s is\n%s", shell, src)
		}
		if _, err := exec.LookPath(shell); err != nil {
			t.Logf("not read by %s itself: %v", shell, err)
			continue
		}
		if out, err := exec.Command(check[0], check[1], file).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
}

func TestUnknownShellsAreRefused(t *testing.T) {
	s, _, errOut := testStreams(nil)
	if code := run([]string{"ballast", "completion", "tcsh"}, s); code != exitError || !strings.Contains(errOut.String(), "bash, zsh and fish") {
		t.Errorf("exit %d: %s", code, errOut)
	}
}
