package realkafka

import (
	"os"
	"strings"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(Main(m)) }

func TestToolsSeeTheBrokersAndTheirTopics(t *testing.T) {
	c := Shared(t)
	args := []string{"--bootstrap-server", c.Address(1), "--create", "--topic", "seen", "--replica-assignment", "1:3:5"}
	if out, err := c.Tool(TopicCommand, args...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if err := c.Fill(t.Context(), "seen", 0, 100_000); err != nil {
		t.Fatal(err)
	}
	out, err := c.Tool(LogDirsCommand, "--bootstrap-server", c.Address(1), "--describe", "--topic-list", "seen")
	if err != nil || strings.Count(out, `"seen-0"`) != 3 {
		t.Fatalf("want three replicas of seen-0, have: %v\n%s", err, out)
	}
}
