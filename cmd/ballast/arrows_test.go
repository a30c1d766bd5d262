package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rooms has every package of the module with those of the module that it may
// import. The arrows point one way: what knows the command line, HCL or the
// network is far from what decides.
var rooms = map[string][]string{
	"cmd/ballast":                 {"cmd/ballast/internal/*", "config", "planner", "planner/placement", "planner/consumer", "planner/sizing", "apply", "state", "state/kafka", "state/sandbox"},
	"cmd/ballast/internal/*":      {"cmd/ballast/internal/*", "config", "planner", "planner/placement", "planner/consumer", "planner/sizing", "apply", "state"},
	"config":                      {"state"},
	"planner":                     {"planner/placement", "config", "state"},
	"planner/placement":           {},
	"planner/consumer":            {"state"},
	"planner/sizing":              {"state"},
	"apply":                       {"planner", "state"},
	"state":                       {},
	"state/kafka":                 {"state"},
	"state/sandbox":               {"state"},
	"state/clustertest":           {"state"},
	"state/clustertest/realkafka": {"state"},
}

// wrong has the arrows that point the wrong way for now, as "from -> to". None
// may be added; one that is gone has to leave this list.
var wrong = []string{}

// only has the modules that few rooms may know, and these rooms.
var only = map[string][]string{
	"github.com/segmentio/kafka-go": {"state/kafka"},
	"github.com/hashicorp/hcl/v2":   {"config"},
	"github.com/zclconf/go-cty":     {"config"},
	"github.com/urfave/cli/v2":      {"cmd/ballast"},
	"github.com/twmb/franz-go":      {"state/kafka", "state/sandbox", "state/clustertest/realkafka"},
	"flag":                          {"cmd/ballast"},
	"unsafe":                        {},
}

// pure are the rooms that take everything as arguments: no clock, no files, no
// network, no randomness.
var pure = []string{"planner", "planner/placement", "planner/consumer", "planner/sizing"}

// impure is what these may not import, or call.
var impure = []string{"os", "os/exec", "net", "net/http", "math/rand", "math/rand/v2", "crypto/rand", "syscall", "time.Now", "time.Since", "time.Until", "time.Sleep", "time.After"}

// source is one Go file of the module.
type source struct {
	path string // from the module's root
	room string
	test bool
	file *ast.File
	set  *token.FileSet
}

// sources parses every Go file of the module.
func sources(t *testing.T) []source {
	t.Helper()
	root := filepath.Join("..", "..")
	var all []source
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
		all = append(all, source{path: rel, room: path.Dir(rel), test: strings.HasSuffix(rel, "_test.go"), file: file, set: set})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// rule is the entry of rooms for a package, by its own name or its parent's.
func rule(room string) (string, bool) {
	for _, name := range []string{room, path.Dir(room) + "/*"} {
		if _, ok := rooms[name]; ok {
			return name, true
		}
	}
	return "", false
}

// within says whether a package is one of those listed.
func within(list []string, room string) bool {
	return slices.Contains(list, room) || slices.Contains(list, path.Dir(room)+"/*")
}

func TestRoomsImportOnlyWhatTheyMay(t *testing.T) {
	stillWrong := map[string]bool{}
	for _, s := range sources(t) {
		room, known := rule(s.room)
		if !known {
			t.Errorf("%s: there is no room %q; give it a line in rooms, with what it may import", s.path, s.room)
			continue
		}
		if s.test {
			continue
		}
		for _, name := range imports(s) {
			ours, ok := strings.CutPrefix(name, "ballast/")
			if arrow := s.room + " -> " + ours; slices.Contains(wrong, arrow) {
				stillWrong[arrow] = true
			} else if ok && !within(rooms[room], ours) {
				t.Errorf("%s: %s may not import %s", s.path, s.room, ours)
			}
			if keepers, limited := limit(name); limited && !within(keepers, s.room) {
				t.Errorf("%s: %s may not import %s, only %v may", s.path, s.room, name, keepers)
			}
		}
	}
	for _, arrow := range wrong {
		if !stillWrong[arrow] {
			t.Errorf("%s is put right: take it out of wrong", arrow)
		}
	}
}

func imports(s source) (names []string) {
	for _, spec := range s.file.Imports {
		name, _ := strconv.Unquote(spec.Path.Value)
		names = append(names, name)
	}
	return names
}

// limit has the rooms that may import a package of a module that few may know.
func limit(name string) ([]string, bool) {
	for module, keepers := range only {
		if name == module || strings.HasPrefix(name, module+"/") {
			return keepers, true
		}
	}
	return nil, false
}

func TestDecidingNeedsNoClockNoFilesAndNoLuck(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || !slices.Contains(pure, s.room) {
			continue
		}
		for _, name := range imports(s) {
			if slices.Contains(impure, name) {
				t.Errorf("%s: %s is pure and may not import %s", s.path, s.room, name)
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := call.X.(*ast.Ident); ok && slices.Contains(impure, x.Name+"."+call.Sel.Name) {
					t.Errorf("%s: %s is pure and may not use %s.%s", s.set.Position(n.Pos()), s.room, x.Name, call.Sel.Name)
				}
			}
			return true
		})
	}
}

func TestOnlyTheCommandEndsTheProcess(t *testing.T) {
	for _, s := range sources(t) {
		if s.test || s.room == "cmd/ballast" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if call, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := call.X.(*ast.Ident); ok && (x.Name == "os" && call.Sel.Name == "Exit" || x.Name == "log" && strings.HasPrefix(call.Sel.Name, "Fatal")) {
					t.Errorf("%s: only cmd/ballast may end the process", s.set.Position(n.Pos()))
				}
			}
			return true
		})
	}
}

func TestEveryRoomIsThereAndSaysWhatLivesInIt(t *testing.T) {
	documented, found := map[string]bool{}, map[string]bool{}
	for _, s := range sources(t) {
		name, _ := rule(s.room)
		found[name] = true
		if path.Base(s.path) == "doc.go" && s.file.Doc != nil {
			documented[s.room] = true
		}
	}
	for _, s := range sources(t) {
		if !documented[s.room] {
			documented[s.room] = true // say it once
			t.Errorf("%s has no doc.go that says what lives there", s.room)
		}
	}
	for name := range rooms {
		if !found[name] {
			t.Errorf("there is no room %q any more: take its line out of rooms", name)
		}
	}
}

func TestTheTopHoldsNothingElse(t *testing.T) {
	allowed := []string{"apply", "cmd", "config", "docs", "examples", "planner", "state", "go.mod", "go.sum", "Makefile", "README.md", "CHANGELOG.md", "LICENSE", "bin"}
	entries, err := os.ReadDir(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(allowed, e.Name()) {
			t.Errorf("%s does not belong at the top", e.Name())
		}
	}
}

func TestNothingIsCalledAfterNothing(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, part := range strings.FieldsFunc(s.path, func(r rune) bool { return r == '/' || r == '_' || r == '.' }) {
			if slices.Contains([]string{"util", "utils", "common", "helper", "helpers", "misc"}, part) {
				t.Errorf("%s: a name that says nothing of what is in it", s.path)
			}
		}
	}
}
