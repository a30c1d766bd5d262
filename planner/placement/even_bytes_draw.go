package placement

import "slices"

// exact looks at every placement of all partitions that ask, and says whether the
// work sufficed.
func (s *byteSearch) exact() bool {
	if len(s.asks) > maxWindowParts {
		return false
	}
	var among []int16
	for _, b := range s.graph.scope {
		if slices.ContainsFunc(s.asks, func(i int32) bool { return s.replicas.topics[s.parts[i].topic].eligible[b] }) {
			among = append(among, b)
		}
	}
	if len(among) > maxWindowBrokers {
		return false
	}
	_, all := s.replace(s.asks, among)
	return all
}

// replace places partitions anew among these brokers, as evenly as can be. It says
// whether that is better than it was, and whether the work sufficed to see all.
func (s *byteSearch) replace(parts []int32, among []int16) (better, all bool) {
	w := newWindow(s.graph, s.model, &byteAim{byteSearch: s}, parts, among)
	if w == nil {
		s.work += int64(len(parts)) * 8
		return false, false
	}
	w.limit = s.limit - s.work
	steps, all := w.run()
	s.work += w.work
	return len(steps) > 0 && s.make(steps), all
}

// Windows are of two to four brokers, and as many partitions as make some hundreds
// to thousands of placements.
var windowParts = [5]int{2: 10, 3: 7, 4: 6}

// windows combines exchanges, and chooses a few partitions on a few brokers anew,
// again and again, until
// many in a row were in vain or the work is done. Which ones is drawn, always the
// same.
func (s *byteSearch) windows() {
	random := packRandom(1)
	vain, patience := 0, 200+20*len(s.asks)
	for n := 0; vain < patience && s.work < s.limit; n++ {
		if n%4 > 0 {
			if vain++; s.drawCombined(&random) {
				vain = 0
			}
			continue
		}
		among := s.drawBrokers(&random, 2+n/4%3)
		slices.Sort(among)
		parts := s.drawParts(&random, among)
		if vain++; len(parts) < 2 {
			s.work += 8
			continue
		}
		if better, _ := s.replace(parts, among); better {
			vain = 0
		}
	}
}

// drawBrokers draws n brokers of which one is the fullest, the emptiest, or any;
// of one rack where replicas cannot leave theirs.
func (s *byteSearch) drawBrokers(random *packRandom, n int) []int16 {
	first := s.graph.scope[random.intN(len(s.graph.scope))]
	for _, b := range s.graph.scope {
		if kind := random.intN(3); kind == 0 && s.over[b] > s.over[first] || kind == 1 && s.over[b] < s.over[first] {
			first = b
		}
	}
	among := []int16{first}
	need := !s.giving[first]
	for tries := 0; len(among) < n && tries < 4*n; tries++ {
		b := s.graph.scope[random.intN(len(s.graph.scope))]
		if !slices.Contains(among, b) && (s.giving[b] || !need || len(among) > 1) && (s.loose || s.rackOf[b] == s.rackOf[first]) {
			among = append(among, b)
		}
	}
	return among
}

// drawCombined combines exchanges of three brokers.
func (s *byteSearch) drawCombined(random *packRandom) bool {
	among := s.drawBrokers(random, 3)
	s.work += 8
	return len(among) == 3 && s.combine(among)
}

// drawParts draws partitions with replicas on some but not all of the brokers:
// every second one of the topic of the first, since balanced topics exchange among
// themselves.
func (s *byteSearch) drawParts(random *packRandom, among []int16) []int32 {
	var parts []int32
	topic := int32(-1)
	for tries := range 4 * windowParts[len(among)] {
		if len(parts) == windowParts[len(among)] {
			break
		}
		on := s.on[among[random.intN(len(among))]]
		if len(on) == 0 {
			continue
		}
		k := random.intN(len(on))
		if topic >= 0 && tries%2 == 1 {
			k = s.model.nextOf(on, k, topic)
		}
		i := s.unitPart[on[k]]
		if !slices.Contains(parts, i) {
			parts = append(parts, i)
			topic = s.parts[parts[0]].topic
		}
	}
	return parts
}
