package main

import (
	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/planner"
)

// explain prints why one partition's replicas are where the plan puts them.
func (m *made) explain(s *streams, c *cli.Context, target, format string) error {
	topic, partition, err := planner.ParsePartition(target)
	if err != nil {
		return fail("-explain takes a partition", "%v", err)
	}
	if format != formatText && format != formatJSON {
		return fail("-explain has the formats text and json", "Leave out -format.")
	}
	if m.snapshot == nil {
		m.printDiagnostics(s, format, true)
		return exit(exitError)
	}
	e, err := planner.Explain(m.loaded.Desired, m.snapshot, m.options, topic, partition)
	if err != nil {
		m.printDiagnostics(s, format, true)
		return fail("There is nothing to explain", "%v", err)
	}
	if format == formatJSON {
		return printJSON(s, e)
	}
	return render.Explanation(s.out, e, s.view(c.Bool("full")))
}
