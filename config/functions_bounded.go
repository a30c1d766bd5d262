package config

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// bounded is a function that first asks whether its arguments would make it
// run away.
func bounded(f function.Function, check func([]cty.Value) error) function.Function {
	return function.New(&function.Spec{
		Params:   f.Params(),
		VarParam: f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if err := check(args); err != nil {
				return cty.NilType, err
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(args) },
	})
}

// text is the string of an argument that is known, "" for any other.
func text(v cty.Value) string {
	v, _ = v.Unmark()
	if v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}

var widthPattern = regexp.MustCompile(`%[^a-zA-Z%]*?([0-9]{4,}|\*)`)

func shortWidths(args []cty.Value) error {
	if len(args) > 0 && widthPattern.MatchString(text(args[0])) {
		return errors.New("a width or precision may have at most three digits, and be no *")
	}
	return nil
}

func shortIndent(args []cty.Value) error {
	n, _ := args[0].Unmark()
	if n.IsKnown() && !n.IsNull() && n.GreaterThan(cty.NumberIntVal(1000)).True() {
		return errors.New("at most 1000 spaces")
	}
	return nil
}

// shallowJSON bounds the depth and the numbers of a JSON text.
func shallowJSON(args []cty.Value) error {
	depth, quoted, s := 0, false, text(args[0])
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
		if depth > maxDepth {
			return fmt.Errorf("the JSON is nested more than %d deep", maxDepth)
		}
	}
	for _, m := range jsonExponent.FindAllStringSubmatch(s, -1) {
		if n, err := strconv.Atoi(m[1]); err != nil || n > maxExponent {
			return errors.New("the JSON has too large a number")
		}
	}
	return nil
}

var jsonExponent = regexp.MustCompile(`[0-9.][eE][+-]?0*([0-9]+)\s*(?:[,\]}]|$)`)

func shortNumbers(args []cty.Value) error {
	if s := text(args[0]); numberPattern.MatchString(s) && tooLong(s) {
		return errors.New("the number is too large or too small")
	}
	return nil
}

func fewProducts(args []cty.Value) error {
	n := 1
	for _, a := range args {
		a, _ = a.Unmark()
		if t := a.Type(); a.IsNull() || !a.IsKnown() || !(t.IsListType() || t.IsSetType() || t.IsTupleType()) {
			return nil
		}
		n *= max(1, a.LengthInt())
		if n > 100_000 {
			return errors.New("more than 100000 combinations")
		}
	}
	return nil
}
