package config

import (
	"strings"
	"testing"
)

const policies = `variable "least" { default = 3 }
policy "copies" {
  condition     = topic.replication_factor >= var.least || startswith(topic.name, "tmp-")
  error_message = "${topic.name} needs ${var.least} replicas"
}
policy "small moves" {
  topics        = ["orders-*"]
  condition     = change.bytes < 1000 && plan.bytes_to_copy < 5000
  error_message = "too much at once"
  severity      = "warning"
}
policy "compact" {
  topics        = "state-*"
  condition     = topic.config["cleanup.policy"] == "compact"
  error_message = "state is compacted"
}
`

func loadPolicies(t *testing.T, text string) *Loaded {
	t.Helper()
	return Load(write(t, "main.hcl", text), Options{})
}

// said is what all policies that are about a topic say of it.
func said(d *Desired, in PolicyInput) string {
	var out []string
	for _, p := range d.Policies {
		if !p.Applies(in.Topic.Name) {
			continue
		}
		for _, f := range p.Evaluate(in) {
			out = append(out, string(f.Severity)+" "+f.Topic+" "+f.Summary+": "+f.Detail)
		}
	}
	return strings.Join(out, "\n")
}

func TestPoliciesAreEvaluatedOnPlainData(t *testing.T) {
	l := loadPolicies(t, policies)
	if len(l.Diagnostics) > 0 {
		t.Fatal(printed(t, l))
	}
	for _, c := range []struct {
		in   PolicyInput
		want string
	}{
		{PolicyInput{Topic: PolicyTopic{Name: "a", ReplicationFactor: 3}}, ""},
		{PolicyInput{Topic: PolicyTopic{Name: "a", ReplicationFactor: 2}}, `error a Policy "copies": a needs 3 replicas`},
		{PolicyInput{Topic: PolicyTopic{Name: "tmp-a", ReplicationFactor: 1}}, ""},
		{PolicyInput{Topic: PolicyTopic{Name: "orders-eu", ReplicationFactor: 3}, Change: PolicyChange{Bytes: 1000}}, `warning orders-eu Policy "small moves": too much at once`},
		{PolicyInput{Topic: PolicyTopic{Name: "state-x", ReplicationFactor: 3, Config: map[string]string{"cleanup.policy": "compact"}}}, ""},
		{PolicyInput{Topic: PolicyTopic{Name: "state-x", ReplicationFactor: 3}}, `error state-x Invalid index: The given key does not identify an element in this collection value.`},
	} {
		if got := said(l.Desired, c.in); got != c.want {
			t.Errorf("%+v: %q, not %q", c.in.Topic, got, c.want)
		}
	}
}

func TestPoliciesAreCheckedWithoutAPlan(t *testing.T) {
	l := loadPolicies(t, `policy "typo" {
  condition     = topic.replicaton_factor >= 3
  error_message = "${chnge.action}"
}
policy "twice" {
  condition     = true
  error_message = "x"
}
policy "twice" {
  conditoin     = true
  error_message = "x"
}
`)
	var codes []string
	for _, d := range l.Diagnostics {
		codes = append(codes, d.Code)
	}
	if got, want := strings.Join(codes, " "), "invalid_expression unknown_variable duplicate_policy missing_attribute unknown_attribute"; got != want {
		t.Errorf("%s, not %s\n%s", got, want, printed(t, l))
	}
}

func TestBuiltinPoliciesAreOnUntilSwitchedOff(t *testing.T) {
	if on := load(t, "").Desired.Builtin; on != (BuiltinPolicies{true, true, true, true, true}) {
		t.Errorf("%+v", on)
	}
	l := load(t, `builtin_policies {
  few_replicas     = false
  no_spare_replica = 1 > 2
  broker_load      = null
}
`)
	if want := (BuiltinPolicies{BrokerLoad: true, UncleanElection: true, EvenReplicas: true}); l.Desired.Builtin != want || len(l.Diagnostics) > 0 {
		t.Errorf("%+v %s", l.Desired.Builtin, printed(t, l))
	}
}

func TestWhatAPolicySaysIsNotSensitive(t *testing.T) {
	l := loadPolicies(t, `variable "secret" {
  default   = "swordfish"
  sensitive = true
}
policy "x" {
  condition     = topic.name == var.secret
  error_message = "${topic.name} is not ${var.secret}"
}
`)
	diags := l.Desired.Policies[0].Evaluate(PolicyInput{Topic: PolicyTopic{Name: "a"}})
	var b strings.Builder
	if err := l.Print(&b, diags, PrintOptions{}); err != nil || len(diags) != 1 {
		t.Fatal(diags, err)
	}
	if strings.Contains(b.String(), "swordfish") || !strings.Contains(b.String(), "(sensitive)") {
		t.Error(b.String())
	}
}
