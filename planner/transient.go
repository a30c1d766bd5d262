package planner

// Transient says whether a change is drift that comes and goes by itself: only
// leaders that are not at home, after a broker was away. All else is durable.
func (c *Change) Transient() bool {
	if c.Action != Update || len(c.Config) > 0 || len(c.Assignments) == 0 {
		return false
	}
	for i := range c.Assignments {
		a := &c.Assignments[i]
		if len(a.Before) == 0 || !sameList(a.Before, a.After) {
			return false
		}
	}
	return true
}
