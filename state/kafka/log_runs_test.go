package kafka

import (
	"fmt"
	"testing"
)

// message is one message of a log; nil is a tombstone.
type message struct {
	key   string
	value []byte
}

func read(list []message) string {
	r := newRuns()
	for _, m := range list {
		r.add(m.key, m.value)
	}
	return fmt.Sprintf("%s", r.records())
}

func TestRecordsAreThoseOfTheLatestWholeRun(t *testing.T) {
	a := func(s string) []byte { return []byte(s) }
	for _, c := range []struct {
		name string
		want string
		in   []message
	}{
		{"nothing", "[]", nil},
		{"one run", "[x y]", []message{{"1/a/1/0/1", a("x")}, {"1/a/2/0/1", a("y")}}},
		{"in parts", "[xy z]", []message{{"1/a/1/0/2", a("x")}, {"1/a/1/1/2", a("y")}, {"1/a/2/0/1", a("z")}}},
		{"a begin that was cut off", "[x]", []message{{"1/a/1/0/1", a("x")}, {"2/b/1/0/2", a("y")}}},
		{"a record that was cut off", "[x]", []message{{"1/a/1/0/1", a("x")}, {"1/a/2/1/2", a("y")}}},
		{"a late writer of an older run", "[y]", []message{{"1/a/1/0/1", a("x")}, {"2/b/1/0/1", a("y")}, {"1/a/2/0/1", a("z")}}},
		{"twice the same", "[x y]", []message{{"1/a/1/0/1", a("x")}, {"1/a/2/0/1", a("y")}, {"1/a/2/0/1", a("z")}}},
		{"an older run was taken away", "[y]", []message{{"1/a/1/0/1", a("x")}, {"2/b/1/0/1", a("y")}, {"1/a/1/0/1", nil}}},
		{"another's messages", "[x]", []message{{"", a("?")}, {"1/a/1", a("?")}, {"1/a/1/5/2", a("?")}, {"1/a/1/0/1", a("x")}, {"-1/a/1/0/1", a("?")}, {"1/a/x/0/1", a("?")}}},
	} {
		if got := read(c.in); got != c.want {
			t.Errorf("%s: the records are %s, not %s", c.name, got, c.want)
		}
	}
}

func FuzzLog(f *testing.F) {
	f.Add("1/a/1/0/1", "1/a/2/0/1", []byte("x"))
	f.Add("2/b/1/0/70000", "", []byte(nil))
	f.Fuzz(func(t *testing.T, one, two string, value []byte) {
		r := newRuns()
		for _, key := range []string{one, two, one} {
			r.add(key, value)
		}
		r.records()
		r.live()
	})
}
