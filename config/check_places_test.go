package config

import "testing"

func TestATopicOfAWrongClassIsNotBlamedForIt(t *testing.T) {
	l := load(t, `broker_class "fast" {
  brokers = [1]
  racks   = ["r1"]
}
topic "t" {
  replicas { class = "fast" }
}
`)
	if len(l.Diagnostics) != 1 || l.Diagnostics[0].Code != "invalid_broker_class" {
		t.Errorf("%+v", l.Diagnostics)
	}
	if len(l.Desired.Topics) != 0 || len(l.Desired.Broken) != 1 {
		t.Errorf("topics %+v are planned, %v are not", l.Desired.Topics, l.Desired.Broken)
	}
}
