package render

import (
	"slices"

	"ballast/config"
	"ballast/planner"
)

// gravest are the codes of risks by what can be lost, the gravest first: data,
// then acknowledged writes, then redundancy, then service.
var gravest = []string{
	"topic_deleted",
	"unclean_leader_election",
	"no_leader",
	"retention_lowered",
	"cleanup_policy_delete",
	"cleanup_policy_compact",
	"rf_below_min_isr",
	"min_isr_lowered",
	"redundancy_lowered",
	"rack_diversity_lowered",
	"min_isr_equals_rf",
	"disk_headroom",
	"may_not_complete",
	"max_message_bytes_lowered",
}

// mildest are those that a reviewer can see in the change itself, and that come
// by the thousand.
var mildest = []string{"keys_remapped"}

// gravity orders risks: the lower, the graver. A code that is not known, such
// as a policy's, stands between the known and the mildest.
func gravity(r planner.Risk) int {
	if r.Severity == config.SeverityError {
		return -1
	}
	if i := slices.Index(gravest, r.Code); i >= 0 {
		return i
	}
	if i := slices.Index(mildest, r.Code); i >= 0 {
		return len(gravest) + 1 + i
	}
	return len(gravest)
}
