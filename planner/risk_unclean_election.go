package planner

import "strings"

// riskUncleanElection: a replica out of sync may become leader, and what it
// lacks is lost.
func riskUncleanElection(m *maker, t *subject, r *riskList) {
	c := t.change.changed("unclean.leader.election.enable")
	if c == nil {
		return
	}
	if was, is := m.effect(c); strings.EqualFold(is, "true") && !(t.change.Action == Update && strings.EqualFold(was, "true")) {
		r.add("unclean_leader_election", "unclean.leader.election.enable is switched on: after failures a replica that lacks records may become leader, and these are lost.")
	}
}
