package state

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/google/renameio/v2"
)

// Encode writes the snapshot document: the same bytes for the same cluster,
// one broker and one partition a line, so that two of them can be compared by
// line. It normalises s first, which writes nothing where s is normalised.
func Encode(w io.Writer, s *Snapshot) error {
	if err := s.Normalize(); err != nil {
		return fmt.Errorf("the snapshot cannot be written: %w", err)
	}
	e := &encoder{w: bufio.NewWriterSize(w, 1<<16)}
	e.document(s)
	return e.w.Flush()
}

// WriteFile writes the snapshot document to a file that is there as a whole or
// not at all: to a temporary name, synced, renamed. Its mode is 0644.
func WriteFile(path string, s *Snapshot) error {
	f, err := renameio.NewPendingFile(path, renameio.WithPermissions(0o644))
	if err != nil {
		return fmt.Errorf("the snapshot cannot be written: %w", err)
	}
	defer f.Cleanup() // does nothing after the rename
	if err := Encode(f, s); err != nil {
		return err
	}
	if err := f.CloseAtomicallyReplace(); err != nil {
		return fmt.Errorf("the snapshot cannot be written: %w", err)
	}
	return nil
}

// encoder writes a snapshot document. The writer keeps the first error.
type encoder struct {
	w   *bufio.Writer
	num [20]byte
}

func (e *encoder) raw(text string) { e.w.WriteString(text) }

func (e *encoder) int(n int64) { e.w.Write(strconv.AppendInt(e.num[:0], n, 10)) }

// str writes a string, quoted. Most need no escapes.
func (e *encoder) str(text string) {
	if plain(text) {
		e.w.WriteByte('"')
		e.raw(text)
		e.w.WriteByte('"')
		return
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.Encode(text) // a string is always encoded
	e.w.Write(bytes.TrimRight(b.Bytes(), "\n"))
}

// plain says whether the text is the same in JSON.
func plain(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// each writes n items, one a line, in the list of a field.
func (e *encoder) each(n int, indent string, item func(i int)) {
	e.raw("[")
	for i := range n {
		if i > 0 {
			e.raw(",")
		}
		e.raw("\n" + indent)
		item(i)
	}
	if n > 0 {
		e.raw("\n" + indent[:len(indent)-1])
	}
	e.raw("]")
}

func (e *encoder) document(s *Snapshot) {
	e.raw(`{"format":`)
	e.str(Format)
	e.raw(`,"version":`)
	e.int(Version)
	e.raw(`,"cluster_id":`)
	e.str(s.ClusterID)
	if !s.TakenAt.IsZero() {
		e.raw(`,"taken_at":`)
		e.str(s.TakenAt.UTC().Format(time.RFC3339Nano))
	}
	e.raw(",\n" + `"brokers":`)
	e.each(len(s.Brokers), " ", func(i int) { e.broker(&s.Brokers[i]) })
	e.raw(",\n" + `"topics":`)
	e.each(len(s.Topics), " ", func(i int) { e.topic(&s.Topics[i]) })
	if len(s.Unread) > 0 {
		e.raw(",\n" + `"unread":`)
		e.each(len(s.Unread), " ", func(i int) { e.unread(s.Unread[i]) })
	}
	e.raw("}\n")
}

func (e *encoder) unread(u Unread) {
	e.raw(`{"what":`)
	e.str(u.What)
	e.raw(`,"name":`)
	e.str(u.Name)
	e.raw(`,"reason":`)
	e.str(u.Reason)
	e.raw("}")
}

func (e *encoder) broker(b *Broker) {
	e.raw(`{"id":`)
	e.int(int64(b.ID))
	if b.Rack != "" {
		e.raw(`,"rack":`)
		e.str(b.Rack)
	}
	if b.Host != "" {
		e.raw(`,"host":`)
		e.str(b.Host)
		e.raw(`,"port":`)
		e.int(int64(b.Port))
	}
	e.raw(`,"alive":` + strconv.FormatBool(b.Alive))
	if b.LogDirs != nil {
		e.raw(`,"log_dirs":`)
		e.each(len(b.LogDirs), "  ", func(i int) { e.logDir(&b.LogDirs[i]) })
	}
	e.config(b.Config)
	e.raw("}")
}

func (e *encoder) logDir(d *LogDir) {
	e.raw(`{"path":`)
	e.str(d.Path)
	e.size("total_bytes", d.Total)
	e.size("usable_bytes", d.Usable)
	if d.Offline {
		e.raw(`,"offline":true`)
	}
	e.raw("}")
}

// size writes a size, or nothing where it is unknown.
func (e *encoder) size(field string, s Size) {
	if s.Known {
		e.raw(`,"` + field + `":`)
		e.int(s.Bytes)
	}
}

func (e *encoder) topic(t *Topic) {
	e.raw(`{"name":`)
	e.str(t.Name)
	e.raw(`,"internal":` + strconv.FormatBool(t.Internal) + ",\n" + `  "partitions":`)
	e.each(len(t.Partitions), "   ", func(i int) { e.partition(&t.Partitions[i]) })
	e.config(t.Config)
	e.raw("}")
}

func (e *encoder) partition(p *Partition) {
	e.raw(`{"id":`)
	e.int(int64(p.ID))
	e.ids(`,"replicas":`, p.Replicas)
	e.ids(`,"isr":`, p.ISR)
	e.raw(`,"leader":`)
	e.int(int64(p.Leader))
	e.ids(`,"adding":`, p.Adding)
	e.ids(`,"removing":`, p.Removing)
	if len(p.Offline) > 0 {
		e.ids(`,"offline":`, p.Offline)
	}
	if len(p.ELR) > 0 {
		e.ids(`,"elr":`, p.ELR)
	}
	e.size("bytes", p.Size)
	e.raw("}")
}

func (e *encoder) ids(field string, list []BrokerID) {
	e.raw(field)
	e.raw("[")
	for i, b := range list {
		if i > 0 {
			e.raw(",")
		}
		e.int(int64(b))
	}
	e.raw("]")
}

// config writes configs by name, one a line, or nothing where they are unknown.
func (e *encoder) config(configs map[string]ConfigValue) {
	if configs == nil {
		return
	}
	e.raw(",\n" + `  "config":{`)
	for i, name := range slices.Sorted(maps.Keys(configs)) {
		if i > 0 {
			e.raw(",")
		}
		e.raw("\n   ")
		e.str(name)
		e.raw(`:{"value":`)
		e.str(configs[name].Value)
		e.raw(`,"source":`)
		e.str(string(configs[name].Source))
		e.raw("}")
	}
	e.raw("}")
}
