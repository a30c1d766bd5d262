package state

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"time"
)

// The header of a snapshot document.
const (
	Format  = "ballast-snapshot"
	Version = 1
)

// retake closes an error about a snapshot that cannot be used as it is.
const retake = "write it again with `ballast snapshot`"

// maxWarnings is how many kinds of unknown fields are told apart.
const maxWarnings = 20

// Decode reads a snapshot document. Name is what errors call it, mostly the
// file's name. What comes back is normalised. Unknown fields are ignored and
// told of in warnings, each kind once, with the place where it was met first;
// anything else that is not as the document should be is an error that says
// where, what is wrong and what to do.
func Decode(r io.Reader, name string) (*Snapshot, []string, error) {
	data, err := readAll(r)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: cannot be read: %w", name, err)
	}
	d := newDecoder(data, name)
	s := d.document()
	if d.err != nil {
		return nil, nil, d.located()
	}
	return s, d.warnings, nil
}

// ReadFile reads a snapshot document from a file; see Decode.
func ReadFile(path string) (*Snapshot, []string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("the snapshot cannot be opened: %w", err)
	}
	defer f.Close()
	return Decode(f, path)
}

// readAll is io.ReadAll that asks a file for its size first: a snapshot may
// have tens of megabytes, and growing a buffer to that copies it many times.
func readAll(r io.Reader) ([]byte, error) {
	var buf bytes.Buffer
	if f, ok := r.(interface{ Stat() (os.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() < math.MaxInt32 {
			buf.Grow(int(info.Size()) + bytes.MinRead)
		}
	}
	_, err := buf.ReadFrom(r)
	return buf.Bytes(), err
}

// decoder reads a snapshot document.
type decoder struct {
	scanner
	name     string
	warnings []string
	ignored  map[string]bool // kinds of unknown fields met
	fields   fieldSets
	ids      idSlab

	// The partition being read, and those of its topic read so far with their
	// offsets: there may be millions, so nothing is allocated for each.
	part  Partition
	parts []Partition
	spots []int

	partField     func(key []byte, at int)
	nextID        func()
	nextPartition func()
}

func newDecoder(data []byte, name string) *decoder {
	d := &decoder{name: name, ignored: map[string]bool{}, fields: newFieldSets()}
	d.data, d.words = data, map[string]string{}
	d.partField = d.partitionField
	d.nextPartition = d.partition
	d.nextID = func() { d.ids.scratch = append(d.ids.scratch, d.brokerID()) }
	return d
}

// located is the error with the place where it happened and what to do.
func (d *decoder) located() error {
	var odd *headerError
	if errors.As(d.err, &odd) {
		return fmt.Errorf("%s: %w", d.place(d.errs), d.err)
	}
	return fmt.Errorf("%s: %w; %s", d.place(d.errs), d.err, retake)
}

// place is name:line:column of an offset.
func (d *decoder) place(at int) string {
	before := d.data[:min(at, len(d.data))]
	return fmt.Sprintf("%s:%d:%d", d.name, 1+bytes.Count(before, []byte{'\n'}), len(before)-bytes.LastIndexByte(before, '\n'))
}

// unknown skips a field that this version does not know, with a warning for the
// first of each kind.
func (d *decoder) unknown(kind string, key []byte, at int) {
	id := kind + "." + string(key)
	if !d.ignored[id] && len(d.ignored) <= maxWarnings {
		d.ignored[id] = true
		d.warnings = append(d.warnings, d.warning(kind, key, at))
	}
	d.skip(0)
}

func (d *decoder) warning(kind string, key []byte, at int) string {
	if len(d.ignored) > maxWarnings {
		return fmt.Sprintf("%s: more unknown fields from here on are ignored without a word", d.place(at))
	}
	return fmt.Sprintf("%s: the field %q of %s is unknown to this version and is ignored", d.place(at), key, kind)
}

// headerError is a document of another kind: no snapshot that this can read.
type headerError struct{ text string }

func (e *headerError) Error() string { return e.text }

// header looks for format and version before anything else is read, since the
// rest means something only if these are right.
func (d *decoder) header() {
	look := newDecoder(d.data, d.name)
	format, version := false, false
	look.object("a snapshot document (an object)", func(key []byte, at int) {
		switch string(key) {
		case "format":
			format = true
			look.checkFormat()
		case "version":
			version = true
			look.checkVersion()
		default:
			look.skip(0)
		}
		if format && version {
			look.fail(at, "%w", io.EOF) // seen enough
		}
	})
	if look.err != nil && !errors.Is(look.err, io.EOF) {
		d.err, d.errs = look.err, look.errs
		return
	}
	if !format || !version {
		d.fail(0, "%w", &headerError{fmt.Sprintf("this is no snapshot document: it lacks \"format\": %q or \"version\": %d", Format, Version)})
	}
}

func (d *decoder) checkFormat() {
	at := d.pos
	if got := d.str("the format's name in quotes"); d.err == nil && got != Format {
		d.fail(at, "%w", &headerError{fmt.Sprintf("the format is %q, but a snapshot has %q; give a file that `ballast snapshot` wrote", got, Format)})
	}
}

func (d *decoder) checkVersion() {
	at := d.pos
	if got := d.integer(math.MinInt64, math.MaxInt64, "the version's number"); d.err == nil && got != Version {
		d.fail(at, "%w", &headerError{fmt.Sprintf("the snapshot has version %d, but this ballast reads version %d only; take the snapshot with this ballast", got, Version)})
	}
}

// document reads the whole document.
func (d *decoder) document() *Snapshot {
	d.header()
	s := &Snapshot{}
	seen := d.record("the document", d.fields.document, func(key []byte, at int) {
		switch string(key) {
		case "format", "version":
			d.skip(0) // checked by header
		case "cluster_id":
			s.ClusterID = d.str("the cluster's id in quotes")
		case "taken_at":
			s.TakenAt = d.time()
		case "brokers":
			d.brokers(s)
		case "topics":
			d.topics(s)
		case "unread":
			d.unread(s)
		}
	})
	d.require("the document", seen, d.fields.document, "brokers", "topics")
	if d.err == nil && (d.space() != 0 || d.pos < len(d.data)) {
		d.fail(d.pos, "something follows after the end of the document")
	}
	if d.err != nil {
		return nil
	}
	if err := s.checkTotal(); err != nil {
		d.fail(d.pos, "%w", err)
	}
	if s.ClusterID == "" {
		d.warnings = append(d.warnings, d.name+": the snapshot has no cluster_id: a plan made from it is not bound to a cluster")
	}
	return s
}

// time reads a moment.
func (d *decoder) time() time.Time {
	d.space()
	at := d.pos
	text := d.str("a time in quotes")
	t, err := time.Parse(time.RFC3339Nano, text)
	if d.err == nil && err != nil {
		d.fail(at, "the time %q is not as RFC 3339 has it, e.g. 2026-01-01T00:00:00Z", text)
	}
	return t.UTC()
}

// unread reads what could not be read of the cluster.
func (d *decoder) unread(s *Snapshot) {
	d.list("a list of what could not be read", func() {
		var u Unread
		d.record("an entry of unread", d.fields.unread, func(key []byte, _ int) {
			switch string(key) {
			case "what":
				u.What = d.str("text in quotes")
			case "name":
				u.Name = d.str("text in quotes")
			case "reason":
				u.Reason = d.str("text in quotes")
			}
		})
		s.Unread = append(s.Unread, u)
	})
	sortUnread(s.Unread)
}
