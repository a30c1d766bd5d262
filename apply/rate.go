package apply

import (
	"fmt"

	"github.com/dustin/go-humanize"
)

// changeRate changes the throttle of a batch in flight, where somebody has
// asked for it, and of the batches to come. No move is begun again.
func (r *run) changeRate(b *batch, l *look) error {
	select {
	case factor := <-r.o.Rate:
		return r.multiplyRate(b, l, factor)
	default:
		return nil
	}
}

func (r *run) multiplyRate(b *batch, l *look, factor float64) error {
	if r.set.limit <= 0 {
		r.emit(Event{Kind: EventSkipped, Message: "the rate is not changed: this run has no throttle"})
		return nil
	}
	was := r.set.limit
	r.set.limit = max(1, int64(float64(was)*factor))
	if most := r.set.climb.max; most > 0 {
		r.set.limit = min(r.set.limit, most)
	}
	r.emit(Event{Kind: EventWarning, Message: fmt.Sprintf("the throttle is changed as asked for: from %s/s to %s/s a broker",
		humanize.Bytes(uint64(was)), humanize.Bytes(uint64(r.set.limit)))})
	return r.setThrottles(r.copiesOf(b.moves, l), l)
}
