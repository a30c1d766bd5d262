package placement

import (
	"cmp"
	"slices"
)

// after is the time of a batch when one move goes and another comes (-1 for
// none).
func (im *improver) after(batch, goes, comes int) int64 {
	im.tick++
	most := int64(0)
	for _, m := range [2]int{goes, comes} {
		if m < 0 {
			continue
		}
		for _, f := range im.flows[m] {
			if im.seen[f.end] != im.tick {
				im.seen[f.end] = im.tick
				most = max(most, im.load[int(f.end)*im.stride+batch]-im.bytesAt(goes, f.end)+im.bytesAt(comes, f.end))
			}
		}
	}
	return max(most, im.busiestUntouched(batch))
}

// busiestUntouched is the most bytes at an end that the present change leaves
// as it is.
func (im *improver) busiestUntouched(batch int) int64 {
	for _, f := range im.top[batch] {
		if im.seen[f.end] != im.tick {
			return f.bytes
		}
	}
	if len(im.top[batch]) < packTop {
		return 0
	}
	most := int64(0)
	for _, m := range im.moves[batch] {
		for _, f := range im.flows[m] {
			if im.seen[f.end] != im.tick {
				most = max(most, im.load[int(f.end)*im.stride+batch])
			}
		}
	}
	return most
}

// apply makes a change.
func (im *improver) apply(a int, c change) {
	im.take(c.x, a)
	if c.y >= 0 {
		im.take(c.y, c.b)
		im.put(c.y, a)
	}
	im.put(c.x, c.b)
	im.refresh(a)
	im.refresh(c.b)
}

// refresh works out a batch's busiest ends and its time again.
func (im *improver) refresh(batch int) {
	im.tick++
	top := im.top[batch][:0]
	for _, m := range im.moves[batch] {
		for _, f := range im.flows[m] {
			if im.seen[f.end] == im.tick {
				continue
			}
			im.seen[f.end] = im.tick
			top = append(top, packFlow{f.end, im.load[int(f.end)*im.stride+batch]})
		}
	}
	slices.SortFunc(top, func(x, y packFlow) int {
		return cmp.Or(cmp.Compare(y.bytes, x.bytes), cmp.Compare(x.end, y.end))
	})
	im.spent[batch] = 0
	if len(top) > 0 {
		im.spent[batch] = top[0].bytes
	}
	im.top[batch] = top[:min(len(top), packTop)]
}
