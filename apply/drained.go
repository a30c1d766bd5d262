package apply

import (
	"context"
	"fmt"

	"ballast/state"
)

// tellDrained looks at the log dirs of brokers that the plan has drained: only
// an empty one is called safe to stop.
func (r *run) tellDrained(l *look) error {
	if err := r.tellVoters(); err != nil {
		return err
	}
	for _, b := range sortedIDs(r.drains) {
		if !l.alive[b] {
			r.emit(Event{Kind: EventDrained, Brokers: []state.BrokerID{b}, Message: fmt.Sprintf("broker %d is down: its log dirs could not be looked at", b)})
			continue
		}
		if err := r.tellDrainedBroker(b, l); err != nil {
			return err
		}
	}
	return nil
}

// tellVoters warns of drained brokers that vote in the KRaft quorum: a broker
// without replicas may still be one that the cluster cannot lose.
func (r *run) tellVoters() error {
	if len(r.drains) == 0 {
		return nil
	}
	var voters []state.BrokerID
	err := r.read("the metadata quorum", func(ctx context.Context) error {
		var err error
		voters, err = r.cluster.Voters(ctx)
		if mayNot(err) {
			r.emit(Event{Kind: EventWarning, Message: fmt.Sprintf("who votes in the metadata quorum could not be read (%v): look with kafka-metadata-quorum before a drained broker is stopped", err)})
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, b := range sortedIDs(r.drains) {
		if state.Contains(voters, b) {
			r.emit(Event{Kind: EventWarning, Brokers: []state.BrokerID{b}, Message: fmt.Sprintf(
				"broker %d votes in the metadata quorum, with %s: take its vote away before it is stopped for good (kafka-metadata-quorum remove-controller), or the quorum loses one of %d",
				b, listIDs(without(voters, []state.BrokerID{b})), len(voters))})
		}
	}
	return nil
}

// mayNot says whether an error is Kafka's final answer, as to one who may not
// know: asking again is of no use.
func mayNot(err error) bool { return err != nil && !isTransient(err) }

func (r *run) tellDrainedBroker(b state.BrokerID, l *look) error {
	var left []state.TopicPartition
	began := r.clock.Now()
	for wait := newBackoff(pollMaxWait); ; {
		dirs, err := r.allLogDirs([]state.BrokerID{b}, l)
		if err != nil {
			return err
		}
		if len(dirs) == 0 {
			r.emit(Event{Kind: EventDrained, Brokers: []state.BrokerID{b}, Message: fmt.Sprintf("the log dirs of broker %d could not be read: look at them before it is stopped", b)})
			return nil
		}
		if left = r.onBroker(dirs[0]); len(left) == 0 || r.clock.Now().Sub(began) > drainedShows {
			break
		}
		if r.stays(left, b, l) {
			break
		}
		if err := r.sleep(wait.NextBackOff()); err != nil {
			return err
		}
	}
	if len(left) == 0 {
		r.emit(Event{Kind: EventDrained, Brokers: []state.BrokerID{b}, Message: fmt.Sprintf("the log dirs of broker %d are empty: it is safe to stop", b)})
		return nil
	}
	r.emit(Event{Kind: EventDrained, Brokers: []state.BrokerID{b}, Partitions: left,
		Message: fmt.Sprintf("broker %d is not safe to stop: its log dirs still hold %s", b, nameFirst(left))})
	return nil
}

// drainedShows is how long a removed replica may take to leave the log dirs.
const drainedShows = readBackTimeout

func (r *run) onBroker(d state.BrokerLogDirs) []state.TopicPartition {
	var out []state.TopicPartition
	for _, rep := range d.Replicas {
		out = append(out, rep.TopicPartition)
	}
	return out
}

// stays says whether metadata has all of these on the broker: no waiting makes
// them go.
func (r *run) stays(left []state.TopicPartition, b state.BrokerID, l *look) bool {
	for _, tp := range left {
		if p := l.partition(tp); p == nil || !state.Contains(p.Replicas, b) {
			return false
		}
	}
	return true
}

func nameFirst(list []state.TopicPartition) string {
	moves := make([]Moving, len(list))
	for i, tp := range list {
		moves[i] = Moving{Topic: tp.Topic, Partition: tp.Partition}
	}
	return namePartitions(moves)
}
