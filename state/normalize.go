package state

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// Normalize brings a snapshot into the one order that it is compared and
// encoded in: brokers and partitions by id, topics and log dirs by name, and
// what is a set (ISR, adding, removing, offline, ELR) by id, none of them empty
// but not nil. Replicas keep their order. It writes nothing where all is so
// already. The error tells the first thing that no cluster can be like: a
// broker, topic or partition twice, ids of partitions that are not 0 to n-1, a
// replica listed twice, a leader, ISR member, adding or removing replica that
// is not among the replicas, a size below 0, a config's source that is none.
func (s *Snapshot) Normalize() error {
	for i := range s.Brokers {
		if err := s.Brokers[i].normalize(); err != nil {
			return err
		}
	}
	sortBrokers(s.Brokers)
	for i := 1; i < len(s.Brokers); i++ {
		if s.Brokers[i].ID == s.Brokers[i-1].ID {
			return fmt.Errorf("broker %d is listed twice", s.Brokers[i].ID)
		}
	}
	sortUnread(s.Unread)
	return s.normalizeTopics()
}

// maxTotal bounds the sum of all replicas' bytes, so that no sum over any part
// of a snapshot overflows.
const maxTotal = 1 << 61

// checkTotal refuses sizes that no cluster holds.
func (s *Snapshot) checkTotal() error {
	total := int64(0)
	for i := range s.Topics {
		for j := range s.Topics[i].Partitions {
			p := &s.Topics[i].Partitions[j]
			if n := int64(len(p.Replicas)); p.Size.Bytes > (maxTotal-total)/n {
				return fmt.Errorf("topic %q, partition %d: with its %d bytes the cluster would hold more than %d bytes, which none does", s.Topics[i].Name, p.ID, p.Size.Bytes, int64(maxTotal))
			}
			total += int64(len(p.Replicas)) * p.Size.Bytes
		}
	}
	return nil
}

func (s *Snapshot) normalizeTopics() error {
	for i := range s.Topics {
		t := &s.Topics[i]
		for j := range t.Partitions {
			if err := t.Partitions[j].normalize(); err != nil {
				return fmt.Errorf("topic %q, partition %d: %w", t.Name, t.Partitions[j].ID, err)
			}
		}
		if err := t.normalize(); err != nil {
			return err
		}
	}
	sortTopics(s.Topics)
	for i := 1; i < len(s.Topics); i++ {
		if s.Topics[i].Name == s.Topics[i-1].Name {
			return fmt.Errorf("the topic %q is listed twice", s.Topics[i].Name)
		}
	}
	return s.checkTotal()
}

// sortBy sorts where it is needed, so that what is sorted is only read.
func sortBy[T any](list []T, order func(a, b T) int) {
	if !slices.IsSortedFunc(list, order) {
		slices.SortStableFunc(list, order)
	}
}

func sortBrokers(list []Broker) {
	sortBy(list, func(a, b Broker) int { return cmp.Compare(a.ID, b.ID) })
}

func sortTopics(list []Topic) {
	sortBy(list, func(a, b Topic) int { return cmp.Compare(a.Name, b.Name) })
}

func sortUnread(list []Unread) {
	sortBy(list, func(a, b Unread) int {
		return cmp.Or(cmp.Compare(a.What, b.What), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Reason, b.Reason))
	})
}

func (b *Broker) normalize() error {
	if b.ID < 0 {
		return fmt.Errorf("a broker has the id %d; ids begin at 0", b.ID)
	}
	sortBy(b.LogDirs, func(x, y LogDir) int { return cmp.Compare(x.Path, y.Path) })
	for i, dir := range b.LogDirs {
		if i > 0 && dir.Path == b.LogDirs[i-1].Path {
			return fmt.Errorf("broker %d: the log dir %q is listed twice", b.ID, dir.Path)
		}
		if dir.Total.Bytes < 0 || dir.Usable.Bytes < 0 {
			return fmt.Errorf("broker %d: the log dir %q has a size below 0", b.ID, dir.Path)
		}
	}
	return checkConfig(b.Config)
}

// partitionError is something wrong with one partition's id.
type partitionError struct {
	id   int32
	text string
}

func (e *partitionError) Error() string { return e.text }

// normalize sorts a topic's partitions, which are normalised, and checks that
// their ids are 0 to n-1.
func (t *Topic) normalize() error {
	if t.Name == "" {
		return errors.New("a topic has an empty name")
	}
	sortBy(t.Partitions, func(a, b Partition) int { return cmp.Compare(a.ID, b.ID) })
	for i := range t.Partitions {
		id := t.Partitions[i].ID
		switch {
		case i > 0 && id == t.Partitions[i-1].ID:
			return &partitionError{id, fmt.Sprintf("topic %q: partition %d is listed twice", t.Name, id)}
		case id != int32(i):
			return &partitionError{id, fmt.Sprintf("topic %q: partition %d is missing, the next one has the id %d", t.Name, i, id)}
		}
	}
	if err := checkConfig(t.Config); err != nil {
		return fmt.Errorf("topic %q: %w", t.Name, err)
	}
	return nil
}

// checkConfig refuses sources that are none, the first by name.
func checkConfig(configs map[string]ConfigValue) error {
	bad := ""
	for name, v := range configs {
		if !v.Source.known() && (bad == "" || name < bad) {
			bad = name
		}
	}
	if bad != "" {
		return badSource(bad, configs[bad].Source)
	}
	return nil
}
