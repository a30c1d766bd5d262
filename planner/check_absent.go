package planner

import (
	"fmt"

	"ballast/state"
)

// checkAbsent holds each topic that shall not exist against its gate. One that
// is gone already is no change.
func (m *maker) checkAbsent() {
	for _, t := range m.subjects {
		if t.role != absent || t.live == nil {
			continue
		}
		size, unknown := topicSize(t.live)
		a := t.absent
		switch {
		case unknown > 0:
			m.reject(t, "absent_topic_size_unknown", a.Source, fmt.Sprintf("The size of topic %q is not known, so it is not deleted", t.name),
				fmt.Sprintf("The sizes of %s could not be read, and the gate is max_bytes = %d. Give ballast's principal Describe on the cluster (DescribeLogDirs).", partitions(unknown), a.MaxBytes))
		case size > a.MaxBytes:
			m.reject(t, "absent_topic_too_large", a.Source, fmt.Sprintf("Topic %q holds %d bytes, its gate is max_bytes = %d", t.name, size, a.MaxBytes),
				"It is not deleted. Raise max_bytes if its data may go.")
		case tiered(t.live) && !a.AllowRemote:
			m.reject(t, "absent_topic_remote", a.Source, fmt.Sprintf("Part of topic %q is in tiered storage, which its gate does not measure", t.name),
				"It is not deleted. Declare allow_remote = true if that may go too.")
		}
	}
}

// topicSize is one replica's size, the leader's, summed over partitions, and
// how many partitions have a size that is not known.
func topicSize(t *state.Topic) (bytes int64, unknown int) {
	for i := range t.Partitions {
		if p := &t.Partitions[i]; p.Size.Known {
			bytes += p.Size.Bytes
		} else {
			unknown++
		}
	}
	return bytes, unknown
}

func tiered(t *state.Topic) bool { return t.Config["remote.storage.enable"].Value == "true" }
