package state

import (
	"cmp"
	"slices"
)

// BrokerLoad is what one broker holds of a snapshot.
type BrokerLoad struct {
	ID        BrokerID
	Replicas  int   // adding and removing ones of moves in flight included
	Leaders   int   // partitions that it leads now
	Preferred int   // partitions whose preferred leader it is, once moves in flight have ended
	Bytes     int64 // of replicas whose partition's size is known
	Unsized   int   // replicas whose partition's size is unknown
}

// Loads has the load of each broker of the snapshot, and of each that holds a
// replica without being registered, by id.
func (s *Snapshot) Loads() []BrokerLoad {
	loads := map[BrokerID]*BrokerLoad{}
	of := func(b BrokerID) *BrokerLoad {
		l := loads[b]
		if l == nil {
			l = &BrokerLoad{ID: b}
			loads[b] = l
		}
		return l
	}
	for i := range s.Brokers {
		of(s.Brokers[i].ID)
	}
	for i := range s.Topics {
		for j := range s.Topics[i].Partitions {
			addLoad(of, &s.Topics[i].Partitions[j])
		}
	}
	return byID(loads)
}

func addLoad(of func(BrokerID) *BrokerLoad, p *Partition) {
	for _, b := range p.Replicas {
		l := of(b)
		l.Replicas++
		if p.Size.Known {
			l.Bytes += p.Size.Bytes
		} else {
			l.Unsized++
		}
	}
	if p.Leader != NoLeader {
		of(p.Leader).Leaders++
	}
	if target := p.Target(); len(target) > 0 {
		of(target[0]).Preferred++
	}
}

func byID(loads map[BrokerID]*BrokerLoad) []BrokerLoad {
	out := make([]BrokerLoad, 0, len(loads))
	for _, l := range loads {
		out = append(out, *l)
	}
	slices.SortFunc(out, func(a, b BrokerLoad) int { return cmp.Compare(a.ID, b.ID) })
	return out
}
