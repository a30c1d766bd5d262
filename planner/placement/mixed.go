package placement

// splitMixStep is how far the state of SplitMix64 goes on for each number.
const splitMixStep = 0x9e3779b97f4a7c15

// Mixed makes an arbitrary number of a counter, as SplitMix64 does: the same in
// every run and with every Go.
func Mixed(n uint64) uint64 {
	n += splitMixStep
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
