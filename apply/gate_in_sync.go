package apply

// gateInSync wants each live replica of the batch in sync, and no fewer than
// there were before, as far as there are live ones.
func gateInSync(s *scene) []Hold {
	var out []Hold
	for _, m := range s.batch {
		p := s.look.partition(m.Key())
		if p == nil {
			continue
		}
		for _, b := range without(m.After, p.ISR) {
			if s.look.alive[b] && s.wanted(m, b) {
				out = append(out, hold(m.Key(), b, "wait for it to catch up, or see why it can't", "broker %d is not in sync", b))
			}
		}
		if least := min(s.before[m.Key()], countAlive(m.After, s.look.alive)); len(p.ISR) < least {
			out = append(out, hold(m.Key(), noBroker, "see which of its brokers are down or slow", "%d in-sync replicas, %d before the batch", len(p.ISR), least))
		}
	}
	return out
}

// wanted says whether a replica has to be in sync after the batch. One that
// stays and sits in an offline log dir of a live broker can't come back.
func (s *scene) wanted(m Moving, b brokerID) bool {
	p := s.look.partition(m.Key())
	for _, off := range p.Offline {
		if off == b {
			return false
		}
	}
	return true
}
