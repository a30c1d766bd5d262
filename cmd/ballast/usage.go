package main

import (
	"regexp"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
)

// What the flag and cli libraries say of a value that is none for its flag.
var (
	badValue    = regexp.MustCompile(`(?s)^invalid (?:boolean )?value "(.*)" for (?:flag )?-([a-z-]+): `)
	badVariable = regexp.MustCompile(`(?s)^could not parse "(.*)" (?:as .* value )?from .* for flag ([a-z-]+): `)
)

// usageError says of a value that is none for its flag what would be one.
func usageError(app *cli.App, line []string, err error) error {
	if err == nil || len(line) == 0 {
		return err
	}
	verb := line[0]
	if m := badValue.FindStringSubmatch(err.Error()); m != nil {
		return notMeant("-"+m[2], m[1], m[2], app.Command(verb))
	}
	if m := badVariable.FindStringSubmatch(err.Error()); m != nil {
		return notMeant(variable(m[2])[0], m[1], m[2], app.Command(verb))
	}
	return err
}

// notMeant refuses the value of a flag, under the name by which it was given.
func notMeant(as, value, flag string, verb *cli.Command) error {
	return fail(as+" "+render.Quote(value)+" is not "+meant(verb, flag), "`ballast help %s` has its flags.", verb.Name)
}

// meant is what the value of a flag has to be.
func meant(verb *cli.Command, name string) string {
	for _, f := range verb.Flags {
		if f.Names()[0] != name {
			continue
		}
		switch f.(type) {
		case *cli.IntFlag, *cli.Int64Flag:
			return "a whole number"
		case *cli.Float64Flag:
			return "a number"
		case *cli.BoolFlag:
			return "true or false"
		case *cli.GenericFlag:
			return "a length of time, such as 90s, 30m, 24h or 7d"
		}
	}
	return "a value that it takes"
}
