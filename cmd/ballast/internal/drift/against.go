package drift

import (
	"ballast/planner"
	"ballast/state"
)

// CompareWithState says of each durable item whether the cluster or the
// declaration has changed since an earlier snapshot. Planned is what the
// present declaration gives there: what it changes was not as declared then.
func (r *Report) CompareWithState(file string, then, now *state.Snapshot, planned *planner.Plan) {
	differed := allAspects(planned)
	r.compare(file, planned, func(a aspect) Origin {
		_, declared := differed[a]
		return originOf(a.in(then) != a.in(now), declared)
	})
}

// CompareWithPlan says of each durable item whether the cluster or the
// declaration has changed since an earlier plan: what is so now, and what is
// declared now, are held against the state that the plan leads to. Present is
// the plan that the report tells of.
func (r *Report) CompareWithPlan(file string, present, earlier *planner.Plan) {
	now, then := allAspects(present), allAspects(earlier)
	same := present.Config.Digest == earlier.Config.Digest
	r.compare(file, earlier, func(a aspect) Origin {
		led, ok := then[a]
		if !ok {
			led.is, ok = untouched(earlier, a)
			led.was = led.is
		}
		v := now[a]
		switch {
		case !ok && same:
			return FromCluster // all that was declared is declared now, and this was so
		case !ok:
			return Unknown
		case v.was != led.is && v.was == led.was && (same || v.is == led.is):
			return Pending
		}
		return originOf(v.was != led.is && v.was != led.was, !same && v.is != led.is)
	})
}

// originOf is what has changed. Where neither has, what changed elsewhere in
// the cluster has made the plan move this too.
func originOf(cluster, declaration bool) Origin {
	switch {
	case cluster && declaration:
		return FromBoth
	case declaration:
		return FromDeclaration
	}
	return FromCluster
}

// untouched is the value that a plan found and left, and whether it tells: of
// an override of a topic that it changes otherwise.
func untouched(p *planner.Plan, a aspect) (string, bool) {
	if a.kind != Config {
		return "", false
	}
	for i := range p.Changes {
		if c := &p.Changes[i]; c.Topic == a.topic && c.Action == planner.Create {
			return unset, true
		}
	}
	overrides, ok := p.Bound.Overrides[a.topic]
	if !ok {
		return "", false
	}
	if v, set := overrides[a.name]; set {
		return override(&v, state.SourceTopic), true
	}
	return unset, true
}

func allAspects(p *planner.Plan) map[aspect]values {
	out := map[aspect]values{}
	for i := range p.Changes {
		for a, v := range aspectsOf(&p.Changes[i]) {
			out[a] = v
		}
	}
	return out
}

// compare gives each durable item its origin. One about several partitions has
// that of all of them, or both.
func (r *Report) compare(file string, earlier *planner.Plan, origin func(aspect) Origin) {
	r.Against = &Against{File: file, TakenAt: earlier.Cluster.TakenAt}
	for i := range r.Durable {
		item := &r.Durable[i]
		for k, a := range item.aspects() {
			switch o := origin(a); {
			case k == 0:
				item.Origin = o
			case o != item.Origin:
				item.Origin = FromBoth
			}
		}
	}
}
