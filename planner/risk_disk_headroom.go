package planner

import (
	"fmt"

	"ballast/config"
	"ballast/state"
)

// tight is the share of a broker's smallest log dir, in percent, below which
// its free space is told as a risk.
const tight = 10

// riskDisk runs once the steps are known: it tells, with each topic that puts
// bytes on it, of a broker that has little space left at the worst moment, and
// of brokers whose space is not known.
func (m *maker) riskDisk() {
	free := m.freeSpace()
	low := map[state.BrokerID]string{}
	unknown := map[state.BrokerID]bool{}
	for i := range m.plan.Brokers {
		b := &m.plan.Brokers[i]
		if b.BytesIn == 0 {
			continue
		}
		grows := b.Peak.Bytes - b.Before.Bytes
		left := free[i] - grows
		switch total := smallestDir(m.net.live[i]); {
		case free[i] < 0:
			unknown[b.ID] = true
		case left < 0 || total > 0 && left < total/100*tight:
			low[b.ID] = fmt.Sprintf("broker %d has %d bytes free, and up to %d more arrive than leave", b.ID, free[i], grows)
		}
	}
	for i := range m.plan.Changes {
		m.riskDiskOf(&m.plan.Changes[i], low)
	}
	if len(unknown) > 0 {
		m.warn("disk_unchecked", "", config.Source{}, fmt.Sprintf("Free disk space is not known of %s %s", brokerWord(len(unknown)), join(sortedIDs(unknown))),
			"The snapshot has no log dirs of them, so whether there is room for what arrives was not checked.")
	}
}

func (m *maker) riskDiskOf(c *Change, low map[state.BrokerID]string) {
	told := map[state.BrokerID]bool{}
	for i := range c.Assignments {
		a := &c.Assignments[i]
		if a.Bytes == nil {
			continue
		}
		for _, b := range without(a.After, a.Before) {
			if low[b] != "" {
				told[b] = true
			}
		}
	}
	for _, b := range sortedIDs(told) {
		c.Risks = append(c.Risks, Risk{"disk_headroom", config.SeverityWarning, "Little disk is left: " + low[b] + "."})
	}
}

// smallestDir is the size of a broker's smallest log dir online, 0 where unknown.
func smallestDir(b *state.Broker) int64 {
	least := int64(0)
	if b == nil {
		return 0
	}
	for _, dir := range b.LogDirs {
		if !dir.Offline && dir.Total.Known && (least == 0 || dir.Total.Bytes < least) {
			least = dir.Total.Bytes
		}
	}
	return least
}
