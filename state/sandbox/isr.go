package sandbox

import "strconv"

// follow makes the followers of a partition match its replicas: one for each
// replica that is not in sync. New ones begin with so many bytes.
func (c *cluster) follow(p *partition, bytes float64) {
	kept := p.behind[:0:0]
	for _, f := range p.behind {
		if has(p.replicas, f.broker) && !has(p.isr, f.broker) {
			kept = append(kept, f)
		} else {
			f.gone, c.dirty = true, true
		}
	}
	for _, id := range p.replicas {
		if has(p.isr, id) || followerIn(kept, id) {
			continue
		}
		f := &follower{p: p, broker: id, bytes: bytes, begins: c.now.Add(c.copyDelay), appears: c.now.Add(c.logDelay)}
		kept, c.lagging, c.dirty = append(kept, f), append(c.lagging, f), true
	}
	p.behind = kept
}

func followerIn(list []*follower, id int32) bool {
	for _, f := range list {
		if f.broker == id {
			return true
		}
	}
	return false
}

// joinISR takes a follower that has all into the ISR.
func (c *cluster) joinISR(f *follower) {
	p := f.p
	c.touch(p)
	if !c.canCopy(f) {
		f.caught, f.bytes, c.dirty = false, float64(p.size), true
		return
	}
	p.isr = with(p.isr, f.broker)
	c.clearELR(p)
	c.follow(p, 0)
	c.complete(p)
}

// clearELR forgets eligible leaders once the ISR is large enough (KIP-966).
func (c *cluster) clearELR(p *partition) {
	if len(p.isr) >= min(c.minISR(p.topic), len(p.replicas)) {
		p.elr = nil
	} else {
		p.elr = without(p.elr, p.isr)
	}
}

func (c *cluster) minISR(t *topic) int {
	v, _ := c.topicValue(t, "min.insync.replicas", nil)
	n, err := strconv.Atoi(v)
	if err != nil {
		return 1
	}
	return n
}

// leaveISR takes a replica out of the ISR; the last one becomes an eligible
// leader rather than staying (KIP-966, on in new clusters).
func (c *cluster) leaveISR(p *partition, id int32) {
	if !has(p.isr, id) {
		return
	}
	c.touch(p)
	p.elr = with(without(p.elr, []int32{id}), id)
	p.isr = without(p.isr, []int32{id})
	c.clearELR(p)
	c.follow(p, float64(p.size))
}

// electAny keeps the leader where it may lead, or takes the first replica in
// order that is in sync and alive, or an eligible leader, or none.
func (c *cluster) electAny(p *partition) {
	if p.leader >= 0 && has(p.isr, p.leader) && c.usable(p, p.leader) {
		return
	}
	leader := int32(-1)
	for _, id := range p.replicas {
		if has(p.isr, id) && c.usable(p, id) {
			leader = id
			break
		}
	}
	if leader < 0 && len(p.isr) == 0 {
		for _, id := range p.replicas {
			if has(p.elr, id) && c.usable(p, id) {
				leader = id
				c.leadAlone(p, id)
				break
			}
		}
	}
	c.setLeader(p, leader)
}

// leadAlone makes the ISR this one replica, whose log is now the partition's.
func (c *cluster) leadAlone(p *partition, id int32) {
	c.touch(p)
	size := p.bytesAt(id)
	for _, other := range p.replicas {
		if f := p.follower(other); f != nil {
			kept := min(int64(f.bytes), size)
			c.useDisk(p, other, float64(kept)-float64(p.bytesAt(other)))
			f.bytes, f.caught = float64(kept), false
		}
	}
	if size < p.size {
		p.log.truncate(size, p.size)
	}
	p.size, p.isr = size, []int32{id}
	c.clearELR(p)
	c.follow(p, float64(size))
}

func (c *cluster) setLeader(p *partition, id int32) {
	if p.leader != id {
		c.touch(p)
		p.leader = id
		p.epoch++
		c.dirty = true
	}
}

// fence is what the controller does when a broker's session has expired.
func (c *cluster) fence(b *broker) {
	b.fenceAt = noEvent
	if b.fenced {
		return
	}
	b.fenced, c.dirty = true, true
	c.eachOn(b.id, func(p *partition) {
		c.leaveISR(p, b.id)
		c.electAny(p)
		c.complete(p)
	})
	if c.controller == b.id {
		c.pickController()
	}
}

// unfence is what the controller does when a broker has come back.
func (c *cluster) unfence(b *broker) {
	b.joinAt = noEvent
	b.fenced, c.dirty = false, true
	c.eachOn(b.id, func(p *partition) {
		if p.leader < 0 {
			c.electAny(p)
			c.complete(p)
		}
	})
	c.pickController()
}

// pickController names the live broker that metadata gives as controller; it
// keeps the present one. (In KRaft a broker only passes requests on.)
func (c *cluster) pickController() {
	if c.alive(c.controller) {
		return
	}
	c.controller = -1
	for _, b := range c.brokers {
		if !b.fenced {
			c.controller = b.id
			return
		}
	}
}

func (c *cluster) eachOn(id int32, f func(*partition)) {
	for _, name := range c.names {
		for _, p := range c.topics[name].partitions {
			if has(p.replicas, id) {
				f(p)
			}
		}
	}
}
