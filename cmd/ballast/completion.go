package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"ballast/cmd/ballast/internal/render"
)

func completionVerb(s *streams) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a script that completes verbs and flags in a shell",
		UsageText: "ballast completion bash|zsh|fish",
		Description: "   source <(ballast completion bash)\n" +
			"   ballast completion zsh > ~/.zfunc/_ballast\n" +
			"   ballast completion fish > ~/.config/fish/completions/ballast.fish",
		Action: func(c *cli.Context) error {
			shell, err := oneArgument(c, "")
			if err != nil {
				return err
			}
			write, ok := completions[shell]
			if !ok {
				return fail("Unknown shell "+render.Quote(shell), "The shells are bash, zsh and fish.")
			}
			return write(s.out, c.App.Commands)
		},
	}
}

// completions write the script of a shell, from the verbs' own definitions.
var completions = map[string]func(io.Writer, []*cli.Command) error{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}

// completed is a flag as a shell knows it.
type completed struct {
	name, usage string
	takesValue  bool
}

func completedFlags(verb *cli.Command) (out []completed) {
	for _, f := range verb.Flags {
		doc, ok := f.(cli.DocGenerationFlag)
		if ok && f.Names()[0] != "help" {
			out = append(out, completed{f.Names()[0], strings.ReplaceAll(doc.GetUsage(), "`", ""), doc.TakesValue()})
		}
	}
	return out
}

func bashCompletion(w io.Writer, verbs []*cli.Command) error {
	var names []string
	var cases strings.Builder
	for _, v := range verbs {
		names = append(names, v.Name)
		fmt.Fprintf(&cases, "  %s) flags=\"", v.Name)
		for _, f := range completedFlags(v) {
			fmt.Fprintf(&cases, "-%s ", f.name)
		}
		cases.WriteString("\" ;;\n")
	}
	_, err := fmt.Fprintf(w, `# bash completion for ballast
_ballast() {
  local cur=${COMP_WORDS[COMP_CWORD]} flags=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "%s help" -- "$cur"))
    return
  fi
  case ${COMP_WORDS[1]} in
%s  help) flags="%[1]s" ;;
  esac
  if [[ $cur == -* || ${COMP_WORDS[1]} == help ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -o filenames -F _ballast ballast
`, strings.Join(names, " "), cases.String())
	return err
}

func zshCompletion(w io.Writer, verbs []*cli.Command) error {
	quote := func(s string) string {
		return strings.NewReplacer("'", `'\''`, "[", `\[`, "]", `\]`, ":", `\:`).Replace(s)
	}
	var described, cases strings.Builder
	for _, v := range verbs {
		fmt.Fprintf(&described, "    '%s:%s'\n", v.Name, quote(v.Usage))
		fmt.Fprintf(&cases, "    %s) _arguments", v.Name)
		for _, f := range completedFlags(v) {
			value := ""
			if f.takesValue {
				value = ":value:_files"
			}
			fmt.Fprintf(&cases, " '-%s[%s]%s'", f.name, quote(f.usage), value)
		}
		cases.WriteString(" '*:file:_files' ;;\n")
	}
	_, err := fmt.Fprintf(w, `#compdef ballast
_ballast() {
  local -a verbs
  verbs=(
%s  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
%s  esac
}
compdef _ballast ballast
`, described.String(), cases.String())
	return err
}

func fishCompletion(w io.Writer, verbs []*cli.Command) error {
	quote := func(s string) string { return strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) }
	var b strings.Builder
	b.WriteString("# fish completion for ballast\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "complete -c ballast -f -n __fish_use_subcommand -a %s -d '%s'\n", v.Name, quote(v.Usage))
		for _, f := range completedFlags(v) {
			value := ""
			if f.takesValue {
				value = " -r"
			}
			fmt.Fprintf(&b, "complete -c ballast -n '__fish_seen_subcommand_from %s' -o %s%s -d '%s'\n", v.Name, f.name, value, quote(f.usage))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}
