package main

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"ballast/state"
	"ballast/state/sandbox"
)

// asBallast is set where this test binary is to be the program itself.
const asBallast = "BALLAST_TEST_IS_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asBallast) != "" {
		main()
		return
	}
	testscript.Main(m, map[string]func(){"ballast": main})
}

// TestStories runs the stories in testdata: each reads as a page of the
// manual. The command `cluster FILE` starts an embedded cluster that begins as
// the snapshot in FILE, and sets BALLAST_BOOTSTRAP to its addresses; `join GROUP
// ASSIGNOR TOPICS N` lets N static members of a real client join a group of it.
func TestStories(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_STORIES") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "1")
			e.Setenv("EXAMPLES", absolute(t, "../../examples"))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"cluster": startCluster,
			"join":    joinGroup,
		},
	})
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	return wd + "/" + path
}

func startCluster(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: cluster FILE")
	}
	snap, _, err := state.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	box, err := sandbox.Start(sandbox.Options{Listen: "127.0.0.1:0", Snapshot: snap, Speed: 1000})
	ts.Check(err)
	ts.Defer(func() { box.Close() })
	ts.Setenv("BALLAST_BOOTSTRAP", strings.Join(box.Bootstrap(), ","))
}
