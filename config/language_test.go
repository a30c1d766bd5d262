package config

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/state"
)

// partitions loads one topic with an expression for its partitions.
func partitions(t *testing.T, expression string, o Options) int {
	t.Helper()
	l := Load(write(t, "main.hcl", "topic \"a\" {\n partitions = "+expression+"\n}\n", "seven.txt", "7\n"), o)
	if len(l.Diagnostics) > 0 {
		t.Fatalf("%s:\n%s", expression, printed(t, l))
	}
	return l.Desired.Topics[0].Partitions
}

func TestExpressions(t *testing.T) {
	env := Options{Env: func(name string) (string, bool) { return "9", name == "NINE" }}
	for expression, want := range map[string]int{
		`7 * 2`:                               14,
		`"12"`:                                12,
		`max(1, 2, 3)`:                        3,
		`length(split(",", "a,b,c"))`:         3,
		`sum([1, 2, 3])`:                      6,
		`env("NINE")`:                         9,
		`env("TEN", "10")`:                    10,
		`trimspace(file("seven.txt"))`:        7,
		`startswith("orders", "ord") ? 1 : 2`: 1,
		`endswith("orders", "ord") ? 1 : 2`:   2,
		`partitions_for("100MB/s", "10MB/s", "20MB/s")`: 10,
		`partitions_for("101MB/s", "10MB/s", "20MB/s")`: 11,
		`partitions_for("100MB/s", "50MB/s", "7MB/s")`:  15,
		`partitions_for(100, 10, 20)`:                   10,
		`partitions_for(1, 10, 20)`:                     1,
		`try({ a = 1 }.b, 5)`:                           5,
		`can(regex("^a", "abc")) ? 3 : 4`:               3,
		`merge({ a = 1 }, { a = 2 }).a`:                 2,
		`[for x in range(10) : x if x > 6][0]`:          7,
		`jsondecode("{\"n\": 8}").n`:                    8,
		`floor(7 / 2)`:                                  3,
		`tonumber(format("%d", 6))`:                     6,
		`length(toset(["a", "a", "b"]))`:                2,
	} {
		if got := partitions(t, expression, env); got != want {
			t.Errorf("%s is %d, not %d", expression, got, want)
		}
	}
}

const variables = `
variable "env" { default = "dev" }
variable "size" { default = 1 }
variable "names" {
  type    = set(string)
  default = []
}
variable "limits" {
  type    = object({ low = number, high = optional(number, 9) })
  default = { low = 1 }
}
topic "env" { config = { "confluent.env" = var.env } }
topic "size" { partitions = var.size }
topic "names" { partitions = 1 + length(var.names) }
topic "limits" { partitions = 10 * var.limits.low + var.limits.high }
`

func TestVariablesComeFromTheNearestSource(t *testing.T) {
	value := func(o Options, files ...string) string {
		dir := write(t, append([]string{"main.hcl", variables}, files...)...)
		for i, f := range o.VarFiles {
			o.VarFiles[i] = filepath.Join(dir, f)
		}
		l := Load(dir, o)
		if HasErrors(l.Diagnostics) {
			t.Fatal(printed(t, l))
		}
		d := l.Desired
		return fmt.Sprintf("%s %d %d %d", d.Topic("env").Config["confluent.env"], d.Topic("size").Partitions, d.Topic("names").Partitions, d.Topic("limits").Partitions)
	}
	env := func(name string) (string, bool) {
		v, ok := map[string]string{"BALLAST_VAR_env": "from-env", "BALLAST_VAR_size": "2", "BALLAST_VAR_names": `["a", "b"]`}[name]
		return v, ok
	}
	files := []string{"one.hclvars", "env = \"one\"\nsize = 3\nlimits = { low = 2, high = 3 }\n", "two.hclvars", "env = \"two\"\n"}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, "dev 1 1 19"},
		{Options{Env: env}, "from-env 2 3 19"},
		{Options{Env: env, VarFiles: []string{"one.hclvars"}}, "one 3 3 23"},
		{Options{Env: env, VarFiles: []string{"one.hclvars", "two.hclvars"}}, "two 3 3 23"},
		{Options{Env: env, VarFiles: []string{"one.hclvars"}, Vars: []string{"env=a=b", "size=4", "size=5", "limits={low=0}"}}, "a=b 5 3 9"},
	} {
		if got := value(c.o, files...); got != c.want {
			t.Errorf("%+v: %s, not %s", c.o, got, c.want)
		}
	}
}

func TestVariablesAreInTheDigestUnlessSensitive(t *testing.T) {
	digest := func(text, value string) string {
		return Load(write(t, "main.hcl", text), Options{Vars: []string{"v=" + value}}).Desired.Digest
	}
	open, secret := "variable \"v\" {}\n", "variable \"v\" {\n sensitive = true\n}\n"
	if digest(open, "a") == digest(open, "b") {
		t.Error("it does not follow a variable")
	}
	if digest(secret, "a") != digest(secret, "b") {
		t.Error("it follows a sensitive variable")
	}
}

func TestOneBlockManyTopics(t *testing.T) {
	d := sound(t, `
locals { regions = { eu = 12, us = 24 } }
topic "audit" {
  for_each   = local.regions
  name       = "audit-${each.key}"
  partitions = each.value
}
topic "plain" {
  for_each = ["x", "y"]
  name     = "plain-${each.value}"
}
topic "renamed" { name = "other" }
`)
	var got []string
	for _, topic := range d.Topics {
		got = append(got, fmt.Sprint(topic.Name, " ", topic.Partitions))
	}
	if want := []string{"audit-eu 12", "audit-us 24", "other 0", "plain-x 0", "plain-y 0"}; !cmp.Equal(got, want) {
		t.Error(got)
	}
}

func TestPlacementInFull(t *testing.T) {
	d := sound(t, `
broker_class "ssd" { brokers = [7, 8, 9] }
broker_class "near" { racks = ["r1"] }
defaults {
  replicas { balance_by = "bytes" }
}
topic "a" {
  partitions         = 2
  replication_factor = 3
  replicas {
    class    = "ssd"
    per_rack = { r1 = 2, r2 = 1 }
    pin      = { "1" = [9, 8, 7] }
  }
  leaders {
    racks    = ["r1"]
    required = true
  }
}
unmanaged {
  replicas = "drain"
  exclude  = ["__*"]
}
journal { backend = "local" }
`)
	topic := d.Topics[0]
	want := Replicas{Class: "ssd", PerRack: map[string]int{"r1": 2, "r2": 1}, Pin: map[int32][]state.BrokerID{1: {9, 8, 7}}, BalanceBy: ByBytes}
	if !cmp.Equal(topic.Replicas, want) || !topic.Leaders.Required {
		t.Errorf("%+v", topic)
	}
	if want := []BrokerClass{{"near", nil, []string{"r1"}, Source{"main.hcl", 3}}, {"ssd", []state.BrokerID{7, 8, 9}, nil, Source{"main.hcl", 2}}}; !cmp.Equal(d.Classes, want) {
		t.Error(cmp.Diff(want, d.Classes))
	}
	if want := (Unmanaged{UnmanagedDrain, []string{"__*"}, Source{"main.hcl", 20}}); !cmp.Equal(d.Unmanaged, want) {
		t.Error(cmp.Diff(want, d.Unmanaged))
	}
}

func TestDiagnosticsOfOthersShowTheirLine(t *testing.T) {
	l := load(t, "topic \"clicks\" {\n  partitions = 3\n}\n")
	var b strings.Builder
	diags := []Diagnostic{{Severity: SeverityError, Summary: "Partitions can only grow", Detail: strings.Repeat("word ", 20) + "24.", Topic: "clicks", File: "main.hcl", Line: 2}, {Severity: SeverityWarning, Summary: "x", File: "gone.hcl", Line: 9}, {Severity: SeverityWarning, Summary: "y", Topic: "z"}}
	if err := l.Print(&b, diags, PrintOptions{Width: 60}); err != nil {
		t.Fatal(err)
	}
	want := `╷
│ Error: Partitions can only grow
│
│   on main.hcl line 2, in topic "clicks":
│     2:   partitions = 3
│
│ word word word word word word word word word word word
│ word word word word word word word word word 24.
╵
╷
│ Warning: x
│
│   on gone.hcl line 9:
│
╵
╷
│ Warning: y
│
│   topic "z"
│
╵
`
	if b.String() != want {
		t.Errorf("%s", cmp.Diff(want, b.String()))
	}
	b.Reset()
	if err := l.Print(&b, diags[:1], PrintOptions{Color: true}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "\x1b[1;31mError: \x1b[0m\x1b[1mPartitions") {
		t.Errorf("no colour: %q", b.String())
	}
}

// thousands writes a configuration of many topics in many files, for three
// environments.
func thousands(t testing.TB, topics, files int) string {
	args := []string{"main.hcl", "variable \"env\" { default = \"dev\" }\nlocals { big = var.env == \"prod\" ? 48 : 6 }\ndefaults {\n  replication_factor = 3\n  min_insync_replicas = 2\n  config = { \"compression.type\" = \"zstd\" }\n}\n"}
	for f := range files {
		var b strings.Builder
		for i := range topics / files {
			fmt.Fprintf(&b, "topic \"team-%d.stream-%d\" {\n  partitions = local.big\n  keyed      = true\n  config = {\n    \"retention.ms\"   = 7 * 24 * 3600 * 1000\n    \"cleanup.policy\" = \"delete\"\n  }\n  replicas {\n    balance = \"topic\"\n  }\n}\n\n", f, i)
		}
		args = append(args, fmt.Sprintf("team-%d.hcl", f), b.String())
	}
	return write(t, args...)
}

func BenchmarkFiveThousandTopics(b *testing.B) {
	dir := thousands(b, 5000, 50)
	for b.Loop() {
		if l := Load(dir, Options{}); len(l.Diagnostics) > 0 || len(l.Desired.Topics) != 5000 {
			b.Fatal("not loaded")
		}
	}
}
