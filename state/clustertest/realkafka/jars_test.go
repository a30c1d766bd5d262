package realkafka

import (
	"os"
	"path/filepath"
	"testing"
)

func TestMavenFillsAnEmptyCache(t *testing.T) {
	Require(t)
	if testing.Short() {
		t.Skip("fetches 54 MB")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir, err := Jars(t.Context(), DefaultVersion)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "kafka-tools-"+DefaultVersion+".jar")); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(dir), "*.tmp*"))
	if err != nil || len(left) > 0 {
		t.Fatalf("half-filled directories are left: %v %v", left, err)
	}
}
