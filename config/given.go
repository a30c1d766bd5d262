package config

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// givenValues finds the values that are given for variables: by -var, else by
// the last file that has one, else by the environment.
func (l *loader) givenValues(declared map[string]*variable) map[string]*given {
	out := map[string]*given{}
	for name := range declared {
		if text, ok := l.options.Env("BALLAST_VAR_" + name); ok {
			out[name] = &given{text: text, from: "BALLAST_VAR_" + name}
		}
	}
	for _, path := range l.options.VarFiles {
		l.variableFile(path, declared, out)
	}
	for _, arg := range l.options.Vars {
		name, text, ok := strings.Cut(arg, "=")
		if !ok || name == "" {
			l.add(fault("invalid_variable", "Invalid -var", "A -var is NAME=VALUE; what was given has no name or no equals sign.", hcl.Range{}))
			continue
		}
		if declared[name] == nil && !l.partial {
			l.add(fault("undeclared_variable", "Undeclared variable", fmt.Sprintf("-var gives a value for %s, and there is no variable of that name.%s", quote(name), didYouMean(name, sortedKeys(declared))), hcl.Range{}))
			continue
		}
		out[name] = &given{text: text, from: "-var"}
	}
	return out
}

// variableFile reads the values of a -var-file.
func (l *loader) variableFile(path string, declared map[string]*variable, out map[string]*given) {
	src, err := readRegular(path)
	if err != nil {
		l.add(fault("unreadable", "Cannot read a -var-file", capital(sentence(err)), hcl.Range{}))
		return
	}
	body, diags := parse(path, src)
	doc := newDocument(src, body, !HasErrors(diags))
	doc.hide(sensitiveValues(body, declared))
	l.loaded.sources[path] = doc
	l.secrets.keepPlaces(path, doc)
	for _, d := range diags {
		l.add(d)
	}
	if body == nil {
		return
	}
	for _, b := range body.Blocks {
		l.add(fault("unknown_block", "Unknown block", "A file of variables has attributes only: NAME = VALUE", b.TypeRange))
	}
	for _, a := range attributesInOrder(body) {
		if declared[a.Name] == nil {
			if !l.partial {
				l.add(caution("undeclared_variable", "Undeclared variable", fmt.Sprintf("There is no variable %s.%s", quote(a.Name), didYouMean(a.Name, sortedKeys(declared))), a.NameRange).hiding(true))
			}
			continue
		}
		out[a.Name] = &given{expr: a.Expr, at: a.Expr.Range(), from: "what the file has"}
	}
}

// sensitiveValues are what a -var-file gives sensitive variables.
func sensitiveValues(body *hclsyntax.Body, declared map[string]*variable) []hclsyntax.Expression {
	if body == nil {
		return nil
	}
	var out []hclsyntax.Expression
	for _, a := range attributesInOrder(body) {
		if v := declared[a.Name]; v != nil && v.sensitive {
			out = append(out, a.Expr)
		}
	}
	return out
}
