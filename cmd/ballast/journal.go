package main

import (
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"ballast/apply"
	"ballast/cmd/ballast/internal/render"
	"ballast/config"
	"ballast/state/kafka"
)

// openJournal opens the journal that a configuration declares, the one beside
// the configuration where it declares none. It writes nothing.
func openJournal(ctx context.Context, j config.Journal, dir string, client *kafka.Client) (apply.Journal, error) {
	if j.Backend != config.KafkaJournal {
		local, err := apply.OpenLocal(dir, client.ClusterID())
		if err != nil {
			return nil, fail("The journal cannot be opened", "%v", err)
		}
		return local, nil
	}
	log, err := client.OpenLog(ctx, kafka.LogOptions{Topic: j.Topic})
	if err != nil {
		return nil, fail("The journal cannot be opened", "%v", err)
	}
	return apply.OpenShared(log, client.ClusterID()), nil
}

// patient is a journal whose lock is waited for as long as -lock-timeout says.
func patient(s *streams, c *cli.Context, j apply.Journal) apply.Journal {
	return apply.Patient(j, apply.WallClock{}, c.Duration("lock-timeout"), func(held *apply.LockedError) {
		fmt.Fprintf(s.err, "Waiting for the lock of %s: %s holds it.\n", render.Safe(held.Name), render.Safe(held.Holder.String()))
	})
}
