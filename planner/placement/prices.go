package placement

// tell tells the prices at which a search over these topics has ended.
func (g *graph) tell(topics []int32, price, byRack []vec) {
	if g.priced != nil {
		g.priced(topics, price, byRack)
	}
}

// prices are the price of a unit on each broker, and of a broker's unit in each
// rack, as a search ends: how much nearer their nodes are than the sink. The nodes
// of the brokers begin at first. Where no unit can come to, the price is what one
// would cost.
func (g *graph) prices(first int32) (price, byRack []vec) {
	sink := g.dist[g.sink()]
	if g.racks != nil {
		byRack = make([]vec, len(g.racks.total))
		for r := range byRack {
			byRack[r] = sink
			byRack[r].minus(&g.dist[g.rackNode(int16(r))])
		}
	}
	return g.pricesFrom(first, &sink), byRack
}

// pricesFrom are the prices by broker.
func (g *graph) pricesFrom(first int32, sink *vec) []vec {
	price := make([]vec, g.brokers)
	for _, b := range g.scope {
		if d := &g.dist[first+int32(b)]; d[0] < unreached/2 {
			price[b] = *sink
			price[b].minus(d)
		} else {
			_, price[b], _ = g.ends(b)
		}
	}
	return price
}

// upTo is a cost without the components from one on.
func (a *vec) upTo(component int) (out vec) {
	copy(out[:component], a[:component])
	return out
}
