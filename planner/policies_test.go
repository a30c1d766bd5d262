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
