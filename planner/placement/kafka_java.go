package placement

import (
	"cmp"
	"slices"
	"unicode/utf16"
)

// javaRandom is java.util.Random: the linear congruential generator that its
// documentation sets down.
type javaRandom uint64

const (
	javaMultiplier = 0x5DEECE66D
	javaMask       = 1<<48 - 1
)

func newJavaRandom(seed int64) javaRandom {
	return javaRandom((uint64(seed) ^ javaMultiplier) & javaMask)
}

// next31 is 31 random bits.
func (r *javaRandom) next31() int32 {
	*r = (*r*javaMultiplier + 0xB) & javaMask
	return int32(*r >> 17)
}

// intN is nextInt(n): from 0 to n-1, evenly.
func (r *javaRandom) intN(n int) int {
	bound := int32(n)
	bits := r.next31()
	if bound&(bound-1) == 0 {
		return int(int64(bound) * int64(bits) >> 31)
	}
	for bits-bits%bound+(bound-1) < 0 { // the last, incomplete run of n numbers
		bits = r.next31()
	}
	return int(bits % bound)
}

// javaShuffle is java.util.Collections.shuffle.
func javaShuffle[T any](r *javaRandom, list []T) {
	for i := len(list); i > 1; i-- {
		j := r.intN(i)
		list[i-1], list[j] = list[j], list[i-1]
	}
}

// javaHash is the hash of a String, with the bits that a HashMap mixes in.
func javaHash(s string) uint32 {
	h := uint32(0)
	for _, unit := range utf16.Encode([]rune(s)) {
		h = 31*h + uint32(unit)
	}
	return h ^ h>>16
}

// hashMapOrder is the order in which a HashMap with the racks' names as keys,
// put in the order of the list, gives them: by bucket, and within one in the
// order in which they came.
func hashMapOrder(racks []*stripe) []*stripe {
	buckets := uint32(16)
	for float64(len(racks)) > 0.75*float64(buckets) {
		buckets *= 2
	}
	out := slices.Clone(racks)
	slices.SortStableFunc(out, func(a, b *stripe) int {
		return cmp.Compare(javaHash(a.name)&(buckets-1), javaHash(b.name)&(buckets-1))
	})
	return out
}
