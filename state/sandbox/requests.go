package sandbox

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// received is a request as it came over the wire.
type received struct {
	key, version int16
	correlation  int32
	client       string
	request      kmsg.Request // nil: this version is not served
}

var errShort = errors.New("the request is too short")

// parse decodes a request with its header. A request of a version that is not
// served comes back without its body, and one of an unknown key is an error.
func parse(raw []byte) (received, error) {
	var r received
	if len(raw) < 10 {
		return r, errShort
	}
	r.key = int16(binary.BigEndian.Uint16(raw))
	r.version = int16(binary.BigEndian.Uint16(raw[2:]))
	r.correlation = int32(binary.BigEndian.Uint32(raw[4:]))
	n := int(int16(binary.BigEndian.Uint16(raw[8:])))
	raw = raw[10:]
	if n > len(raw) {
		return r, errShort
	}
	if n > 0 {
		r.client, raw = string(raw[:n]), raw[n:]
	}
	a := apiOf[r.key]
	if a == nil {
		return r, fmt.Errorf("key %d is not served", r.key)
	}
	if r.version < a.min || r.version > a.max {
		return r, nil
	}
	req := kmsg.RequestForKey(r.key)
	req.SetVersion(r.version)
	if req.IsFlexible() {
		var err error
		if raw, err = skipTags(raw); err != nil {
			return r, err
		}
	}
	if err := req.ReadFrom(raw); err != nil {
		return r, err
	}
	r.request = req
	return r, nil
}

// skipTags skips the tagged fields of a request's header.
func skipTags(raw []byte) ([]byte, error) {
	uvarint := func() (uint64, bool) {
		v, n := binary.Uvarint(raw)
		if n <= 0 {
			return 0, false
		}
		raw = raw[n:]
		return v, true
	}
	count, ok := uvarint()
	for ; ok && count > 0; count-- {
		_, ok1 := uvarint()
		size, ok2 := uvarint()
		if !ok1 || !ok2 || size > uint64(len(raw)) {
			return nil, errShort
		}
		raw = raw[size:]
	}
	if !ok {
		return nil, errShort
	}
	return raw, nil
}

// call is a request that is being worked on: which broker was asked, by whom.
// The cluster is locked and up to date, except for an api that waits.
type call struct {
	*cluster
	sandbox *Sandbox
	broker  *broker
	client  string
	host    string
	gone    <-chan struct{}
}

// answer works on one request; ok is false where the connection has to end.
func (c *conversation) answer(raw []byte) ([]byte, bool) {
	r, err := parse(raw)
	if err != nil {
		return nil, false
	}
	if r.request == nil {
		if r.key != 18 {
			return nil, false
		}
		return frame(r.correlation, unsupportedVersion()), true
	}
	s := c.sandbox
	ordered := s.arrive(c.broker, r)
	if !s.suffer(ordered) || ordered.dropBefore {
		return nil, false
	}
	resp := ordered.fail(r.request)
	if resp == nil {
		resp = s.handle(c, r)
	}
	if resp == nil || ordered.dropAfter {
		return nil, !ordered.dropAfter // a producer may ask for no answer
	}
	resp.SetVersion(r.version)
	ordered.throttle(resp)
	return frame(r.correlation, resp), true
}

func (s *Sandbox) handle(c *conversation, r received) kmsg.Response {
	a := apiOf[r.key]
	cl := &call{cluster: s.cluster, sandbox: s, broker: s.cluster.byID[c.broker], client: r.client, host: c.conn.RemoteAddr().String(), gone: c.gone}
	if a.waits {
		return a.handle(cl, r.request)
	}
	_, done := s.live()
	defer done()
	return a.handle(cl, r.request)
}

// message returns the text as Kafka sends it: null where there is none.
func (e *kafkaError) message() *string {
	if e.text == "" {
		return nil
	}
	return &e.text
}
