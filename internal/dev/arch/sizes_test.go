package arch_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

const (
	fileLimit      = 500
	statementLimit = 50   // of a function, those of functions inside it included
	packageWarning = 3000 // lines: above, the package is parted along an idea, or stays whole
	roomLimit      = 5000 // lines of a room of the dashboard, without tests
	methodLimit    = 5
	parameterLimit = 5
)

func sizesStaySmall(t *tree) []string {
	var out []string
	for _, f := range t.files {
		if f.lines > fileLimit {
			out = append(out, fmt.Sprintf("%s: has %d lines, the limit is %d", f.path, f.lines, fileLimit))
		}
		out = append(out, t.longFunctions(f)...)
	}
	for room, lines := range linesOfRooms(t) {
		if lines > roomLimit {
			out = append(out, fmt.Sprintf("%s: has %d lines, the limit of a room is %d", room, lines, roomLimit))
		}
	}
	for pkg, files := range t.packages() {
		interfaces := map[string]*ast.InterfaceType{}
		for _, f := range files {
			maps.Copy(interfaces, namedInterfaces(f))
		}
		for name, kind := range interfaces {
			if n := methods(kind, interfaces); n > methodLimit {
				out = append(
					out,
					fmt.Sprintf("package %s: interface %s has %d methods, the limit is %d", pkg, name, n, methodLimit),
				)
			}
		}
	}
	return out
}

// linesOfRooms returns how many lines each room of the dashboard has.
func linesOfRooms(t *tree) map[string]int {
	out := map[string]int{}
	for _, f := range t.files {
		if dir := path.Dir(f.path); path.Dir(dir) == "internal/dashboard" {
			out[dir] += f.lines
		}
	}
	return out
}

// largePackages names the packages above the number of lines at which one looks for an idea to part them along, with
// their largest files.
func largePackages(t *tree) []string {
	var out []string
	for pkg, files := range t.packages() {
		lines := 0
		for _, f := range files {
			lines += f.lines
		}
		if lines <= packageWarning {
			continue
		}
		slices.SortFunc(files, func(a, b *file) int { return cmp.Compare(b.lines, a.lines) })
		var largest []string
		for _, f := range files[:min(5, len(files))] {
			largest = append(largest, fmt.Sprintf("%s (%d)", path.Base(f.path), f.lines))
		}
		out = append(
			out,
			fmt.Sprintf("package %s has %d lines; its largest files: %s", pkg, lines, strings.Join(largest, ", ")),
		)
	}
	return sorted(out)
}

func TestLargePackagesAreNamed(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 7 {
		files[fmt.Sprintf("internal/points/ledger/f%d.go", i)] = "package ledger" + strings.Repeat("\n", 430+i)
	}
	got := largePackages(plant(t, files))
	want := "package ledger has 3031 lines; its largest files: f6.go (436), f5.go (435), f4.go (434), f3.go (433), f2.go (432)"
	if len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %q", got, want)
	}
	source, err := load(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, warning := range largePackages(source) {
		t.Log("warning:", warning)
	}
}

func (t *tree) longFunctions(f *file) []string {
	var out []string
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if count := statements(n); count > statementLimit {
				out = append(
					out,
					t.at(f, n.Pos(), "function %s has %d statements, the limit is %d", n.Name.Name, count, statementLimit),
				)
			}
		case *ast.FuncType:
			if count := n.Params.NumFields(); count > parameterLimit {
				out = append(
					out,
					t.at(f, n.Pos(), "a function has %d parameters, the limit is %d: use an Input struct", count, parameterLimit),
				)
			}
		}
		return true
	})
	return out
}

// statements counts the statements of a function. A block counts for what is in it.
func statements(f *ast.FuncDecl) int {
	count := 0
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.BlockStmt, *ast.CaseClause, *ast.CommClause:
		case ast.Stmt:
			count++
		}
		return true
	})
	return count
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
	calls := func(n int) string { return strings.Repeat("\n\tb()", n) }
	tryPlanted(t, sizesStaySmall, []planted{
		{
			"a long file",
			map[string]string{"internal/points/ledger/a.go": "package ledger" + lines(501)},
			[]string{"a.go: has 501 lines"},
		},
		{
			"a long function",
			map[string]string{"internal/points/ledger/a.go": "package ledger\nfunc a() {\n\tif c {" + calls(50) + "\n\t}\n}\n"},
			[]string{"a.go:2: function a has 51 statements"},
		},
		{
			"a wide interface",
			map[string]string{"internal/points/ledger/a.go": "package ledger\ntype a interface { b; C(); D(); E() }\n" +
				"type b interface { F(); G(); H() }\n"},
			[]string{"interface a has 6 methods"},
		},
		{
			"many parameters",
			map[string]string{"internal/points/ledger/a.go": "package ledger\nfunc a(b, c, d, e, f, g int) {}\n" +
				"var h = func(i, j, k, l, m, n int) {}\n"},
			[]string{"a.go:2: a function has 6", "a.go:3: a function has 6"},
		},
		{
			"a large room of the dashboard",
			func() map[string]string {
				files := map[string]string{"internal/dashboard/members/a_test.go": "package members" + lines(400)}
				for _, name := range strings.Split("abcdefghijk", "") {
					files["internal/dashboard/rules/"+name+".go"] = "package rules" + lines(470)
					files["internal/dashboard/members/"+name+".go"] = "package members" + lines(400)
				}
				return files
			}(),
			[]string{"internal/dashboard/rules: has 5170 lines"},
		},
		{
			"clean",
			map[string]string{
				"internal/points/ledger/a.go": "package ledger\nfunc a(b, c, d, e, f int) {" + calls(50) + lines(20) + "\n}\n" +
					"type g interface { H(); I(); J(); K(); L() }\n" + lines(300),
			},
			nil,
		},
	})
}
