package apply

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"
)

// LocalDir is the directory of local journals beside a configuration.
const LocalDir = ".ballast"

// Local is a journal in a file, DIR/.ballast/CLUSTER-ID.journal, with a file
// lock beside it. It excludes and resumes on one machine only.
type Local struct {
	path    string
	cluster string
	lock    *flock.Flock
	file    *os.File // open for appending; nil until there is something to append to
	seq     int64
}

var safeID = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// OpenLocal opens the local journal of a cluster under the configuration
// directory dir. It writes nothing: Lock does.
func OpenLocal(dir, clusterID string) (Journal, error) {
	if !safeID.MatchString(clusterID) {
		return nil, fmt.Errorf("cluster id %q is none of Kafka's: a local journal is named by it", clusterID)
	}
	base := filepath.Join(dir, LocalDir, clusterID)
	return &Local{path: base + ".journal", cluster: clusterID, lock: flock.New(base + ".lock")}, nil
}

// Name is the journal's path.
func (l *Local) Name() string { return l.path }

// ClusterID is the cluster that the journal is for.
func (l *Local) ClusterID() string { return l.cluster }

// Lock takes the file lock and writes who holds it into it. It also proves
// that the directory can be written to.
func (l *Local) Lock(_ context.Context, h Holder) error {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o755); err != nil {
		return fmt.Errorf("the journal's directory cannot be made: %w\nMove away what is in its place, or keep the journal in the cluster: journal { backend = \"kafka\" }", err)
	}
	ok, err := l.lock.TryLock()
	if err != nil {
		return fmt.Errorf("the journal's lock cannot be taken: %w", err)
	}
	if !ok {
		return &LockedError{Name: l.path, Holder: readHolder(l.lock.Path())}
	}
	if err := l.probe(h); err != nil {
		return errors.Join(err, l.lock.Unlock())
	}
	return nil
}

// probe writes the holder into the lock file and tries that the journal's
// file, where there is one, can be written to.
func (l *Local) probe(h Holder) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := os.WriteFile(l.lock.Path(), append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("the journal's lock cannot be written to: %w", err)
	}
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_APPEND, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the journal cannot be written to: %w", err)
	}
	return f.Close()
}

func readHolder(path string) Holder {
	var h Holder
	if text, err := os.ReadFile(path); err == nil {
		_ = json.Unmarshal(text, &h) // a holder that is just starting has not written yet
	}
	return h
}

// Held says whether this process still has the lock, and whether its file is
// still the one that a second run would try: a deleted one excludes nobody.
func (l *Local) Held(context.Context) error {
	if !l.lock.Locked() {
		return fmt.Errorf("the lock %s is not held", l.lock.Path())
	}
	if _, err := os.Stat(l.lock.Path()); err != nil {
		return fmt.Errorf("the lock file was taken away: %w", err)
	}
	return nil
}

// Records reads the journal. A last line that was cut off is left out: what it
// speaks of was never sent, or is read again from the cluster.
func (l *Local) Records(context.Context) ([]Record, error) {
	text, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the journal cannot be read: %w", err)
	}
	records, _, err := parseJournal(l.path, l.cluster, text)
	return records, err
}

// parseJournal reads whole lines, and gives how many bytes of text they take.
func parseJournal(name, cluster string, text []byte) (out []Record, good int, err error) {
	for line := 1; good < len(text); line++ {
		rest := text[good:]
		end := bytes.IndexByte(rest, '\n')
		torn := end < 0
		if torn {
			end = len(rest)
		}
		r, err := DecodeRecord(rest[:end])
		if err == nil && r.Seq != int64(line) {
			err = fmt.Errorf("it is record %d where %d belongs: lines are missing", r.Seq, line)
		}
		if err == nil && line == 1 {
			err = checkFirst(r, cluster)
		}
		if err != nil && torn && line > 1 {
			return out, good, nil
		}
		if err != nil {
			return nil, 0, &DamagedError{Name: name, Line: line, Why: err.Error()}
		}
		out = append(out, r)
		good += end
		if !torn {
			good++
		}
	}
	if len(out) == 0 {
		return nil, 0, &DamagedError{Name: name, Line: 1, Why: "the journal is empty"}
	}
	return out, good, nil
}

func checkFirst(r Record, cluster string) error {
	if r.Kind != RecordBegin {
		return fmt.Errorf("a journal begins with a begin record, not with %q", r.Kind)
	}
	if r.Begin.Cluster != cluster {
		return fmt.Errorf("it is the journal of cluster %s, not of %s", r.Begin.Cluster, cluster)
	}
	return nil
}

// Begin puts a new journal with r alone in the old one's place.
func (l *Local) Begin(_ context.Context, r Record) error {
	r.Seq = 1
	line, err := EncodeRecord(r)
	if err != nil {
		return err
	}
	if err := l.closeFile(); err != nil {
		return err
	}
	if err := renameio.WriteFile(l.path, append(line, '\n'), 0o600); err != nil {
		return fmt.Errorf("the journal cannot be written: %w", err)
	}
	if err := syncDir(filepath.Dir(l.path)); err != nil {
		return err
	}
	return l.open()
}

// open opens the file for appending, after its last whole line.
func (l *Local) open() error {
	text, err := os.ReadFile(l.path)
	if err != nil {
		return fmt.Errorf("the journal cannot be read: %w", err)
	}
	records, good, err := parseJournal(l.path, l.cluster, text)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("the journal cannot be written to: %w", err)
	}
	if good < len(text) {
		err = f.Truncate(int64(good))
	} else if text[good-1] != '\n' {
		_, err = f.Write([]byte{'\n'})
	}
	if err != nil {
		return errors.Join(fmt.Errorf("the journal cannot be written to: %w", err), f.Close())
	}
	l.file, l.seq = f, int64(len(records))
	return nil
}

// Append adds a record and syncs it to the disk.
func (l *Local) Append(_ context.Context, r Record) (int64, error) {
	if l.file == nil {
		if err := l.open(); err != nil {
			return 0, err
		}
	}
	r.Seq = l.seq + 1
	line, err := EncodeRecord(r)
	if err != nil {
		return 0, err
	}
	_, err = l.file.Write(append(line, '\n'))
	if err == nil {
		err = l.file.Sync()
	}
	if err != nil { // opened again, it is cut after its last whole line
		return 0, errors.Join(fmt.Errorf("the journal cannot be written to: %w", err), l.closeFile())
	}
	l.seq = r.Seq
	return r.Seq, nil
}

// Close gives the lock back.
func (l *Local) Close() error {
	err := l.closeFile()
	if l.lock.Locked() {
		err = errors.Join(err, l.lock.Unlock())
	}
	return err
}

func (l *Local) closeFile() error {
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
