package render

import (
	"fmt"
	"io"
	"strconv"

	"ballast/cmd/ballast/internal/allocation"
)

// Allocation draws Kafka's placement beside ballast's: the lists, the brokers,
// and the figures that decide.
func Allocation(w io.Writer, d *allocation.Document, o Options) error {
	b := newWriter(w)
	t := &text{w: b, o: o}
	t.line("%s", allocationTitle(d))
	t.line("")
	t.allocated(d)
	t.holding(d)
	t.decides(d)
	for _, note := range d.Notes {
		t.bullet("- ", note)
	}
	return b.Flush()
}

func allocationTitle(d *allocation.Document) string {
	racks := map[string]bool{}
	for _, b := range d.Brokers {
		racks[b.Rack] = true
	}
	delete(racks, "")
	where := count(len(d.Brokers), "broker", "brokers") + inRacks(len(racks))
	of := count(d.RF, "replica", "replicas")
	if d.Existing > 0 {
		return fmt.Sprintf("Topic %s grows from %d to %s of %s, on %s", Quote(d.Topic), d.Existing, count(d.InAll, "partition", "partitions"), of, where)
	}
	return fmt.Sprintf("New topic %s: %s of %s, on %s", Quote(d.Topic), count(d.InAll, "partition", "partitions"), of, where)
}

// allocatorName is Kafka's side as a column's head: the allocator and what it
// was given.
func allocatorName(d *allocation.Document) string {
	if d.Seed != nil {
		return fmt.Sprintf("Kafka %s, seed %d", d.Allocator, *d.Seed)
	}
	return fmt.Sprintf("Kafka %s, start %d, shift %d", d.Allocator, *d.Start, *d.Shift)
}

func (t *text) allocated(d *allocation.Document) {
	shown := d.Rows
	if len(shown) > foldPartitions+1 && !t.o.Full {
		shown = shown[:foldPartitions]
	}
	tbl := table{columns: []column{{head: "partition"}, {head: allocatorName(d), left: true}, {head: "ballast", left: true}}}
	for _, r := range shown {
		tbl.add(strconv.Itoa(int(r.Partition)), brokerList(r.Kafka), brokerList(r.Ballast))
	}
	tbl.write(t.w, t.o, "  ")
	if n := len(d.Rows) - len(shown); n > 0 {
		t.line("  … %s; -full shows all", more(n, "partition", "partitions"))
	}
	t.line("")
}

func brokerList[T any](list []T) string {
	if len(list) == 0 {
		return "-"
	}
	return fmt.Sprint(list)
}

// holding shows what each broker holds of the topic either way.
func (t *text) holding(d *allocation.Document) {
	shown := d.Brokers
	if len(shown) > foldBrokers && !t.o.Full {
		shown = shown[:foldBrokers]
	}
	tbl := table{columns: []column{
		{head: "broker"}, {head: "rack", left: true}, {head: "state", left: true},
		{head: "Kafka: replicas"}, {head: "leaders"}, {head: "ballast: replicas"}, {head: "leaders"},
	}}
	for _, b := range shown {
		tbl.add(strconv.Itoa(int(b.ID)), word(b.Rack), stateWord(b),
			strconv.Itoa(b.Kafka.Replicas), strconv.Itoa(b.Kafka.Leaders), strconv.Itoa(b.Ballast.Replicas), strconv.Itoa(b.Ballast.Leaders))
	}
	tbl.write(t.w, t.o, "  ")
	if n := len(d.Brokers) - len(shown); n > 0 {
		t.line("  … %s; -full shows all", more(n, "broker", "brokers"))
	}
	t.line("")
}

func stateWord(b allocation.Broker) string {
	switch {
	case !b.Alive:
		return "DEAD"
	case b.Drain:
		return "draining"
	case !b.Eligible:
		return "not eligible"
	case b.Weight != 1:
		return fmt.Sprintf("weight %d", b.Weight)
	}
	return "alive"
}

// figure is a line of the figures: what it is, and its value on either side, or
// "" where it says nothing.
type figure struct {
	what  string
	value func(f *allocation.Figures) string
}

var figures = []figure{
	{"replicas of the topic per broker", func(f *allocation.Figures) string { return span(&f.Replicas) }},
	{"leaders of the topic per broker", func(f *allocation.Figures) string { return span(&f.Leaders) }},
	{"replicas above a broker's share, at most", func(f *allocation.Figures) string { return fmt.Sprintf("%.1f", f.AboveShare) }},
	{"brokers without a replica", func(f *allocation.Figures) string { return strconv.Itoa(f.Unused) }},
	{"partitions not even over racks", func(f *allocation.Figures) string {
		if f.UnevenRacks == nil {
			return ""
		}
		return strconv.Itoa(*f.UnevenRacks)
	}},
	{"replicas on dead brokers", func(f *allocation.Figures) string { return some(f.Dead) }},
	{"replicas on draining brokers", func(f *allocation.Figures) string { return some(f.Draining) }},
	{"replicas outside the topic's rules", func(f *allocation.Figures) string { return some(f.Outside) }},
	{"replicas of all topics per broker", func(f *allocation.Figures) string { return span(f.AllReplicas) }},
	{"leaders of all topics per broker", func(f *allocation.Figures) string { return span(f.AllLeaders) }},
}

// decides shows the figures, without the lines that say nothing on either side.
func (t *text) decides(d *allocation.Document) {
	tbl := table{columns: []column{{head: "least to most, over the eligible brokers", left: true}, {head: "Kafka"}, {head: "ballast"}}}
	side := func(f *allocation.Figures, value func(*allocation.Figures) string) string {
		if f == nil {
			return ""
		}
		return value(f)
	}
	for _, f := range figures {
		kafka, ours := side(d.Kafka, f.value), side(d.Ballast, f.value)
		if kafka != "" || ours != "" {
			tbl.add(f.what, orZero(kafka, d.Kafka != nil), orZero(ours, d.Ballast != nil))
		}
	}
	if len(tbl.rows) > 0 {
		tbl.write(t.w, t.o, "  ")
		t.line("")
	}
	if x := d.Draws; x != nil {
		t.wrapped("", fmt.Sprintf("Of %s of Kafka's, %s the leaders even; the broker with most leads %s and holds %s.",
			count(x.Count, "draw", "draws"), count(x.EvenLeaders, "has", "have"), span(&x.MostLeaders), span(&x.MostReplicas)))
		t.line("")
	}
}

// orZero is a side's value; one that says nothing where the other does is none.
func orZero(value string, there bool) string {
	switch {
	case value != "":
		return value
	case there:
		return "0"
	}
	return "-"
}

func some(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func span(s *allocation.Span) string {
	switch {
	case s == nil:
		return ""
	case s.Least == s.Most:
		return strconv.Itoa(s.Least)
	}
	return fmt.Sprintf("%d to %d", s.Least, s.Most)
}
