package realkafka

import (
	"cmp"
	"os"
	"os/exec"
	"testing"

	"ballast/state"
)

// DefaultVersion of Kafka is the newest one that ballast is tested with. The
// environment's BALLAST_TEST_KAFKA names another one, e.g. 4.0.2, the oldest.
const DefaultVersion = "4.3.0"

// Options say what cluster to start. The zero value is six brokers, 1 to 6, in
// three racks: r1 has 1 and 2, r2 has 3 and 4, r3 has 5 and 6.
type Options struct {
	Brokers int
	Racks   int
	Version string            // of Kafka
	Config  map[string]string // more server properties, of every node
	Secure  *Secure           // a second listener of every broker, or nil
}

func (o Options) withDefaults() Options {
	if o.Brokers == 0 {
		o.Brokers = 6
	}
	if o.Racks == 0 {
		o.Racks = 3
	}
	if o.Version == "" {
		o.Version = cmp.Or(os.Getenv("BALLAST_TEST_KAFKA"), DefaultVersion)
	}
	return o
}

// rack is the rack of a broker: r1 for the first ones, and so on.
func (o Options) rack(id state.BrokerID) string {
	perRack := (o.Brokers + o.Racks - 1) / o.Racks
	return "r" + string(rune('1'+(int(id)-1)/perRack))
}

// Require ends the test where a real cluster cannot run: skipped, aloud, on a
// person's machine, failed where CI=true. With -short none is wanted.
func Require(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts Apache Kafka, which -short leaves out")
	}
	for _, program := range []string{"java", "mvn"} {
		if _, err := exec.LookPath(program); err == nil {
			continue
		}
		const reason = "NOT TESTED ON A REAL CLUSTER: %s is not installed (Java 17 and Maven run Apache Kafka for this test)"
		if os.Getenv("CI") == "true" {
			t.Fatalf(reason, program)
		}
		t.Skipf(reason, program)
	}
}
