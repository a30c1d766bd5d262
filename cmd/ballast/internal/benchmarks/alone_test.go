package benchmarks

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	if status, done := Alone(); done {
		os.Exit(status)
	}
	os.Exit(m.Run())
}

// A process begins with the peak memory of the one that starts it, as Linux
// counts: what is measured must not depend on how large that one has been.
func TestMemoryIsThatOfThePlanAlone(t *testing.T) {
	large := make([]byte, 400<<20)
	for i := range large {
		large[i] = 1
	}
	m, err := Measure(build(t), t.TempDir(), small())
	if err != nil {
		t.Fatal(err)
	}
	if m.MiB < 5 || m.MiB > 200 || m.CPU <= 0 || large[0] != 1 {
		t.Errorf("%+v", m)
	}
}
