package arch_test

import (
	"go/ast"
	"path"
	"slices"
	"strings"
	"testing"
)

// heavy lists types that are generic, or generic inside, and large, by the paths of their packages. Go compiles all
// their methods anew in every package that reads a type with one of them in a field or in the signature of a method.
var heavy = map[string][]string{
	"github.com/maypok86/otter/v2":                {"Cache"},
	"github.com/hashicorp/golang-lru/v2":          {"Cache"},
	"github.com/sony/gobreaker/v2":                {"CircuitBreaker", "TwoStepCircuitBreaker"},
	"laurel.example/laurel/internal/store/loader": {"Loader"},
	"laurel.example/laurel/internal/worker":       {"Queue", "Items"},
	"sync":                                        {"Map"},
}

// heavyTypesStayInside lets no field and no method of the service name a heavy type: it names an interface (decision
// 70).
func heavyTypesStayInside(t *tree) []string {
	var out []string
	for _, f := range t.files {
		if !strings.HasPrefix(f.path, "internal/") || strings.HasPrefix(f.path, "internal/dev/") {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			for _, part := range readByAll(n) {
				for from, names := range heavy {
					for pos, name := range uses(&file{ast: wrapped(part), imports: f.named()}, from) {
						if slices.Contains(names, name) {
							out = append(out, t.at(f, pos, "%s.%s is compiled by all who read this: name an interface", from, name))
						}
					}
				}
			}
			return true
		})
	}
	return out
}

// named are the imports by the names that are used for them: otter/v2 is called otter.
func (f *file) named() map[string]string {
	out := map[string]string{}
	for name, target := range f.imports {
		if name == "v2" {
			name = path.Base(path.Dir(target))
		}
		out[name] = target
	}
	return out
}

// readByAll returns the parts of a node that every package reads that reaches the type: of a struct its fields, of a
// method its parameters and results.
func readByAll(n ast.Node) []*ast.FieldList {
	switch n := n.(type) {
	case *ast.StructType:
		return []*ast.FieldList{n.Fields}
	case *ast.InterfaceType:
		return []*ast.FieldList{n.Methods}
	case *ast.FuncDecl:
		if n.Recv != nil && n.Type.Results != nil {
			return []*ast.FieldList{n.Type.Params, n.Type.Results}
		}
		if n.Recv != nil {
			return []*ast.FieldList{n.Type.Params}
		}
	}
	return nil
}

// wrapped makes a file of fields, for uses.
func wrapped(fields *ast.FieldList) *ast.File {
	return &ast.File{Name: ast.NewIdent("part"), Decls: []ast.Decl{
		&ast.FuncDecl{Name: ast.NewIdent("part"), Type: &ast.FuncType{Params: fields}},
	}}
}

func TestHeavyRule(t *testing.T) {
	t.Parallel()
	const imports = "package ledger\nimport (\n\t\"sync\"\n\t\"laurel.example/laurel/internal/worker\"\n)\n"
	tryPlanted(t, heavyTypesStayInside, []planted{
		{
			"fields and methods",
			map[string]string{
				"internal/points/ledger/a.go": imports +
					"type a struct {\n\tq *worker.Queue[row]\n\tm struct{ sync.Map }\n}\n" +
					"func (a) open() *worker.Items[row] { return nil }\ntype b interface { C(*worker.Queue[row]) }\n",
			},
			[]string{
				"a.go:10: laurel.example/laurel/internal/worker.Items", "a.go:11: laurel.example/laurel/internal/worker.Queue",
				"a.go:7: laurel.example/laurel/internal/worker.Queue", "a.go:8: sync.Map",
			},
		},
		{
			"a module of version 2",
			map[string]string{
				"internal/budget/a.go": "package budget\nimport \"github.com/maypok86/otter/v2\"\n" +
					"type a struct { c *otter.Cache[int, int] }\n",
			},
			[]string{"a.go:3: github.com/maypok86/otter/v2.Cache"},
		},
		{
			"clean",
			map[string]string{
				"internal/points/ledger/a.go": imports + "var m sync.Map\ntype a struct {\n\tq worker.Runner\n\tmu sync.Mutex\n}\n" +
					"func open(i *worker.Items[row]) worker.Runner { return &worker.Queue[row]{Items: i} }\n",
				"internal/dev/apptest/a.go": "package apptest\nimport \"sync\"\ntype a struct { m sync.Map }\n",
			},
			nil,
		},
	})
}
