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

func TestPerRackAndPinsWinOverRackSpread(t *testing.T) {
	for _, rule := range []string{`per_rack = { r1 = 2 }`, `pin = { "0" = [1, 2] }`} {
		l := load(t, `topic "t" {
  partitions         = 1
  replication_factor = 2
  replicas {
    racks       = ["r1"]
    rack_spread = "distinct"
    `+rule+`
  }
}
`)
		if len(l.Diagnostics) > 0 {
			t.Errorf("%s: %+v", rule, l.Diagnostics)
		}
	}
}
