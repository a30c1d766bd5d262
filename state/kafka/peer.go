package kafka

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// idleCheck is how long a connection may have been idle before it is tried out
// with a harmless request: brokers close idle connections, and a write that
// met one would not know whether it had been carried out.
const idleCheck = 5 * time.Second

// peer is one address, with at most one connection to it, opened when needed
// and again after a failure. Requests to it go one after another.
type peer struct {
	client *Client
	addr   string
	turn   chan struct{} // holds one token: whose turn it is

	mu     sync.Mutex // of open, for close
	open   *conn
	closed bool
}

// identity is what a broker says of its cluster when a connection opens.
type identity struct {
	clusterID  string
	controller state.BrokerID
	addrs      map[state.BrokerID]string
}

// errClosed is the answer of a Client that was closed.
var errClosed = errors.New("the connection to the cluster was closed by ballast itself")

func newPeer(c *Client, addr string) *peer {
	p := &peer{client: c, addr: addr, turn: make(chan struct{}, 1)}
	p.turn <- struct{}{}
	return p
}

// take waits for the peer's turn.
func (p *peer) take(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return whyEnded(ctx, ctx.Err())
	case <-p.turn:
		return nil
	}
}

// ask sends a request and reads its answer. Errors that are not a *sentError
// happened before anything of the request was sent. For a write, a connection
// that the broker has closed is found out first; a read is put once more.
func (p *peer) ask(ctx context.Context, req kmsg.Request, write bool) (kmsg.Response, error) {
	if err := p.take(ctx); err != nil {
		return nil, err
	}
	defer func() { p.turn <- struct{}{} }()
	p.mu.Lock()
	before := p.open
	p.mu.Unlock()
	c, err := p.ready(ctx, write)
	if err != nil {
		return nil, err
	}
	resp, err := p.askOn(ctx, c, req)
	if err == nil || write || c != before || ctx.Err() != nil {
		return resp, err
	}
	if isUnsupported(err) {
		return nil, err
	}
	// The broker may have closed the connection since it was last used.
	if c, err = p.reopen(ctx); err != nil {
		return nil, err
	}
	return p.askOn(ctx, c, req)
}

// askOn puts a request to the broker on a connection, which is given up where that
// fails.
func (p *peer) askOn(ctx context.Context, c *conn, req kmsg.Request) (kmsg.Response, error) {
	if err := c.setVersion(req); err != nil {
		return nil, err
	}
	resp, err := c.exchange(ctx, req)
	if err != nil {
		p.drop(c)
	}
	return resp, err
}

// greet opens the connection where it is not open, and gives what the broker
// says of its cluster.
func (p *peer) greet(ctx context.Context) (*identity, error) {
	if err := p.take(ctx); err != nil {
		return nil, err
	}
	defer func() { p.turn <- struct{}{} }()
	c, id, err := p.connectOurs(ctx)
	if err != nil {
		return nil, err
	}
	return id, p.keep(c)
}

// connectOurs opens a connection and makes sure that our cluster is there.
func (p *peer) connectOurs(ctx context.Context) (*conn, *identity, error) {
	c, err := p.connect(ctx)
	if err != nil {
		return nil, nil, err
	}
	id, err := c.identify(ctx)
	if err == nil {
		err = p.client.checkID(id)
	}
	if err != nil {
		c.net.Close()
		return nil, nil, unmarked(err)
	}
	return c, id, nil
}

// ready is a connection that was alive a moment ago.
func (p *peer) ready(ctx context.Context, write bool) (*conn, error) {
	p.mu.Lock()
	c, closed := p.open, p.closed
	p.mu.Unlock()
	if closed {
		return nil, errClosed
	}
	if c != nil {
		if c.alive(ctx) && !(write && c.cut()) {
			return c, nil
		}
		p.drop(c)
	}
	return p.reopen(ctx)
}

// cut says whether the broker has closed the connection, or has sent what
// nobody asked for.
func (c *conn) cut() bool {
	c.net.SetReadDeadline(time.Now().Add(time.Millisecond))
	defer c.net.SetReadDeadline(time.Time{})
	_, err := c.net.Read(make([]byte, 1))
	return !errors.Is(err, os.ErrDeadlineExceeded)
}

// alive says whether the connection can be used, which it is asked where it
// was idle for long.
func (c *conn) alive(ctx context.Context) bool {
	if c.spoiled {
		return false
	}
	if time.Since(c.lastUsed) < idleCheck {
		return true
	}
	_, err := c.identify(ctx)
	return err == nil && !c.spoiled
}

// reopen opens the connection anew.
func (p *peer) reopen(ctx context.Context) (*conn, error) {
	ctx, cancel := context.WithTimeout(ctx, p.client.opts.Timeout/2)
	defer cancel()
	c, id, err := p.connectOurs(ctx)
	if err != nil {
		return nil, err
	}
	p.client.learn(id)
	return c, p.keep(c)
}

// connect dials and asks which versions the broker knows.
func (p *peer) connect(ctx context.Context) (*conn, error) {
	nc, err := p.client.dial(ctx, p.addr)
	if err != nil {
		return nil, whyEnded(ctx, err)
	}
	c := &conn{addr: p.addr, net: nc}
	if err := c.negotiate(ctx); err != nil {
		nc.Close()
		return nil, unmarked(err)
	}
	return c, nil
}

// keep makes c the peer's connection.
func (p *peer) keep(c *conn) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		c.net.Close()
		return errClosed
	}
	if p.open != nil && p.open != c {
		p.open.net.Close()
	}
	p.open = c
	return nil
}

// drop closes a connection that failed.
func (p *peer) drop(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.net.Close()
	if p.open == c {
		p.open = nil
	}
}

// close ends the peer for good.
func (p *peer) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	if p.open != nil {
		p.open.net.Close()
		p.open = nil
	}
}

// unmarked takes the mark of what was sent off an error of an exchange that
// changes nothing.
func unmarked(err error) error {
	var sent *sentError
	if errors.As(err, &sent) {
		return sent.err
	}
	return err
}

// checkID refuses a broker of another cluster.
func (c *Client) checkID(id *identity) error {
	want := c.ClusterID()
	if want != "" && id.clusterID != want {
		return &OtherClusterError{Want: want, Found: id.clusterID}
	}
	return nil
}
