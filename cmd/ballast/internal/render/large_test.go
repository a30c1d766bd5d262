package render

import (
	"fmt"
	"io"
	"testing"

	"ballast/planner"
	"ballast/state"
)

// large is a plan of 300 brokers and 200,000 partitions that all change.
func large() *planner.Plan {
	p := sample()
	p.Changes = nil
	size := int64(1_000_000_000)
	for t := range 2_000 {
		c := planner.Change{Topic: fmt.Sprintf("topic-%04d", t), Action: planner.Update, ReplicationFactor: &planner.BeforeAfter{Before: 2, After: 3}}
		for n := range int32(100) {
			a, b, d := state.BrokerID((t+int(n))%300), state.BrokerID((t+int(n)+1)%300), state.BrokerID((t+int(n)+2)%300)
			c.Assignments = append(c.Assignments, planner.Assignment{Partition: n, Before: []state.BrokerID{a, b}, After: []state.BrokerID{a, b, d},
				LeaderBefore: a, LeaderAfter: a, Bytes: &size, Reasons: []planner.Reason{planner.ReasonReplicationFactor}})
		}
		p.Changes = append(p.Changes, c)
	}
	p.Brokers = nil
	for id := range state.BrokerID(300) {
		p.Brokers = append(p.Brokers, planner.Broker{ID: id, Rack: "r1", BytesIn: size})
	}
	return p
}

func BenchmarkLargePlans(b *testing.B) {
	p := large()
	for name, draw := range map[string]func() error{
		"text":      func() error { return Text(io.Discard, p, Options{}) },
		"full text": func() error { return Text(io.Discard, p, Options{Full: true, Color: true}) },
		"markdown":  func() error { return Markdown(io.Discard, p, noon) },
		"html":      func() error { return HTML(io.Discard, p) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := draw(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
