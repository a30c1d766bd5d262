package placement

import "testing"

// Brokers 2 and 3 are new and get two partitions each, the smallest of 0 and of 1:
// neither has to send or receive more than the other.
func TestTiesGoWhereTheBusiestBrokerHasLeastToDo(t *testing.T) {
	p := cluster(4, 1)
	p.Topics = []Topic{topic(p, 1, 8, []int16{0}, []int16{0}, []int16{0}, []int16{0}, []int16{1}, []int16{1}, []int16{1}, []int16{1})}
	p.Topics[0].Balance = BalanceTopic
	for i, size := range []int64{1, 2, 50, 60, 1, 2, 50, 60} {
		p.Topics[0].Partitions[i].Size = size
	}
	s := Solve(p)
	if most := busiest(p, s); s.Copies != 4 || most != 3 {
		t.Errorf("%d copies, the busiest broker has %d to do: %v", s.Copies, most, lists(s))
	}
}
