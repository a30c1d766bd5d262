package allocation

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ballast/config"
	"ballast/state"
)

// handed is an answer of one of Kafka's own classes.
type handed struct {
	Brokers []struct {
		ID     int32
		Rack   *string
		Fenced bool
	}
	Partitions int
	RF         int  `json:"replication_factor"`
	Start      int  `json:"start_index"`
	Shift      *int `json:"shift"`
	First      int  `json:"start_partition"`
	Seed       int64
	Assignment json.RawMessage
	Error      string
}

func answers(t *testing.T, name string) []handed {
	t.Helper()
	text, err := os.ReadFile("../../../../planner/placement/testdata/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var d struct{ Cases []handed }
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	return d.Cases
}

// request asks for what Kafka's class was asked.
func (h *handed) request(allocator Allocator) Request {
	s := &state.Snapshot{}
	for _, b := range h.Brokers {
		broker := state.Broker{ID: state.BrokerID(b.ID), Alive: !b.Fenced}
		if b.Rack != nil {
			broker.Rack = *b.Rack
		}
		s.Brokers = append(s.Brokers, broker)
	}
	r := Request{Desired: &config.Desired{Apply: config.DefaultApply()}, Snapshot: s, Allocator: allocator, Start: &h.Start, Shift: h.Shift, Seed: h.Seed,
		Topic: config.Topic{Name: "t", Partitions: h.First + h.Partitions, ReplicationFactor: h.RF}}
	if h.First > 0 {
		live := state.Topic{Name: "t"}
		for p := range h.First {
			live.Partitions = append(live.Partitions, state.Partition{ID: int32(p), Replicas: ids(s)[:h.RF], ISR: ids(s)[:h.RF], Leader: s.Brokers[0].ID})
		}
		s.Topics = []state.Topic{live}
	}
	return r
}

func ids(s *state.Snapshot) (out []state.BrokerID) {
	for _, b := range s.Brokers {
		out = append(out, b.ID)
	}
	return out
}

func (h *handed) sorted() bool {
	return slices.IsSortedFunc(h.Brokers, func(a, b struct {
		ID     int32
		Rack   *string
		Fenced bool
	}) int {
		return int(a.ID - b.ID)
	})
}

func TestRowsAreWhatKafkasClassicAllocatorAnswered(t *testing.T) {
	checked := 0
	for i, h := range answers(t, "classic-allocator") {
		if !h.sorted() {
			continue // the class takes any order, a cluster lists its brokers by id
		}
		d := Make(h.request(Classic))
		if h.Error != "" {
			if d.Refused == "" || d.Kafka != nil {
				t.Errorf("case %d: %s is not refused", i, h.Error)
			}
			continue
		}
		want, got := map[string][]state.BrokerID{}, map[string][]state.BrokerID{}
		if err := json.Unmarshal(h.Assignment, &want); err != nil {
			t.Fatal(err)
		}
		for _, r := range d.Rows {
			got[fmt.Sprint(r.Partition)] = r.Kafka
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("case %d: %s", i, diff)
		}
		checked++
	}
	if checked < 15 {
		t.Errorf("only %d answers were checked", checked)
	}
}

func TestRowsAreWhatKafkasStripedPlacerAnswered(t *testing.T) {
	for i, h := range answers(t, "striped-placer") {
		var want, got [][]state.BrokerID
		if err := json.Unmarshal(h.Assignment, &want); err != nil {
			t.Fatal(err)
		}
		for _, r := range Make(h.request(Striped)).Rows {
			got = append(got, r.Kafka)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("case %d: %s", i, diff)
		}
	}
}

// On racks of 4, 4 and 2 brokers the striped placer begins at each rack as often
// as at the others, so that two of the ten brokers lead about a third of all partitions.
func TestFiguresTellWhatTheStripedPlacerDoesToASmallRack(t *testing.T) {
	s := &state.Snapshot{}
	for id := range 10 {
		s.Brokers = append(s.Brokers, state.Broker{ID: state.BrokerID(id), Alive: true, Rack: []string{"a", "a", "a", "a", "b", "b", "b", "b", "c", "c"}[id]})
	}
	d := Make(Request{Desired: &config.Desired{Apply: config.DefaultApply()}, Snapshot: s, Allocator: Striped, Draws: 20,
		Topic: config.Topic{Name: "t", Partitions: 240, ReplicationFactor: 3}})
	if len(d.Diagnostics) > 0 || d.Kafka == nil || d.Ballast == nil {
		t.Fatalf("%+v", d)
	}
	if small := d.Brokers[8].Kafka.Leaders + d.Brokers[9].Kafka.Leaders; small < 75 || small > 85 || d.Kafka.Leaders.Most < 40 || d.Draws.EvenLeaders != 0 {
		t.Errorf("Kafka: the small rack leads %d; %+v, draws %+v", small, d.Kafka, d.Draws)
	}
	if d.Ballast.Leaders != (Span{24, 24}) || *d.Ballast.UnevenRacks != 0 {
		t.Errorf("ballast: %+v", d.Ballast)
	}
}

func TestOneSideThatGivesNothingLeavesTheOther(t *testing.T) {
	s := &state.Snapshot{}
	for id := range 3 {
		s.Brokers = append(s.Brokers, state.Broker{ID: state.BrokerID(id), Alive: id > 0})
	}
	ask := func(allocator Allocator, rf int, drain ...state.BrokerID) *Document {
		d := &config.Desired{Apply: config.DefaultApply()}
		for _, id := range drain {
			d.Brokers = append(d.Brokers, config.Broker{ID: id, Drain: true, Weight: 1})
		}
		return Make(Request{Desired: d, Snapshot: s, Allocator: allocator, Draws: 3, Topic: config.Topic{Name: "t", Partitions: 4, ReplicationFactor: rf}})
	}
	if d := ask(Striped, 3); d.Kafka == nil || d.Kafka.Dead != 4 || d.Ballast != nil || len(d.Diagnostics) == 0 {
		t.Errorf("striped takes fenced brokers last, ballast none: %+v", d)
	}
	if d := ask(Classic, 3); d.Refused == "" || d.Kafka != nil || d.Draws != nil {
		t.Errorf("classic sees two brokers: %+v", d)
	}
	if d := ask(Classic, 1, 2); d.Kafka.Draining != 2 || d.Ballast.Draining != 0 || d.Ballast.Replicas != (Span{4, 4}) {
		t.Errorf("Kafka knows no draining: %+v %+v", d.Kafka, d.Ballast)
	}
}
