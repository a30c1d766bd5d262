package sandbox

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// maxRequest is the longest request that is read, Kafka's socket.request.max.bytes.
const maxRequest = 100 << 20

// port is a broker's listener with its connections.
type port struct {
	address  string
	listener net.Listener

	mu     sync.Mutex
	closed bool
	conns  map[net.Conn]bool
}

func listen(address string) (*port, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, err
	}
	return &port{address: l.Addr().String(), listener: l, conns: map[net.Conn]bool{}}, nil
}

func (s *Sandbox) serve(id int32) {
	p := s.ports[id]
	s.serving.Add(1)
	go func() {
		defer s.serving.Done()
		for {
			conn, err := p.listener.Accept()
			if err != nil {
				return
			}
			if !p.add(conn) {
				conn.Close()
				return
			}
			s.serving.Add(1)
			go func() {
				defer s.serving.Done()
				defer p.remove(conn)
				s.converse(id, conn)
			}()
		}
	}()
}

func (p *port) add(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.conns[conn] = true
	return true
}

func (p *port) remove(conn net.Conn) {
	conn.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, conn)
}

// close stops listening and cuts all connections.
func (p *port) close() {
	p.listener.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.cut()
}

func (p *port) drop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut()
}

func (p *port) cut() {
	for conn := range p.conns {
		conn.Close()
	}
}

// converse answers the requests of one connection, one after the other as
// Kafka does, until the client goes, sends what cannot be read, or the
// connection is cut. While a request is worked on the next is already read,
// so that a client that goes away ends a wait for records or members.
func (s *Sandbox) converse(id int32, conn net.Conn) {
	c := &conversation{sandbox: s, broker: id, conn: conn, gone: make(chan struct{}), over: make(chan struct{}), requests: make(chan []byte)}
	s.serving.Add(1)
	go func() {
		defer s.serving.Done()
		c.read()
	}()
	defer conn.Close()
	defer close(c.over)
	for {
		select {
		case raw := <-c.requests:
			answer, ok := c.answer(raw)
			if !ok {
				return
			}
			if _, err := conn.Write(answer); err != nil {
				return
			}
		case <-c.gone:
			return
		case <-s.ctx.Done():
			return
		}
	}
}

// conversation is one connection.
type conversation struct {
	sandbox  *Sandbox
	broker   int32
	conn     net.Conn
	requests chan []byte
	gone     chan struct{} // closed when the client has gone
	over     chan struct{} // closed when nobody answers any more
}

func (c *conversation) read() {
	defer close(c.gone)
	for {
		raw, err := readFrame(c.conn)
		if err != nil {
			return
		}
		select {
		case c.requests <- raw:
		case <-c.over:
			return
		}
	}
}

func readFrame(r io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(size[:])
	if n > maxRequest {
		return nil, fmt.Errorf("a request of %d bytes", n)
	}
	raw := make([]byte, n)
	_, err := io.ReadFull(r, raw)
	return raw, err
}

// frame encodes an answer with its header.
func frame(correlation int32, resp kmsg.Response) []byte {
	out := make([]byte, 8, 512)
	if resp.IsFlexible() && resp.Key() != 18 {
		out = append(out, 0)
	}
	out = resp.AppendTo(out)
	binary.BigEndian.PutUint32(out[0:], uint32(len(out)-4))
	binary.BigEndian.PutUint32(out[4:], uint32(correlation))
	return out
}
