package arch_test

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
)

const (
	fileLimit         = 400
	functionLimit     = 60
	packageLimit      = 3000
	rootLimit         = 500
	edgeLimit         = 8000 // httpapi: one file per domain, all in one package
	importLimit       = 8    // own packages that a domain imports; workers, which knows no domain and keeps none from moving, is not counted
	completionImports = 17   // completions join most of the others
	methodLimit       = 5
	parameterLimit    = 5
)

func sizesStaySmall(t *tree) []string {
	var out []string
	for _, f := range t.files {
		if f.lines > fileLimit {
			out = append(out, fmt.Sprintf("%s: has %d lines, the limit is %d", f.path, f.lines, fileLimit))
		}
		out = append(out, t.longFunctions(f)...)
	}
	for pkg, files := range t.packages() {
		lines, own, interfaces := 0, map[string]bool{}, map[string]*ast.InterfaceType{}
		for _, f := range files {
			lines += f.lines
			for _, target := range f.imports {
				if name, ours := ownPackage(target); ours && name != "root" && name != "workers" {
					own[name] = true
				}
			}
			maps.Copy(interfaces, namedInterfaces(f))
		}
		if limit := linesOf(pkg); lines > limit {
			out = append(out, fmt.Sprintf("package %s: has %d lines, the limit is %d", pkg, lines, limit))
		}
		if limit := importsOf(pkg); slices.Contains(domains, pkg) && len(own) > limit {
			out = append(out, fmt.Sprintf("package %s: imports %d packages of ours, the limit is %d", pkg, len(own), limit))
		}
		for name, kind := range interfaces {
			if n := methods(kind, interfaces); n > methodLimit {
				out = append(out, fmt.Sprintf("package %s: interface %s has %d methods, the limit is %d", pkg, name, n, methodLimit))
			}
		}
	}
	return out
}

func linesOf(pkg string) int {
	switch pkg {
	case "httpapi":
		return edgeLimit
	case "root":
		return rootLimit
	}
	return packageLimit
}

func importsOf(pkg string) int {
	if pkg == "completions" {
		return completionImports
	}
	return importLimit
}

func (t *tree) longFunctions(f *file) []string {
	var out []string
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if lines := t.fset.Position(n.End()).Line - t.fset.Position(n.Pos()).Line + 1; lines > functionLimit {
				out = append(out, t.at(f, n.Pos(), "function %s has %d lines, the limit is %d", n.Name.Name, lines, functionLimit))
			}
		case *ast.FuncType:
			if count := n.Params.NumFields(); count > parameterLimit {
				out = append(out, t.at(f, n.Pos(), "a function has %d parameters, the limit is %d: use an Input struct", count, parameterLimit))
			}
		}
		return true
	})
	return out
}

func namedInterfaces(f *file) map[string]*ast.InterfaceType {
	out := map[string]*ast.InterfaceType{}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			if kind, ok := spec.Type.(*ast.InterfaceType); ok {
				out[spec.Name.Name] = kind
			}
		}
		return true
	})
	return out
}

// methods counts those of embedded interfaces of the same package too.
func methods(kind *ast.InterfaceType, known map[string]*ast.InterfaceType) int {
	count := 0
	for _, field := range kind.Methods.List {
		if _, ok := field.Type.(*ast.FuncType); ok {
			count += len(field.Names)
		} else if name, ok := field.Type.(*ast.Ident); ok && known[name.Name] != nil {
			count += methods(known[name.Name], known)
		}
	}
	return count
}

func TestSizeRule(t *testing.T) {
	t.Parallel()
	lines := func(n int) string { return strings.Repeat("\n", n) }
	var imports strings.Builder
	for _, name := range []string{"store", "jobs", "events", "outbound", "ledger", "identity", "engagement", "chain", "vault"} {
		fmt.Fprintf(&imports, "import _ \"laurel/internal/%s\"\n", name)
	}
	tryPlanted(t, sizesStaySmall, []planted{
		{"a long file", map[string]string{"internal/ledger/a.go": "package ledger" + lines(401)}, []string{"a.go: has 401 lines"}},
		{"a long function", map[string]string{"internal/ledger/a.go": "package ledger\nfunc a() {" + lines(60) + "}\n"}, []string{"a.go:2: function a has 61 lines"}},
		{"a large package", func() map[string]string {
			files := map[string]string{}
			for i := range 8 {
				files[fmt.Sprintf("internal/ledger/f%d.go", i)] = "package ledger" + lines(390)
				files[fmt.Sprintf("internal/httpapi/f%d.go", i)] = "package httpapi" + lines(390)
			}
			return files
		}(), []string{"package ledger: has 3120 lines"}},
		{"a large root package", map[string]string{"a.go": "package laurel" + lines(300), "b.go": "package laurel" + lines(300)}, []string{"package root: has 600 lines"}},
		{"many imports", map[string]string{"internal/badges/a.go": "package badges\nimport _ \"laurel/internal/workers\"\n" + imports.String(), "internal/completions/a.go": "package completions\n" + imports.String()},
			[]string{"package badges: imports 9 packages of ours"}},
		{"a wide interface", map[string]string{"internal/ledger/a.go": "package ledger\ntype a interface { b; C(); D(); E() }\ntype b interface { F(); G(); H() }\n"}, []string{"interface a has 6 methods"}},
		{"many parameters", map[string]string{"internal/ledger/a.go": "package ledger\nfunc a(b, c, d, e, f, g int) {}\nvar h = func(i, j, k, l, m, n int) {}\n"},
			[]string{"a.go:2: a function has 6", "a.go:3: a function has 6"}},
		{"clean", map[string]string{"internal/ledger/a.go": "package ledger\nfunc a(b, c, d, e, f int) {" + lines(58) + "}\ntype g interface { H(); I(); J(); K(); L() }\n" + lines(300)}, nil},
	})
}
