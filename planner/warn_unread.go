package planner

import (
	"fmt"
	"sort"
	"strings"

	"ballast/config"
)

// warnUnread: what could not be read, topics' configs aside, which are told
// with their topic.
func warnUnread(m *maker) {
	by := map[string][]string{}
	why := map[string]string{}
	for _, u := range m.s.Unread {
		if u.What != "topic_config" {
			by[u.What] = append(by[u.What], u.Name)
			why[u.What] = max(why[u.What], u.Reason)
		}
	}
	kinds := make([]string, 0, len(by))
	for k := range by {
		kinds = append(kinds, k)
	}
	sort.Strings(kinds)
	for _, k := range kinds {
		sort.Strings(by[k])
		title := fmt.Sprintf("Could not be read: %s of %s", strings.ReplaceAll(k, "_", " "), some(by[k]))
		if k == "metadata" {
			title = "Brokers differ in what they show of the cluster, broker " + strings.Join(by[k], ", ") + " from another"
		}
		m.warn("unread", "", config.Source{}, title, why[k]+".")
	}
}

// warnSizes: bytes, time and disk are known only where sizes are.
func warnSizes(m *maker) {
	copied := 0
	for i := range m.plan.Changes {
		for _, a := range m.plan.Changes[i].Assignments {
			if len(a.Before) > 0 && a.Bytes == nil && len(without(a.After, a.Before)) > 0 {
				copied++
			}
		}
	}
	if copied > 0 {
		m.warn("sizes_unknown", "", config.Source{}, fmt.Sprintf("The sizes of %s that are copied are not known", partitions(copied)),
			"Bytes and times leave them out, and disk space was not checked for them.")
	}
}
