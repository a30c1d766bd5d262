package placement

// evenness measures evenness: the sum over brokers of (load - N w / W)^2, N being
// the replicas in the scope, w a broker's weight and W the sum of weights. It is
// convex, so the least sum is well defined under any rack rules; for equal
// weights the least sum has at once the smallest maximum and the largest
// minimum. It is scaled to integers.
type evenness struct {
	scale  int64   // of the load
	offset []int64 // 2 N w / W by broker, scaled; nil where all weights are equal
}

// marginal is what one replica more costs on broker b that holds k.
func (s *evenness) marginal(b int16, k int32) int64 {
	m := (2*int64(k) + 1) * s.scale
	if s.offset != nil {
		m -= s.offset[b]
	}
	return m
}

// newEvenness makes the measure for n replicas over the brokers in scope. Measures
// of one scale can be added up; the scale is a multiple of what weightSum gives.
func newEvenness(weight []int64, scope []int16, n, scale int64) evenness {
	s := evenness{scale: scale}
	w := weightSum(weight, scope)
	if w == 1 {
		return s
	}
	s.offset = make([]int64, len(weight))
	for _, b := range scope {
		s.offset[b] = 2 * n * weight[b] * (scale / w)
	}
	return s
}

// weightSum is the sum of weights in scope, or 1 where all are equal.
func weightSum(weight []int64, scope []int16) int64 {
	equal, sum := true, int64(0)
	for _, b := range scope {
		equal = equal && weight[b] == weight[scope[0]]
		sum += weight[b]
	}
	if equal {
		return 1
	}
	return sum
}

// scaleLimit bounds a common scale, so that a load times it stays far below 2^63.
const scaleLimit = 1 << 31

// commonScales are by scope a scale each, the same for all where their weights
// have a common multiple that is not too large. Where they have none, unevenness
// of topics on different brokers is not comparable to the last digit.
func commonScales(weight []int64, scopes [][]int16) []int64 {
	out := make([]int64, len(scopes))
	common := int64(1)
	for i, scope := range scopes {
		out[i] = weightSum(weight, scope)
		if common > 0 {
			common *= out[i] / gcd(common, out[i])
		}
		if common > scaleLimit {
			common = 0
		}
	}
	for i := range out {
		if common > 0 {
			out[i] = common
		}
	}
	return out
}

// weightLimit bounds the sum of weights.
const weightLimit = 1 << 24

// scaledWeights are the brokers' weights in lowest terms, at least 1 each.
func scaledWeights(brokers []Broker) []int64 {
	w := make([]int64, len(brokers))
	divisor, largest := int64(0), int64(1)
	for i := range brokers {
		w[i] = max(1, brokers[i].Weight)
		divisor = gcd(divisor, w[i])
		largest = max(largest, w[i])
	}
	for i := range w {
		w[i] /= divisor
	}
	largest /= max(1, divisor)
	for unit := int64(weightLimit / max(1, len(w))); largest > unit; largest /= 2 {
		for i := range w {
			w[i] = max(1, w[i]/2)
		}
	}
	return w
}

// gcd is the greatest common divisor.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// upTo is how many units broker b holds if it is filled from base on as long as
// one more costs no more than level.
func (s *evenness) upTo(b int16, level int64, base int32) int64 {
	x := level + s.scale
	if s.offset != nil {
		x += s.offset[b]
	}
	if x < 0 {
		return int64(base)
	}
	return max(int64(base), x/(2*s.scale))
}

// deviation is the unevenness of a broker with k units, but for a constant.
func (s *evenness) deviation(b int16, k int32) int64 {
	d := int64(k) * int64(k) * s.scale
	if s.offset != nil {
		d -= int64(k) * s.offset[b]
	}
	return d
}

// sum adds that up for some brokers.
func (s *evenness) sum(load []int32, of []int16) (d int64) {
	for _, b := range of {
		d += s.deviation(b, load[b])
	}
	return d
}
