package placement

import "math/bits"

// square is a sum of squares, in 128 bits: bytes squared are more than 64 hold.
type square struct{ hi, lo uint64 }

// less says whether a is smaller.
func (a square) less(b square) bool { return a.hi < b.hi || a.hi == b.hi && a.lo < b.lo }

// plus is a and b.
func (a square) plus(b square) square {
	lo, carry := bits.Add64(a.lo, b.lo, 0)
	hi, _ := bits.Add64(a.hi, b.hi, carry)
	return square{hi, lo}
}

// over is a divided by m, rounded down; m is at least 1.
func (a square) over(m uint64) square {
	lo, _ := bits.Div64(a.hi%m, a.lo, m)
	return square{a.hi / m, lo}
}

// squareOf is x times x.
func squareOf(x int64) square {
	n := uint64(max(x, -x))
	hi, lo := bits.Mul64(n, n)
	return square{hi, lo}
}

// squares adds up the squares of list.
func squares(list []int64) (sum square) {
	for _, x := range list {
		sum = sum.plus(squareOf(x))
	}
	return sum
}

// leastSquares is less than or equal to the sum of squares of any list that has
// more in all than this sorted one, and nowhere less: the lowest are raised to one
// level.
func leastSquares(sorted []int64, more int64) square {
	sum := more
	for m, x := range sorted {
		sum += x
		if n := int64(m + 1); m+1 == len(sorted) || sum <= sorted[m+1]*n {
			return squareOf(sum).over(uint64(n)).plus(squares(sorted[m+1:]))
		}
	}
	return square{}
}
