package placement

// What a flow is of.
const (
	ofReplicas = "replicas"
	ofLeaders  = "leaders"
)

// stage is how a flow is played.
type stage struct {
	what string
	// What it may work, in sixteenths of the whole: in levelling with topics
	// merged, and in the search afterwards.
	level, search int64
	balance       func(*Topic) Balance
	again         bool   // it has been played already, and little has changed since
	then          func() // to be done after each search; nil for nothing
}

// play runs a flow over the topics that do not say cluster, then over those that
// do, each from a start that is even already.
func (s *solver) play(g *graph, of *stage) {
	for _, joint := range []bool{false, true} {
		if s.choose(g, joint, of.balance); len(g.topics) == 0 {
			continue
		}
		g.budget = s.budget / 16 * of.level
		switch {
		case !joint:
			s.eachAlone(g)
		case of.again:
			g.relevel(g)
		default:
			g.level(g)
		}
		open := unproved{what: of.what, joint: joint, unlevelled: g.exhausted}
		g.reset()
		g.budget = s.budget / 16 * of.search
		if !joint {
			g.levelApart(g)
		}
		g.polish(g.swaps())
		g.run()
		if joint {
			price, byRack := g.prices(g.brokerNode(0))
			g.tell(g.topics, price, byRack)
		}
		if of.then != nil {
			of.then()
		}
		if g.exhausted || open.unlevelled {
			s.unproved = append(s.unproved, open)
		}
	}
}

// choose puts the topics in play that say cluster, or those that do not.
func (s *solver) choose(g *graph, joint bool, balance func(*Topic) Balance) {
	g.topics, g.joint = g.topics[:0], joint
	for t := range s.topics {
		from, to := g.units(int32(t))
		if from < to && (balance(s.topics[t].in) == BalanceCluster) == joint {
			g.topics = append(g.topics, int32(t))
		}
	}
}

// unproved is a step that ended with its budget.
type unproved struct {
	what       string
	joint      bool
	unlevelled bool // levelling did, so that it is not proved what comes before evenness of what is no rule
}

// levels names the levels that are not proved.
func (u *unproved) levels() string {
	if u.joint {
		return "evenness by topic and over the cluster"
	}
	return "evenness over the cluster"
}

// notProved says what the search has left open, "" where nothing. Where levelling
// ended early the bounds may still prove what it was about.
func (s *solver) notProved(out *Solution) string {
	if len(s.unproved) == 0 {
		return ""
	}
	first := &s.unproved[0]
	levels := first.levels()
	switch {
	case !first.unlevelled:
	case first.what == ofReplicas:
		levels = s.openReplicas(out, levels)
	case out.LeaderMoves != out.LeaderMovesBound:
		levels = "balance, changes of leader and all after them"
	}
	return first.what + ": " + levels
}

// openReplicas names the levels of replicas that no bound proves.
func (s *solver) openReplicas(out *Solution, evenness string) string {
	if out.Copies != out.CopiesBound {
		return "balance, copies and all after them"
	}
	for i := range s.proofs {
		if p := &s.proofs[i]; p.even != nil && s.costOf(p) != p.bound {
			return "bytes and all after them"
		}
	}
	return "which replicas are given up, and " + evenness
}
