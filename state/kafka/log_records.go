package kafka

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// maxPart is how much of a record one message carries: brokers take messages
// of 1 MB by default, and a record may hold a plan of many.
const maxPart = 512 << 10

// maxParts bounds what a key may claim.
const maxParts = 1 << 16

// runID names the records that one Begin begins. Runs are numbered; the mark
// tells two apart that took the same number.
type runID struct {
	number int64
	mark   string
}

// key is the key of one part of a record. Each is used once, so that
// compaction takes away only what a tombstone says.
func (r runID) key(seq int64, part, parts int) string {
	return fmt.Sprintf("%d/%s/%d/%d/%d", r.number, r.mark, seq, part, parts)
}

// part is one message, as its key names it.
type part struct {
	run         runID
	seq         int64
	part, parts int
}

// parseKey reads a key. One that is none of ours is passed over.
func parseKey(key string) (part, bool) {
	fields := strings.Split(key, "/")
	if len(fields) != 5 {
		return part{}, false
	}
	var n [5]int64
	for i, f := range fields {
		if i == 1 {
			continue
		}
		var err error
		if n[i], err = strconv.ParseInt(f, 10, 32); err != nil {
			return part{}, false
		}
	}
	p := part{run: runID{number: n[0], mark: fields[1]}, seq: n[2], part: int(n[3]), parts: int(n[4])}
	return p, p.run.number > 0 && p.seq > 0 && p.part >= 0 && p.part < p.parts && p.parts <= maxParts
}

// Records reads the records of the latest run that was begun whole, in order;
// none where there is no topic.
func (l *Log) Records(ctx context.Context) ([][]byte, error) {
	s, err := l.client.Metadata(ctx, []string{l.opts.Topic})
	if err != nil {
		return nil, err
	}
	if s.Topic(l.opts.Topic) == nil {
		return nil, nil
	}
	messages, end, err := l.readAll(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the journal's topic %q: %w", l.opts.Topic, err)
	}
	runs := newRuns()
	for _, m := range messages {
		runs.add(string(m.Key), m.Value)
	}
	l.run, l.newest, l.end, l.loaded = runs.latest, runs.newest, end, true
	records := runs.records()
	l.seq = int64(len(records))
	l.keys = runs.live()
	return records, nil
}

// readAll reads the whole partition as it is now.
func (l *Log) readAll(ctx context.Context) ([]*kgo.Record, int64, error) {
	offsets, err := l.client.Offsets(ctx, l.opts.Topic)
	if err != nil {
		return nil, 0, err
	}
	at := offsets[0]
	if at.Earliest == at.Latest {
		return nil, at.Latest, nil
	}
	cl, err := kgo.NewClient(l.options(kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{l.opts.Topic: {0: kgo.NewOffset().AtStart()}}))...)
	if err != nil {
		return nil, 0, err
	}
	defer cl.Close()
	ctx, cancel := context.WithTimeout(ctx, 2*l.client.opts.Timeout)
	defer cancel()
	var out []*kgo.Record
	// The last message is there: what was appended last is never compacted.
	for len(out) == 0 || out[len(out)-1].Offset < at.Latest-1 {
		fetches := cl.PollFetches(ctx)
		if ctx.Err() != nil {
			return nil, 0, fmt.Errorf("no answer in time, after %d messages", len(out))
		}
		if errs := fetches.Errors(); len(errs) > 0 {
			return nil, 0, errs[0].Err
		}
		out = append(out, fetches.Records()...)
	}
	return out, at.Latest, nil
}

// options are those of a franz-go client whose connections are opened as all
// others are.
func (l *Log) options(more ...kgo.Opt) []kgo.Opt {
	return append([]kgo.Opt{
		kgo.SeedBrokers(l.client.candidates()...), kgo.ClientID(clientName),
		kgo.Dialer(func(ctx context.Context, _, addr string) (net.Conn, error) { return l.client.dial(ctx, addr) }),
	}, more...)
}

// Begin replaces all records by one, all or nothing.
func (l *Log) Begin(ctx context.Context, record []byte) error {
	if err := l.load(ctx); err != nil {
		return err
	}
	mark := make([]byte, 6)
	if _, err := rand.Read(mark); err != nil {
		return err
	}
	run := runID{number: l.newest + 1, mark: hex.EncodeToString(mark)}
	l.newest++
	old := l.keys
	l.keys = nil
	if err := l.write(ctx, parts(run, 1, record)); err != nil {
		return err
	}
	l.run, l.seq = run, 1
	var tombstones []*kgo.Record
	for _, key := range old {
		tombstones = append(tombstones, &kgo.Record{Key: []byte(key)})
	}
	return l.write(ctx, tombstones)
}

// Append adds a record to the run.
func (l *Log) Append(ctx context.Context, record []byte) error {
	if err := l.load(ctx); err != nil {
		return err
	}
	if l.seq == 0 {
		return fmt.Errorf("the journal's topic %q holds no run to add to", l.opts.Topic)
	}
	if err := l.write(ctx, parts(l.run, l.seq+1, record)); err != nil {
		return err
	}
	l.seq++
	return nil
}

// load reads what is there, once after the lock was taken.
func (l *Log) load(ctx context.Context) error {
	if l.lock == nil {
		return fmt.Errorf("the lock of topic %q is not held", l.opts.Topic)
	}
	if l.loaded {
		return nil
	}
	_, err := l.Records(ctx)
	return err
}

// parts cuts a record into messages.
func parts(run runID, seq int64, record []byte) []*kgo.Record {
	pieces := chunks(record, maxPart)
	if len(pieces) == 0 {
		pieces = [][]byte{{}}
	}
	var out []*kgo.Record
	for i, piece := range pieces {
		out = append(out, &kgo.Record{Key: []byte(run.key(seq, i, len(pieces))), Value: piece})
	}
	return out
}

// write appends messages and waits until all in-sync replicas have them. An
// offset that is not the next one says that somebody else has written too.
func (l *Log) write(ctx context.Context, messages []*kgo.Record) error {
	if len(messages) == 0 {
		return nil
	}
	if err := l.openProducer(); err != nil {
		return err
	}
	for _, m := range messages {
		m.Topic, m.Partition = l.opts.Topic, 0
	}
	ctx, cancel := context.WithTimeout(ctx, l.client.writeTimeout())
	defer cancel()
	for _, r := range l.producer.ProduceSync(ctx, messages...) {
		if r.Err != nil {
			l.loaded = false
			return fmt.Errorf("writing to the journal's topic %q: %w", l.opts.Topic, r.Err)
		}
		if r.Record.Offset != l.end {
			l.loaded = false
			return fmt.Errorf("another run has written to the journal's topic %q meanwhile (offset %d, where %d was next)", l.opts.Topic, r.Record.Offset, l.end)
		}
		l.end++
		if r.Record.Value != nil {
			l.keys = append(l.keys, string(r.Record.Key))
		}
	}
	return nil
}

func (l *Log) openProducer() error {
	if l.producer != nil {
		return nil
	}
	cl, err := kgo.NewClient(l.options(kgo.RequiredAcks(kgo.AllISRAcks()), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.RecordDeliveryTimeout(l.client.writeTimeout()), kgo.MaxBufferedRecords(1<<20), kgo.ProducerLinger(0), kgo.MetadataMinAge(50*time.Millisecond))...)
	l.producer = cl
	return err
}
