package placement

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStripedPlacesAsKafkaDoes(t *testing.T) {
	text, err := os.ReadFile("testdata/striped-placer.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct {
		Cases []struct {
			Seed       int64
			Partitions int
			RF         int `json:"replication_factor"`
			Brokers    []struct {
				ID     int32
				Rack   *string
				Fenced bool
			}
			Assignment [][]int32
		}
	}
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	for i, c := range d.Cases {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			p := Striped{Partitions: c.Partitions, RF: c.RF, Seed: c.Seed}
			for _, b := range c.Brokers {
				broker := StripedBroker{KafkaBroker{ID: b.ID}, b.Fenced}
				if b.Rack != nil {
					broker.Rack = *b.Rack
				}
				p.Brokers = append(p.Brokers, broker)
			}
			got, err := p.Place()
			if diff := cmp.Diff(c.Assignment, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
}

func TestStripedRefusesWithoutPanic(t *testing.T) {
	for _, s := range []Striped{
		{},
		{Partitions: 1, RF: 1},
		{Partitions: 1, RF: 1, Brokers: []StripedBroker{{KafkaBroker{ID: 1}, true}}},
		{Partitions: 1, RF: 2, Brokers: []StripedBroker{{KafkaBroker{ID: 1}, false}}},
		{Partitions: 0, RF: 1, Brokers: []StripedBroker{{KafkaBroker{ID: 1}, false}}},
	} {
		if _, err := s.Place(); err == nil {
			t.Errorf("%+v is placed", s)
		}
	}
}
