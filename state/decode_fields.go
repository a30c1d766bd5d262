package state

// fieldSet has the place of each field that an object may have.
type fieldSet map[string]int

// fieldSets are the objects of a snapshot document.
type fieldSets struct {
	document, broker, logDir, topic, partition, value, unread fieldSet
}

func newFieldSets() fieldSets {
	return fieldSets{
		document:  fields("format", "version", "cluster_id", "taken_at", "brokers", "topics", "unread"),
		broker:    fields("id", "rack", "host", "port", "alive", "log_dirs", "config"),
		logDir:    fields("path", "total_bytes", "usable_bytes", "offline"),
		topic:     fields("name", "internal", "partitions", "config"),
		partition: fields("id", "replicas", "isr", "leader", "adding", "removing", "bytes", "offline", "elr"),
		value:     fields("value", "source"),
		unread:    fields("what", "name", "reason"),
	}
}

func fields(names ...string) fieldSet {
	set := fieldSet{}
	for i, name := range names {
		set[name] = i
	}
	return set
}

// record reads an object with known fields and gives the set of those met, a
// bit for each. A field given twice is an error, one with null is absent, an
// unknown one is skipped with a warning.
func (d *decoder) record(kind string, known fieldSet, member func(key []byte, at int)) (seen uint) {
	d.object(kind+" (an object)", func(key []byte, at int) {
		i, ok := known[string(key)]
		switch {
		case !ok:
			d.unknown(kind, key, at)
		case seen&(1<<i) != 0:
			d.fail(at, "the field %q of %s is given twice", key, kind)
		case !d.null():
			seen |= 1 << i
			member(key, at)
		}
	})
	return seen
}

// require fails where one of the fields was not met.
func (d *decoder) require(kind string, seen uint, known fieldSet, names ...string) {
	for _, name := range names {
		if seen&(1<<known[name]) == 0 {
			d.fail(d.pos-1, "%s lacks the field %q", kind, name)
		}
	}
}

// idSlab hands out lists of broker ids from a few large allocations.
type idSlab struct {
	free    []BrokerID
	scratch []BrokerID
}

// keep copies the scratch list into the slab. Its capacity is its length, so
// appending to it copies it.
func (s *idSlab) keep() []BrokerID {
	n := len(s.scratch)
	if n == 0 {
		return nil
	}
	if n > len(s.free) {
		s.free = make([]BrokerID, max(n, 8192))
	}
	out := s.free[:n:n]
	s.free = s.free[n:]
	copy(out, s.scratch)
	return out
}
