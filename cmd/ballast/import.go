package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
	"ballast/config"
	"ballast/state"
)

func importVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "write live topics down as a configuration that changes nothing",
		UsageText: "ballast import [-topic GLOB] [-internal] [-separator SEP] [-snapshot FILE | -bootstrap HOST:PORT,…] [-out-dir DIR | DIR]",
		Description: "   ballast import -bootstrap kafka-1:9092 prod   all topics of a cluster, with its block\n" +
			"   ballast import -topic 'orders*'               more topics, into a configuration that is there\n\n" +
			"Planned at once, what it writes changes nothing. Topics that are declared already are left out,\n" +
			"and no file that is there is changed.",
		Flags: append([]cli.Flag{
			listFlag("topic", "only topics whose name matches `GLOB`; may be given several times"),
			boolFlag("internal", "internal topics too"),
			stringFlag("out-dir", "write into the directory `DIR`, which may be new; the same as DIR as argument"),
			stringFlag("separator", "a file for each beginning of names before `SEP`"),
			stringFlag("snapshot", "from the snapshot in `FILE`; no cluster is needed"),
			bootstrapFlag(),
		}, variableFlags()...),
		Action: func(c *cli.Context) error { return runImport(s, c) },
	}
}

func runImport(s *streams, c *cli.Context) error {
	dir, err := importDir(c)
	if err != nil {
		return err
	}
	o := config.GenerateOptions{Topics: c.StringSlice("topic"), Internal: c.Bool("internal"), Separator: c.String("separator")}
	if files, _ := filepath.Glob(filepath.Join(globEscape(dir), "*.hcl")); len(files) > 0 {
		l, err := loadAll(s, c, dir)
		if err != nil {
			return err
		}
		o.Existing = l.Desired
	}
	if err := checkSource(c); err != nil {
		return err
	}
	snap, err := importFrom(s, c, &o)
	if err != nil {
		return err
	}
	leaveIllegal(s, snap)
	files, err := config.Generate(snap, o)
	if err != nil {
		return fail("Nothing is imported", "%v.\nOther names are asked for with -topic GLOB, internal topics with -internal.", err)
	}
	return writeGenerated(s, dir, files, afterImport(c, dir))
}

// importDir is the directory to write into, by the flag or as argument.
func importDir(c *cli.Context) (string, error) {
	dir, err := oneArgument(c, ".")
	if err != nil || !c.IsSet("out-dir") {
		return dir, err
	}
	if c.NArg() > 0 {
		return "", fail("-out-dir and a directory as argument are the same", "Give one of them.")
	}
	if c.String("out-dir") == "" {
		return "", fail("-out-dir names no directory", "Leave it out for this one.")
	}
	return c.String("out-dir"), nil
}

// leaveIllegal takes topics out that no configuration can name, and says so.
func leaveIllegal(s *streams, snap *state.Snapshot) {
	snap.Topics = slices.DeleteFunc(snap.Topics, func(t state.Topic) bool {
		err := config.CheckTopicName(t.Name)
		if err != nil {
			fmt.Fprintf(s.err, "Warning: topic %s is left out: %s\n", render.Quote(t.Name), render.Safe(err.Error()))
		}
		return err != nil
	})
}

// afterImport is the command that shows that what was written changes nothing.
func afterImport(c *cli.Context, dir string) string {
	line := "ballast plan"
	if file := c.String("snapshot"); file != "" {
		line += " -snapshot " + shellWord(file)
	} else if given(c, "bootstrap") {
		line += " -bootstrap " + shellWord(c.String("bootstrap"))
	}
	if dir != "." {
		line += " " + shellWord(dir)
	}
	return line
}

// importFrom reads the snapshot, or the cluster, whose block it then adds where
// there is no configuration yet.
func importFrom(s *streams, c *cli.Context, o *config.GenerateOptions) (*state.Snapshot, error) {
	if file := c.String("snapshot"); file != "" {
		snap, _, err := readSnapshot(file, 0)
		if err != nil {
			return nil, err.err
		}
		return snap, nil
	}
	ctx, stop := interruptible(c.Context)
	defer stop()
	d := o.Existing
	if d == nil {
		d = &config.Desired{}
	}
	client, err := dial(ctx, d, c.String("bootstrap"))
	if err != nil {
		return nil, err
	}
	defer client.Close()
	if o.Existing == nil {
		o.Cluster = &config.Cluster{Name: "main", Bootstrap: addresses(c.String("bootstrap")), ClusterID: client.ClusterID()}
	}
	snap, err := client.Snapshot(ctx)
	if err != nil {
		return nil, notRead(ctx, err)
	}
	return snap, nil
}

// writeGenerated writes the files, none over one that is there, and names them.
func writeGenerated(s *streams, dir string, files []config.GeneratedFile, next string) error {
	topics := 0
	for _, f := range files {
		name, err := freeName(dir, f.Name)
		if err != nil {
			return err
		}
		if err := writeNew(name, f.Text); err != nil {
			return err
		}
		fmt.Fprintln(s.out, render.Safe(name))
		topics += f.Topics
	}
	fmt.Fprintf(s.err, "%s in %s. Next: `%s`, which has no changes.\n", render.Count(topics, "topic is declared", "topics are declared"), render.Count(len(files), "file", "files"), next)
	return nil
}

// freeName is a file's name in a directory, or a like one that is not taken.
func freeName(dir, name string) (string, error) {
	for n := range 100 {
		try := name
		if n > 0 {
			try = fmt.Sprintf("imported-%d-%s", n, name)
		}
		if !exists(filepath.Join(dir, try)) {
			return filepath.Join(dir, try), nil
		}
	}
	return "", fail(render.Quote(name)+" is there a hundred times", "Put earlier imports into files of your own names.")
}
