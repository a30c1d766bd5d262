package planner

import (
	"ballast/config"
	"ballast/state"
)

// The format and version of the plan documents that this build writes.
const (
	Format  = "ballast-plan"
	Version = 1
)

// Options is what Make needs beside a configuration and a snapshot.
type Options struct {
	Tool    string   // e.g. "ballast 0.1.0"
	Targets []string // "topic.NAME", globs allowed; none: everything
	// ConfigDiagnostics are what loading the configuration and the snapshot
	// found; they open the plan's diagnostics.
	ConfigDiagnostics []config.Diagnostic
	// Ours says whether a move in flight was begun by this tool; nil: none was.
	Ours func(topic string, partition int32) bool
	// SnapshotFile is the file that the snapshot was read from; "" for a live cluster.
	SnapshotFile string
	// TopicKeys are topic configs that the brokers of a live cluster know, beside
	// those that its topics show; see ShowsTopicKeys.
	TopicKeys []string
}

// SettingsOf is the apply block as a plan document holds it.
func SettingsOf(a config.Apply) Settings {
	return Settings{
		Throttle:             a.Throttle.BytesPerSecond,
		ThrottleNetwork:      a.Throttle.Network,
		ThrottleStartPercent: a.Throttle.StartPercent,
		ThrottleMaxPercent:   a.Throttle.MaxPercent,
		ThrottleSide:         string(a.ThrottleSide),
		MaxMovesPerBroker:    a.MaxMovesPerBroker,
		MaxBatchPartitions:   a.MaxBatchPartitions,
		MaxBatchBytes:        a.MaxBatchBytes,
		DiskHeadroom:         a.DiskHeadroom,
		GateTimeout:          a.GateTimeout.Seconds(),
		GateSettle:           a.GateSettle.Seconds(),
		StallTimeout:         a.StallTimeout.Seconds(),
		ElectionsCount:       a.Elections.Count,
		ElectionsEvery:       a.Elections.Every.Seconds(),
		ReclaimFirst:         a.ReclaimFirst,
		OnFailedGate:         string(a.OnFailedGate),
	}
}

// Errored is the plan of a run that could not even begin: nothing was loaded,
// and the diagnostics say why. Its Digest is that of a plan without changes.
func Errored(o Options, diags []config.Diagnostic) *Plan {
	p := empty(o)
	p.Diagnostics = append(p.Diagnostics, o.ConfigDiagnostics...)
	p.Diagnostics = append(p.Diagnostics, diags...)
	p.Errored = true
	p.Apply = SettingsOf(config.DefaultApply())
	return seal(p)
}

// empty is a plan that has no null where the document has a list.
func empty(o Options) *Plan {
	return &Plan{
		Format: Format, Version: Version, Tool: o.Tool,
		Config:  ConfigRef{Files: []string{}},
		Changes: []Change{}, InFlight: []InFlight{}, Brokers: []Broker{}, Steps: []Step{},
		Targets:     append([]string(nil), o.Targets...),
		Diagnostics: []config.Diagnostic{},
		Bound:       Bound{Brokers: []BoundBroker{}, Overrides: map[string]map[string]string{}},
	}
}

// seal gives a finished plan its digest.
func seal(p *Plan) *Plan {
	p.Digest = Digest(p)
	return p
}

// without returns those of list that are not in other, in list's order. The
// result is never nil.
func without(list, other []state.BrokerID) []state.BrokerID {
	out := []state.BrokerID{}
	for _, b := range list {
		if !state.Contains(other, b) {
			out = append(out, b)
		}
	}
	return out
}
