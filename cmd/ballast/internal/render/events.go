package render

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"ballast/apply"
)

// EventOptions are how a run's events are drawn.
type EventOptions struct {
	Options
	Bar  bool // the stream is a terminal: progress is a bar
	JSON bool // each event is a line of JSON
}

// progressEvery is how far apart lines of progress are, where there is no bar.
const progressEvery = 5 * time.Second

// Events draws a run's events: a line each, and on a terminal a bar below them.
type Events struct {
	mu       sync.Mutex
	w        io.Writer
	o        EventOptions
	bar      *progressbar.ProgressBar
	lastLine time.Time // of progress, in the run's own time
	held     string    // what a gate was last said to wait for
}

// NewEvents draws events on w.
func NewEvents(w io.Writer, o EventOptions) *Events { return &Events{w: w, o: o} }

// Event draws one event.
func (v *Events) Event(e apply.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.o.JSON {
		v.object(e)
		return
	}
	if e.Kind == apply.EventProgress && e.Progress != nil {
		v.progress(e)
		return
	}
	v.lastLine = time.Time{}
	if v.o.Quiet && eventStyle(e.Kind) == plain {
		return
	}
	v.clear()
	message, held := Safe(e.Message), ""
	switch e.Kind {
	case apply.EventWarning:
		message = "Warning: " + message
	case apply.EventGateWaiting:
		message, held = v.waiting(e)
	}
	fmt.Fprintf(v.w, "%s  %s\n%s", v.o.paint(dim, e.At.UTC().Format(time.TimeOnly)), v.o.paint(eventStyle(e.Kind), where(e)+message), held)
}

// waiting says what a gate waits for: the first time, and when that changes, what
// holds it up, after that only for how long.
func (v *Events) waiting(e apply.Event) (message, held string) {
	var b strings.Builder
	writeHolds(&b, e.Holds, v.o.Options, "            ")
	what, _, _ := strings.Cut(e.Message, ": waiting for ")
	still := ""
	if held = b.String(); held == v.held {
		still, held = "still ", ""
	} else {
		v.held = held
	}
	return fmt.Sprintf("%s: %swaiting, %s of at most %s", Safe(what), still, Seconds(int64(e.Waited)), Seconds(int64(e.Timeout))), held
}

// object writes an event as a line of JSON, progress as rarely as in text.
func (v *Events) object(e apply.Event) {
	if e.Kind == apply.EventProgress {
		if !v.lastLine.IsZero() && e.At.Sub(v.lastLine) < progressEvery {
			return
		}
		v.lastLine = e.At
	} else if v.lastLine = (time.Time{}); v.o.Quiet && eventStyle(e.Kind) == plain {
		return
	}
	e.At = e.At.UTC()
	v.encode(e)
}

func (v *Events) encode(document any) {
	_ = Visible(v.w, func(w io.Writer) error { return json.NewEncoder(w).Encode(document) })
}

// Interrupted says that the first interrupt was heard.
func (v *Events) Interrupted() {
	const said = "Interrupted: nothing more is submitted. Interrupt again to end at once."
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.o.JSON {
		v.object(apply.Event{At: time.Now(), Kind: "interrupted", Message: said})
		return
	}
	v.clear()
	fmt.Fprintln(v.w, said)
}

// Ended writes how a run ended as the last line of its events, where these are
// JSON; as text it is on standard output alone.
func (v *Events) Ended(result any) {
	if !v.o.JSON {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.encode(struct {
		At     time.Time `json:"at"`
		Event  string    `json:"event"`
		Result any       `json:"result"`
	}{time.Now().UTC(), "result", result})
}

// End takes the bar away.
func (v *Events) End() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.clear()
	v.bar = nil
}

func (v *Events) clear() {
	if v.bar != nil {
		v.bar.Clear()
	}
}

// where is a step's place in the plan.
func where(e apply.Event) string {
	if e.Step == 0 || e.Steps == 0 || e.Kind == apply.EventDone {
		return ""
	}
	return fmt.Sprintf("[%d/%d] ", e.Step, e.Steps)
}

func eventStyle(k apply.EventKind) style {
	switch k {
	case apply.EventFailed, apply.EventStopped:
		return red
	case apply.EventWarning, apply.EventGateWaiting, apply.EventDeferred, apply.EventThrottleLeft:
		return yellow
	case apply.EventDone:
		return green
	}
	return plain
}

// progress moves the bar, or now and then writes a line.
func (v *Events) progress(e apply.Event) {
	switch {
	case v.o.Bar:
		v.moveBar(e)
		return
	case v.o.Quiet:
		return
	}
	if !v.lastLine.IsZero() && e.At.Sub(v.lastLine) < progressEvery {
		return
	}
	v.lastLine = e.At
	fmt.Fprintf(v.w, "%s  %s%s\n", e.At.UTC().Format(time.TimeOnly), where(e), ProgressLine(*e.Progress))
}

// ProgressLine says how far a batch is.
func ProgressLine(p apply.Progress) string {
	line := fmt.Sprintf("%d of %d moves", p.MovesDone, p.Moves)
	if p.Bytes > 0 {
		line += fmt.Sprintf(", %s of %s", Bytes(p.BytesDone), Bytes(p.Bytes))
	}
	if p.Rate >= 1 {
		line += ", " + Rate(int64(p.Rate))
	}
	if p.Left >= 0 && p.MovesDone < p.Moves {
		line += ", " + Seconds(int64(p.Left)) + " left"
	}
	if p.Elapsed >= 1 {
		line += ", " + Seconds(int64(p.Elapsed)) + " gone"
	}
	if p.PlanBytes > p.Bytes {
		line += fmt.Sprintf("; %s of %s of the plan", Bytes(p.PlanDone), Bytes(p.PlanBytes))
	}
	return line
}

func (v *Events) moveBar(e apply.Event) {
	done, total := int64(e.Progress.MovesDone), int64(e.Progress.Moves)
	if e.Progress.PlanBytes > 0 {
		done, total = e.Progress.PlanDone, e.Progress.PlanBytes
	}
	if total <= 0 {
		return
	}
	if v.bar == nil || v.bar.GetMax64() != total {
		v.bar = newBar(v.w, v.o, total)
	}
	v.bar.Describe(where(e) + ProgressLine(*e.Progress))
	v.bar.Set64(min(done, total-1)) // a bar that is full ends itself; End does that here
}

func newBar(w io.Writer, o EventOptions, total int64) *progressbar.ProgressBar {
	return progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetWidth(max(10, min(30, o.width()/4))),
		progressbar.OptionSetPredictTime(false),
		progressbar.OptionSetElapsedTime(false),
		progressbar.OptionShowDescriptionAtLineEnd(),
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionUseANSICodes(o.Color),
	)
}
