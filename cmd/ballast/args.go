package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
)

// arrange puts a command line into the order that the cli library wants: the
// verb, its flags as -name=value, "--", the arguments. People may write flags
// with one dash or two, before or after the arguments. What a token is follows
// from the verb's own flags, so that a flag is never taken for an argument.
func arrange(app *cli.App, line []string) ([]string, error) {
	if len(line) < 2 {
		return line, nil
	}
	rest := line[1:]
	if rest[0] == "help" {
		return arrangeHelp(app, line[0], rest[1:])
	}
	if strings.HasPrefix(rest[0], "-") {
		return arrangeGlobal(line[0], rest[0])
	}
	verb := app.Command(rest[0])
	if verb == nil {
		return nil, unknownVerb(app, rest[0])
	}
	flags, args, err := split(verb, rest[1:])
	if err != nil {
		return nil, err
	}
	out := append([]string{line[0], verb.Name}, flags...)
	return append(append(out, "--"), args...), nil
}

func arrangeHelp(app *cli.App, program string, rest []string) ([]string, error) {
	if len(rest) == 0 || strings.HasPrefix(rest[0], "-") {
		return []string{program, "--help"}, nil
	}
	if app.Command(rest[0]) == nil {
		return nil, unknownVerb(app, rest[0])
	}
	if len(rest) > 1 {
		return nil, fail("`ballast help` takes one verb", "`ballast help %s` shows its help.", rest[0])
	}
	return []string{program, rest[0], "--help"}, nil
}

// arrangeGlobal lets the flags before a verb be: there are only these.
func arrangeGlobal(program, flag string) ([]string, error) {
	switch strings.TrimLeft(flag, "-") {
	case "h", "help":
		return []string{program, "--help"}, nil
	case "v", "version":
		return []string{program, "version"}, nil
	}
	return nil, fail("Flag "+render.Quote(flag)+" stands before the verb", "Flags follow the verb: ballast VERB [flags] [DIR]. `ballast help` lists the verbs.")
}

// split tells a verb's flags from its arguments.
func split(verb *cli.Command, tokens []string) (flags, args []string, err error) {
	for i := 0; i < len(tokens); i++ {
		token := tokens[i]
		if token == "--" {
			return flags, append(args, tokens[i+1:]...), nil
		}
		if len(token) < 2 || token[0] != '-' {
			args = append(args, token)
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimPrefix(token[1:], "-"), "=")
		takesValue, known := lookUp(verb, name)
		if !known {
			return nil, nil, unknownFlag(verb, token)
		}
		if takesValue && !hasValue {
			if i++; i == len(tokens) {
				return nil, nil, fail("Flag -"+name+" needs a value", "`ballast help %s` tells which.", verb.Name)
			}
			value, hasValue = tokens[i], true
		}
		flags = append(flags, "-"+name+assigned(value, hasValue))
	}
	return flags, args, nil
}

func assigned(value string, has bool) string {
	if !has {
		return ""
	}
	return "=" + value
}

// lookUp says whether a verb has a flag, and whether that takes a value.
func lookUp(verb *cli.Command, name string) (takesValue, known bool) {
	for _, f := range append(verb.Flags, cli.HelpFlag) {
		for _, n := range f.Names() {
			if n == name {
				doc, ok := f.(cli.DocGenerationFlag)
				return ok && doc.TakesValue(), true
			}
		}
	}
	return false, false
}
