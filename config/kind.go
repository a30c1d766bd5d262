package config

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// kind is the type of an attribute: how it is called and how its value becomes
// plain data. convert is given values that are known, not null and not marked.
type kind struct {
	words   string
	choices []string                     // the words that it takes, where it takes only these
	convert func(cty.Value) (any, error) // nil: the expression is kept as it is
}

// kindExpression is an expression that is evaluated later; its value will be of
// the type that words name.
func kindExpression(words string) kind { return kind{words: words} }

var (
	kindString   = kind{words: "string", convert: func(v cty.Value) (any, error) { return toString(v) }}
	kindBool     = kind{words: "bool", convert: func(v cty.Value) (any, error) { return toBool(v) }}
	kindBytes    = kind{words: "size", convert: func(v cty.Value) (any, error) { return toBytes(v) }}
	kindSize     = kind{words: "size", convert: positive(func(v cty.Value) (any, error) { return toBytes(v) })}
	kindWait     = kind{words: "duration", convert: positive(toDuration)}
	kindDuration = kind{words: "duration", convert: toDuration}
	kindNames    = kind{words: "list of strings", convert: filled(toNames)}
	kindGlobs    = kind{words: "list of globs", convert: toNames}
	kindAny      = kind{words: "any", convert: func(v cty.Value) (any, error) { return v, nil }}
	kindBrokers  = kind{words: "list of broker ids", convert: filled(toBrokers)}
)

// kindInteger takes whole numbers of a range.
func kindInteger(low, high int64) kind {
	return kind{words: "whole number", convert: func(v cty.Value) (any, error) {
		n, err := toInteger(v)
		if err != nil {
			return nil, err
		}
		if n < low || n > high {
			return nil, fmt.Errorf("%d is out of range: it must be from %d to %d", n, low, high)
		}
		return int(n), nil
	}}
}

// kindNumber takes numbers of a range.
func kindNumber(low, high float64) kind {
	return kind{words: "number", convert: func(v cty.Value) (any, error) {
		f, err := toFloat(v)
		if err != nil {
			return nil, err
		}
		if f < low || f > high {
			return nil, fmt.Errorf("%v is out of range: it must be from %v to %v", f, low, high)
		}
		return f, nil
	}}
}

// kindChoice takes one of some words.
func kindChoice(words ...string) kind {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = strconv.Quote(w)
	}
	return kind{words: "one of " + strings.Join(quoted, ", "), choices: words, convert: func(v cty.Value) (any, error) {
		s, err := toString(v)
		if err != nil {
			return nil, err
		}
		for _, w := range words {
			if s == w {
				return s, nil
			}
		}
		return nil, fmt.Errorf("%s is not one of %s.%s", quote(s), strings.Join(quoted, ", "), didYouMean(s, words))
	}}
}

func toString(v cty.Value) (string, error) {
	if v.Type() == cty.Number {
		return numberText(v)
	}
	s, err := convert.Convert(v, cty.String)
	if err != nil {
		return "", fmt.Errorf("a string is needed, this is %s", friendly(v))
	}
	return s.AsString(), nil
}

func toBool(v cty.Value) (bool, error) {
	b, err := convert.Convert(v, cty.Bool)
	if err != nil {
		return false, fmt.Errorf("true or false is needed, this is %s", friendly(v))
	}
	return b.True(), nil
}

func toNumber(v cty.Value) (*big.Float, error) {
	n, err := convert.Convert(v, cty.Number)
	if err != nil {
		return nil, fmt.Errorf("a number is needed, this is %s", friendly(v))
	}
	f := n.AsBigFloat()
	if f.IsInf() || f.MantExp(nil) > maxExponentBits || f.MantExp(nil) < -maxExponentBits {
		return nil, errors.New("the number is too large or too small")
	}
	return f, nil
}

// maxExponentBits bounds the numbers that are written out digit by digit.
const maxExponentBits = 4096

// numberText writes a number with every digit.
func numberText(v cty.Value) (string, error) {
	f, err := toNumber(v)
	if err != nil {
		return "", err
	}
	if n, accuracy := f.Int64(); accuracy == big.Exact {
		return strconv.FormatInt(n, 10), nil // Text looks at all 512 bits
	}
	return f.Text('f', -1), nil
}

func toInteger(v cty.Value) (int64, error) {
	f, err := toNumber(v)
	if err != nil {
		return 0, err
	}
	n, accuracy := f.Int64()
	if accuracy != big.Exact {
		return 0, fmt.Errorf("a whole number of at most 64 bits is needed, this is %s", f.Text('g', 20))
	}
	return n, nil
}

func toFloat(v cty.Value) (float64, error) {
	f, err := toNumber(v)
	if err != nil {
		return 0, err
	}
	out, _ := f.Float64()
	return out, nil
}

// toBytes takes a number of bytes, or a size with its unit.
func toBytes(v cty.Value) (int64, error) {
	if v.Type() == cty.String {
		return ParseBytes(v.AsString())
	}
	n, err := toInteger(v)
	if err == nil && n < 0 {
		err = fmt.Errorf("%d is less than nothing", n)
	}
	return n, err
}

func toDuration(v cty.Value) (any, error) {
	if v.Type() != cty.String {
		return nil, fmt.Errorf(`a duration like "30m" is needed, this is %s`, friendly(v))
	}
	return parseDuration(v.AsString())
}

// friendly names the type of a value for a message.
func friendly(v cty.Value) string {
	if v.IsNull() {
		return "null"
	}
	switch t := v.Type(); {
	case t.IsTupleType():
		return "a list"
	case t.IsObjectType():
		return "an object"
	default:
		return article(t.FriendlyName())
	}
}
