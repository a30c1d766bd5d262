package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ballast/apply"
	"ballast/config"
	"ballast/planner"
	"ballast/state"
	"ballast/state/kafka"
)

// made is a plan and what it was made from. plan and `apply DIR` share it, so
// that they differ only after the plan.
type made struct {
	loaded   *config.Loaded
	plan     *planner.Plan
	options  planner.Options
	snapshot *state.Snapshot // nil where nothing could be read
	client   *kafka.Client   // of the live cluster that was read, or nil
	journal  apply.Journal   // of that cluster, or nil
}

func (m *made) close() {
	if m.journal != nil {
		m.journal.Close()
	}
	if m.client != nil {
		m.client.Close()
	}
}

// planning says how to plan.
type planning struct {
	bootstrap string           // addresses instead of the configured ones, or ""
	targets   []string         // plan only these
	throttle  *config.Throttle // instead of the configured one, or nil
}

// planningOf is how a verb's flags say to plan.
func planningOf(c *cli.Context) planning {
	return planning{bootstrap: c.String("bootstrap"), targets: targets(c)}
}

// makePlan loads the configuration, reads a snapshot or the cluster, and plans.
// It always gives a plan: what failed is in its diagnostics.
func makePlan(ctx context.Context, s *streams, c *cli.Context, dir string, how planning) *made {
	m := &made{loaded: load(s, c, dir)}
	o := planner.Options{
		Tool:              tool(),
		Targets:           how.targets,
		ConfigDiagnostics: m.loaded.Diagnostics,
		SnapshotFile:      c.String("snapshot"),
	}
	if m.loaded.Desired == nil {
		m.plan = planner.Errored(o, nil)
		return m
	}
	if how.throttle != nil {
		m.loaded.Desired.Apply.Throttle = *how.throttle
	}
	snap, warnings, err := m.read(ctx, c, dir, how.bootstrap)
	o.ConfigDiagnostics = append(append([]config.Diagnostic(nil), o.ConfigDiagnostics...), warnings...)
	if err != nil {
		m.plan = planner.Errored(o, []config.Diagnostic{err.diagnostic()})
		return m
	}
	mine, unread := ours(ctx, m.journal)
	if o.Ours = mine; unread != nil {
		o.ConfigDiagnostics = append(o.ConfigDiagnostics, unreadable(unread))
	}
	o.TopicKeys = m.topicKeys(ctx, snap)
	m.snapshot, m.options = snap, o
	m.plan = planner.Make(m.loaded.Desired, snap, o)
	return m
}

// topicKeys asks a live cluster without topics which topic configs there are.
// Where it does not say, an unknown one stays what it is offline, a warning.
func (m *made) topicKeys(ctx context.Context, snap *state.Snapshot) []string {
	if m.client == nil || planner.ShowsTopicKeys(snap) {
		return nil
	}
	keys, err := m.client.TopicConfigKeys(ctx)
	if err != nil {
		return nil
	}
	return keys
}

// readError is a cluster or a snapshot that could not be read.
type readError struct {
	code string
	err  error
}

func (e *readError) diagnostic() config.Diagnostic {
	var file *fileError
	if errors.As(e.err, &file) {
		return file.said
	}
	if other := (*otherCluster)(nil); errors.As(e.err, &other) {
		return other.diagnostic()
	}
	summary, detail, _ := strings.Cut(e.err.Error(), "\n")
	return config.Diagnostic{Severity: config.SeverityError, Code: e.code, Summary: summary, Detail: strings.TrimSpace(detail)}
}

func (m *made) read(ctx context.Context, c *cli.Context, dir, bootstrap string) (*state.Snapshot, []config.Diagnostic, *readError) {
	if file := c.String("snapshot"); file != "" {
		return readSnapshot(file, c.Duration("max-snapshot-age"))
	}
	client, err := dial(ctx, rehearsed(c, m.loaded.Desired), bootstrap)
	if err != nil {
		return nil, nil, &readError{"cluster_unreachable", err}
	}
	m.client = client
	snap, err := client.Snapshot(ctx)
	if err != nil {
		return nil, nil, &readError{"cluster_unreadable", notRead(ctx, err)}
	}
	if m.journal, err = openJournal(ctx, m.loaded.Desired.Journal, dir, client); err != nil {
		return nil, nil, &readError{"journal_unusable", err}
	}
	return snap, nil, nil
}

// notRead is a cluster that could not be read, or a person who did not wait.
func notRead(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fail("Interrupted", "The cluster was being read; nothing was written.")
	}
	return fail("The cluster cannot be read", "%v", err)
}

// readSnapshot reads a snapshot document, and refuses one that is too old.
func readSnapshot(file string, limit time.Duration) (*state.Snapshot, []config.Diagnostic, *readError) {
	f, err := openInput(file, "a snapshot", "ballast snapshot -out "+shellWord(file))
	if err != nil {
		return nil, nil, &readError{"snapshot_unreadable", err}
	}
	defer f.Close()
	snap, warnings, err := state.Decode(f, file)
	if err != nil {
		return nil, nil, &readError{"snapshot_unreadable", fail("The snapshot cannot be used", "%v", err)}
	}
	var diags []config.Diagnostic
	for _, w := range warnings {
		diags = append(diags, config.Diagnostic{Severity: config.SeverityWarning, Code: "snapshot_field", Summary: "The snapshot has more than this version reads", Detail: w})
	}
	if err := snapshotAge(snap.TakenAt, time.Now(), limit); err != nil {
		return nil, diags, &readError{"snapshot_too_old", err}
	}
	return snap, diags, nil
}

// dial connects to the cluster of a configuration, or to other addresses of it.
func dial(ctx context.Context, d *config.Desired, bootstrap string) (*kafka.Client, error) {
	o, err := connection(d.Cluster)
	if err != nil {
		return nil, err
	}
	if bootstrap != "" {
		o.Bootstrap = addresses(bootstrap)
	}
	for _, a := range o.Bootstrap {
		if err := config.CheckAddress(a); err != nil {
			return nil, fail("A bootstrap address cannot be used", "%v", err)
		}
	}
	if len(o.Bootstrap) == 0 {
		return nil, fail("There is no cluster to connect to", "Declare it with a block `cluster \"NAME\" { bootstrap = [\"HOST:PORT\"] }`, or give -bootstrap HOST:PORT.")
	}
	client, err := kafka.Dial(ctx, o)
	if err != nil && ctx.Err() != nil {
		return nil, notRead(ctx, err)
	}
	var other *kafka.OtherClusterError
	if errors.As(err, &other) {
		return nil, &otherCluster{bootstrap: o.Bootstrap, ids: other, at: d.Cluster.Source}
	}
	var unreachable *kafka.UnreachableError
	if errors.As(err, &unreachable) && unreachable.Denied {
		return nil, fail("The cluster refuses the credentials", "%v", err)
	}
	if unreachable != nil {
		return nil, fail("The cluster does not answer", "%s\nCheck the addresses, and that this machine may connect to them.\nTo plan without a cluster: ballast plan -snapshot FILE", strings.Join(unreachable.Reasons, "\n"))
	}
	if err != nil {
		return nil, fail("The cluster cannot be used", "%v", err)
	}
	return client, nil
}

// dialFor connects for a verb that needs a cluster and nothing else of the
// configuration; with -bootstrap there need be none.
func dialFor(ctx context.Context, s *streams, c *cli.Context) (*kafka.Client, *config.Desired, error) {
	client, l, err := dialLoaded(ctx, s, c)
	if err != nil {
		return nil, nil, err
	}
	return client, l.Desired, nil
}

// dialLoaded is dialFor, with all that was loaded.
func dialLoaded(ctx context.Context, s *streams, c *cli.Context) (*kafka.Client, *config.Loaded, error) {
	dir, err := oneArgument(c, ".")
	if err != nil {
		return nil, nil, err
	}
	l, err := loadedFor(s, c, dir)
	if err != nil {
		return nil, nil, err
	}
	client, err := dial(ctx, l.Desired, c.String("bootstrap"))
	return client, l, shown(s, l, err)
}

// desiredFor loads the configuration of a directory. With -bootstrap a
// directory without one will do.
func desiredFor(s *streams, c *cli.Context, dir string) (*config.Desired, error) {
	l, err := loadedFor(s, c, dir)
	if err != nil {
		return nil, err
	}
	return l.Desired, nil
}

// loadedFor is desiredFor with the files that it was loaded from.
func loadedFor(s *streams, c *cli.Context, dir string) (*config.Loaded, error) {
	if c.String("bootstrap") != "" {
		if files, err := hclFiles(dir); err != nil || len(files) == 0 {
			return &config.Loaded{Desired: &config.Desired{Apply: config.DefaultApply()}}, nil
		}
	}
	return loadAll(s, c, dir)
}

// dialAny connects to whatever cluster answers at the addresses.
func dialAny(ctx context.Context, bootstrap string) (*kafka.Client, error) {
	return dial(ctx, &config.Desired{}, bootstrap)
}
