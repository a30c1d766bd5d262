package placement

import "slices"

// easeDraw chooses a few partitions on a few brokers anew, again and again: what is
// drawn is always the same.
type easeDraw struct {
	*ease
	random packRandom
	units  [][]int32 // by broker: units, some gone by now
}

// redraw does so until many in a row were in vain or the work is done.
func (e *ease) redraw(limit int64) {
	if e.bytes {
		return
	}
	d := &easeDraw{ease: e, random: 1, units: make([][]int32, e.brokers)}
	loose := false
	for u, b := range e.unitAt {
		d.units[b] = append(d.units[b], int32(u))
		loose = loose || !e.model.parts[e.unitPart[u]].locked
	}
	for n, vain := 0, 0; vain < min(1000, 200+4*len(e.model.parts)) && e.work < limit; n++ {
		e.work += int64(len(e.scope))
		among := d.brokers(2+n%3, loose)
		vain++
		for class := range 2 {
			if parts := d.parts(among, class); len(parts) > 1 && d.change(parts, among, class, limit) {
				vain = 0
			}
		}
	}
}

// change places partitions anew and keeps the lists.
func (d *easeDraw) change(parts []int32, among []int16, class int, limit int64) bool {
	better, _ := d.replace(parts, among, class, limit, false)
	if better {
		for _, i := range parts {
			p := &d.model.parts[i]
			for u := p.unit; u < p.unit+int32(p.units); u++ {
				d.units[d.unitAt[u]] = append(d.units[d.unitAt[u]], u)
			}
		}
	}
	return better
}

// brokers draws n of them, of which every second time one is the busiest; of one
// rack where replicas cannot leave theirs.
func (d *easeDraw) brokers(n int, loose bool) []int16 {
	first := d.scope[d.random.intN(len(d.scope))]
	if d.random.intN(2) == 0 {
		for _, b := range d.scope {
			if d.busy(b) > d.busy(first) {
				first = b
			}
		}
	}
	among := []int16{first}
	for tries := 0; len(among) < n && tries < 4*n; tries++ {
		b := d.scope[d.random.intN(len(d.scope))]
		if !slices.Contains(among, b) && (loose || d.rackOf[b] == d.rackOf[first]) {
			among = append(among, b)
		}
	}
	slices.Sort(among)
	return among
}

// parts draws partitions of a class with replicas on the brokers, every second one
// of the topic of the first.
func (d *easeDraw) parts(among []int16, class int) []int32 {
	var parts []int32
	for tries := range 4 * windowParts[4] {
		if len(parts) == windowParts[4] {
			break
		}
		b := among[d.random.intN(len(among))]
		if len(d.units[b]) == 0 {
			continue
		}
		k := d.random.intN(len(d.units[b]))
		if len(parts) > 0 && tries%2 == 1 {
			k = d.nextOf(d.units[b], k, d.model.parts[parts[0]].topic)
		}
		u := d.units[b][k]
		i := d.unitPart[u]
		if d.unitAt[u] == b && d.class(d.model.parts[i].topic) == class && !slices.Contains(parts, i) {
			parts = append(parts, i)
		}
	}
	return parts
}

// nextOf is the next unit of a topic in a list, from k on and around; k where a
// few looks find none.
func (m *model) nextOf(on []int32, k int, topic int32) int {
	for d := range min(64, len(on)) {
		if i := (k + d) % len(on); m.parts[m.unitPart[on[i]]].topic == topic {
			return i
		}
	}
	return k
}
