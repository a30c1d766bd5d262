package render

import (
	"fmt"
	"strings"
	"testing"

	"ballast/config"
)

// Rules that cannot be met for one cause are told once, with the lines of the
// others; another cause, and what each topic has its own of, is told as it is.
func TestOneCauseOfManyTopicsIsToldOnce(t *testing.T) {
	var all []config.Diagnostic
	add := func(topic, code, detail string, line int) {
		all = append(all, config.Diagnostic{Severity: config.SeverityError, Code: code, Topic: topic, Summary: topic + "-0 cannot be", Detail: detail, File: "main.hcl", Line: line})
	}
	for i := range 14 {
		add(fmt.Sprintf("t%02d", i), "infeasible_per_rack", "Too few racks.", 1+i/2)
		add(fmt.Sprintf("t%02d", i), "pin_not_eligible", "Pins are on live brokers.", 1+i)
	}
	add("u", "infeasible_per_rack", "Too few brokers.", 9)
	add("v", "infeasible_per_rack", "Too few brokers.", 10)
	got := Alike(all)
	if len(got) != 1+14+2 {
		t.Fatalf("%d are told: %v", len(got), got)
	}
	want := `Too few racks.
The same of 13 more topics: "t01", "t02" (main.hcl:2), "t03" (main.hcl:2), `
	if d := got[0]; !strings.HasPrefix(d.Detail, want) || !strings.HasSuffix(d.Detail, " and 3 more. To be told of each: -full") {
		t.Error(d.Detail)
	}
	if all[0].Detail != "Too few racks." {
		t.Error("what was given is changed")
	}
}
