package realkafka

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"golang.org/x/sync/errgroup"

	"ballast/state"
)

// clusterID is the id of every cluster that is started here.
const clusterID = "4L6g3nShT-eMCtK--X86sw"

// startTimeout is how long a cluster may take until all brokers are alive.
const startTimeout = 3 * time.Minute

// Cluster is a running cluster.
type Cluster struct {
	Options Options
	dir     string
	jars    string
	lock    *flock.Flock
	nodes   map[state.BrokerID]*node // the controller included
}

// Start runs a cluster until the test ends, and gives it when all brokers are
// alive. When the test fails, the ends of the nodes' logs are printed.
func Start(t testing.TB, o Options) *Cluster {
	t.Helper()
	Require(t)
	c, err := start(t.Context(), t.TempDir(), o.withDefaults())
	if c != nil {
		t.Cleanup(func() {
			if t.Failed() {
				t.Log(c.Logs())
			}
			c.stop()
		})
	}
	if err != nil {
		t.Fatalf("no real cluster: %v", err)
	}
	return c
}

// start runs a cluster. Where it fails half way it gives the cluster too, to
// be stopped.
func start(ctx context.Context, dir string, o Options) (*Cluster, error) {
	jarDir, err := jars(ctx, o.Version)
	if err != nil {
		return nil, err
	}
	lock, err := lockFile(ctx, filepath.Join(filepath.Dir(jarDir), "cluster.lock"))
	if err != nil {
		return nil, err
	}
	c := &Cluster{Options: o, dir: dir, jars: jarDir, lock: lock, nodes: map[state.BrokerID]*node{}}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if err := c.prepare(); err != nil {
		return c, err
	}
	return c, c.run(ctx)
}

// prepare writes the nodes' properties.
func (c *Cluster) prepare() error {
	brokers := c.Options.Brokers
	ports, err := freePorts(2*brokers + 1)
	if err != nil {
		return err
	}
	for i, port := range ports[:brokers+1] {
		id := state.BrokerID(i)
		if i == 0 {
			id = controllerID
		}
		n := &node{id: id, port: port, jars: c.jars, dir: filepath.Join(c.dir, fmt.Sprintf("node-%d", id))}
		if i > 0 {
			n.secure = ports[brokers+i]
		}
		n.props = filepath.Join(n.dir, "server.properties")
		c.nodes[id] = n
		if err := os.MkdirAll(n.dir, 0o755); err != nil {
			return err
		}
		if err := writeProperties(n.props, properties(n, c.Options, ports[0])); err != nil {
			return err
		}
	}
	return nil
}

// run formats and starts all nodes and waits until all brokers are alive.
func (c *Cluster) run(ctx context.Context) error {
	var g errgroup.Group
	for _, n := range c.nodes {
		g.Go(func() error {
			out, err := c.java(ctx, "kafka.tools.StorageTool", append([]string{"format", "-t", clusterID, "-c", n.props}, c.Options.Secure.formatted()...)...)
			if err != nil {
				return fmt.Errorf("formatting node %d: %w\n%s", n.id, err, out)
			}
			return n.start()
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return c.awaitAlive(ctx, c.Brokers()...)
}

// stop ends all nodes.
func (c *Cluster) stop() {
	for _, n := range c.nodes {
		if n.running() {
			_ = n.kill()
		}
	}
	c.lock.Close()
}

// Brokers are the brokers' ids, from 1.
func (c *Cluster) Brokers() []state.BrokerID {
	var ids []state.BrokerID
	for i := range c.Options.Brokers {
		ids = append(ids, state.BrokerID(i+1))
	}
	return ids
}

// Rack is a broker's rack.
func (c *Cluster) Rack(id state.BrokerID) string { return c.Options.rack(id) }

// Bootstrap are the addresses of all brokers.
func (c *Cluster) Bootstrap() []string {
	var addrs []string
	for _, id := range c.Brokers() {
		addrs = append(addrs, c.Address(id))
	}
	return addrs
}

// Address is where a broker listens.
func (c *Cluster) Address(id state.BrokerID) string {
	return fmt.Sprintf("127.0.0.1:%d", c.nodes[id].port)
}

// ID is the cluster's id.
func (c *Cluster) ID() string { return clusterID }

// node gives a node; ControllerID is one of them.
func (c *Cluster) node(id state.BrokerID) (*node, error) {
	n := c.nodes[id]
	if n == nil {
		return nil, fmt.Errorf("there is no node %d", id)
	}
	return n, nil
}

// ControllerID names the controller to Kill and Restart.
const ControllerID state.BrokerID = controllerID

// Kill ends a node as a power cut would (SIGKILL). The others know of it when
// its session, six seconds, has expired.
func (c *Cluster) Kill(id state.BrokerID) error {
	n, err := c.node(id)
	if err != nil {
		return err
	}
	return n.kill()
}

// Restart starts a node that was killed, and waits until it is alive.
func (c *Cluster) Restart(id state.BrokerID) error {
	n, err := c.node(id)
	if err != nil {
		return err
	}
	if n.running() {
		return fmt.Errorf("node %d is running", id)
	}
	if err := n.start(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	return c.awaitAlive(ctx, id)
}

// Pause stops a node in its tracks (SIGSTOP): connections to it stay open, and
// nothing answers.
func (c *Cluster) Pause(id state.BrokerID) error { return c.signal(id, syscall.SIGSTOP) }

// Resume lets a paused node go on.
func (c *Cluster) Resume(id state.BrokerID) error { return c.signal(id, syscall.SIGCONT) }

func (c *Cluster) signal(id state.BrokerID, sig syscall.Signal) error {
	n, err := c.node(id)
	if err != nil {
		return err
	}
	return n.signal(sig)
}

// Logs are the ends of all nodes' logs.
func (c *Cluster) Logs() string {
	var b strings.Builder
	for _, id := range append(c.Brokers(), ControllerID) {
		if n := c.nodes[id]; n != nil {
			fmt.Fprintf(&b, "--- node %d\n%s\n", id, n.tail(3000))
		}
	}
	return b.String()
}
