package apply

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Log is what a journal in the cluster is kept in: one list of records, of
// which the latest begun counts, and a lock that its holder loses by dying.
type Log interface {
	// Topic is the topic that it is in.
	Topic() string
	// Session is how long a dead holder keeps the lock.
	Session() time.Duration
	// Lock takes the lock without waiting. An error that has a method
	// HeldBy() []byte says that another has it, and who, as given to Lock.
	Lock(ctx context.Context, holder []byte) error
	// Held returns an error where the lock is no longer ours.
	Held(ctx context.Context) error
	// Holder is who has the lock, as given to Lock; held says whether anybody has.
	Holder(ctx context.Context) (holder []byte, held bool, err error)
	// Records reads all records, oldest first; none where there is no topic.
	Records(ctx context.Context) ([][]byte, error)
	// Begin replaces all records by one, all or nothing.
	Begin(ctx context.Context, record []byte) error
	// Append adds a record; as Begin, it returns when the record is safe.
	Append(ctx context.Context, record []byte) error
	// Close gives the lock back.
	Close() error
}

// Shared is a journal in the cluster itself: whoever goes on finds it, on
// whatever machine.
type Shared struct {
	log     Log
	cluster string
	seq     int64 // of the last record
	known   bool  // seq is
}

// OpenShared is the journal of a cluster in a log in that cluster. It writes
// nothing: Lock does.
func OpenShared(log Log, clusterID string) *Shared {
	return &Shared{log: log, cluster: clusterID}
}

// Name is the topic, for people.
func (s *Shared) Name() string { return fmt.Sprintf("the topic %q", s.log.Topic()) }

// ClusterID is the cluster that the journal is for.
func (s *Shared) ClusterID() string { return s.cluster }

// Lock takes the lock and tells others who holds it.
func (s *Shared) Lock(ctx context.Context, h Holder) error {
	who, err := json.Marshal(h)
	if err != nil {
		return err
	}
	s.known = false
	err = s.log.Lock(ctx, who)
	var held interface{ HeldBy() []byte }
	if errors.As(err, &held) {
		var other Holder
		_ = json.Unmarshal(held.HeldBy(), &other) // one that is just joining has not been heard of yet
		return &LockedError{Name: s.Name(), Holder: other, Expires: s.log.Session()}
	}
	return err
}

// Held returns an error where the lock is no longer ours.
func (s *Shared) Held(ctx context.Context) error { return s.log.Held(ctx) }

// HeldBy is the holder of the lock, nil where nobody holds it.
func (s *Shared) HeldBy(ctx context.Context) (*Holder, error) {
	who, held, err := s.log.Holder(ctx)
	if err != nil || !held {
		return nil, err
	}
	h := &Holder{}
	_ = json.Unmarshal(who, h) // one that is just joining has not been heard of yet
	return h, nil
}

// Records reads the journal.
func (s *Shared) Records(ctx context.Context) ([]Record, error) {
	s.known = false
	texts, err := s.log.Records(ctx)
	if err != nil {
		return nil, err
	}
	var out []Record
	for i, text := range texts {
		r, err := s.parse(i+1, text)
		if err != nil {
			return nil, &DamagedError{Name: s.Name(), Line: i + 1, Why: err.Error(), Topic: s.log.Topic()}
		}
		out = append(out, r)
	}
	s.seq, s.known = int64(len(out)), true
	return out, nil
}

func (s *Shared) parse(n int, text []byte) (Record, error) {
	r, err := DecodeRecord(text)
	if err == nil && r.Seq != int64(n) {
		err = fmt.Errorf("it is record %d where %d belongs: records are missing", r.Seq, n)
	}
	if err == nil && n == 1 {
		err = checkFirst(r, s.cluster)
	}
	return r, err
}

// Begin replaces all records by r.
func (s *Shared) Begin(ctx context.Context, r Record) error {
	r.Seq = 1
	text, err := EncodeRecord(r)
	if err != nil {
		return err
	}
	s.known = false
	if err := s.log.Begin(ctx, text); err != nil {
		return fmt.Errorf("the journal cannot be written: %w", err)
	}
	s.seq, s.known = 1, true
	return nil
}

// Append adds r and returns its Seq. Where an earlier one failed, it first
// reads what became of it.
func (s *Shared) Append(ctx context.Context, r Record) (int64, error) {
	if !s.known {
		if _, err := s.Records(ctx); err != nil {
			return 0, err
		}
	}
	r.Seq = s.seq + 1
	text, err := EncodeRecord(r)
	if err != nil {
		return 0, err
	}
	s.known = false
	if err := s.log.Append(ctx, text); err != nil {
		return 0, fmt.Errorf("the journal cannot be written to: %w", err)
	}
	s.seq, s.known = r.Seq, true
	return r.Seq, nil
}

// Close gives the lock back.
func (s *Shared) Close() error { return s.log.Close() }
