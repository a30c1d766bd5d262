package sizing

import (
	"errors"
	"fmt"
	"math"

	"ballast/state"
)

// The format and version of the document.
const (
	Format  = "ballast-size"
	Version = 1
)

// Broker is one that the topic's replicas may be on.
type Broker struct {
	ID       state.BrokerID
	Rack     string // "" where it has none
	Weight   int    // 1 is an even share
	Replicas int    // that it holds of other topics
	Held     int64  // bytes that it holds of this topic
	LogDirs  []state.LogDir
}

// Input is what a topic has to bear, and on what. Rates are in bytes per second.
type Input struct {
	Tool         string
	Topic        string
	Throughput   int64   // what producers write to the topic
	Growth       float64 // that is to grow by this factor, at least 1
	ProducerRate int64   // what one partition takes from producers
	ConsumerRate int64   // what one partition gives to a consumer of a group
	Groups       int     // consumer groups, each of which reads everything
	Consumers    int     // members of the largest group; 0: not told
	RF           int
	Retention    int64 // seconds
	Existing     int   // partitions that the topic has
	Multiple     int   // round up to a multiple of this; 0: of brokers or racks

	Brokers []Broker
	Spread  bool // each rack holds floor or ceil of RF/racks

	MaxReplicas     int     // that a broker is to hold at most
	Network         int64   // what a broker's network carries each way; 0: not told
	NetworkHeadroom int     // percent of it that is to stay free
	DiskHeadroom    float64 // free space wanted, as a multiple of what arrives
}

// Report is the document: the number of partitions, why, and the limits. Lists
// are never null.
type Report struct {
	Format     string  `json:"format"`  // "ballast-size"
	Version    int     `json:"version"` // 1
	Tool       string  `json:"tool"`
	Topic      string  `json:"topic"`
	Demand     int64   `json:"throughput_bytes_per_second"` // growth included
	Growth     float64 `json:"growth"`
	RF         int     `json:"replication_factor"`
	Brokers    int     `json:"brokers"` // that may hold the topic
	Racks      int     `json:"racks"`
	Needs      []Need  `json:"needs"`
	Needed     int     `json:"partitions_needed"`
	Multiple   int     `json:"multiple"`
	MultipleOf Of      `json:"multiple_of"`
	Existing   int     `json:"partitions_before"`
	Partitions int     `json:"partitions"`
	// Consumers is how many members a group needs so that none is given more than
	// it can read.
	Consumers int     `json:"consumers_needed"`
	Checks    []Check `json:"checks"`
	Broken    int     `json:"broken"` // checks whose limit is broken
	HCL       string  `json:"hcl"`    // the topic's block
}

// Need is a number of partitions that something asks for.
type Need struct {
	Code       string `json:"code"`           // producers, consumers, members, existing
	Rate       int64  `json:"rate,omitempty"` // of one partition, in bytes per second
	Partitions int    `json:"partitions"`
}

// Of says what the number of partitions is a multiple of.
type Of string

// What the number of partitions is a multiple of.
const (
	OfBrokers Of = "brokers" // each leads as many
	OfWeights Of = "weights" // each leads by its weight
	OfRacks   Of = "racks"   // fewer partitions than that: each rack leads as many
	OfGiven   Of = "given"
	OfNothing Of = "nothing"
)

// Check holds one figure against its limit, with all brokers alive and with one
// dead whose replicas are on the others.
type Check struct {
	Code      string   `json:"code"` // a file of this package each
	Unit      Unit     `json:"unit"`
	Verdict   Verdict  `json:"verdict"`
	Alive     *Measure `json:"all_alive,omitempty"`
	Dead      *Measure `json:"one_dead,omitempty"`
	Unchecked string   `json:"unchecked,omitempty"` // why
}

// Unit is what a check counts.
type Unit string

// The units.
const (
	Replicas       Unit = "replicas"
	Partitions     Unit = "partitions"
	Brokers        Unit = "brokers"
	Bytes          Unit = "bytes"
	BytesPerSecond Unit = "bytes_per_second"
)

// Verdict is what a check found.
type Verdict string

// The verdicts.
const (
	OK        Verdict = "ok"
	Broken    Verdict = "broken"
	Unchecked Verdict = "unchecked" // what it needs is not known
)

// Measure is a figure, of the broker that it is worst on, and its limit.
type Measure struct {
	Value  int64           `json:"value"`
	Limit  int64           `json:"limit"`
	Broker *state.BrokerID `json:"broker,omitempty"`
	Failed *state.BrokerID `json:"failed,omitempty"` // the broker whose death is worst
}

func (m *Measure) broken() bool { return m != nil && m.Value > m.Limit }

// The most that figures of an Input may be.
const (
	MaxPartitions        = 1_000_000 // more are taken for a mistake
	MaxGrowth            = 1000
	MaxHeadroom          = 99 // percent
	MaxReplicationFactor = math.MaxInt16
)

// Make sizes a topic. The error says which input cannot be.
func Make(in Input) (*Report, error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	r := &Report{Format: Format, Version: Version, Tool: in.Tool, Topic: in.Topic, Growth: in.Growth, RF: in.RF,
		Brokers: len(in.Brokers), Racks: len(byRack(in.Brokers, true)), Existing: in.Existing, Checks: []Check{}}
	r.Demand = int64(math.Ceil(float64(in.Throughput) * in.Growth))
	r.count(&in)
	if r.Needed > MaxPartitions {
		return nil, fmt.Errorf("it would take %d partitions; at most %d are counted: look at the rates", r.Needed, MaxPartitions)
	}
	r.Consumers = members(r.Partitions, r.Demand, in.ConsumerRate)
	r.Checks = append(r.Checks, checkFactor(&in))
	r.Checks = append(r.Checks, measured(&in, r)...)
	r.Checks = append(r.Checks, checkRequest(r))
	if in.Consumers > 0 {
		r.Checks = append(r.Checks, checkConsumers(&in, r))
	}
	for i := range r.Checks {
		if r.Checks[i].judge(); r.Checks[i].Verdict == Broken {
			r.Broken++
		}
	}
	return r, nil
}

func (c *Check) judge() {
	switch {
	case c.Alive.broken() || c.Dead.broken():
		c.Verdict = Broken
	case c.Unchecked != "":
		c.Verdict = Unchecked
	default:
		c.Verdict = OK
	}
}

// maxRate is where a rate is taken for a mistake: a petabyte per second.
const maxRate = 1e15

func (in *Input) check() error {
	switch {
	case in.Throughput < 1 || in.ProducerRate < 1 || in.ConsumerRate < 1:
		return errors.New("throughput and the rates of a partition must be above 0")
	case !(in.Growth >= 1 && in.Growth <= MaxGrowth):
		return fmt.Errorf("growth must be from 1 to %d", MaxGrowth)
	case float64(in.Throughput)*in.Growth > maxRate || in.Network > maxRate || in.Network < 0:
		return errors.New("a rate must be at most 1PB/s")
	case in.RF < 1 || in.RF > MaxReplicationFactor:
		return fmt.Errorf("the replication factor must be from 1 to %d", MaxReplicationFactor)
	case in.Groups < 0 || in.Groups > MaxPartitions || in.Consumers < 0 || in.Consumers > MaxPartitions || in.Multiple < 0 || in.Multiple > MaxPartitions:
		return fmt.Errorf("consumer groups, consumers and the multiple must be from 0 to %d", MaxPartitions)
	case in.Retention < 1 || in.MaxReplicas < 1 || in.NetworkHeadroom < 0 || in.NetworkHeadroom > MaxHeadroom:
		return fmt.Errorf("retention and the limit on replicas must be above 0, the headroom from 0 to %d percent", MaxHeadroom)
	case len(in.Brokers) == 0:
		return errors.New("no broker may hold the topic")
	}
	return nil
}
