package main

import (
	"go/ast"
	"go/token"
	"testing"
)

// maxLines is the length from which a file is two things in one.
const maxLines = 400

func TestFilesAreShort(t *testing.T) {
	for _, s := range sources(t) {
		lines := s.set.Position(s.file.FileEnd).Line
		if lines > maxLines {
			t.Errorf("%s has %d lines; split it, %d are enough", s.path, lines, maxLines)
		}
	}
}

func TestExportedNamesAreDocumented(t *testing.T) {
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		for _, decl := range s.file.Decls {
			for _, name := range undocumented(decl) {
				t.Errorf("%s: %s has no comment", s.set.Position(name.Pos()), name.Name)
			}
		}
	}
}

// undocumented gives the exported names of a declaration that say nothing.
func undocumented(decl ast.Decl) (names []*ast.Ident) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) && !wellKnown(d) {
			names = append(names, d.Name)
		}
	case *ast.GenDecl:
		if d.Tok != token.IMPORT && d.Doc == nil {
			for _, spec := range d.Specs {
				names = append(names, undocumentedSpec(spec)...)
			}
		}
	}
	return names
}

func undocumentedSpec(spec ast.Spec) (names []*ast.Ident) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if s.Name.IsExported() && s.Doc == nil && s.Comment == nil {
			names = append(names, s.Name)
		}
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if name.IsExported() && s.Doc == nil && s.Comment == nil {
				names = append(names, name)
			}
		}
	}
	return names
}

// exportedReceiver says whether a method's type is exported, or it is a function.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	expr := d.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	name, ok := expr.(*ast.Ident)
	return ok && name.IsExported()
}

// wellKnown says whether everybody knows what a method of that name does.
func wellKnown(d *ast.FuncDecl) bool {
	switch d.Name.Name {
	case "Error", "String", "Unwrap", "Len", "Less", "Swap", "MarshalJSON", "UnmarshalJSON":
		return d.Recv != nil
	}
	return false
}
