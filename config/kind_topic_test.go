package config

import (
	"strings"
	"testing"
)

func TestAllMistakesOfAPinAreToldAtOnce(t *testing.T) {
	l := load(t, `topic "t" {
  partitions = 3
  replication_factor = 2
  replicas {
    pin = { "x" = [1, 2], "1" = [], "2" = [1, 1] }
  }
}
`)
	text := ""
	for _, d := range l.Diagnostics {
		text += d.Detail
	}
	for _, want := range []string{`"x" is not a partition`, "partition 1: the list is empty", "partition 2: "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
}
