package allocation

import (
	"fmt"
	"slices"
	"strings"
)

// notes says what a person has to know to read the comparison.
func (m *maker) notes() {
	m.noteGrowth()
	m.noteInFlight()
	m.noteDraws()
	m.noteBrokers()
	m.noteMoves()
}

func (m *maker) note(format string, args ...any) {
	m.doc.Notes = append(m.doc.Notes, fmt.Sprintf(format, args...))
}

func (m *maker) noteGrowth() {
	switch {
	case m.live == nil:
	case m.Allocator == Striped:
		m.note("Kafka places added partitions as if the topic were new: where the %d that it has are does not count (KAFKA-14437).", m.doc.Existing)
	default:
		m.note("Kafka goes on counting at partition %d, from the index of partition 0's preferred leader; where the %d that it has are now does not count.", m.doc.Existing, m.doc.Existing)
	}
}

func (m *maker) noteInFlight() {
	if m.live == nil || !m.live.Partitions[0].InFlight() {
		return
	}
	m.note("Partition 0 is being moved: Kafka would give the new partitions as many replicas as it lists meanwhile, %d. ballast adds partitions once no move of the topic is in flight, with %d.",
		m.rf, len(m.live.Partitions[0].Target()))
}

func (m *maker) noteDraws() {
	switch {
	case m.Allocator == Striped:
		m.note("Seed %d is one of the placements that Kafka may make: its controller's own numbers are not known.", m.Seed)
	case m.live == nil:
		m.note("Kafka draws the start index and the shift of a new topic at random: %d and %d are one of its placements.", *m.doc.Start, *m.doc.Shift)
	}
}

// noteBrokers says how each side treats brokers that are not like the others.
func (m *maker) noteBrokers() {
	var dead, bare, draining []string
	weighted, racks := false, false
	for _, b := range m.doc.Brokers {
		if racks = racks || b.Rack != ""; !b.Alive {
			dead = append(dead, fmt.Sprint(b.ID))
			if b.Rack == "" {
				bare = append(bare, fmt.Sprint(b.ID))
			}
		}
		if b.Drain {
			draining = append(draining, fmt.Sprint(b.ID))
		}
		weighted = weighted || b.Eligible && b.Weight != 1
	}
	if len(dead) > 0 && m.Allocator == Striped {
		m.note("Dead, by id: %s. Kafka takes fenced brokers last and never as a leader; ballast puts nothing on them.", strings.Join(dead, ", "))
	} else if len(dead) > 0 {
		m.note("Dead, by id: %s. Kafka's classic allocator does not see them; ballast puts nothing on them.", strings.Join(dead, ", "))
	}
	if len(bare) > 0 && racks && m.Allocator == Striped {
		m.note("The rack of the dead %s is not known, and counts as one more rack in Kafka's placement: declare it with broker %q { rack = \"…\" }.", strings.Join(bare, ", "), bare[0])
	}
	if len(draining) > 0 {
		m.note("Draining, by id: %s. Kafka knows nothing of that; ballast puts nothing on them.", strings.Join(draining, ", "))
	}
	if weighted {
		m.note("Brokers have weights: Kafka knows nothing of them, ballast goes by them.")
	}
}

func (m *maker) noteMoves() {
	n := 0
	for _, a := range m.changes {
		if len(a.Before) > 0 && !slices.Equal(a.Before, a.After) {
			n++
		}
	}
	if n > 0 {
		m.note("The topic's rules also change the replicas of existing partitions (%d); the figures have them as they will be. `ballast plan` shows them.", n)
	}
}
