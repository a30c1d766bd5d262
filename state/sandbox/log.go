package sandbox

import "sort"

// recordBytes is how many bytes stand for one record where a partition is
// given bytes and no records (a snapshot, Fill, traffic).
const recordBytes = 1000

// log holds a partition's offsets and the batches that were really produced.
// Where bytes came without records, consumers meet a gap in the offsets, as
// they do in a compacted topic.
type log struct {
	start, end int64
	batches    []batch
	odd        int64 // bytes of fill that did not make a record yet
}

// batch is a record batch as it was produced, with its offset set.
type batch struct {
	first, last int64
	data        []byte
}

// fill lets the offsets go on by as many records as the bytes stand for.
func (l *log) fill(bytes int64) {
	l.odd += bytes
	n := l.odd / recordBytes
	l.odd %= recordBytes
	if n == 0 && l.end == l.start {
		n, l.odd = 1, 0
	}
	l.end += n
}

// truncate keeps size of the before bytes: the share of the offsets.
func (l *log) truncate(size, before int64) {
	l.end = l.start + int64(float64(l.end-l.start)*float64(size)/float64(before))
	at := sort.Search(len(l.batches), func(i int) bool { return l.batches[i].last >= l.end })
	l.batches = l.batches[:at]
}

// from returns the batches from the one that holds the offset, or the next
// one after it.
func (l *log) from(offset int64) []batch {
	return l.batches[sort.Search(len(l.batches), func(i int) bool { return l.batches[i].last >= offset }):]
}
