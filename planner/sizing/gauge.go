package sizing

import "slices"

// gauge reads one figure off a broker.
type gauge struct {
	code string
	unit Unit
	off  string // why it is not read off any broker, or ""
	// read gives the figure and its limit for what a broker gets of the topic with
	// rf replicas alive; false where the limit is not known.
	read func(b *Broker, h held, rf int) (value, limit int64, known bool)
	// missing says why a limit that some broker lacks is not checked there.
	missing string
}

// gauges are the limits that brokers have, in the order in which they are told.
var gauges = []func(*Input, *Report) gauge{replicasGauge, ingressGauge, egressGauge, diskGauge}

// measured holds every gauge against its limit: with all brokers alive, and with
// the one dead that makes the worst of it.
func measured(in *Input, r *Report) []Check {
	var list []gauge
	var out []Check
	for _, make := range gauges {
		g := make(in, r)
		list = append(list, g)
		out = append(out, Check{Code: g.code, Unit: g.unit, Unchecked: g.off})
	}
	readAll(in, r, in.Brokers, list, func(i int, m *Measure) { out[i].Alive = m })
	for dead := range in.Brokers {
		readAll(in, r, without(in.Brokers, dead), list, func(i int, m *Measure) {
			if out[i].Dead == nil || tighter(m.Value, m.Limit, out[i].Dead) {
				m.Failed, out[i].Dead = &in.Brokers[dead].ID, m
			}
		})
	}
	for i, g := range list {
		if out[i].Unchecked == "" && unknown(in, g) {
			out[i].Unchecked = g.missing
		}
		if out[i].Unchecked == "" && out[i].Alive == nil {
			out[i].Unchecked = "the replicas do not fit on the brokers"
		}
	}
	return out
}

// readAll reads every gauge off the brokers that are left, and tells the worst.
func readAll(in *Input, r *Report, brokers []Broker, list []gauge, tell func(i int, m *Measure)) {
	rf := min(in.RF, len(brokers))
	shares, ok := share(brokers, r.Partitions, rf, in.Spread)
	if !ok {
		shares, ok = share(brokers, r.Partitions, rf, false)
	}
	if !ok || in.RF > len(in.Brokers) {
		return
	}
	for i, g := range list {
		if g.off != "" {
			continue
		}
		if m := worst(brokers, shares, func(b *Broker, h held) (int64, int64, bool) { return g.read(b, h, rf) }); m != nil {
			tell(i, m)
		}
	}
}

// unknown says whether any broker lacks the limit.
func unknown(in *Input, g gauge) bool {
	return slices.ContainsFunc(in.Brokers, func(b Broker) bool {
		_, _, known := g.read(&b, held{}, 1)
		return !known
	})
}

// worst reads every broker, and tells the one that is nearest to its limit or
// furthest above it; nil where none can be read.
func worst(brokers []Broker, shares []held, read func(b *Broker, h held) (value, limit int64, known bool)) (out *Measure) {
	for i := range brokers {
		value, limit, known := read(&brokers[i], shares[i])
		if known && (out == nil || tighter(value, limit, out)) {
			id := brokers[i].ID
			out = &Measure{Value: value, Limit: limit, Broker: &id}
		}
	}
	return out
}

// tighter says whether a value is nearer to its limit than a measure is.
func tighter(value, limit int64, m *Measure) bool {
	return float64(value)*float64(max(m.Limit, 1)) > float64(m.Value)*float64(max(limit, 1))
}

// without are the brokers but one, with its replicas of other topics.
func without(brokers []Broker, dead int) []Broker {
	left := slices.Delete(slices.Clone(brokers), dead, dead+1)
	for i := range left {
		left[i].Replicas += int(ceilDiv(int64(brokers[dead].Replicas), int64(len(left))))
	}
	return left
}
