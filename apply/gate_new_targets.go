package apply

import (
	"ballast/planner"
	"ballast/state"
)

// passCreateGate waits until every broker that gets a replica of a new topic is
// alive, or somebody has created it.
func (r *run) passCreateGate(step planner.Step) error {
	return r.waitOpen("before topic "+step.Topic+" is created", func() ([]Hold, error) {
		l, err := r.look([]string{step.Topic})
		if err != nil || l.meta.Topic(step.Topic) != nil {
			return nil, err
		}
		return gateNewTargets(l, step), nil
	})
}

// gateNewTargets waits for the brokers that get replicas of new partitions:
// Kafka takes a list with a dead broker in it, and the partition then begins
// with a copy too few. Each is named once, by the first partition that wants it.
func gateNewTargets(l *look, step planner.Step) []Hold {
	var out []Hold
	told := map[state.BrokerID]bool{}
	for _, m := range step.Moves {
		for _, b := range m.After {
			if l.alive[b] || told[b] {
				continue
			}
			told[b] = true
			h := hold(Moving(m).Key(), b, "start the broker, or plan without it", "broker %d, which gets a replica, is down", b)
			h.Gate = "targets_alive"
			out = append(out, h)
		}
	}
	return out
}
