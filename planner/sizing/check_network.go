package sizing

import "math"

const noNetwork = "what a broker's network carries was not told"

// ingressGauge is what a broker takes in of the topic: each of its replicas gets
// a partition's share, from producers or from the leader.
func ingressGauge(in *Input, r *Report) gauge {
	return networkGauge("network_in", in, func(h held, _ int) float64 { return r.rate() * float64(h.replicas) })
}

// egressGauge is what a broker sends of the topic: each partition that it leads
// goes to every consumer group and to the followers.
func egressGauge(in *Input, r *Report) gauge {
	return networkGauge("network_out", in, func(h held, rf int) float64 {
		return r.rate() * float64(h.leaders) * float64(in.Groups+rf-1)
	})
}

// rate is what producers write to one partition, in bytes per second.
func (r *Report) rate() float64 { return float64(r.Demand) / float64(r.Partitions) }

func networkGauge(code string, in *Input, value func(h held, rf int) float64) gauge {
	g := gauge{code: code, unit: BytesPerSecond}
	if in.Network == 0 {
		g.off = noNetwork
	}
	limit := int64(float64(in.Network) / 100 * float64(100-in.NetworkHeadroom))
	g.read = func(_ *Broker, h held, rf int) (int64, int64, bool) { return whole(value(h, rf)), limit, true }
	return g
}

// whole is a number of bytes rounded up, or the most that there can be; what
// binary fractions add to it is not counted.
func whole(f float64) int64 {
	if f > math.MaxInt64/2 {
		return math.MaxInt64 / 2
	}
	return int64(math.Ceil(f - 1e-6))
}
