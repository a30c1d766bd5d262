package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"golang.org/x/sync/errgroup"
)

// Options are the inputs of a configuration beside its files.
type Options struct {
	Vars     []string                         // NAME=VALUE each, the last one of a name counts
	VarFiles []string                         // paths; a later file wins over an earlier one
	Env      func(name string) (string, bool) // the environment; nil: empty
}

// Loaded is a configuration that has been read and evaluated as far as it
// went.
type Loaded struct {
	// Desired is nil only where nothing could be evaluated. Where there are
	// errors, what they touch is not in it; the topics among that are Broken.
	Desired     *Desired
	Diagnostics []Diagnostic // in file order

	sources map[string]*document // by the names that diagnostics have
	secrets secrets              // texts that nothing may show
}

// source is a file of the configuration.
type source struct {
	name     string // base name
	src      []byte
	body     *hclsyntax.Body // nil: could not be parsed at all
	document *document       // nil: could not be read
	diags    []Diagnostic
}

// Load reads all *.hcl files of a directory as one configuration. It always
// returns a Loaded; what is wrong is in its Diagnostics, all of it at once.
func Load(dir string, o Options) *Loaded {
	l := newLoader(dir, o)
	if l.read() {
		l.evaluate()
	}
	return l.done()
}

// loader is the state of one Load.
type loader struct {
	findings
	dir     string
	options Options
	loaded  *Loaded
	sources []*source // by name
	ctx     *hcl.EvalContext
	partial bool // a file could not be parsed as a whole
	inputs  map[string]*variable
	named   map[string]*local
	size    int // of the values of variables and locals so far
}

func newLoader(dir string, o Options) *loader {
	l := &loader{options: o, dir: dir, loaded: &Loaded{sources: map[string]*document{}}}
	l.findings.secrets = &l.loaded.secrets
	if o.Env == nil {
		l.options.Env = func(string) (string, bool) { return "", false }
	}
	return l
}

func (l *loader) done() *Loaded {
	l.loaded.Diagnostics = l.findings.sorted()
	return l.loaded
}

// read reads and parses the files, and says whether there is anything to
// evaluate.
func (l *loader) read() bool {
	names, err := l.fileNames()
	if err != nil {
		l.add(fault("unreadable", "Cannot read the configuration", err.Error()+".", hcl.Range{}))
		return false
	}
	if len(names) == 0 {
		l.add(fault("no_configuration", "No configuration", fmt.Sprintf("The directory %s has no *.hcl file. To begin with one, run: ballast init", quote(l.dir)), hcl.Range{}))
		return false
	}
	l.sources = make([]*source, len(names))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		group.Go(func() error {
			l.sources[i] = readSource(l.dir, name)
			return nil
		})
	}
	_ = group.Wait() // readSource keeps its errors
	for _, s := range l.sources {
		l.take(s)
	}
	return true
}

// fileNames returns the configuration's files, sorted. Hidden files are not
// among them: editors leave such behind.
func (l *loader) fileNames() ([]string, error) {
	entries, err := os.ReadDir(l.dir)
	if err != nil {
		return nil, describe(l.dir, err)
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".hcl") && !strings.HasPrefix(e.Name(), ".") && !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	sort.Strings(names)
	return names, nil
}

func describe(path string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", quote(path))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s may not be read", quote(path))
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return fmt.Errorf("%s: %w", quote(path), p.Err)
	}
	return err
}

// readSource reads and parses a file.
func readSource(dir, name string) *source {
	src, err := readRegular(filepath.Join(dir, name))
	if err != nil {
		return &source{name: name, diags: []Diagnostic{fault("unreadable", "Cannot read a file", capital(sentence(err)), start(name))}}
	}
	return newSource(name, src)
}

func newSource(name string, src []byte) *source {
	s := &source{name: name, src: src}
	s.body, s.diags = parse(name, src)
	s.document = newDocument(src, s.body, !HasErrors(s.diags))
	return s
}

// take takes over what was found in a file.
func (l *loader) take(s *source) {
	if s.document != nil {
		l.secrets.keepPlaces(s.name, s.document)
	}
	l.keepLiterals(s)
	for _, d := range s.diags {
		l.add(d)
	}
	l.partial = l.partial || HasErrors(s.diags)
	if s.document != nil {
		l.loaded.sources[s.name] = s.document
	}
}

// readRegular reads a file that is not a pipe, a device or far too large, and
// takes the byte order mark off that some editors put at the beginning.
func readRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, describe(path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", quote(path))
	}
	if info.Size() > maxFileBytes+16 {
		return nil, fmt.Errorf("%s has %d bytes; a file may have at most %d", quote(path), info.Size(), maxFileBytes)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		return nil, describe(path, err)
	}
	return []byte(strings.TrimPrefix(string(src), "\ufeff")), nil
}

// parse parses a source. Where it has syntax errors the body has what could be
// made out, or is nil.
func parse(name string, src []byte) (*hclsyntax.Body, []Diagnostic) {
	if d := guard(name, src); d != nil {
		return nil, []Diagnostic{*d}
	}
	file, diags := hclsyntax.ParseConfig(src, name, hcl.InitialPos)
	out := hidePasswords(src, fromHCL(diags, "syntax_error"))
	if file == nil || file.Body == nil {
		return nil, out
	}
	return file.Body.(*hclsyntax.Body), out
}
