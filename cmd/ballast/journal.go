package main

import (
	"context"

	"ballast/apply"
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
