package sandbox

import (
	"math"
	"strconv"
	"strings"
)

// The configs of replication throttles.
const (
	leaderRate   = "leader.replication.throttled.rate"
	followerRate = "follower.replication.throttled.rate"
	leaderList   = "leader.replication.throttled.replicas"
	followerList = "follower.replication.throttled.replicas"
)

// throttled is a parsed list of throttled replicas.
type throttled struct {
	all  bool
	some map[[2]int32]bool // partition, broker
}

func (t throttled) lists(partition, broker int32) bool {
	return t.all || t.some[[2]int32{partition, broker}]
}

// parseThrottled reads "*", "" or "0:1,0:2,…"; ok is false for anything else.
func parseThrottled(value string) (t throttled, ok bool) {
	switch strings.TrimSpace(value) {
	case "":
		return t, true
	case "*":
		return throttled{all: true}, true
	}
	t.some = map[[2]int32]bool{}
	for _, entry := range strings.Split(value, ",") {
		p, b, found := strings.Cut(strings.TrimSpace(entry), ":")
		partition, err1 := strconv.ParseInt(p, 10, 32)
		broker, err2 := strconv.ParseInt(b, 10, 32)
		if !found || err1 != nil || err2 != nil {
			return throttled{}, false
		}
		t.some[[2]int32{int32(partition), int32(broker)}] = true
	}
	return t, true
}

// throttleRate returns a broker's rate in bytes a second: its own, or the
// cluster's default, or none.
func (c *cluster) throttleRate(b *broker, key string) float64 {
	value, _ := c.brokerValue(b, key)
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		return math.Inf(1)
	}
	return float64(n)
}
