package main

import (
	"bytes"
	"fmt"
	"os"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/reassignment"
	"ballast/cmd/ballast/internal/render"
	"ballast/config"
)

func reassignmentVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "reassignment",
		Usage:     "a plan's moves as JSON of kafka-reassign-partitions, or such JSON as pins",
		UsageText: "ballast reassignment PLAN_FILE\nballast reassignment -pins JSON_FILE",
		Description: "   ballast reassignment prod.plan > moves.json   for kafka-reassign-partitions --reassignment-json-file\n" +
			"   ballast reassignment -pins moves.json         topic blocks that pin the same lists",
		Flags:  []cli.Flag{stringFlag("pins", "print the reassignment in `JSON_FILE` as topic blocks with pins")},
		Action: func(c *cli.Context) error { return runReassignment(s, c) },
	}
}

func runReassignment(s *streams, c *cli.Context) error {
	if file := c.String("pins"); file != "" {
		if err := noArgument(c); err != nil {
			return err
		}
		return printPins(s, file)
	}
	file, err := oneArgument(c, "")
	if err != nil {
		return err
	}
	p, err := readPlan(file)
	if err != nil {
		return err
	}
	if p.Errored {
		fmt.Fprintln(s.err, "Warning: the plan has errors; only what could be planned is printed.")
	}
	return reassignment.Of(p).Encode(s.out)
}

func printPins(s *streams, file string) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return fail("The reassignment cannot be read", "%v", err)
	}
	d, err := reassignment.Decode(bytes.NewReader(src))
	if err != nil {
		return fail("The reassignment cannot be used", "%s: %v", file, err)
	}
	for _, p := range d.Partitions {
		if err := config.CheckTopicName(p.Topic); err != nil {
			return fail("The reassignment cannot be used", "topic %s: %v", render.Quote(p.Topic), err)
		}
	}
	var b bytes.Buffer
	if err := d.Pins(&b); err != nil {
		return err
	}
	out, _ := config.Format("pins.hcl", b.Bytes())
	_, err = s.out.Write(out)
	return err
}
