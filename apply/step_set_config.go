package apply

import (
	"context"
	"fmt"
	"strconv"

	"ballast/planner"
	"ballast/state"
)

const minISRConfig = "min.insync.replicas"

func atoi(s string) (int, error) { return strconv.Atoi(s) }

// setConfig sets a topic's overrides, all in one request, and reads them back.
func (r *run) setConfig(step planner.Step) error {
	res := state.ConfigResource{Type: state.TopicResource, Name: step.Topic}
	gated := false
	return r.untilDone(step, func(tried bool) (bool, error) {
		now, gone, err := r.overrides(res, step)
		if err != nil {
			return false, err
		}
		if gone {
			r.fail(step.Topic, "it does not exist any more")
			return true, nil
		}
		switch open, stale := compareConfig(step, now); {
		case stale != "":
			if tried {
				return false, nil // the brokers take a moment to agree
			}
			r.fail(step.Topic, stale)
			return true, nil
		case open == 0:
			r.configDone(step, tried)
			return true, nil
		}
		if !gated {
			gated = true
			return false, r.passMinISRGate(step)
		}
		return false, nil
	}, func(ctx context.Context) ([]error, error) {
		return r.cluster.AlterConfigs(ctx, []state.AlterConfigs{{Resource: res, Changes: configChanges(step)}})
	}, Write{Op: OpConfig, Topics: []string{step.Topic}}, 0)
}

func (r *run) configDone(step planner.Step, tried bool) {
	r.achieved[item{OpConfig, step.Topic, int32(step.ID)}] = true
	for _, c := range step.Config {
		if c.Name != minISRConfig {
			continue
		}
		delete(r.minISR, step.Topic) // unknown where the override was deleted
		if c.After != nil {
			if n, err := atoi(*c.After); err == nil {
				r.minISR[step.Topic] = n
			}
		}
	}
	if !tried {
		r.emit(Event{Kind: EventAlready, Topic: step.Topic, Message: fmt.Sprintf("configs of topic %q are as planned already", step.Topic)})
	}
}

func configChanges(step planner.Step) []state.ConfigChange {
	out := make([]state.ConfigChange, len(step.Config))
	for i, c := range step.Config {
		out[i] = state.ConfigChange{Name: c.Name, Value: c.After}
	}
	return out
}

// overrides reads the topic's own values of the step's keys; gone where there
// is no such topic.
func (r *run) overrides(res state.ConfigResource, step planner.Step) (now map[string]*string, gone bool, err error) {
	keys := make([]throttleKey, len(step.Config))
	for i, c := range step.Config {
		keys[i] = throttleKey{res.Type, res.Name, c.Name}
	}
	values, err := r.ownValues(keys)
	if err != nil {
		return nil, false, err
	}
	now = map[string]*string{}
	for _, k := range keys {
		v, ok := values[k]
		if !ok {
			return nil, true, nil
		}
		now[k.name] = v
	}
	return now, false, nil
}

// compareConfig counts the keys still to be set, and says what is neither as
// planned from nor as wanted.
func compareConfig(step planner.Step, now map[string]*string) (open int, stale string) {
	for _, c := range step.Config {
		cur := now[c.Name]
		switch {
		case equalText(cur, c.After):
		case equalText(cur, c.Before):
			open++
		default:
			return 0, fmt.Sprintf("%s is %s now: neither %s, as planned from, nor %s, as planned", c.Name, quote(cur), quote(c.Before), quote(c.After))
		}
	}
	return open, ""
}

func quote(v *string) string {
	if v == nil {
		return "not set"
	}
	return strconv.Quote(*v)
}
