package benchmarks

import (
	"ballast/planner/placement"
	"ballast/state"
)

// Generated are the lists that kafka-reassign-partitions --generate proposes for
// all topics on the brokers that are not to be emptied. It places each topic as if
// it were new, with as many replicas as one of its partitions has: by the placer
// of KRaft clusters (StripedReplicaPlacer) in Kafka 4.3, by that of clusters with
// ZooKeeper (AdminUtils) up to 4.0. Both begin at random: here by the seed.
func (s Scenario) Generated(striped bool, seed uint64) (Lists, error) {
	snapshot, lists := s.Snapshot(), Lists{}
	usable := s.Usable(snapshot)
	for i := range snapshot.Topics {
		t := &snapshot.Topics[i]
		place := ProposedClassic
		if striped {
			place = ProposedStriped
		}
		list, err := place(usable, len(t.Partitions), len(t.Partitions[0].Replicas), placement.Mixed(seed<<32+uint64(i)))
		if err != nil {
			return nil, err
		}
		lists[t.Name] = list
	}
	return lists, nil
}

// ProposedStriped is what Kafka 4.3 proposes for a topic where its random numbers
// come from this seed.
func ProposedStriped(brokers []state.Broker, partitions, rf int, seed uint64) ([][]state.BrokerID, error) {
	p := placement.Striped{Partitions: partitions, RF: rf, Seed: int64(seed)}
	for _, b := range kafkaBrokers(brokers) {
		p.Brokers = append(p.Brokers, placement.StripedBroker{KafkaBroker: b})
	}
	return brokerLists(p.Place())
}

// ProposedClassic is what Kafka up to 4.0 proposes for a topic; start and shift
// are of the seed.
func ProposedClassic(brokers []state.Broker, partitions, rf int, seed uint64) ([][]state.BrokerID, error) {
	n := uint64(len(brokers))
	return brokerLists(placement.Classic{
		Brokers: kafkaBrokers(brokers), Partitions: partitions, RF: rf, Start: int(seed % n), Shift: int(seed / n % n),
	}.Place())
}

func kafkaBrokers(brokers []state.Broker) (out []placement.KafkaBroker) {
	for _, b := range brokers {
		out = append(out, placement.KafkaBroker{ID: int32(b.ID), Rack: b.Rack})
	}
	return out
}

func brokerLists(lists [][]int32, err error) (out [][]state.BrokerID, _ error) {
	for _, list := range lists {
		var ids []state.BrokerID
		for _, b := range list {
			ids = append(ids, state.BrokerID(b))
		}
		out = append(out, ids)
	}
	return out, err
}
