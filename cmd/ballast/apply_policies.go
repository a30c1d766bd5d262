package main

import (
	"ballast/config"
	"ballast/planner"
)

// judge evaluates the policies of the configuration for a saved plan, which may
// have been made before them, or from a configuration without them.
func (r *applyRun) judge(p *planner.Plan) error {
	if len(r.loaded.Desired.Policies) == 0 || len(p.Changes) == 0 {
		return nil
	}
	ctx, stop := interruptible(r.c.Context)
	defer stop()
	snap, err := r.client.Snapshot(ctx)
	if err != nil {
		return notRead(ctx, err)
	}
	said := planner.Judge(r.loaded.Desired, p, snap)
	r.loaded.Print(r.s.err, said, r.s.diagnostics())
	if config.HasErrors(said) {
		return fail("A plan that policies refuse is not carried out", "Nothing was written. Correct the configuration, and make another plan: ballast plan -out FILE")
	}
	return nil
}
