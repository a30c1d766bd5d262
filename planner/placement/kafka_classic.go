package placement

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// KafkaBroker is a broker as Kafka's own allocators see it.
type KafkaBroker struct {
	ID   int32
	Rack string // "" where it has none
}

// Classic asks for what Kafka's classic allocator would do: the one of clusters
// with ZooKeeper (AdminUtils.assignReplicasToBrokers, in Kafka up to 4.0), that
// other tools still go by.
type Classic struct {
	Brokers    []KafkaBroker // without racks the order counts
	Partitions int           // how many are to be placed
	RF         int
	Start      int // index of partition 0's leader in the list of brokers
	Shift      int // how far the second replica of partition 0 is from the first; Kafka takes Start for both where it is given one
	First      int // number of partitions that there are already
}

// The reasons for which Kafka refuses.
var (
	ErrNoPartitions = errors.New("the number of partitions has to be above 0")
	ErrSomeRacks    = errors.New("some brokers have a rack and some have none")
)

// Place gives the lists of partitions First, First+1, …, the leader first, or
// the reason for which Kafka refuses.
func (c Classic) Place() ([][]int32, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	brokers := c.Brokers
	racks := rackCount(brokers)
	if racks > 0 {
		brokers = interleave(brokers)
	}
	lists, n, shift := make([][]int32, 0, c.Partitions), len(brokers), c.Shift
	for p := c.First; p < c.First+c.Partitions; p++ {
		if p > 0 && p%n == 0 {
			shift++
		}
		first := (p + c.Start) % n
		if racks > 0 {
			lists = append(lists, apart(brokers, racks, first, shift*racks, c.RF))
		} else {
			lists = append(lists, inTurn(brokers, first, shift, c.RF))
		}
	}
	return lists, nil
}

func (c Classic) check() error {
	switch {
	case c.Partitions < 1:
		return ErrNoPartitions
	case c.RF < 1 || c.RF > len(c.Brokers):
		return fmt.Errorf("the replication factor %d is not between 1 and the number of brokers, %d", c.RF, len(c.Brokers))
	case c.Start < 0 || c.Shift < 0 || c.First < 0:
		return errors.New("start index, shift and first partition are never below 0")
	}
	bare := slices.IndexFunc(c.Brokers, func(b KafkaBroker) bool { return b.Rack == "" })
	racked := slices.IndexFunc(c.Brokers, func(b KafkaBroker) bool { return b.Rack != "" })
	if bare >= 0 && racked >= 0 {
		return ErrSomeRacks
	}
	return nil
}

// rackCount is the number of racks; 0 where brokers have none.
func rackCount(brokers []KafkaBroker) int {
	names := map[string]bool{}
	for _, b := range brokers {
		names[b.Rack] = b.Rack != ""
	}
	if names[""] = false; len(names) == 1 {
		return 0
	}
	return len(names) - 1
}

// interleave takes a broker of each rack in turn, racks by name, ids ascending.
func interleave(brokers []KafkaBroker) []KafkaBroker {
	sorted := slices.SortedFunc(slices.Values(brokers), func(a, b KafkaBroker) int {
		return cmp.Or(cmp.Compare(a.Rack, b.Rack), cmp.Compare(a.ID, b.ID))
	})
	turn, at := map[string]int{}, make(map[int32]int, len(sorted))
	for _, b := range sorted {
		at[b.ID] = turn[b.Rack]
		turn[b.Rack]++
	}
	slices.SortStableFunc(sorted, func(a, b KafkaBroker) int { return cmp.Compare(at[a.ID], at[b.ID]) })
	return sorted
}

// follower is the index of the i-th follower.
func follower(first, shift, i, n int) int {
	return (first + 1 + (shift+i)%(n-1)) % n
}

// inTurn places a partition where there are no racks.
func inTurn(brokers []KafkaBroker, first, shift, rf int) []int32 {
	list := []int32{brokers[first].ID}
	for i := range rf - 1 {
		list = append(list, brokers[follower(first, shift, i, len(brokers))].ID)
	}
	return list
}

// apart places a partition on racks that have none of it, as long as there are.
func apart(brokers []KafkaBroker, racks, first, shift, rf int) []int32 {
	list, used := []int32{brokers[first].ID}, map[string]bool{brokers[first].Rack: true}
	for i := 0; len(list) < rf; i++ {
		b := brokers[follower(first, shift, i, len(brokers))]
		if (!used[b.Rack] || len(used) == racks) && !slices.Contains(list, b.ID) {
			list = append(list, b.ID)
			used[b.Rack] = true
		}
	}
	return list
}
