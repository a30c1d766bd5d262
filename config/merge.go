package config

import "strings"

// merge gives a topic's settings with those of defaults that it does not have
// itself: attribute by attribute, config key by key. A null takes one away, and
// so does ignore_config: it leaves to somebody else what the topic itself does
// not declare.
func merge(own, defaults settings) settings {
	out := make(settings, len(own)+len(defaults))
	noConfig := own["config"] != nil // config = null
	var ignored []string
	get(own, "ignore_config", &ignored)
	for path, s := range defaults {
		key, isConfig := strings.CutPrefix(path, "config.")
		if !isConfig || !noConfig && matching(ignored, key) == "" {
			out[path] = s
		}
	}
	for path, s := range own {
		out[path] = s
	}
	for path, s := range out {
		if s.value == nil && !s.bad {
			delete(out, path)
		}
	}
	return out
}

// build makes the topic of a declaration and checks it. It says whether all
// that the topic takes from defaults is sound; what was wrong with that has
// been reported where it stands.
func (l *loader) build(decl, defaults *declaration, d *Desired) (Topic, bool) {
	s := merge(decl.set, defaults.set)
	t := Topic{Name: decl.name, Source: sourceOf(decl.at), Config: map[string]string{}, Lines: make(map[string]Source, len(s))}
	ok := !defaults.broken
	for path, x := range s {
		ok = ok && !x.bad
		t.Lines[path] = x.source()
		if key, isConfig := strings.CutPrefix(path, "config."); isConfig && x.value != nil {
			t.Config[key] = x.value.(string)
		}
	}
	get(s, "partitions", &t.Partitions)
	get(s, "replication_factor", &t.ReplicationFactor)
	get(s, "keyed", &t.Keyed)
	get(s, "ignore_config", &t.IgnoreConfig)
	buildReplicas(s, &t.Replicas)
	buildLeaders(s, &t.Leaders)
	return t, d.knowsPlaces(t.Replicas.Class) && l.check(&checked{topic: &t, place: decl.at, set: s, own: decl.set, desired: d}) && ok
}

func buildReplicas(s settings, r *Replicas) {
	spread, balance, by := "", "", ""
	get(s, "replicas.class", &r.Class)
	get(s, "replicas.per_rack", &r.PerRack)
	get(s, "replicas.pin", &r.Pin)
	get(s, "replicas.balance_by", &by)
	get(s, "replicas.racks", &r.Racks)
	get(s, "replicas.brokers", &r.Brokers)
	get(s, "replicas.rack_spread", &spread)
	get(s, "replicas.balance", &balance)
	r.RackSpread, r.Balance = RackSpread(spread), Balance(balance)
	r.BalanceBy = BalanceBy(by)
}

func buildLeaders(s settings, l *Leaders) {
	balance := ""
	get(s, "leaders.racks", &l.Racks)
	get(s, "leaders.brokers", &l.Brokers)
	get(s, "leaders.required", &l.Required)
	get(s, "leaders.balance", &balance)
	l.Balance = Balance(balance)
}
