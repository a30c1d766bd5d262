package main

import (
	"encoding"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"ballast/apply"
	"ballast/cmd/ballast/internal/allocation"
	"ballast/cmd/ballast/internal/consumers"
	"ballast/cmd/ballast/internal/drift"
	"ballast/cmd/ballast/internal/status"
	"ballast/planner"
	"ballast/planner/sizing"
)

var snakeCase = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// Whatever is printed as JSON has names of its own: none is a Go field's.
func TestNamesInJSONAreSnakeCase(t *testing.T) {
	for _, document := range []any{planner.Plan{}, planner.Explanation{}, drift.Report{}, status.Document{}, consumers.Document{}, allocation.Document{}, sizing.Report{}, apply.Event{}, apply.Result{}} {
		typ := reflect.TypeOf(document)
		namesAreSnakeCase(t, typ.String(), typ, map[reflect.Type]bool{})
	}
}

func namesAreSnakeCase(t *testing.T, path string, typ reflect.Type, seen map[reflect.Type]bool) {
	for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Slice || typ.Kind() == reflect.Map {
		typ = typ.Elem()
	}
	if typ.Kind() != reflect.Struct || seen[typ] || writesItself(typ) {
		return
	}
	seen[typ] = true
	for i := range typ.NumField() {
		f := typ.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "-" {
			continue
		}
		if !f.Anonymous && !snakeCase.MatchString(name) {
			t.Errorf("%s.%s is named %q", path, f.Name, name)
		}
		namesAreSnakeCase(t, path+"."+f.Name, f.Type, seen)
	}
}

func writesItself(typ reflect.Type) bool {
	return typ.Implements(reflect.TypeFor[json.Marshaler]()) || typ.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}
