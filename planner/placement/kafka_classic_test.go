package placement

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// classicCase is an answer of Kafka's own class.
type classicCase struct {
	Kind, Description string
	Brokers           []struct {
		ID   int32
		Rack *string
	}
	Partitions int
	RF         int  `json:"replication_factor"`
	Start      int  `json:"start_index"`
	Shift      *int `json:"shift"`
	First      int  `json:"start_partition"`
	Assignment map[string][]int32
	Error      string
}

func (c *classicCase) problem() Classic {
	p := Classic{Partitions: c.Partitions, RF: c.RF, Start: c.Start, Shift: c.Start, First: c.First}
	if c.Shift != nil {
		p.Shift = *c.Shift
	}
	for _, b := range c.Brokers {
		broker := KafkaBroker{ID: b.ID}
		if b.Rack != nil {
			broker.Rack = *b.Rack
		}
		p.Brokers = append(p.Brokers, broker)
	}
	return p
}

func TestClassicPlacesAsKafkaDoes(t *testing.T) {
	text, err := os.ReadFile("testdata/classic-allocator.json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct{ Cases []classicCase }
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	for _, c := range d.Cases {
		t.Run(c.Kind+"/"+c.Description, func(t *testing.T) {
			lists, err := c.problem().Place()
			if c.Error != "" {
				if err == nil || c.Error == "AdminOperationException" && !errors.Is(err, ErrSomeRacks) || c.Error == "InvalidPartitionsException" && !errors.Is(err, ErrNoPartitions) {
					t.Errorf("%v, Kafka has %s", err, c.Error)
				}
				return
			}
			got := map[string][]int32{}
			for i, list := range lists {
				got[fmt.Sprint(c.First+i)] = list
			}
			if diff := cmp.Diff(c.Assignment, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		})
	}
}

func TestClassicRefusesWithoutPanic(t *testing.T) {
	for _, c := range []Classic{
		{},
		{Partitions: 1, RF: 1},
		{Partitions: 1, RF: 0, Brokers: []KafkaBroker{{ID: 1}}},
		{Partitions: 1, RF: 2, Brokers: []KafkaBroker{{ID: 1}}},
		{Partitions: 1, RF: 1, Start: -1, Brokers: []KafkaBroker{{ID: 1}}},
	} {
		if _, err := c.Place(); err == nil {
			t.Errorf("%+v is placed", c)
		}
	}
}
