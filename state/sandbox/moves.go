package sandbox

import (
	"fmt"
	"slices"
)

// kafkaError is what Kafka answers for one item.
type kafkaError struct {
	code int16
	text string
}

func errorf(code int16, format string, args ...any) *kafkaError {
	return &kafkaError{code, fmt.Sprintf(format, args...)}
}

// reassign begins a reassignment as Kafka's ReplicationControlManager does
// (changePartitionReassignment): the new list, then what it leaves out. New
// sets that are empty leave the old ones as they were: that is why a
// reassignment over one in flight can end somewhere else.
func (c *cluster) reassign(p *partition, target []int32) *kafkaError {
	if err := c.checkAssignment(target, -1); err != nil {
		return err
	}
	removing, adding := without(p.replicas, target), without(target, p.replicas)
	slices.Sort(removing)
	slices.Sort(adding)
	c.touch(p)
	for _, id := range adding {
		c.placeLog(p, id)
	}
	p.replicas = append(slices.Clone(target), removing...)
	if len(removing) > 0 {
		p.removing = removing
	}
	if len(adding) > 0 {
		p.adding = adding
	}
	if p.inFlight() {
		c.moves[p] = true
	}
	c.follow(p, 0)
	c.complete(p)
	return nil
}

// complete ends a reassignment whose added replicas are in sync. From 4.3 on
// (see Options.Before43) replicas that stay need not be, unless the move lowers the replication
// factor. min.insync.replicas is not looked at.
func (c *cluster) complete(p *partition) {
	if !p.inFlight() {
		return
	}
	target, isr := without(p.replicas, p.removing), without(p.isr, p.removing)
	want := p.adding
	if c.before43 || len(target) < len(p.replicas)-len(p.adding) {
		want = target
	}
	if len(isr) == 0 || !containsAll(isr, want) {
		return
	}
	c.install(p, target, isr)
}

// install gives a partition its replicas and ISR and ends what was in flight.
func (c *cluster) install(p *partition, replicas, isr []int32) {
	c.touch(p)
	before, leader := p.replicas, p.leader
	for _, id := range without(p.replicas, replicas) {
		c.dropLog(p, id)
	}
	p.replicas, p.isr, p.adding, p.removing = replicas, isr, nil, nil
	delete(c.moves, p)
	p.elr = without(p.elr, without(p.elr, replicas))
	c.clearELR(p)
	c.follow(p, 0)
	c.electAny(p)
	if p.leader == leader && !containsAll(replicas, before) {
		p.epoch++
	}
	c.dirty = true
}

// cancel takes a reassignment back, unless that is refused.
func (c *cluster) cancel(p *partition) *kafkaError {
	replicas, isr, err := c.reverted(p)
	if err == nil {
		c.install(p, replicas, isr)
	}
	return err
}

// reverted returns what a cancel makes of a partition
// (PartitionReassignmentRevert): the set of replicas is as before the move,
// their order need not be.
func (c *cluster) reverted(p *partition) (replicas, isr []int32, err *kafkaError) {
	if !p.inFlight() {
		return nil, nil, &kafkaError{85, ""}
	}
	replicas, isr = without(p.replicas, p.adding), without(p.isr, p.adding)
	if len(isr) == 0 {
		if unclean, _ := c.topicValue(p.topic, "unclean.leader.election.enable", nil); unclean != "true" {
			return nil, nil, errorf(39, "Unable to revert partition assignment for %s:%d because it would require an unclean leader election.", p.topic.name, p.id)
		}
		isr = replicas[:1:1]
	}
	return replicas, isr, nil
}

// checkAssignment is Kafka's validateManualPartitionAssignment. An rf of -1
// allows any.
func (c *cluster) checkAssignment(list []int32, rf int) *kafkaError {
	if len(list) == 0 {
		return errorf(39, "The manual partition assignment includes an empty replica list.")
	}
	sorted := slices.Clone(list)
	slices.Sort(sorted)
	for i, id := range sorted {
		if c.byID[id] == nil {
			return errorf(39, "The manual partition assignment includes broker %d, but no such broker is registered.", id)
		}
		if i > 0 && id == sorted[i-1] {
			return errorf(39, "The manual partition assignment includes the broker %d more than once.", id)
		}
	}
	if rf >= 0 && len(list) != rf {
		return errorf(39, "The manual partition assignment includes a partition with %d replica(s), but this is not consistent with previous partitions, which have %d replica(s).", len(list), rf)
	}
	return nil
}
