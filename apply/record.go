package apply

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"time"

	"ballast/planner"
	"ballast/state"
)

// RecordVersion is the version of the journal's records.
const RecordVersion = 1

// RecordKind says what a Record tells.
type RecordKind string

// The kinds of records.
const (
	RecordBegin    RecordKind = "begin"     // the first: the plan and what is taken over
	RecordResume   RecordKind = "resume"    // another run goes on with it
	RecordWrite    RecordKind = "write"     // a write to the cluster is about to be sent
	RecordAnswer   RecordKind = "answer"    // and was answered
	RecordStepDone RecordKind = "step_done" // a step was verified
	RecordMoved    RecordKind = "moved"     // moves of ours have ended and were verified
	RecordStop     RecordKind = "stop"      // a run stopped part way
	RecordEnd      RecordKind = "end"       // nothing of ours is left in the cluster
)

// Record is one entry of a journal.
type Record struct {
	Seq    int64      `json:"seq"` // from 1, without gaps
	At     time.Time  `json:"at"`
	Kind   RecordKind `json:"kind"`
	Begin  *Begin     `json:"begin,omitempty"`
	Write  *Write     `json:"write,omitempty"`
	Answer *Answer    `json:"answer,omitempty"`
	Step   int        `json:"step,omitempty"`
	Moves  []Moving   `json:"moves,omitempty"` // of moved
	Note   string     `json:"note,omitempty"`  // why it stopped
	Holder *Holder    `json:"holder,omitempty"`
}

// Begin is what a journal begins with: all that a resume needs.
type Begin struct {
	Version   int             `json:"version"`
	Cluster   string          `json:"cluster"` // its id
	Plan      json.RawMessage `json:"plan"`    // the plan document
	Throttle  *int64          `json:"throttle,omitempty"`
	Baseline  Baseline        `json:"baseline"`
	Moves     []Moving        `json:"moves,omitempty"`     // taken over from the run before: still in flight
	Throttles []Throttled     `json:"throttles,omitempty"` // taken over from the run before: still set
}

// Baseline is what was unhealthy before the first write: no gate waits for it.
type Baseline struct {
	Offline     []state.TopicPartition `json:"offline,omitempty"`
	UnderMinISR []state.TopicPartition `json:"under_min_isr,omitempty"`
}

// Moving is a move of ours: the partition's list before and after.
type Moving struct {
	Topic     string           `json:"topic"`
	Partition int32            `json:"partition"`
	Before    []state.BrokerID `json:"before"`
	After     []state.BrokerID `json:"after"`
}

// Key names the partition.
func (m Moving) Key() state.TopicPartition {
	return state.TopicPartition{Topic: m.Topic, Partition: m.Partition}
}

// Op is a kind of write to the cluster.
type Op string

// The kinds of writes.
const (
	OpCreate   Op = "create"
	OpConfig   Op = "config"
	OpAdd      Op = "add"
	OpReassign Op = "reassign"
	OpCancel   Op = "cancel"
	OpElect    Op = "elect"
	OpDelete   Op = "delete"
	OpThrottle Op = "throttle"
	OpRestore  Op = "restore" // throttles as they were
	OpReorder  Op = "reorder" // a list back in its order, after a cancel
)

// Write is a write to the cluster that is about to be sent.
type Write struct {
	Op         Op                     `json:"op"`
	Step       int                    `json:"step,omitempty"`
	Topics     []string               `json:"topics,omitempty"`
	Partitions []state.TopicPartition `json:"partitions,omitempty"` // of elect
	Moves      []Moving               `json:"moves,omitempty"`      // of reassign and cancel
	Throttles  []Throttled            `json:"throttles,omitempty"`  // of throttle and restore
}

// Throttled is one throttle value of ours and what was there before.
type Throttled struct {
	Type  state.ResourceType `json:"type"`
	Of    string             `json:"of"`   // the topic, or the broker's id
	Name  string             `json:"name"` // the config's name
	Prior *string            `json:"prior"`
	Ours  []string           `json:"ours"` // every value we have asked for, the latest last
}

// Answer is what the cluster answered to the write before it.
type Answer struct {
	Write  int64    `json:"write"`            // its record's seq
	Errors []string `json:"errors,omitempty"` // of items, or of the request as a whole
}

// Holder is who holds the lock, from where and since when.
type Holder struct {
	Who   string    `json:"who,omitempty"`
	Host  string    `json:"host,omitempty"`
	PID   int       `json:"pid,omitempty"`
	Verb  string    `json:"verb,omitempty"`
	Since time.Time `json:"since"`
}

func (h Holder) String() string {
	s := h.Verb
	if s == "" {
		s = "a run"
	}
	if h.Who != "" {
		s += " by " + h.Who
	}
	if h.Host != "" {
		s += " on " + h.Host
	}
	if h.PID > 0 {
		s += fmt.Sprintf(" (process %d)", h.PID)
	}
	if !h.Since.IsZero() {
		s += " since " + h.Since.UTC().Format(time.RFC3339)
	}
	return s
}

const sumPrefix = `{"sum":"`

// EncodeRecord writes a record as one line without its end: JSON with the
// checksum of all the rest as first member.
func EncodeRecord(r Record) ([]byte, error) {
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	line := fmt.Appendf(nil, `%s%08x",`, sumPrefix, crc32.ChecksumIEEE(body))
	return append(line, body[1:]...), nil
}

// DecodeRecord reads one line. It refuses whatever EncodeRecord would not have
// written: another checksum, unknown members, another version.
func DecodeRecord(line []byte) (Record, error) {
	var r Record
	head := len(sumPrefix) + 8 + len(`",`)
	if len(line) < head || !bytes.HasPrefix(line, []byte(sumPrefix)) {
		return r, fmt.Errorf("it is not a record of a ballast journal")
	}
	body := append([]byte{'{'}, line[head:]...)
	if want := fmt.Sprintf("%08x", crc32.ChecksumIEEE(body)); want != string(line[len(sumPrefix):len(sumPrefix)+8]) {
		return r, fmt.Errorf("its checksum is not %s: it was edited or damaged", want)
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		return r, err
	}
	return r, checkRecord(r)
}

func checkRecord(r Record) error {
	switch {
	case r.Kind == RecordBegin && r.Begin == nil, r.Kind == RecordWrite && r.Write == nil, r.Kind == RecordAnswer && r.Answer == nil:
		return fmt.Errorf("it is a %s record without its part", r.Kind)
	case r.Begin != nil && r.Begin.Version != RecordVersion:
		return fmt.Errorf("it is of journal version %d, this ballast reads version %d", r.Begin.Version, RecordVersion)
	}
	return nil
}

// planOf decodes the plan that a journal holds.
func planOf(b *Begin) (*planner.Plan, error) {
	var p planner.Plan
	if err := json.Unmarshal(b.Plan, &p); err != nil {
		return nil, fmt.Errorf("the plan in the journal: %w", err)
	}
	return &p, nil
}
