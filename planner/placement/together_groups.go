package placement

import "slices"

// What is searched with several partitions at once, in counted work of 50 to 100 ns.
const (
	fewAtOnce = 16      // so many partitions are tried all at once
	fewGroup  = 8       // where there are more, so many, and all pairs
	fewWhole  = 400_000 // work on all at once
	fewPart   = 10_000  // on a pair or a group
	fewShare  = 100     // altogether, this part of what a plan may work
	// fewProblem is partitions times brokers; larger problems are left as they are.
	fewProblem = 40_000
)

// groupStrides are by how many partitions those of a group are apart: next to each
// other, mostly of one topic, and from all over.
var groupStrides = []int{1, 13, 29, 7, 3, 17, 5, 23, 37}

// improve looks for better replicas and leaders of a few partitions at once, and
// says whether it has found any. It takes its work off the budget. Partitions are
// looked at together whose replicas are decided in one step, and their leaders too.
func (j *together) improve(s *solver, budget *int64) (any bool) {
	if len(s.parts)*s.brokers > fewProblem {
		return false
	}
	for class := range 2 {
		for _, joint := range []bool{false, true} {
			f := j.newFew(s, class, joint, *budget)
			any = f.all() || any
			*budget -= f.work
		}
	}
	return any
}

// newFew prepares the search over the partitions of topics of a class, whose
// leaders are balanced over the cluster or not.
func (j *together) newFew(s *solver, class int, joint bool, budget int64) *few {
	f := &few{together: j, f: s.flow, g: j.graph, class: class, end: budget, filled: make([]int32, max(s.brokers, s.racks))}
	for i := range s.parts {
		t := s.parts[i].topic
		if j.class(t) == class && (leadBalance(s.topics[t].in) == BalanceCluster) == joint && j.unitOf[i] >= 0 {
			f.group = append(f.group, int32(i))
		}
	}
	if len(f.group) > 0 {
		s.choose(s.flow, class == 1, func(t *Topic) Balance { return t.Balance })
		j.graph.joint = joint
	}
	return f
}

// all tries all partitions at once where they are few, which proves that there is
// nothing better; and pairs and groups where they are not, or that takes too long.
// Prices are searched again after each round, since replicas may have moved to
// where others hold.
func (s *few) all() (any bool) {
	for found := len(s.group) > 0; found && s.work < s.end; any = any || found {
		s.refresh()
		if len(s.choices) <= fewAtOnce {
			if found = s.search(s.choices, fewWhole); found || !s.ended {
				continue
			}
		}
		pairs := s.pairs()
		found = s.groups() || pairs
	}
	return any
}

// refresh finds prices and lists what may be chosen.
func (s *few) refresh() {
	s.prices = s.f.newSlopes(s.end - s.work)
	s.work += s.f.work
	least := make([]vec, len(s.group))
	for k, i := range s.group {
		least[k] = s.leastExcess(i)
	}
	slices.SortFunc(least, func(a, b vec) int {
		switch {
		case a.less(&b):
			return -1
		case b.less(&a):
			return 1
		}
		return 0
	})
	s.slack = vec{}
	for _, c := range least[:min(fewAtOnce, len(least))] {
		s.slack.minus(&c)
	}
	s.choices = s.choices[:0]
	for _, i := range s.group {
		if o := s.newOptions(i); len(o.sets) > 1 || len(o.leaders) > 1 {
			s.choices = append(s.choices, o)
		}
	}
}

// pairs tries all pairs, those next to each other first.
func (s *few) pairs() (any bool) {
	for d := 1; d < len(s.choices); d++ {
		for i := 0; i+d < len(s.choices) && s.work < s.end; i++ {
			any = s.try(i, i+d) || any
		}
	}
	return any
}

// groups tries groups of partitions, each of which overlaps with the next one.
func (s *few) groups() (any bool) {
	n := len(s.choices)
	for _, stride := range groupStrides {
		for first := 0; first < n && s.work < s.end; first += fewGroup / 2 {
			group := make([]int, 0, fewGroup)
			for k := range min(fewGroup, n) {
				if i := (first + k*stride) % n; !slices.Contains(group, i) {
					group = append(group, i)
				}
			}
			slices.Sort(group)
			any = s.try(group...) || any
		}
	}
	return any
}

// try searches with these of the choices, in their order.
func (s *few) try(which ...int) bool {
	open := make([]*options, len(which))
	for k, i := range which {
		open[k] = s.choices[i]
	}
	if !s.search(open, fewPart) {
		return false
	}
	for _, i := range which {
		s.choices[i] = s.newOptions(s.choices[i].part)
	}
	return true
}
