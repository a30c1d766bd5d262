package kafka

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"

	"ballast/state"
)

// peer gives the peer of an address.
func (c *Client) peer(addr string) *peer {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.peers[addr]
	if p == nil {
		p = newPeer(c, addr)
		p.closed = c.closed
		c.peers[addr] = p
	}
	return p
}

// learn keeps where the brokers are.
func (c *Client) learn(id *identity) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.controller = id.controller
	if len(id.addrs) > 0 {
		c.addrs = id.addrs
	}
}

// candidates are the addresses for a request that any broker can answer: the
// one that answered last, then all brokers, then the bootstrap addresses.
func (c *Client) candidates() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	list := []string{c.current}
	for _, id := range slices.Sorted(maps.Keys(c.addrs)) {
		list = append(list, c.addrs[id])
	}
	list = append(list, c.opts.Bootstrap...)
	seen := map[string]bool{"": true}
	return slices.DeleteFunc(list, func(a string) bool {
		had := seen[a]
		seen[a] = true
		return had
	})
}

// prefer makes addr the first candidate.
func (c *Client) prefer(addr string) {
	c.mu.Lock()
	c.current = addr
	c.mu.Unlock()
}

// readAny puts a request that changes nothing to any broker: to the next one
// where one fails, since asking again does no harm.
func (c *Client) readAny(ctx context.Context, req kmsg.Request) (kmsg.Response, error) {
	resp, addr, err := c.readFirst(ctx, c.candidates(), req)
	if err == nil {
		c.prefer(addr)
	}
	return resp, err
}

// readSpread is readAny for the n-th of many requests, which begin with
// different brokers.
func (c *Client) readSpread(ctx context.Context, n int, req kmsg.Request) (kmsg.Response, error) {
	addrs := c.candidates()
	c.mu.Lock()
	n %= max(1, len(c.addrs))
	c.mu.Unlock()
	resp, _, err := c.readFirst(ctx, append(addrs[n:len(addrs):len(addrs)], addrs[:n]...), req)
	return resp, err
}

// readFirst asks one address after another until one answers.
func (c *Client) readFirst(ctx context.Context, addrs []string, req kmsg.Request) (kmsg.Response, string, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*c.opts.Timeout)
	defer cancel()
	var reasons []string
	for _, addr := range addrs {
		resp, err := c.attempt(ctx, addr, req)
		if err == nil {
			return resp, addr, nil
		}
		if isUnsupported(err) {
			return nil, "", err
		}
		reasons = append(reasons, fmt.Sprintf("%s: %v", addr, unmarked(err)))
		if ctx.Err() != nil {
			break
		}
	}
	return nil, "", &UnreachableError{Reasons: reasons}
}

// attempt asks one broker, for as long as one broker may take.
func (c *Client) attempt(ctx context.Context, addr string, req kmsg.Request) (kmsg.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	return c.peer(addr).ask(ctx, req, false)
}

// readBroker puts a request that changes nothing to one broker, twice where
// the connection failed.
func (c *Client) readBroker(ctx context.Context, id state.BrokerID, req kmsg.Request) (kmsg.Response, error) {
	addr, err := c.address(ctx, id)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	resp, err := c.peer(addr).ask(ctx, req, false)
	if err != nil && ctx.Err() == nil && !isUnsupported(err) {
		resp, err = c.peer(addr).ask(ctx, req, false)
	}
	if err != nil {
		return nil, fmt.Errorf("broker %d at %s: %w", id, addr, unmarked(err))
	}
	return resp, nil
}

// address is where a broker is, asked for again where it is not known.
func (c *Client) address(ctx context.Context, id state.BrokerID) (string, error) {
	if addr, ok := c.known(id); ok {
		return addr, nil
	}
	if err := c.refresh(ctx); err != nil {
		return "", err
	}
	if addr, ok := c.known(id); ok {
		return addr, nil
	}
	return "", notAlive(id)
}

func (c *Client) known(id state.BrokerID) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	addr, ok := c.addrs[id]
	return addr, ok
}

// refresh asks where the brokers are.
func (c *Client) refresh(ctx context.Context) error {
	req := kmsg.NewPtrMetadataRequest()
	req.Topics = []kmsg.MetadataRequestTopic{}
	resp, err := c.readAny(ctx, req)
	if err != nil {
		return err
	}
	c.learn(identityOf(resp.(*kmsg.MetadataResponse)))
	return nil
}

// writeTimeout is how long a write waits for its answer.
func (c *Client) writeTimeout() time.Duration { return max(c.opts.Timeout, minWriteTimeout) }

// writeMillis is what a write's request says of its timeout, a little less
// than we wait ourselves, so that Kafka answers before we give up.
func (c *Client) writeMillis() int32 {
	return int32((c.writeTimeout() - 5*time.Second) / time.Millisecond)
}

// writeAny puts a change to any broker. A broker that could not be reached
// before anything was sent is followed by the next; an answer NOT_CONTROLLER
// by a look for the controller; anything else is final.
func (c *Client) writeAny(ctx context.Context, req kmsg.Request) (kmsg.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.writeTimeout())
	defer cancel()
	addrs := c.candidates()
	for wait := 100 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		resp, err := c.writeFirst(ctx, addrs, req)
		if err != nil || !notController(resp) {
			return resp, err
		}
		if sleep(ctx, wait) != nil {
			return resp, nil
		}
		if c.refresh(ctx) == nil {
			addrs = c.controllerFirst()
		}
	}
}

// controllerFirst are the candidates, the controller first.
func (c *Client) controllerFirst() []string {
	c.mu.Lock()
	id := c.controller
	c.mu.Unlock()
	list := c.candidates()
	if addr, ok := c.known(id); ok {
		list = append([]string{addr}, list...)
	}
	return list
}

// writeFirst sends the change once, to the first address that can be reached.
func (c *Client) writeFirst(ctx context.Context, addrs []string, req kmsg.Request) (kmsg.Response, error) {
	var reasons []string
	for _, addr := range addrs {
		resp, err := c.peer(addr).ask(ctx, req, true)
		var sent *sentError
		switch {
		case err == nil:
			c.prefer(addr)
			return resp, nil
		case errors.As(err, &sent):
			return nil, &UncertainError{Request: kmsg.NameForKey(req.Key()), Addr: addr, Err: sent.err}
		case isUnsupported(err):
			return nil, err
		}
		reasons = append(reasons, fmt.Sprintf("%s: %v", addr, err))
		if ctx.Err() != nil {
			break
		}
	}
	return nil, &UnreachableError{Reasons: reasons}
}

// writeBroker puts a change to one broker, once.
func (c *Client) writeBroker(ctx context.Context, id state.BrokerID, req kmsg.Request) (kmsg.Response, error) {
	addr, err := c.address(ctx, id)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.writeTimeout())
	defer cancel()
	resp, err := c.peer(addr).ask(ctx, req, true)
	var sent *sentError
	if errors.As(err, &sent) {
		return nil, &UncertainError{Request: kmsg.NameForKey(req.Key()), Addr: addr, Err: sent.err}
	}
	if err != nil {
		return nil, fmt.Errorf("broker %d at %s: %w", id, addr, err)
	}
	return resp, nil
}
