package state

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Fingerprint is "sha256:…" over what a plan binds to: the cluster's id, the
// registered brokers with their racks, and of each topic the replicas that its
// partitions have or are moving to, in order, and its overrides. Which brokers
// are alive, who leads, ISRs, sizes, inherited configs, the time, and the
// throttled replicas, which moves set and take away, are not part of it. The
// snapshot must be normalised.
func Fingerprint(s *Snapshot) string {
	f := &fingerprint{hash: sha256.New()}
	f.text(s.ClusterID)
	f.number(len(s.Brokers))
	for i := range s.Brokers {
		f.number(int(s.Brokers[i].ID))
		f.text(s.Brokers[i].Rack)
	}
	f.number(len(s.Topics))
	for i := range s.Topics {
		f.topic(&s.Topics[i])
	}
	return "sha256:" + hex.EncodeToString(f.hash.Sum(nil))
}

// fingerprint hashes items, each with its length, so that no two different
// sequences look alike.
type fingerprint struct {
	hash hash.Hash
	buf  []byte
}

func (f *fingerprint) number(n int) {
	f.buf = append(strconv.AppendInt(f.buf[:0], int64(n), 10), ' ')
	f.hash.Write(f.buf)
}

func (f *fingerprint) text(s string) {
	f.number(len(s))
	io.WriteString(f.hash, s)
}

func (f *fingerprint) topic(t *Topic) {
	f.text(t.Name)
	f.number(len(t.Partitions))
	for i := range t.Partitions {
		target := t.Partitions[i].Target()
		f.number(len(target))
		for _, b := range target {
			f.number(int(b))
		}
	}
	f.overrides(t)
}

// overrides hashes a topic's overrides; unknown ones differ from none.
func (f *fingerprint) overrides(t *Topic) {
	if t.Config == nil {
		f.number(-1)
		return
	}
	overrides := t.Overrides()
	for name := range overrides {
		if strings.HasSuffix(name, ".replication.throttled.replicas") {
			delete(overrides, name)
		}
	}
	f.number(len(overrides))
	for _, name := range slices.Sorted(maps.Keys(overrides)) {
		f.text(name)
		f.text(overrides[name])
	}
}
