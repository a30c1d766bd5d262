package apply

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"ballast/state"
)

// Kafka's names of the throttle configs.
const (
	leaderRate   = "leader.replication.throttled.rate"
	followerRate = "follower.replication.throttled.rate"
	leaderList   = "leader.replication.throttled.replicas"
	followerList = "follower.replication.throttled.replicas"
)

// maxConfigBytes is the longest value that Kafka stores; some clients cut a
// longer one without an error.
const maxConfigBytes = 32_767

// rateFloor is the least rate for a target, in bytes per second: below the
// 1 MB of a replica fetch a copy moves in jerks. Under a low limit it is a
// tenth of that, so that a source's many targets don't add up to more.
const rateFloor = 1_000_000

// batchThrottle is what a batch wants: a rate for each broker and role, and
// the throttled replicas of each topic.
type batchThrottle struct {
	rates map[throttleKey]int64
	lists map[throttleKey][]string // "partition:broker", sorted
}

func brokerKey(b state.BrokerID, name string) throttleKey {
	return throttleKey{state.BrokerResource, strconv.Itoa(int(b)), name}
}

func topicKey(topic, name string) throttleKey {
	return throttleKey{state.TopicResource, topic, name}
}

// copyOf is one move as throttles see it: what each added replica copies.
type copyOf struct {
	Moving
	source state.BrokerID // its leader, or noBroker
	bytes  int64          // of one replica; -1: unknown
}

// throttleFor works out the throttle of a batch under a limit in bytes per
// second and broker.
//
// Follower side: only adding replicas are listed, since a throttle on leaders
// also counts what in-sync followers fetch. So that no source passes the
// limit, each target gets its share alone: the batch takes T = most bytes in
// or out of one broker / limit, and a target's rate is the bytes that arrive
// on it / T.
//
// Both sides: the limit on all brokers of the batch, the present replicas as
// leaders and the adding ones as followers, as kafka-reassign-partitions does.
func throttleFor(copies []copyOf, limit int64, both bool) batchThrottle {
	t := batchThrottle{rates: map[throttleKey]int64{}, lists: map[throttleKey][]string{}}
	for _, c := range copies {
		adds := without(c.After, c.Before)
		if len(adds) == 0 {
			continue
		}
		for _, b := range adds {
			t.list(c, followerList, b)
		}
		if both {
			for _, b := range c.Before {
				t.list(c, leaderList, b)
				t.rates[brokerKey(b, leaderRate)] = limit
			}
		}
	}
	for b, rate := range targetRates(copies, limit, both) {
		t.rates[brokerKey(b, followerRate)] = rate
	}
	for k := range t.lists {
		sort.Slice(t.lists[k], func(i, j int) bool { return entryLess(t.lists[k][i], t.lists[k][j]) })
	}
	return t
}

func (t batchThrottle) list(c copyOf, name string, b state.BrokerID) {
	k := topicKey(c.Topic, name)
	t.lists[k] = append(t.lists[k], fmt.Sprintf("%d:%d", c.Partition, b))
}

// entryLess orders list entries by partition, then broker.
func entryLess(a, b string) bool {
	ap, ab, _ := strings.Cut(a, ":")
	bp, bb, _ := strings.Cut(b, ":")
	if ap != bp {
		return len(ap) < len(bp) || len(ap) == len(bp) && ap < bp
	}
	return len(ab) < len(bb) || len(ab) == len(bb) && ab < bb
}

func targetRates(copies []copyOf, limit int64, both bool) map[state.BrokerID]int64 {
	in, out := traffic(copies)
	busiest := 0.0
	for _, n := range in {
		busiest = math.Max(busiest, n)
	}
	for _, n := range out {
		busiest = math.Max(busiest, n)
	}
	rates := map[state.BrokerID]int64{}
	for b, n := range in {
		rate := limit
		if !both && busiest > 0 {
			rate = int64(math.Ceil(float64(limit) * n / busiest))
		}
		rates[b] = min(max(rate, min(rateFloor, limit/10), 1), limit)
	}
	return rates
}

// traffic adds up the bytes into and out of each broker. A replica of unknown
// size counts as the mean of the known ones, or as 1 where none is known.
func traffic(copies []copyOf) (in, out map[state.BrokerID]float64) {
	in, out = map[state.BrokerID]float64{}, map[state.BrokerID]float64{}
	unknown := meanBytes(copies)
	for _, c := range copies {
		n := unknown
		if c.bytes >= 0 {
			n = float64(c.bytes)
		}
		for _, b := range without(c.After, c.Before) {
			in[b] += n
			if c.source != noBroker {
				out[c.source] += n
			}
		}
	}
	return in, out
}

func meanBytes(copies []copyOf) float64 {
	sum, n := 0.0, 0
	for _, c := range copies {
		if c.bytes > 0 {
			sum += float64(c.bytes)
			n++
		}
	}
	if n == 0 {
		return 1
	}
	return sum / float64(n)
}

// mergeList adds entries to a list that was there before. A star has all of
// them already. What would be too long for Kafka becomes a star.
func mergeList(prior *string, entries []string) string {
	if prior != nil && strings.TrimSpace(*prior) == "*" {
		return *prior
	}
	all := entries
	if prior != nil && *prior != "" {
		have := strings.Split(*prior, ",")
		seen := map[string]bool{}
		for _, e := range have {
			seen[strings.TrimSpace(e)] = true
		}
		all = have
		for _, e := range entries {
			if !seen[e] {
				all = append(all, e)
			}
		}
	}
	if joined := strings.Join(all, ","); len(joined) <= maxConfigBytes {
		return joined
	}
	return "*"
}
