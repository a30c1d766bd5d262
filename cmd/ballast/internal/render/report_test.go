package render

import (
	"strings"
	"testing"

	"ballast/apply"
	"ballast/planner"
)

// The report of a stopped run says how long it was at work, as that of one
// that has ended does.
func TestReportsSayHowLongTheRunWasAtWork(t *testing.T) {
	for exit, want := range map[apply.Exit]string{apply.ExitStopped: "Done so far: 1 topic changed, in 5m.", apply.ExitDone: "Done: 1 topic changed in 5m."} {
		var b strings.Builder
		r := apply.Result{Exit: exit, Reason: "interrupted", Elapsed: 300, Counts: planner.Summary{TopicsUpdate: 1}}
		if err := Report(&b, sample(), r, nil, ""); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("it does not say %q: %v\n%s", want, err, b.String())
		}
	}
}
