package realkafka

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"
	"time"

	"ballast/state"
)

// jvmFlags keep a node small: 260 MB, and quick to start.
var jvmFlags = []string{"-Xmx220m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto",
	"-Dorg.slf4j.simpleLogger.defaultLogLevel=info", "-Dorg.slf4j.simpleLogger.showDateTime=true"}

// node is one JVM: the controller or a broker.
type node struct {
	id   state.BrokerID
	port int
	// secure is the port of a broker's secure listener, where it has one.
	secure int
	dir    string // its properties, data and log
	jars   string
	props  string // file

	cmd  *exec.Cmd
	done chan struct{} // closed when the process has ended
}

// java is a command that runs a class of Kafka's.
func java(jars string, flags []string, class string, args ...string) *exec.Cmd {
	all := append(append([]string{}, flags...), "-cp", filepath.Join(jars, "*"), class)
	return exec.Command("java", append(all, args...)...)
}

// start runs the node. What it says is appended to its log.
func (n *node) start() error {
	log, err := os.OpenFile(n.log(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	cmd := java(n.jars, jvmFlags, "kafka.Kafka", n.props)
	cmd.Dir, cmd.Stdout, cmd.Stderr = n.dir, log, log
	cmd.SysProcAttr = ownGroup()
	started, done := make(chan error), make(chan struct{})
	go func() {
		// The kernel ends the child with the thread that started it, so the
		// thread is kept for it.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer log.Close()
		defer close(done)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		return fmt.Errorf("starting node %d: %w", n.id, err)
	}
	n.cmd, n.done = cmd, done
	return nil
}

func (n *node) log() string { return filepath.Join(n.dir, "node.log") }

// running says whether the process lives.
func (n *node) running() bool {
	if n.done == nil {
		return false
	}
	select {
	case <-n.done:
		return false
	default:
		return true
	}
}

// signal sends the process a signal.
func (n *node) signal(sig syscall.Signal) error {
	if !n.running() {
		return fmt.Errorf("node %d is not running", n.id)
	}
	return n.cmd.Process.Signal(sig)
}

// kill ends the process as a power cut would, and waits until it has ended.
func (n *node) kill() error {
	if err := n.signal(syscall.SIGKILL); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	select {
	case <-n.done:
		return nil
	case <-time.After(20 * time.Second):
		return fmt.Errorf("node %d (process %d) does not end", n.id, n.cmd.Process.Pid)
	}
}

// tail is the end of the node's log.
func (n *node) tail(size int) string {
	data, err := os.ReadFile(n.log())
	if err != nil {
		return err.Error()
	}
	return string(data[max(0, len(data)-size):])
}
