package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
)

// variable is the environment variable of a flag: BALLAST_ and its name.
func variable(flag string) []string {
	return []string{"BALLAST_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))}
}

func boolFlag(name, usage string) *cli.BoolFlag {
	return &cli.BoolFlag{Name: name, Usage: usage, EnvVars: variable(name)}
}

func stringFlag(name, usage string) *cli.StringFlag {
	return &cli.StringFlag{Name: name, Usage: usage, EnvVars: variable(name)}
}

func listFlag(name, usage string) *cli.StringSliceFlag {
	return &cli.StringSliceFlag{Name: name, Usage: usage, EnvVars: variable(name)}
}

func intFlag(name, usage string, value int) *cli.IntFlag {
	return &cli.IntFlag{Name: name, Usage: usage, Value: value, EnvVars: variable(name)}
}

func durationFlag(name, usage string) *cli.GenericFlag {
	return &cli.GenericFlag{Name: name, Usage: usage, Value: new(length), EnvVars: variable(name)}
}

// variableFlags set the configuration's variables.
func variableFlags() []cli.Flag {
	return []cli.Flag{
		listFlag("var", "`NAME=VALUE` of a variable; may be given several times"),
		listFlag("var-file", "`FILE` with values of variables; may be given several times"),
	}
}

func bootstrapFlag() cli.Flag {
	return stringFlag("bootstrap", "`HOST:PORT,…` of the cluster, instead of the configured addresses")
}

func lockTimeoutFlag() cli.Flag {
	return durationFlag("lock-timeout", "wait up to `TIME`, such as 10m, for another run to end")
}

func autoApproveFlag() cli.Flag {
	return boolFlag("auto-approve", "write to the cluster without asking")
}

// addresses splits a list of addresses.
func addresses(list string) []string {
	var out []string
	for _, a := range strings.Split(list, ",") {
		if a = strings.TrimSpace(a); a != "" {
			out = append(out, a)
		}
	}
	return out
}

func quietFlag() cli.Flag {
	return boolFlag("quiet", "print only what sums up, and what warns")
}

func logFormatFlag() cli.Flag {
	f := stringFlag("log-format", "`FORMAT` of what is told on standard error: text, or json, an object a line")
	f.Value = "text"
	return f
}

// eventsOf is how a verb's events are drawn, by -log-format.
func (s *streams) eventsOf(c *cli.Context) (render.EventOptions, error) {
	o := s.events(c.Bool("quiet"))
	switch format := c.String("log-format"); format {
	case "json":
		o.JSON, o.Bar = true, false
	case "text":
	default:
		return o, fail("-log-format "+render.Quote(format)+" is neither text nor json", "Usage: %s", c.Command.UsageText)
	}
	return o, nil
}
