package apply

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// written is a local journal of four records, closed.
func written(t testing.TB) (dir string, text []byte) {
	t.Helper()
	dir = t.TempDir()
	j := open(t, dir, "sim")
	ctx := t.Context()
	for _, err := range []error{
		j.Lock(ctx, Holder{Who: "ann", Host: "runner-1"}),
		j.Begin(ctx, Record{Kind: RecordBegin, Begin: &Begin{Version: RecordVersion, Cluster: "sim", Plan: []byte(`{"format":"ballast-plan"}`)}}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	m := Moving{Topic: "orders", Before: ids(1), After: ids(1, 2)}
	for _, r := range []Record{
		{Kind: RecordWrite, Write: &Write{Op: OpReassign, Step: 1, Moves: []Moving{m}}},
		{Kind: RecordAnswer, Answer: &Answer{Write: 2}},
		{Kind: RecordMoved, Moves: []Moving{m}},
	} {
		if _, err := j.Append(ctx, r); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(j.Name())
	if err != nil {
		t.Fatal(err)
	}
	return dir, text
}

func open(t testing.TB, dir, cluster string) Journal {
	t.Helper()
	j, err := OpenLocal(dir, cluster)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j
}

func TestASecondApplyIsToldWhoHoldsTheLock(t *testing.T) {
	dir := t.TempDir()
	first, second := open(t, dir, "sim"), open(t, dir, "sim")
	since := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := first.Lock(t.Context(), Holder{Who: "ann", Host: "runner-1", PID: 42, Verb: "apply", Since: since}); err != nil {
		t.Fatal(err)
	}
	err := second.Lock(t.Context(), Holder{})
	var held *LockedError
	if !errors.As(err, &held) || !strings.Contains(err.Error(), "apply by ann on runner-1 (process 42) since 2026-01-02T03:04:05Z") {
		t.Fatalf("got %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := second.Lock(t.Context(), Holder{}); err != nil {
		t.Errorf("the lock was not given back: %v", err)
	}
}

func TestALockWhoseFileWasTakenAwayIsNotHeld(t *testing.T) {
	dir := t.TempDir()
	j := open(t, dir, "sim")
	if err := j.Held(t.Context()); err == nil {
		t.Error("held before it was taken")
	}
	if err := j.Lock(t.Context(), Holder{}); err != nil {
		t.Fatal(err)
	}
	if err := j.Held(t.Context()); err != nil {
		t.Error(err)
	}
	if err := os.Remove(filepath.Join(dir, LocalDir, "sim.lock")); err != nil {
		t.Fatal(err)
	}
	if err := j.Held(t.Context()); err == nil {
		t.Error("held without its file")
	}
}

// A journal cut at any byte is read up to its last whole record and written on
// from there, or refused where not even the first is whole.
func TestAJournalCutAtAnyByte(t *testing.T) {
	dir, text := written(t)
	first := bytes.IndexByte(text, '\n')
	for n := 0; n < len(text); n++ {
		j := open(t, dir, "sim")
		if err := os.WriteFile(j.Name(), text[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		records, err := j.Records(t.Context())
		if n < first {
			var damaged *DamagedError
			if !errors.As(err, &damaged) || damaged.Line != 1 {
				t.Fatalf("cut at %d: got %v", n, err)
			}
			continue
		}
		whole := bytes.Count(text[:n+1], []byte{'\n'})
		if err != nil || len(records) != whole {
			t.Fatalf("cut at %d: %d records, %v; want %d", n, len(records), err, whole)
		}
		seq, err := j.Append(t.Context(), Record{Kind: RecordEnd})
		if err != nil || seq != int64(whole+1) {
			t.Fatalf("cut at %d: appended as %d, %v", n, seq, err)
		}
		if records, err = j.Records(t.Context()); err != nil || len(records) != whole+1 || records[whole].Kind != RecordEnd {
			t.Fatalf("cut at %d and written on: %d records, %v", n, len(records), err)
		}
		j.Close()
	}
}

func TestADamagedJournalIsRefusedWithItsLine(t *testing.T) {
	dir, text := written(t)
	lines := bytes.SplitAfter(text, []byte{'\n'})
	join := func(l ...[]byte) []byte { return bytes.Join(l, nil) }
	other := bytes.Replace(lines[1], []byte("orders"), []byte("orderz"), 1)
	for name, c := range map[string]struct {
		text []byte
		line int
		why  string
	}{
		"edited":       {join(lines[0], other, lines[2]), 2, "checksum"},
		"line missing": {join(lines[0], lines[2]), 2, "lines are missing"},
		"not ours":     {[]byte("hello\n"), 1, "not a record"},
		"empty":        {nil, 1, "empty"},
		"no beginning": {join(lines[1]), 1, "record 2 where 1 belongs"},
		"garbage":      {join(lines[0], []byte("{}\n"), lines[1]), 2, "not a record"},
	} {
		t.Run(name, func(t *testing.T) {
			j := open(t, dir, "sim")
			if err := os.WriteFile(j.Name(), c.text, 0o644); err != nil {
				t.Fatal(err)
			}
			_, err := j.Records(t.Context())
			var damaged *DamagedError
			if !errors.As(err, &damaged) || damaged.Line != c.line || !strings.Contains(err.Error(), c.why) || !strings.Contains(err.Error(), j.Name()) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAJournalOfAnotherClusterOrVersionIsRefused(t *testing.T) {
	dir, text := written(t)
	j := open(t, dir, "other")
	if err := os.WriteFile(j.Name(), text, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Records(t.Context()); err == nil || !strings.Contains(err.Error(), "of cluster sim, not of other") {
		t.Errorf("got %v", err)
	}
	line, err := EncodeRecord(Record{Seq: 1, Kind: RecordBegin, Begin: &Begin{Version: 2, Cluster: "other", Plan: []byte("{}")}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(j.Name(), append(line, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := j.Records(t.Context()); err == nil || !strings.Contains(err.Error(), "journal version 2") {
		t.Errorf("got %v", err)
	}
}

func TestNothingIsWrittenToTheClusterWithoutAJournal(t *testing.T) {
	for name, breakIt := range map[string]func(dir string) error{
		"the directory is a file": func(dir string) error { return os.WriteFile(filepath.Join(dir, LocalDir), nil, 0o644) },
		"the disk is full": func(dir string) error {
			if err := os.Mkdir(filepath.Join(dir, LocalDir), 0o755); err != nil {
				return err
			}
			return os.Symlink("/dev/full", filepath.Join(dir, LocalDir, "sim.lock"))
		},
		"the journal is a directory": func(dir string) error { return os.MkdirAll(filepath.Join(dir, LocalDir, "sim.journal"), 0o755) },
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, 3, 3)
			f.topic("orders", 50e6, ids(1), ids(2))
			dir := t.TempDir()
			if err := breakIt(dir); err != nil {
				t.Fatal(err)
			}
			f.opt = func(o *Options) { o.Journal = open(t, dir, "sim") }
			res, err := f.run(f.plan(desired(topic("orders", 2, 2))))
			if err == nil || res.Exit != ExitRefused {
				t.Errorf("exit %d, %v", res.Exit, err)
			}
			if len(f.writes) > 0 {
				t.Errorf("the cluster was written to: %s", f.ops())
			}
		})
	}
}

func FuzzDecodeRecord(f *testing.F) {
	_, text := written(f)
	for _, l := range bytes.Split(text, []byte{'\n'}) {
		f.Add(l)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		r, err := DecodeRecord(line)
		if err != nil {
			return
		}
		again, err := EncodeRecord(r)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := DecodeRecord(again); err != nil {
			t.Fatalf("%s does not read back: %v", again, err)
		}
	})
}

func FuzzParseJournal(f *testing.F) {
	_, text := written(f)
	f.Add(text)
	f.Add(text[:len(text)-7])
	f.Fuzz(func(t *testing.T, text []byte) {
		records, good, err := parseJournal("j", "sim", text)
		if good > len(text) || err == nil && len(records) == 0 {
			t.Fatalf("%d records, %d of %d bytes, %v", len(records), good, len(text), err)
		}
		remember(records)
	})
}
