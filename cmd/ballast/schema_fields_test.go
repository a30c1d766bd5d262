package main

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ballast/cmd/ballast/internal/allocation"
	"ballast/cmd/ballast/internal/consumers"
	"ballast/cmd/ballast/internal/drift"
	"ballast/planner"
	"ballast/planner/sizing"
)

// schemaNode is what is looked at of a schema.
type schemaNode struct {
	Ref                  string `json:"$ref"`
	Properties           map[string]*schemaNode
	Required             []string
	Items                *schemaNode
	AdditionalProperties json.RawMessage
	Defs                 map[string]*schemaNode `json:"$defs"`
}

// TestSchemasHaveEveryField holds the documents' types against the schemas, so
// that no field is missing that no case happens to have.
func TestSchemasHaveEveryField(t *testing.T) {
	for name, document := range map[string]any{"plan": planner.Plan{}, "drift": drift.Report{}, "consumers": consumers.Document{}, "allocation": allocation.Document{}, "size": sizing.Report{}} {
		src, err := os.ReadFile("../../docs/" + name + ".schema.json")
		if err != nil {
			t.Fatal(err)
		}
		var root schemaNode
		if err := json.Unmarshal(src, &root); err != nil {
			t.Fatal(err)
		}
		fieldsIn(t, name, reflect.TypeOf(document), &root, &root)
	}
}

// fieldsIn says that a type and its schema have the same fields, all the way
// down, and that a field which is always written is required.
func fieldsIn(t *testing.T, at string, of reflect.Type, node, root *schemaNode) {
	t.Helper()
	if name, ok := strings.CutPrefix(node.Ref, "#/$defs/"); ok {
		node = root.Defs[name]
	}
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	switch of.Kind() {
	case reflect.Slice:
		if node.Items == nil {
			t.Errorf("%s: the schema does not say of what it is a list", at)
			return
		}
		fieldsIn(t, at+"[]", of.Elem(), node.Items, root)
	case reflect.Struct:
		if string(node.AdditionalProperties) != "false" {
			t.Errorf("%s: the schema takes any field", at)
		}
		seen := map[string]bool{}
		for i := range of.NumField() {
			field := of.Field(i)
			name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
			if !field.IsExported() || name == "" || name == "-" {
				continue
			}
			seen[name] = true
			if node.Properties[name] == nil {
				t.Errorf("%s.%s is not in the schema", at, name)
				continue
			}
			if slices.Contains(node.Required, name) == strings.Contains(options, "omitempty") {
				t.Errorf("%s.%s: the schema is wrong about whether it is always there", at, name)
			}
			fieldsIn(t, at+"."+name, field.Type, node.Properties[name], root)
		}
		for name := range node.Properties {
			if !seen[name] {
				t.Errorf("%s.%s is in the schema only", at, name)
			}
		}
	}
}
