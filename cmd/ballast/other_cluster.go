package main

import (
	"fmt"
	"strings"

	"ballast/cmd/ballast/internal/render"
	"ballast/config"
	"ballast/state/kafka"
)

// otherCluster says that what answers is another cluster than the configuration
// is for.
type otherCluster struct {
	bootstrap []string
	ids       *kafka.OtherClusterError
	at        config.Source // of the cluster block
}

func (e *otherCluster) diagnostic() config.Diagnostic {
	return config.Diagnostic{
		Severity: config.SeverityError, Code: "cluster_id_mismatch", Summary: "This is another cluster",
		Detail: fmt.Sprintf("The configuration is for the cluster with the id %s. What answers at %s has the id %s. Nothing was written. Check the addresses; with -sandbox, the snapshot that the rehearsal begins from; or the id in the cluster block.",
			render.Quote(e.ids.Want), render.Safe(strings.Join(e.bootstrap, ", ")), render.Quote(e.ids.Found)),
		File: e.at.File, Line: e.at.Line,
	}
}

func (e *otherCluster) Error() string {
	d := e.diagnostic()
	return d.Summary + "\n\n" + d.Detail
}
