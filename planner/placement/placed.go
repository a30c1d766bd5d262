package placement

// placed is where the units in play are.
func (g *graph) placed() (out []int16) {
	for _, t := range g.topics {
		for u, to := g.units(t); u < to; u++ {
			out = append(out, g.at(u))
		}
	}
	return out
}

// putBack puts the units in play back to where they were.
func (g *graph) putBack(where []int16) {
	for _, t := range g.topics {
		for u, to := g.units(t); u < to; u++ {
			if at := g.at(u); at != where[0] {
				var c vec
				g.shift(step{u, at, where[0]}, &c)
			}
			where = where[1:]
		}
	}
}
