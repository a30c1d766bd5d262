package config

import (
	"errors"
	"fmt"
	"math/big"
	"path/filepath"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/ext/tryfunc"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// functions are those that expressions may call: the standard library that
// users of HCL expect, and a few of ours.
func (l *loader) functions() map[string]function.Function {
	out := map[string]function.Function{
		"env":            l.envFunction(),
		"file":           l.fileFunction(),
		"sensitive":      l.sensitiveFunction(),
		"partitions_for": partitionsFor,
		"startswith":     stringTest(func(s, part string) bool { return len(s) >= len(part) && s[:len(part)] == part }),
		"endswith":       stringTest(func(s, part string) bool { return len(s) >= len(part) && s[len(s)-len(part):] == part }),
		"sum":            sum,
		"format":         bounded(stdlib.FormatFunc, shortWidths),
		"formatlist":     bounded(stdlib.FormatListFunc, shortWidths),
		"indent":         bounded(stdlib.IndentFunc, shortIndent),
		"jsondecode":     bounded(stdlib.JSONDecodeFunc, shallowJSON),
		"tonumber":       bounded(stdlib.MakeToFunc(cty.Number), shortNumbers),
		"setproduct":     bounded(stdlib.SetProductFunc, fewProducts),
		"try":            tryfunc.TryFunc,
		"can":            tryfunc.CanFunc,
	}
	for name, f := range standardFunctions {
		out[name] = f
	}
	return out
}

// standardFunctions are taken from cty as they are.
var standardFunctions = map[string]function.Function{
	"abs": stdlib.AbsoluteFunc, "ceil": stdlib.CeilFunc, "floor": stdlib.FloorFunc, "log": stdlib.LogFunc,
	"max": stdlib.MaxFunc, "min": stdlib.MinFunc, "parseint": stdlib.ParseIntFunc, "pow": stdlib.PowFunc, "signum": stdlib.SignumFunc,
	"chomp": stdlib.ChompFunc, "join": stdlib.JoinFunc, "lower": stdlib.LowerFunc, "regex": stdlib.RegexFunc,
	"regexall": stdlib.RegexAllFunc, "regexreplace": stdlib.RegexReplaceFunc, "replace": stdlib.ReplaceFunc, "split": stdlib.SplitFunc,
	"strlen": stdlib.StrlenFunc, "strrev": stdlib.ReverseFunc, "substr": stdlib.SubstrFunc, "title": stdlib.TitleFunc, "trim": stdlib.TrimFunc,
	"trimprefix": stdlib.TrimPrefixFunc, "trimspace": stdlib.TrimSpaceFunc, "trimsuffix": stdlib.TrimSuffixFunc, "upper": stdlib.UpperFunc,
	"chunklist": stdlib.ChunklistFunc, "coalesce": stdlib.CoalesceFunc, "coalescelist": stdlib.CoalesceListFunc,
	"compact": stdlib.CompactFunc, "concat": stdlib.ConcatFunc, "contains": stdlib.ContainsFunc, "distinct": stdlib.DistinctFunc,
	"element": stdlib.ElementFunc, "flatten": stdlib.FlattenFunc, "keys": stdlib.KeysFunc, "length": stdlib.LengthFunc,
	"lookup": stdlib.LookupFunc, "merge": stdlib.MergeFunc, "range": stdlib.RangeFunc, "reverse": stdlib.ReverseListFunc,
	"setintersection": stdlib.SetIntersectionFunc, "setsubtract": stdlib.SetSubtractFunc, "setunion": stdlib.SetUnionFunc,
	"slice": stdlib.SliceFunc, "sort": stdlib.SortFunc, "values": stdlib.ValuesFunc, "zipmap": stdlib.ZipmapFunc,
	"csvdecode": stdlib.CSVDecodeFunc, "jsonencode": stdlib.JSONEncodeFunc,
	"tobool": stdlib.MakeToFunc(cty.Bool), "tostring": stdlib.MakeToFunc(cty.String),
	"tolist": stdlib.MakeToFunc(cty.List(cty.DynamicPseudoType)), "toset": stdlib.MakeToFunc(cty.Set(cty.DynamicPseudoType)),
	"tomap": stdlib.MakeToFunc(cty.Map(cty.DynamicPseudoType)),
}

// envFunction reads the environment: env(name), or env(name, otherwise).
func (l *loader) envFunction() function.Function {
	return function.New(&function.Spec{
		Params:   []function.Parameter{{Name: "name", Type: cty.String}},
		VarParam: &function.Parameter{Name: "otherwise", Type: cty.String},
		Type:     function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			name := args[0].AsString()
			if value, ok := l.options.Env(name); ok {
				return textValue(value)
			}
			switch len(args) {
			case 1:
				return cty.NilVal, fmt.Errorf("the environment has no variable %s; set it, or give what to take otherwise: env(%s, \"…\")", quote(name), quote(name))
			case 2:
				return args[1], nil
			}
			return cty.NilVal, errors.New("env takes a name, and what to take where the environment does not have it")
		},
	})
}

// textValue makes a value of a text from outside of the configuration.
func textValue(s string) (cty.Value, error) {
	if !utf8.ValidString(s) {
		return cty.NilVal, errors.New("it is not UTF-8 text")
	}
	if numberPattern.MatchString(s) && tooLong(s) {
		return cty.NilVal, errors.New("it is too large a number")
	}
	return cty.StringVal(s), nil
}

// fileFunction reads a text file, by a path relative to the configuration.
func (l *loader) fileFunction() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			path := args[0].AsString()
			if !filepath.IsAbs(path) {
				path = filepath.Join(l.dir, path)
			}
			src, err := readRegular(path)
			if err != nil {
				return cty.NilVal, err
			}
			v, err := textValue(string(src))
			if err != nil {
				return cty.NilVal, fmt.Errorf("%s: %w", quote(args[0].AsString()), err)
			}
			return v, nil
		},
	})
}

// sensitiveFunction marks a value, so that nothing shows it.
func (l *loader) sensitiveFunction() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowMarked: true, AllowDynamicType: true}},
		Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			l.keepSecret(args[0])
			return args[0].Mark(sensitiveMark), nil
		},
	})
}

func stringTest(test func(s, part string) bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "str", Type: cty.String}, {Name: "part", Type: cty.String}},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.BoolVal(test(args[0].AsString(), args[1].AsString())), nil
		},
	})
}

// partitionsFor is how many partitions carry a throughput, where one partition
// takes what a producer and a consumer do: rates as "50MB/s" or as numbers of
// bytes per second, or all in any other unit.
var partitionsFor = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "target", Type: cty.DynamicPseudoType}, {Name: "producer", Type: cty.DynamicPseudoType}, {Name: "consumer", Type: cty.DynamicPseudoType}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		var rates [3]*big.Float
		for i, a := range args {
			rate, err := throughput(a)
			if err != nil {
				return cty.NilVal, function.NewArgError(i, err)
			}
			rates[i] = rate
		}
		n := max(ceiling(rates[0], rates[1]), ceiling(rates[0], rates[2]), 1)
		return cty.NumberIntVal(n), nil
	},
})

func throughput(v cty.Value) (*big.Float, error) {
	if v.Type() == cty.String && !numberPattern.MatchString(v.AsString()) {
		n, err := ParseRate(v.AsString())
		if err == nil && n == 0 {
			err = errors.New("a rate above nothing is needed")
		}
		return new(big.Float).SetInt64(n), err
	}
	f, err := toNumber(v)
	if err == nil && f.Sign() <= 0 {
		err = errors.New("a rate above nothing is needed")
	}
	return f, err
}

// ceiling is a/b rounded up, at most 2^53.
func ceiling(a, b *big.Float) int64 {
	q := new(big.Float).SetPrec(512).Quo(a, b)
	n, accuracy := q.Int64()
	if accuracy == big.Below {
		n++
	}
	return min(n, 1<<53)
}

var sum = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType}},
	Type:   function.StaticReturnType(cty.Number),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		list, err := elements(args[0], "numbers")
		if err != nil {
			return cty.NilVal, err
		}
		total := cty.Zero
		for _, e := range list {
			f, err := toNumber(e)
			if err != nil {
				return cty.NilVal, err
			}
			total = total.Add(cty.NumberVal(f))
		}
		return total, nil
	},
})
