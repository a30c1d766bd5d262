package planner

import (
	"fmt"

	"ballast/config"
)

// warnSearch: the optimiser stopped at its bound.
func warnSearch(m *maker) {
	if m.solution != nil && m.solution.Exhausted != "" {
		m.warn("search_bounded", "", config.Source{}, "The plan is valid and may not be the shortest",
			fmt.Sprintf("The search stopped at its work bound. Not proved to be the best possible: %s. Under optimality the plan has what is planned beside what any plan needs.", m.solution.Exhausted))
	}
}
