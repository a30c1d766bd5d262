package planner

import (
	"fmt"

	"ballast/config"
)

// warnSearch: the optimiser stopped at its bound.
func warnSearch(m *maker) {
	s := m.solution
	if s != nil && s.BytesOpen {
		m.warn("bytes_not_proved", "", config.Source{}, "Bytes per broker may not be as even as they can be",
			"The search for even bytes (balance_by = \"bytes\") stopped at its work bound. Rules and the number of copies do not depend on it.")
	}
	if s == nil || s.Exhausted == "" {
		return
	}
	summary := "The plan is valid and may not be the shortest"
	if s.Copies == s.CopiesBound {
		summary = "No plan copies fewer replicas; not all that comes after that is proved"
	}
	m.warn("search_bounded", "", config.Source{}, summary,
		fmt.Sprintf("The search stopped at its work bound. Not proved to be the best possible: %s. Under optimality the plan has what is planned beside what any plan needs.", s.Exhausted))
}
