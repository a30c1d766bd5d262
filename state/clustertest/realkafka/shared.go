package realkafka

import (
	"context"
	"os"
	"sync"
	"testing"
)

// shared is the one cluster of this test binary.
var shared struct {
	once    sync.Once
	dir     string
	cluster *Cluster
	err     error
}

// Shared gives the cluster that all tests of a test binary use, with the
// default options; the first that asks starts it. Tests leave it as they found
// it: no throttle, no dead broker, no topic of theirs. A package that uses it
// ends its TestMain with Main.
func Shared(t testing.TB) *Cluster {
	t.Helper()
	Require(t)
	shared.once.Do(func() {
		if shared.dir, shared.err = os.MkdirTemp("", "ballast-kafka-"); shared.err == nil {
			shared.cluster, shared.err = start(context.Background(), shared.dir, Options{}.withDefaults())
		}
	})
	if shared.err != nil {
		if shared.cluster != nil {
			t.Log(shared.cluster.Logs())
		}
		t.Fatalf("no real cluster: %v", shared.err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(shared.cluster.Logs())
		}
	})
	return shared.cluster
}

// Main runs a package's tests and ends the shared cluster, if one was started:
//
//	func TestMain(m *testing.M) { os.Exit(realkafka.Main(m)) }
func Main(m *testing.M) int {
	defer func() {
		if shared.cluster != nil {
			shared.cluster.stop()
		}
		if shared.dir != "" {
			os.RemoveAll(shared.dir)
		}
	}()
	return m.Run()
}
