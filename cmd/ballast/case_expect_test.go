package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ballast/config"
	"ballast/planner"
	"ballast/state"
)

// wantedState are properties of the final state.
type wantedState struct {
	TopicReplicaSpread    map[string]int            `json:"topic_replica_spread"`
	TopicLeaderSpread     map[string]int            `json:"topic_leader_spread"`
	TopicLeaderRackSpread map[string]int            `json:"topic_leader_rack_spread"`
	ReplicasPerBroker     map[string]map[string]int `json:"replicas_per_broker"`
	NoReplicaOn           brokers                   `json:"no_replica_on"`
	RackEven              []string                  `json:"rack_even"`
	DistinctRacksNotLower bool                      `json:"distinct_racks_not_lower"`
}

func (j *judged) checkExpected() {
	j.checkDiagnostics()
	j.checkNumbers()
	j.checkWantedAssignments()
	j.checkConfigs()
	j.checkRisks()
	j.checkInFlight()
	j.checkStepOrder()
	j.checkAfter()
	for _, c := range j.plan.Changes {
		if slices.Contains(j.want.Unchanged, c.Topic) {
			j.Errorf("%s must not change", c.Topic)
		}
	}
}

func (j *judged) checkDiagnostics() {
	for _, want := range []struct {
		list     []wantedDiagnostic
		severity config.Severity
	}{{j.want.Errors, config.SeverityError}, {j.want.Warnings, config.SeverityWarning}, {j.want.Diagnostics, ""}} {
		for _, w := range want.list {
			if !slices.ContainsFunc(j.plan.Diagnostics, func(d config.Diagnostic) bool {
				return (want.severity == "" || d.Severity == want.severity) && w.matches(d)
			}) {
				j.Errorf("no %s like %+v in %+v", want.severity, w, j.plan.Diagnostics)
			}
		}
	}
	if j.want.NoErrors && config.HasErrors(j.plan.Diagnostics) {
		j.Errorf("unexpected errors in %+v", j.plan.Diagnostics)
	}
}

func (w wantedDiagnostic) matches(d config.Diagnostic) bool {
	text := strings.Join([]string{d.Code, d.Summary, d.Detail, d.Topic, d.File}, " ")
	return (w.Code == "" || w.Code == d.Code) && (w.Line == 0 || w.Line == d.Line) &&
		mentions(text, w.Topic) && mentions(text, w.File) && w.mentioned(text)
}

func (w wantedDiagnostic) mentioned(text string) bool {
	for _, m := range w.Mentions {
		if !mentions(text, m) {
			return false
		}
	}
	return true
}

// mentions says whether a text has one of the alternatives "a|b", case aside.
func mentions(text, alternatives string) bool {
	for _, a := range strings.Split(alternatives, "|") {
		if strings.Contains(strings.ToLower(text), strings.ToLower(a)) {
			return true
		}
	}
	return false
}

// checkPrinted looks for what is expected in diagnostics that were printed.
func (j *judged) checkPrinted(text string) {
	blocks := regexp.MustCompile(`(?im)^\W*(error|warning)\b`).FindAllStringIndex(text, -1)
	for _, w := range j.want.Errors {
		found := false
		for i, b := range blocks {
			end := len(text)
			if i+1 < len(blocks) {
				end = blocks[i+1][0]
			}
			block := text[b[0]:end]
			line := w.Line == 0 || regexp.MustCompile(`(?i)(line |:)`+strconv.Itoa(w.Line)+`\b`).MatchString(block)
			found = found || line && mentions(block, w.Topic) && mentions(block, w.File) && w.mentioned(block)
		}
		if !found {
			j.Errorf("no error like %+v in:\n%s", w, text)
		}
	}
}

func (j *judged) checkNumbers() {
	doc, _ := json.Marshal(j.plan.Summary)
	var summary map[string]any
	json.Unmarshal(doc, &summary)
	for field, want := range j.want.Summary {
		if summary[field] != want {
			j.Errorf("summary.%s is %v, want %v", field, summary[field], want)
		}
	}
	n := j.counted()
	for _, c := range []struct {
		what string
		want *int
		got  int
	}{{"copies", j.want.Copies, n.ReplicasAdded}, {"removed", j.want.Removed, n.ReplicasRemoved}, {"leader_moves", j.want.LeaderMoves, n.LeadersMoved}} {
		if c.want != nil && *c.want != c.got {
			j.Errorf("%s is %d, want %d", c.what, c.got, *c.want)
		}
	}
}

func (j *judged) checkWantedAssignments() {
	final := layout(j.after)
	for topic, rows := range j.want.Assignments {
		for id, w := range rows {
			n, _ := strconv.Atoi(id)
			tp := state.TopicPartition{Topic: topic, Partition: int32(n)}
			if why := w.wrong(final[tp]); why != "" {
				j.Errorf("%s ends on %v, %s", show(tp), final[tp], why)
			}
		}
	}
}

func (w wantedReplicas) wrong(got brokers) string {
	sorted := func(l brokers) brokers { return slices.Sorted(slices.Values(l)) }
	switch {
	case w.After != nil && !slices.Equal(got, w.After):
		return fmt.Sprintf("want %v", w.After)
	case w.AfterSet != nil && !slices.Equal(sorted(got), sorted(w.AfterSet)):
		return fmt.Sprintf("want the set %v", w.AfterSet)
	}
	for _, b := range w.Contains {
		if !slices.Contains(got, b) {
			return fmt.Sprintf("want %d in it", b)
		}
	}
	for _, b := range w.Excludes {
		if slices.Contains(got, b) {
			return fmt.Sprintf("want %d not in it", b)
		}
	}
	return ""
}

func (j *judged) checkConfigs() {
	for topic, keys := range j.want.Config {
		rows := map[string]planner.ConfigChange{}
		for _, c := range j.plan.Changes {
			for _, k := range c.Config {
				if c.Topic == topic {
					rows[k.Name] = k
				}
			}
		}
		if got, want := slices.Sorted(maps.Keys(rows)), slices.Sorted(maps.Keys(keys)); !slices.Equal(got, want) {
			j.Errorf("%s: configs %v change, want %v", topic, got, want)
		}
		for name, fields := range keys {
			doc, _ := json.Marshal(rows[name])
			var row map[string]any
			json.Unmarshal(doc, &row)
			for field, want := range fields {
				if row[field] != want {
					j.Errorf("%s: config %s.%s is %v, want %v", topic, name, field, row[field], want)
				}
			}
		}
	}
}

func (j *judged) checkRisks() {
	for topic, wanted := range j.want.Risks {
		for _, w := range wanted {
			if !slices.ContainsFunc(j.plan.Changes, func(c planner.Change) bool {
				return c.Topic == topic && slices.ContainsFunc(c.Risks, func(r planner.Risk) bool { return mentions(r.Code+" "+r.Message, w) })
			}) {
				j.Errorf("%s: no risk that says %q", topic, w)
			}
		}
	}
}

func (j *judged) checkInFlight() {
	for _, want := range j.want.InFlight {
		if !slices.ContainsFunc(j.plan.InFlight, func(m planner.InFlight) bool {
			doc, _ := json.Marshal(m)
			var row map[string]any
			json.Unmarshal(doc, &row)
			for k, v := range want {
				if !reflect.DeepEqual(row[k], v) {
					return false
				}
			}
			return true
		}) {
			j.Errorf("in_flight has no %v: %+v", want, j.plan.InFlight)
		}
	}
}

func (j *judged) checkStepOrder() {
	pairs := j.want.Steps
	for _, t := range j.want.NeverSameTime {
		pairs = append(pairs, struct{ Before, After wantedStep }{wantedStep{planner.Reassign, t}, wantedStep{planner.AddPartitions, t}})
	}
	for _, p := range pairs {
		first, then := j.places(p.Before), j.places(p.After)
		if len(first) == 0 || len(then) == 0 || slices.Max(first) >= slices.Min(then) {
			j.Errorf("%v is at %v, %v at %v", p.Before, first, p.After, then)
		}
	}
}

func (j *judged) places(w wantedStep) (out []int) {
	for i, s := range j.plan.Steps {
		about := w.Topic == "" || s.Topic == w.Topic || slices.ContainsFunc(s.Moves, func(m planner.Move) bool { return m.Topic == w.Topic })
		if s.Kind == w.Kind && about {
			out = append(out, i)
		}
	}
	return out
}

// held counts by broker over the partitions of a topic, or of all for "*":
// replicas, or preferred leaders.
func (j *judged) held(topic string, leadersOnly bool) map[state.BrokerID]int {
	n := map[state.BrokerID]int{}
	for tp, list := range layout(j.after) {
		if topic != "*" && tp.Topic != topic {
			continue
		}
		if leadersOnly {
			list = list[:1]
		}
		for _, b := range list {
			n[b]++
		}
	}
	return n
}

func apart[K comparable](load map[K]int, over []K) int {
	if len(over) == 0 {
		return 0
	}
	var values []int
	for _, k := range over {
		values = append(values, load[k])
	}
	return slices.Max(values) - slices.Min(values)
}

func (j *judged) checkAfter() {
	w := j.want.After
	for topic, most := range w.TopicReplicaSpread {
		if got := apart(j.held(topic, false), j.eligible(topic)); got > most {
			j.Errorf("replicas of %s are %d apart: %v", topic, got, j.held(topic, false))
		}
	}
	for topic, most := range w.TopicLeaderSpread {
		over := j.eligible(topic)
		if l := j.want.Rules.Topics[topic].LeaderBrokers; l != nil {
			over = l
		}
		if got := apart(j.held(topic, true), over); got > most {
			j.Errorf("leaders of %s are %d apart: %v", topic, got, j.held(topic, true))
		}
	}
	j.checkLeaderRacks()
	for topic, rows := range w.ReplicasPerBroker {
		for id, want := range rows {
			n, _ := strconv.Atoi(id)
			if got := j.held(topic, false)[state.BrokerID(n)]; got != want {
				j.Errorf("%s has %d replicas on broker %d, want %d", topic, got, n, want)
			}
		}
	}
	j.checkPlaces()
}

func (j *judged) checkLeaderRacks() {
	for topic, most := range j.want.After.TopicLeaderRackSpread {
		load, racks := map[string]int{}, []string{}
		for _, b := range j.eligible(topic) {
			if r := rackOf(j.before, b); !slices.Contains(racks, r) {
				racks = append(racks, r)
			}
		}
		for b, n := range j.held(topic, true) {
			load[rackOf(j.before, b)] += n
		}
		if got := apart(load, racks); got > most {
			j.Errorf("leaders of %s by rack are %d apart: %v", topic, got, load)
		}
	}
}

func (j *judged) checkPlaces() {
	w := j.want.After
	before := layout(j.before)
	for tp, list := range layout(j.after) {
		for _, b := range w.NoReplicaOn {
			if slices.Contains(list, b) {
				j.Errorf("broker %d still holds %s", b, show(tp))
			}
		}
		if slices.Contains(w.RackEven, tp.Topic) {
			j.checkRacks(tp, declaredTopic{RackSpread: "even"}, list, j.eligible(tp.Topic))
		}
		if was := racksOf(j.before, before[tp]); w.DistinctRacksNotLower && racksOf(j.before, list) < min(was, len(list)) {
			j.Errorf("%s spans fewer racks than the %d before", show(tp), was)
		}
	}
}

func racksOf(s *state.Snapshot, list brokers) int {
	racks := map[string]bool{}
	for _, b := range list {
		racks[rackOf(s, b)] = true
	}
	return len(racks)
}
