package planner

import (
	"strings"
	"testing"

	"ballast/config"
	"ballast/state"
)

// proofOf makes a plan that lowers one topic, grows another and deletes a third,
// lets tamper change it, and proves it.
func proofOf(tamper func(p *Plan)) []config.Diagnostic {
	s := &state.Snapshot{ClusterID: "lab"}
	for id := range 4 {
		s.Brokers = append(s.Brokers, state.Broker{ID: state.BrokerID(id), Alive: id < 3})
	}
	lowered := state.Topic{Name: "lowered", Config: map[string]state.ConfigValue{minISR: {Value: "2", Source: state.SourceTopic}}}
	grown := state.Topic{Name: "grown", Config: map[string]state.ConfigValue{}}
	list := []state.BrokerID{0, 1, 2}
	lowered.Partitions = []state.Partition{{Replicas: list, ISR: list}}
	grown.Partitions = []state.Partition{{Replicas: list[:1], ISR: list[:1]}}
	gone := grown
	gone.Name, gone.Partitions = "gone", []state.Partition{{Replicas: list[:1], ISR: list[:1], Size: state.KnownSize(0)}}
	s.Topics = []state.Topic{gone, grown, lowered}
	d := &config.Desired{Apply: config.DefaultApply(), Absent: []config.AbsentTopic{{Name: "gone"}}, Topics: []config.Topic{
		{Name: "grown", Partitions: 2, ReplicationFactor: 2},
		{Name: "lowered", Partitions: 1, ReplicationFactor: 1, Config: map[string]string{minISR: "1"}},
	}}
	m := prepare(d, s, Options{SnapshotFile: "s.json"})
	m.work()
	tamper(m.plan)
	m.prove()
	return m.diags
}

// step returns the first step of a kind.
func step(p *Plan, kind Kind) *Step {
	for i := range p.Steps {
		if p.Steps[i].Kind == kind {
			return &p.Steps[i]
		}
	}
	panic("no step " + kind)
}

func TestASoundPlanIsProved(t *testing.T) {
	for _, d := range proofOf(func(*Plan) {}) {
		if d.Severity == config.SeverityError {
			t.Errorf("%+v", d)
		}
	}
}

func TestAPlanThatIsWrongFailsItsProof(t *testing.T) {
	tests := map[string]func(p *Plan){
		"copies go before min ISR is lowered": func(p *Plan) {
			c, r := step(p, SetConfig), step(p, Reassign)
			*c, *r = *r, *c
		},
		"a step is missing":           func(p *Plan) { p.Steps = p.Steps[:len(p.Steps)-1] },
		"a deletion is missing":       func(p *Plan) { step(p, DeleteTopic).Topic = "grown" },
		"a step is done twice":        func(p *Plan) { p.Steps = append(p.Steps, *step(p, AddPartitions)) },
		"a move ends elsewhere":       func(p *Plan) { step(p, Reassign).Moves[0].After = []state.BrokerID{1} },
		"a move begins elsewhere":     func(p *Plan) { step(p, Reassign).Moves[0].Before = []state.BrokerID{1} },
		"a move to a dead broker":     func(p *Plan) { step(p, Reassign).Moves[0].After = []state.BrokerID{3} },
		"a move of no partition":      func(p *Plan) { step(p, Reassign).Moves[0].Partition = 7 },
		"a config is another":         func(p *Plan) { two := "2"; step(p, SetConfig).Config[0].After = &two },
		"a topic that does not exist": func(p *Plan) { step(p, SetConfig).Topic = "nosuch" },
		"a topic is created twice":    func(p *Plan) { p.Steps = append(p.Steps, Step{Kind: CreateTopic, Topic: "grown"}) },
		"a rule is not met": func(p *Plan) {
			three := []state.BrokerID{0, 1, 2}
			p.Changes[1].Assignments[0].After = three
			step(p, Reassign).Moves[0].After = three
		},
		"the changes are too few": func(p *Plan) {
			c := &p.Changes[1]
			c.Config = nil
			p.Steps = without1(p.Steps, SetConfig)
			p.Steps = without1(p.Steps, Reassign)
		},
	}
	for name, tamper := range tests {
		t.Run(name, func(t *testing.T) {
			for _, d := range proofOf(tamper) {
				if d.Code == "internal_proof" && d.Severity == config.SeverityError && strings.Contains(d.Detail, "report") {
					return
				}
			}
			t.Error("it passes")
		})
	}
}

func without1(steps []Step, kind Kind) []Step {
	var out []Step
	for _, s := range steps {
		if s.Kind != kind {
			out = append(out, s)
		}
	}
	return out
}
