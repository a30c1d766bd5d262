package reassignment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"ballast/planner"
	"ballast/state"
)

// Document is what kafka-reassign-partitions reads with
// --reassignment-json-file and writes with --generate.
type Document struct {
	Version    int         `json:"version"` // 1
	Partitions []Partition `json:"partitions"`
}

// Partition is one partition's list of replicas, the first preferred to lead.
type Partition struct {
	Topic     string           `json:"topic"`
	Partition int32            `json:"partition"`
	Replicas  []state.BrokerID `json:"replicas"`
	LogDirs   []string         `json:"log_dirs,omitempty"` // as many as replicas, "any" or a path
}

// Of has every existing partition that a plan moves or reorders, with the list
// that it ends with, by topic and partition. Created ones are not in it: the
// tool can only move what is there.
func Of(p *planner.Plan) Document {
	d := Document{Version: 1, Partitions: []Partition{}}
	for _, c := range p.Changes {
		for _, a := range c.Assignments {
			if c.Action == planner.Update && len(a.Before) > 0 && !slices.Equal(a.Before, a.After) {
				d.Partitions = append(d.Partitions, Partition{Topic: c.Topic, Partition: a.Partition, Replicas: a.After})
			}
		}
	}
	return d
}

// Encode writes the document.
func (d Document) Encode(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(d)
}

// Decode reads a document and refuses what Kafka would refuse.
func Decode(r io.Reader) (Document, error) {
	var d Document
	src, err := io.ReadAll(r)
	if err != nil {
		return d, err
	}
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return d, fmt.Errorf("this is not the JSON of kafka-reassign-partitions: %w", err)
	}
	if dec.More() {
		return d, errors.New("something follows the document's end")
	}
	return d, d.check()
}

func (d Document) check() error {
	if d.Version != 1 {
		return fmt.Errorf("the document has version %d, kafka-reassign-partitions reads version 1", d.Version)
	}
	seen := map[state.TopicPartition]bool{}
	for _, p := range d.Partitions {
		tp := state.TopicPartition{Topic: p.Topic, Partition: p.Partition}
		switch {
		case p.Topic == "" || p.Partition < 0:
			return fmt.Errorf("a partition has the topic %q and the number %d", p.Topic, p.Partition)
		case seen[tp]:
			return fmt.Errorf("%s is listed twice", tp)
		case len(p.Replicas) == 0:
			return fmt.Errorf("%s has no replicas", tp)
		}
		for i, b := range p.Replicas {
			if b < 0 || slices.Contains(p.Replicas[:i], b) {
				return fmt.Errorf("%s has the replicas %v: brokers are 0 or more, each once", tp, p.Replicas)
			}
		}
		seen[tp] = true
	}
	return nil
}
