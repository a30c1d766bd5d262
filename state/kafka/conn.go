package kafka

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/twmb/franz-go/pkg/kbin"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// maxAnswer bounds what an answer may claim as its length: a port that does
// not speak Kafka must not make us allocate what its first four bytes spell.
const maxAnswer = 1 << 29

// clientName is what brokers see of us in their logs and metrics.
const clientName = "ballast"

// versionRange is what a broker can do with one kind of request.
type versionRange struct{ min, max int16 }

// conn is one open connection. It is used by one goroutine at a time.
type conn struct {
	addr     string
	net      net.Conn
	versions map[int16]versionRange
	lastUsed time.Time
	quiet    time.Time // the broker asked for silence until then (KIP-219)
	next     int32     // correlation id
	spoiled  bool      // its deadline may have been put into the past
}

// plainDialError leaves out what the layers of a dial say one after another.
func plainDialError(err error) error {
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		var dns *net.DNSError
		if errors.As(op.Err, &dns) {
			return dns
		}
		return op.Err
	}
	return err
}

// sentError is a failure of an exchange after the request, or part of it, may
// have reached the broker.
type sentError struct{ err error }

func (e *sentError) Error() string { return e.err.Error() }
func (e *sentError) Unwrap() error { return e.err }

// exchange sends a request whose version is set and reads its answer. After an
// error the connection is of no more use.
func (c *conn) exchange(ctx context.Context, req kmsg.Request) (kmsg.Response, error) {
	if err := c.waitQuiet(ctx); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { c.net.SetDeadline(time.Unix(1, 0)) })
	resp, err := c.roundTrip(req)
	c.lastUsed = time.Now()
	c.spoiled = !stop()
	if err != nil {
		return nil, &sentError{whyEnded(ctx, err)}
	}
	if t, ok := resp.(kmsg.ThrottleResponse); ok {
		if ms, _ := t.Throttle(); ms > 0 {
			c.quiet = c.lastUsed.Add(time.Duration(ms) * time.Millisecond)
		}
	}
	return resp, nil
}

// waitQuiet holds the next request back for as long as the broker asked for.
func (c *conn) waitQuiet(ctx context.Context) error {
	wait := time.Until(c.quiet)
	if wait <= 0 {
		return ctx.Err()
	}
	return sleep(ctx, wait)
}

// roundTrip writes the request and reads the answer with its correlation id.
func (c *conn) roundTrip(req kmsg.Request) (kmsg.Response, error) {
	c.next++
	buf := kmsg.NewRequestFormatter(kmsg.FormatterClientID(clientName)).AppendRequest(nil, req, c.next)
	if _, err := c.net.Write(buf); err != nil {
		return nil, err
	}
	body, err := readFrame(c.net)
	if err != nil {
		return nil, err
	}
	return decode(req, c.next, body)
}

// readFrame reads one answer: four bytes of length, and that many more.
func readFrame(r io.Reader) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(head[:])
	if n < 4 || n > maxAnswer {
		return nil, fmt.Errorf("the answer begins with %q, which no Kafka listener without TLS would send", head[:])
	}
	var buf bytes.Buffer
	buf.Grow(int(min(n, 1<<24)))
	if _, err := io.CopyN(&buf, r, int64(n)); err != nil {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return buf.Bytes(), nil
}

// decode reads an answer to req. The answer's strings may point into body.
func decode(req kmsg.Request, correlation int32, body []byte) (resp kmsg.Response, err error) {
	b := kbin.Reader{Src: body}
	if got := b.Int32(); got != correlation {
		return nil, fmt.Errorf("the answer is to request %d, not to %d", got, correlation)
	}
	apiVersions := req.Key() == int16(kmsg.ApiVersions)
	if req.IsFlexible() && !apiVersions { // KIP-511: its header stays the old one
		kmsg.SkipTags(&b)
	}
	if !b.Ok() {
		return nil, fmt.Errorf("malformed answer to %s", kmsg.NameForKey(req.Key()))
	}
	resp = req.ResponseKind()
	resp.SetVersion(req.GetVersion())
	if apiVersions && len(b.Src) >= 2 && binary.BigEndian.Uint16(b.Src) == codeUnsupportedVersion {
		resp.SetVersion(0) // a broker that knows no such version answers in the oldest
	}
	if err := resp.ReadFrom(b.Src); err != nil {
		return nil, fmt.Errorf("malformed answer to %s version %d: %w", kmsg.NameForKey(req.Key()), resp.GetVersion(), err)
	}
	return resp, nil
}

// whyEnded says what a person can use of an exchange's failure.
func whyEnded(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return errNoAnswer
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the broker closed the connection")
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		return op.Err
	}
	return err
}

// sleep waits for d or for ctx to end.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
