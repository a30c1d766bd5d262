package kafka

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"ballast/state"
)

// Options say how to reach a cluster.
type Options struct {
	Bootstrap []string      // HOST:PORT; every one is tried
	ClusterID string        // refuse any other cluster; "" takes what answers
	Timeout   time.Duration // for Dial as a whole, and for one broker's answer to a read; 0 is 30 s
	TLS       *tls.Config   // nil: no encryption; without a ServerName, the address's host is it
	SASL      *SASL         // nil: no authentication
}

// DefaultTimeout is the Timeout of Options that name none.
const DefaultTimeout = 30 * time.Second

// minWriteTimeout is what a write waits at least: with its only controller
// just restarted, Kafka 4.3 takes 25 s to answer a CreateTopics.
const minWriteTimeout = 60 * time.Second

// Client talks to one cluster. It may be used by several goroutines at once.
type Client struct {
	opts      Options
	clusterID string

	mu         sync.Mutex
	peers      map[string]*peer          // by address
	addrs      map[state.BrokerID]string // of the brokers, as last heard of
	controller state.BrokerID            // as last heard of; in KRaft any live broker
	current    string                    // the address that answered last to a request for any broker
	closed     bool
}

// OtherClusterError says that what answers is not the cluster that was asked for.
type OtherClusterError struct {
	Want, Found string // cluster ids
}

func (e *OtherClusterError) Error() string {
	return fmt.Sprintf("the cluster there has the id %q, not %q", e.Found, e.Want)
}

// Dial finds the cluster: all bootstrap addresses are tried at once, the first
// that answers (with the right cluster id, where Options names one) is taken.
// Where none does, the error names each address and why it failed, or is an
// *OtherClusterError where one of them belongs to another cluster.
func Dial(ctx context.Context, o Options) (*Client, error) {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if len(o.Bootstrap) == 0 {
		return nil, errors.New("no bootstrap address to connect to")
	}
	if _, err := o.SASL.mechanism(); err != nil {
		return nil, err
	}
	c := &Client{opts: o, clusterID: o.ClusterID, peers: map[string]*peer{}, addrs: map[state.BrokerID]string{}, controller: -1}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	if err := c.findCluster(ctx); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// findCluster takes the first bootstrap address that answers.
func (c *Client) findCluster(ctx context.Context) error {
	type answer struct {
		at  int
		id  *identity
		err error
	}
	answers := make(chan answer, len(c.opts.Bootstrap))
	for i, addr := range c.opts.Bootstrap {
		go func() {
			id, err := c.peer(addr).greet(ctx)
			answers <- answer{i, id, err}
		}()
	}
	reasons, denied := make([]string, len(c.opts.Bootstrap)), 0
	var other *OtherClusterError
	for range c.opts.Bootstrap {
		a := <-answers
		if a.err == nil {
			c.settle(c.opts.Bootstrap[a.at], a.id)
			return nil
		}
		if errors.As(a.err, new(*deniedError)) {
			denied++
		}
		errors.As(a.err, &other)
		reasons[a.at] = fmt.Sprintf("%s: %v", c.opts.Bootstrap[a.at], a.err)
	}
	if other != nil {
		return other
	}
	return &UnreachableError{Reasons: reasons, Denied: denied == len(reasons)}
}

// settle keeps the cluster that answered at addr.
func (c *Client) settle(addr string, id *identity) {
	c.mu.Lock()
	c.clusterID = id.clusterID
	c.current = addr
	c.mu.Unlock()
	c.learn(id)
}

// ClusterID is the id of the cluster that Dial found.
func (c *Client) ClusterID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.clusterID
}

// Close closes every connection. A request that is under way ends with an error.
func (c *Client) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	for _, p := range c.peers {
		p.close()
	}
	return nil
}

// UnreachableError says that no broker of those tried answered, and why not.
type UnreachableError struct {
	Reasons []string // "HOST:PORT: why", one for each address tried
	Denied  bool     // all answered, and refused our credentials
}

func (e *UnreachableError) Error() string {
	if e.Denied {
		return strings.Join(e.Reasons, "\n  ")
	}
	if len(e.Reasons) == 1 {
		return "the cluster does not answer at " + e.Reasons[0]
	}
	return "the cluster answers at none of its addresses:\n  " + strings.Join(e.Reasons, "\n  ")
}
