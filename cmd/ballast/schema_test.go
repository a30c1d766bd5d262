package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"ballast/state"
)

func schemaOf(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	file, err := os.Open("../../docs/" + name + ".schema.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	doc, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// isOf says that a document is as its schema says.
func isOf(t *testing.T, s *jsonschema.Schema, what, document string) {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
	if err == nil {
		err = s.Validate(doc)
	}
	if err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// TestDocumentsAreAsTheirSchemasSay prints every document of each acceptance
// case and example, and holds it against the schemas in docs.
func TestDocumentsAreAsTheirSchemasSay(t *testing.T) {
	plans, drifts, snapshots := schemaOf(t, "plan"), schemaOf(t, "drift"), schemaOf(t, "snapshot")
	files, _ := filepath.Glob("testdata/cases/*/snapshot.json")
	more, _ := filepath.Glob("../../examples/*/snapshot.json")
	if len(files) == 0 || len(more) == 0 {
		t.Fatal("there are no documents")
	}
	for _, file := range append(files, more...) {
		dir := filepath.Dir(file)
		print := func(verb string) string {
			s, out, _ := testStreams(nil)
			run([]string{"ballast", verb, "-json", "-snapshot", file, dir}, s)
			return out.String()
		}
		isOf(t, plans, "plan of "+dir, print("plan"))
		isOf(t, drifts, "drift of "+dir, print("drift"))
		snap, _, err := state.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := state.Encode(&b, snap); err != nil {
			t.Fatal(err)
		}
		isOf(t, snapshots, "snapshot of "+dir, b.String())
	}
}

// TestAnswersAreAsTheirSchemasSay prints what allocate and size answer, refusals
// and broken limits included.
func TestAnswersAreAsTheirSchemasSay(t *testing.T) {
	snapshot := "../../examples/quickstart/snapshot.json"
	for _, line := range [][]string{
		{"allocation", "allocate", "-partitions", "5", "-snapshot", snapshot},
		{"allocation", "allocate", "-partitions", "12", "-topic", "payments", "-allocator", "classic", "-snapshot", snapshot, "../../examples/quickstart"},
		{"allocation", "allocate", "-partitions", "2", "-replication-factor", "9", "-brokers", "3"},
		{"size", "size", "-throughput", "30MB/s", "-topic", "payments", "-snapshot", snapshot, "-broker-network", "1GB/s"},
		{"size", "size", "-throughput", "30MB/s", "-brokers", "2", "-consumers", "1"},
	} {
		s, out, _ := testStreams(nil)
		run(append([]string{"ballast", line[1], "-json"}, line[2:]...), s)
		isOf(t, schemaOf(t, line[0]), strings.Join(line[1:], " "), out.String())
	}
}

func TestSchemasRefuseWhatIsNoSuchDocument(t *testing.T) {
	for name, document := range map[string]string{
		"plan":      `{"format":"ballast-plan","version":1,"surprise":true}`,
		"drift":     `{"format":"ballast-plan","version":1}`,
		"size":      `{"format":"ballast-size","version":2}`,
		"status":    `{"format":"ballast-status","version":1,"Topic":"t"}`,
		"snapshot":  `{"format":"ballast-snapshot","version":1,"brokers":[{"id":-1,"alive":true}],"topics":[]}`,
		"consumers": `{"format":"ballast-consumers","version":1,"groups":[{"group":1}]}`,
	} {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
		if err != nil {
			t.Fatal(err)
		}
		if schemaOf(t, name).Validate(doc) == nil {
			t.Errorf("the schema of a %s takes %s", name, document)
		}
	}
}
