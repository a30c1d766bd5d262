package state

import (
	"errors"
	"fmt"
	"slices"
)

// maxReplicas bounds a partition's replicas, far above what Kafka bears, since
// the checks look at each pair.
const maxReplicas = 1000

// normalize sorts a partition's sets and checks its lists.
func (p *Partition) normalize() error {
	if p.ID < 0 {
		return fmt.Errorf("the id is %d; ids begin at 0", p.ID)
	}
	if err := p.checkReplicas(); err != nil {
		return err
	}
	if p.Size.Bytes < 0 {
		return fmt.Errorf("the size is %d bytes; it is never below 0", p.Size.Bytes)
	}
	return p.normalizeSets()
}

// checkReplicas refuses what is no replica list, and a leader outside of it.
func (p *Partition) checkReplicas() error {
	switch n := len(p.Replicas); {
	case n == 0:
		return errors.New("it has no replicas")
	case n > maxReplicas:
		return fmt.Errorf("it has %d replicas; more than %d are not taken for real", n, maxReplicas)
	}
	for _, b := range p.Replicas {
		if b < 0 {
			return fmt.Errorf("a replica is on broker %d; ids begin at 0", b)
		}
	}
	if b, twice := repeated(p.Replicas); twice {
		return fmt.Errorf("the replica on broker %d is listed twice", b)
	}
	if p.Leader != NoLeader && !Contains(p.Replicas, p.Leader) {
		return fmt.Errorf("the leader %d is not among the replicas %v", p.Leader, p.Replicas)
	}
	return nil
}

// repeated gives a broker that the list has more than once.
func repeated(list []BrokerID) (BrokerID, bool) {
	for i, b := range list {
		if Contains(list[:i], b) {
			return b, true
		}
	}
	return 0, false
}

// normalizeSets sorts the sets. Offline and ELR may come from another answer
// than the replicas and so name a broker that is no replica any more.
func (p *Partition) normalizeSets() error {
	if err := p.normalizeSet("in-sync replica", &p.ISR, true); err != nil {
		return err
	}
	if err := p.normalizeSet("adding replica", &p.Adding, true); err != nil {
		return err
	}
	if err := p.normalizeSet("removing replica", &p.Removing, true); err != nil {
		return err
	}
	if err := p.normalizeSet("offline replica", &p.Offline, false); err != nil {
		return err
	}
	return p.normalizeSet("eligible leader replica", &p.ELR, false)
}

func (p *Partition) normalizeSet(what string, set *[]BrokerID, within bool) error {
	if len(*set) == 0 {
		if *set != nil {
			*set = nil
		}
		return nil
	}
	if !slices.IsSorted(*set) {
		slices.Sort(*set)
	}
	for i, b := range *set {
		if i > 0 && b == (*set)[i-1] {
			return fmt.Errorf("the %s %d is listed twice", what, b)
		}
		if b < 0 || within && !Contains(p.Replicas, b) {
			return fmt.Errorf("the %s %d is not among the replicas %v", what, b, p.Replicas)
		}
	}
	return nil
}
