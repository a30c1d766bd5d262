package consumer

// roundRobin gives out all partitions in turn; a member that does not subscribe
// to a topic is passed over, and the turn goes on from where it was.
func (g *group) roundRobin() []int {
	owners, order, turn := g.unowned(), g.turns(), 0
	for p, t := range g.topicOf {
		for !g.subscribes[order[turn]][t] {
			turn = (turn + 1) % len(order)
		}
		owners[p] = order[turn]
		turn = (turn + 1) % len(order)
	}
	return owners
}
