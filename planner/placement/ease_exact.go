package placement

import "slices"

// exact looks at every placement, of topics that do not say cluster and of those
// that do, and says whether the work sufficed.
func (e *ease) exact(limit int64) bool {
	if e.bytes {
		return false
	}
	limit += e.work
	for class := range 2 {
		var parts []int32
		var among []int16
		for i := range e.model.parts {
			p := &e.model.parts[i]
			if p.units > 0 && e.class(p.topic) == class {
				parts = append(parts, int32(i))
				among = append(among, e.topics[p.topic].in.Eligible...)
			}
			if len(parts) > maxWindowParts {
				return false
			}
		}
		slices.Sort(among)
		if among = slices.Compact(among); len(among) > maxWindowBrokers {
			return false
		}
		if _, all := e.replace(parts, among, class, limit, false); !all {
			return false
		}
		e.replace(parts, among, class, limit, true)
	}
	return true
}

// replace places partitions of a class anew among these brokers, with the leaders
// that they have, or where they are released with any that are as good. It says
// whether anybody has less to do then, and whether the work sufficed to see all.
func (e *ease) replace(parts []int32, among []int16, class int, limit int64, release bool) (better, all bool) {
	e.flow.joint = class == 1
	aim := &easeAim{ease: e, fixed: !e.mayMove[class], release: release}
	w := newWindow(e.flow, e.model, aim, parts, among)
	if w == nil {
		e.work += int64(len(parts)) * 8
		return false, false
	}
	w.limit = limit - e.work
	steps, all := w.run()
	e.work += w.work
	for _, s := range steps {
		e.count(s.unit, s.from, -1)
		e.count(s.unit, s.to, 1)
		e.carry(s)
	}
	e.relead(aim.lead)
	return len(steps) > 0, all
}
