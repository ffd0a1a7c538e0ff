package arch_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

// file is one Go file.
type file struct {
	path    string // from the root of the module, with slashes
	pkg     string // "root", "ledger" for internal/points/ledger, else the directory
	ast     *ast.File
	lines   int
	text    string
	imports map[string]string // name in the file -> import path
}

// tree is the source that the rules look at: Go files, and the SQL files.
type tree struct {
	fset   *token.FileSet
	files  []*file // without tests
	tests  []*file
	sql    map[string]string
	consts map[string]string // "pkg.name" -> the text of a constant or variable with a literal value
}

// load reads the module. Test data and modules of their own below it are left out.
func load(source fs.FS) (*tree, error) {
	t := &tree{fset: token.NewFileSet(), sql: map[string]string{}, consts: map[string]string{}}
	err := fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && leftOut(source, name):
			return fs.SkipDir
		case d.IsDir():
			return nil
		case strings.HasSuffix(name, ".go"):
			return t.addGo(source, name)
		case strings.HasSuffix(name, ".sql"):
			text, err := fs.ReadFile(source, name)
			if !strings.HasPrefix(string(text), "-- Code generated ") { // it says what the migrations say
				t.sql[name] = string(text)
			}
			return err
		}
		return nil
	})
	return t, err
}

func leftOut(source fs.FS, dir string) bool {
	base := path.Base(dir)
	if base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".") {
		return true
	}
	_, err := fs.Stat(source, path.Join(dir, "go.mod"))
	return err == nil
}

func (t *tree) addGo(source fs.FS, name string) error {
	text, err := fs.ReadFile(source, name)
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(t.fset, name, text, parser.ParseComments)
	if err != nil {
		return err
	}
	f := &file{
		path:  name,
		pkg:   packageOf(path.Dir(name)),
		ast:   parsed,
		lines: strings.Count(string(text), "\n"), text: string(text),
		imports: map[string]string{},
	}
	for _, spec := range parsed.Imports {
		target := unquote(spec.Path)
		local := path.Base(target)
		if spec.Name != nil {
			local = spec.Name.Name
		}
		if local == "_" || local == "." || f.imports[local] != "" {
			local += target // such an import has no name of its own, but it counts
		}
		f.imports[local] = target
	}
	if strings.HasSuffix(name, "_test.go") {
		t.tests = append(t.tests, f)
		return nil
	}
	t.files = append(t.files, f)
	t.addConsts(f)
	return nil
}

func packageOf(dir string) string {
	if dir == "." {
		return "root"
	}
	if strings.HasPrefix(dir, "internal/") {
		return path.Base(dir)
	}
	return dir
}

func (t *tree) addConsts(f *file) {
	for _, decl := range f.ast.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range group.Specs {
			value, ok := spec.(*ast.ValueSpec)
			if !ok || len(value.Names) != len(value.Values) {
				continue
			}
			for i, name := range value.Names {
				if isText(value.Values[i]) {
					t.consts[f.pkg+"."+name.Name] = t.flatten(f, value.Values[i])
				}
			}
		}
	}
}

// at renders a violation with its place.
func (t *tree) at(f *file, pos token.Pos, format string, args ...any) string {
	return fmt.Sprintf("%s:%d: ", f.path, t.fset.Position(pos).Line) + fmt.Sprintf(format, args...)
}

// packages lists the packages of the tree with their files.
func (t *tree) packages() map[string][]*file {
	out := map[string][]*file{}
	for _, f := range t.files {
		out[f.pkg] = append(out[f.pkg], f)
	}
	return out
}

// text is a string of the source: literals that are added together count as one.
type text struct {
	pos   token.Pos
	value string
}

// texts returns the strings of a file, without import paths and struct tags.
func (t *tree) texts(f *file) []text {
	var out []text
	skip := map[ast.Node]bool{}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			if n.Tag != nil {
				skip[n.Tag] = true
			}
		case *ast.BinaryExpr:
			if isText(n) && !skip[n] {
				out = append(out, text{n.Pos(), t.flatten(f, n)})
				markParts(n, skip)
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING && !skip[n] {
				out = append(out, text{n.Pos(), unquote(n)})
			}
		}
		return true
	})
	return out
}

// isText tells a string literal, or a sum that has one.
func isText(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.BinaryExpr:
		return e.Op == token.ADD && (isText(e.X) || isText(e.Y))
	}
	return false
}

func markParts(e ast.Expr, skip map[ast.Node]bool) {
	skip[e] = true
	if sum, ok := e.(*ast.BinaryExpr); ok && sum.Op == token.ADD {
		markParts(sum.X, skip)
		markParts(sum.Y, skip)
	}
}

// flatten puts the parts of a sum together; what cannot be read from the source becomes "¤".
func (t *tree) flatten(f *file, e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		return unquote(e)
	case *ast.BinaryExpr:
		return t.flatten(f, e.X) + t.flatten(f, e.Y)
	case *ast.Ident:
		if known, ok := t.consts[f.pkg+"."+e.Name]; ok {
			return known
		}
	}
	return "¤"
}

func unquote(l *ast.BasicLit) string {
	s, err := strconv.Unquote(l.Value)
	if err != nil {
		return l.Value
	}
	return s
}

// uses returns where a file names something of an imported package: its position and the name.
func uses(f *file, importPath string) map[token.Pos]string {
	out := map[token.Pos]string{}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if x, ok := sel.X.(*ast.Ident); ok && f.imports[x.Name] == importPath {
			out[sel.Pos()] = sel.Sel.Name
		}
		return true
	})
	return out
}

// plant makes a small tree from file names and texts.
func plant(t *testing.T, files map[string]string) *tree {
	t.Helper()
	source := fstest.MapFS{}
	for name, content := range files {
		source[name] = &fstest.MapFile{Data: []byte(content)}
	}
	planted, err := load(source)
	if err != nil {
		t.Fatal(err)
	}
	return planted
}

func sorted(violations []string) []string {
	slices.Sort(violations)
	return slices.Compact(violations)
}
