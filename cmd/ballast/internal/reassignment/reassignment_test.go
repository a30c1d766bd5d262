package reassignment

import (
	"strings"
	"testing"
)

func TestWhatKafkaRefusesIsRefused(t *testing.T) {
	for document, want := range map[string]string{
		``:                              "not the JSON",
		`{"version":2,"partitions":[]}`: "version 2",
		`{"version":1,"partitions":[{"topic":"a","partition":0,"replicas":[]}]}`:                                             "a-0 has no replicas",
		`{"version":1,"partitions":[{"topic":"a","partition":0,"replicas":[1,1]}]}`:                                          "each once",
		`{"version":1,"partitions":[{"topic":"a","partition":0,"replicas":[-1]}]}`:                                           "0 or more",
		`{"version":1,"partitions":[{"topic":"a","partition":0,"replicas":[1]},{"topic":"a","partition":0,"replicas":[2]}]}`: "listed twice",
		`{"version":1,"partitions":[{"topic":"","partition":0,"replicas":[1]}]}`:                                             `topic ""`,
		`{"version":1,"partitions":[]} x`:                                                                                    "follows",
		`{"version":1,"partitions":[],"extra":1}`:                                                                            "unknown field",
	} {
		if _, err := Decode(strings.NewReader(document)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", document, err, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"version":1,"partitions":[{"topic":"a","partition":0,"replicas":[1,2],"log_dirs":["any","any"]}]}`)
	f.Fuzz(func(t *testing.T, document string) {
		d, err := Decode(strings.NewReader(document))
		if err != nil {
			return
		}
		var b strings.Builder
		if err := d.Encode(&b); err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(strings.NewReader(b.String())); err != nil {
			t.Errorf("what was written cannot be read: %v\n%s", err, b.String())
		}
	})
}
