package planner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ballast/config"
	"ballast/planner"
)

// loaded evaluates a configuration that is written down.
func loaded(t *testing.T, hcl string) *config.Desired {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.hcl"), []byte(hcl), 0o600); err != nil {
		t.Fatal(err)
	}
	l := config.Load(dir, config.Options{})
	if config.HasErrors(l.Diagnostics) {
		t.Fatalf("%+v", l.Diagnostics)
	}
	return l.Desired
}

func TestPoliciesJudgeTopicsAsTheyWillBe(t *testing.T) {
	d := loaded(t, `
topic "raised" {
  partitions         = 2
  replication_factor = 3
}
topic "low" {
  partitions         = 1
  replication_factor = 1
}
absent_topic "gone" { max_bytes = 1000 }
policy "three copies" {
  condition     = topic.replication_factor >= 3 || change.action == "delete"
  error_message = "${topic.name} has ${topic.replication_factor}"
}
policy "small" {
  condition     = change.bytes <= 100 && plan.topics_delete == 0
  error_message = "${change.bytes} bytes, ${topic.replicas_per_rack["a"]} in a"
  severity      = "warning"
  topics        = ["r*"]
}
`)
	p := planOf(d, cluster(4, 2, topic("gone", on(1)), topic("low", on(2)), topic("raised", on(1, 2), on(2, 1))))
	var said []string
	for _, x := range p.Diagnostics {
		if x.Code == "policy" {
			said = append(said, string(x.Severity)+" "+x.Topic+": "+x.Detail)
		}
	}
	got := strings.Join(said, "; ")
	if !strings.Contains(got, "error low: low has 1") || !strings.Contains(got, "warning raised: 200 bytes, ") || len(said) != 2 || !p.Errored {
		t.Errorf("%s", got)
	}
	if change(t, p, "raised"); p.Summary.TopicsDelete != 1 {
		t.Error("a policy changes what is planned")
	}
	p = planner.Make(d, cluster(4, 2, topic("low", on(2)), topic("raised", on(1, 2), on(2, 1))), planner.Options{Targets: []string{"topic.raised"}})
	noErrors(t, p)
}

func TestAPlanFileIsJudgedByItsChanges(t *testing.T) {
	d := loaded(t, `
topic "raised" {
  partitions         = 2
  replication_factor = 3
  keyed              = true
  config             = { "retention.ms" = 1000 }
}
topic "low" {
  partitions         = 1
  replication_factor = 1
}
policy "everything" {
  condition     = false
  error_message = join(" ", [topic.name, topic.partitions, topic.replication_factor, topic.keyed, topic.config["retention.ms"], topic.replicas_per_rack["a"] + topic.replicas_per_rack["b"], change.action, change.bytes, plan.replicas_added])
}
`)
	s := cluster(4, 2, topic("low", on(2)), topic("raised", on(1, 2)))
	p := planOf(d, s)
	got := planner.Judge(d, p, s)
	if len(got) != 1 || got[0].Detail != "raised 2 3 true 1000 6 update 100 1" || got[0].Severity != config.SeverityError || got[0].Line == 0 {
		t.Errorf("%+v", got)
	}
}

func TestAPolicyThatCannotBeEvaluatedIsToldOnceWithTheTopics(t *testing.T) {
	d := loaded(t, `
defaults {
  partitions         = 1
  replication_factor = 1
}
topic "a" {}
topic "b" {}
topic "c" { config = { "flush.ms" = 5 } }
policy "flushed" {
  condition     = topic.config["flush.ms"] == "5"
  error_message = "no"
}
policy "every second" {
  condition     = topic.name == "c"
  error_message = "no"
}
`)
	p := planOf(d, cluster(1, 0))
	var said []string
	of := 0
	for _, x := range p.Diagnostics {
		if x.Code == "policy" {
			of++
		} else if x.Severity == config.SeverityError {
			said = append(said, x.Topic+": "+x.Detail)
		}
	}
	if len(said) != 1 || !strings.Contains(said[0], `for 2 topics: "a", "b"`) || of != 2 {
		t.Errorf("%d %q", of, said)
	}
}

func TestBuiltinPoliciesWarnOnceAndCanBeSwitchedOff(t *testing.T) {
	const topics = `
defaults {
  partitions         = 1
  replication_factor = 2
}
topic "a" {}
topic "b" { min_insync_replicas = 2 }
topic "c" { replication_factor = 4 }
topic "d" { config = { "unclean.leader.election.enable" = true } }
topic "a-test" {}
`
	s := cluster(4, 0, topic("a", on(1, 2)), topic("b", on(1, 2)), topic("c", on(1, 2, 3, 4)), topic("theirs", on(1)))
	said := func(hcl string) string {
		p := planOf(loaded(t, hcl), s)
		noErrors(t, p)
		var out []string
		for _, x := range p.Diagnostics {
			if x.Code == "builtin_policy" {
				out = append(out, x.Topic+": "+x.Summary)
			}
		}
		return strings.Join(out, "; ")
	}
	want := `: 3 topics have fewer than three replicas; : 5 topics have an even number of replicas; b: Topic "b" has min.insync.replicas as high as the replication factor; d: Topic "d" has unclean.leader.election.enable = true`
	if got := said(topics); got != want {
		t.Errorf("%s", got)
	}
	if got := said(topics + "builtin_policies {\n few_replicas = false\n no_spare_replica = false\n even_replicas = false\n unclean_election = false\n}"); got != "" {
		t.Errorf("%s", got)
	}
	s.Brokers = s.Brokers[:2]
	s.Topics = nil
	if got := said(`topic "a" {
  partitions         = 4001
  replication_factor = 1
}`); got != ": Much on one broker: 1" {
		t.Errorf("%s", got)
	}
}

func TestAPolicyOfThePlanIsToldOnce(t *testing.T) {
	d := loaded(t, `
defaults {
  partitions         = 1
  replication_factor = 1
}
topic "a" {}
topic "b" {}
policy "of the plan" {
  condition     = plan.topics_create < 2
  error_message = "too many"
}
`)
	p := planOf(d, cluster(4, 2))
	var said []config.Diagnostic
	for _, x := range p.Diagnostics {
		if x.Code == "policy" {
			said = append(said, x)
		}
	}
	if len(said) != 1 || said[0].Topic != "" || said[0].Line != 9 || !p.Errored {
		t.Errorf("%+v", said)
	}
}

func TestAPolicyAboutNoTopicIsWarnedOf(t *testing.T) {
	d := loaded(t, `
topic "orders" { partitions = 1 }
absent_topic "old-1" { max_bytes = 0 }
policy "slip" {
  topics        = ["order", "orders-*"]
  condition     = topic.replication_factor >= 3
  error_message = "three"
}
policy "of what goes" {
  topics        = ["old-*"]
  condition     = change.action == "delete"
  error_message = "stays"
}
policy "of all" {
  condition     = true
  error_message = "never"
}
policy "of the plan" {
  topics        = ["none"]
  condition     = plan.topics_delete < 5
  error_message = "many"
}
`)
	p := planner.Make(d, cluster(2, 2, topic("orders", on(1)), topic("old-1", on(2))), planner.Options{Targets: []string{"topic.orders"}})
	var said []config.Diagnostic
	for _, x := range p.Diagnostics {
		if x.Code == "policy_unused" {
			said = append(said, x)
		}
	}
	if len(said) != 1 || !strings.Contains(said[0].Summary, `"slip"`) || !strings.Contains(said[0].Detail, `"order", "orders-*"`) || said[0].Line != 4 {
		t.Errorf("%+v", said)
	}
}
