package render

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ballast/cmd/ballast/internal/consumers"
	"ballast/state"
)

func parts(topic string, numbers ...int32) (out []state.TopicPartition) {
	for _, n := range numbers {
		out = append(out, state.TopicPartition{Topic: topic, Partition: n})
	}
	return out
}

func TestPartitionsAreToldInRuns(t *testing.T) {
	for want, list := range map[string][]state.TopicPartition{
		"-":                nil,
		"orders 0-2,5":     parts("orders", 0, 1, 2, 5),
		"a 1; b 1-2":       append(parts("a", 1), parts("b", 1, 2)...),
		"orders 0,2,4,6 …": parts("orders", 0, 2, 4, 6, 8),
		`"\x1b[31m" 0`:     parts("\x1b[31m", 0),
	} {
		if got := (&text{}).runs(list); got != want {
			t.Errorf("%v is %q, want %q", list, got, want)
		}
	}
}

func TestMembersAreCalledByWhatTellsThemApart(t *testing.T) {
	const uuid = "-01234567-89ab-cdef-0123-456789abcdef"
	g := &consumers.Group{Members: []consumers.Member{
		{ID: "app" + uuid}, {ID: "twin" + uuid}, {ID: "twin-01234567-ffff-cdef-0123-456789abcdef"}, {ID: "x" + uuid, InstanceID: "one"}, {ID: "short"},
	}}
	got := memberNames(g, false)
	for id, want := range map[string]string{
		"app" + uuid: "app-01234567…", "twin" + uuid: "twin" + uuid, "x" + uuid: "one (static)", "short": "short",
	} {
		if got[id] != want {
			t.Errorf("%s is called %q, want %q", id, got[id], want)
		}
	}
	if full := memberNames(g, true); full["app"+uuid] != "app"+uuid {
		t.Errorf("in full, %q", full)
	}
}

// Whatever names say, a terminal and a comment show them and do nothing with them.
func TestNamesOfGroupsAndMembersAreInert(t *testing.T) {
	const evil = "\x1b[31m<b>@all|`x`"
	g := consumers.Group{Group: evil, Type: evil, State: evil, Assignor: evil, Now: &consumers.Spread{}, Members: []consumers.Member{{ID: evil, ClientID: evil}},
		Missing: []string{evil}, Unassigned: parts(evil, 0), Notes: []string{evil}, Forecasts: []consumers.Forecast{{Assignor: evil, Members: []consumers.Change{{ID: evil, After: parts(evil, 0)}}}}}
	d := &consumers.Document{ClusterID: evil, Topics: []consumers.Topic{{Topic: evil, After: 1}}, Groups: []consumers.Group{g, {Group: evil, Error: evil}}, Unread: []consumers.Unread{{Name: evil, Reason: evil}}, Plan: "p"}
	var out, comment bytes.Buffer
	if err := Consumers(&out, d, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := ConsumersMarkdown(&comment, d); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "\x1b") || strings.ContainsAny(comment.String(), "\x1b@`") || strings.Contains(comment.String(), "<b>") {
		t.Errorf("%q\n%q", out.String(), comment.String())
	}
}

func TestManyMembersAreFolded(t *testing.T) {
	g := consumers.Group{Group: "g", Now: &consumers.Spread{}}
	for i := range 30 {
		g.Members = append(g.Members, consumers.Member{ID: fmt.Sprint("m", i), Assigned: parts("t", int32(i))})
	}
	for full, want := range map[bool]int{false: foldMembers, true: 30} {
		var out bytes.Buffer
		if err := Consumers(&out, &consumers.Document{Groups: []consumers.Group{g}}, Options{Full: full}); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(out.String(), "\n  m"); n != want+1 { // the head begins alike
			t.Errorf("full %v: %d lines\n%s", full, n, out.String())
		}
	}
}
