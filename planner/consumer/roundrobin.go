package consumer

// roundRobin gives out all partitions in turn; a member that does not subscribe
// to a topic is passed over, and the turn goes on from where it was.
func (g *group) roundRobin() []int {
	owners, turn := g.unowned(), 0
	for p, t := range g.topicOf {
		for !g.subscribes[turn][t] {
			turn = (turn + 1) % len(g.members)
		}
		owners[p] = turn
		turn = (turn + 1) % len(g.members)
	}
	return owners
}
