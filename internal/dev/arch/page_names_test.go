package arch_test

import (
	"go/ast"
	"regexp"
	"strings"
	"testing"
)

// Names of code in a page: package.Name, with a method or field perhaps; Type.Method; a Go file; or a name in
// a package, such as checkServices.
var (
	qualifiedName = regexp.MustCompile("`([a-z]+)\\.([A-Z]\\w*)(?:\\.(\\w+))?(?:\\([^`]*\\))?`")
	goFileName    = regexp.MustCompile("`([\\w/]+\\.go)`")
	plainName     = regexp.MustCompile("`([a-z]+[A-Z]\\w*)`")
	memberName    = regexp.MustCompile("`([A-Z]\\w*)\\.(\\w+)(?:\\([^`]*\\))?`")
)

// unknownNames returns the names of code in a page that the tree does not have. A plain name may also be a text of the
// code, such as a property of the API.
func unknownNames(t *tree, page string) (out []string) {
	words := map[string]bool{}
	declared := map[string]bool{} // package.Name
	for _, f := range t.files {
		for _, w := range regexp.MustCompile(`\w+`).FindAllString(f.text, -1) {
			words[w] = true
		}
		for _, decl := range f.ast.Decls {
			for _, name := range declaredNames(decl) {
				declared[f.ast.Name.Name+"."+name] = true
			}
		}
	}
	for _, m := range qualifiedName.FindAllStringSubmatch(page, -1) {
		if len(t.packages()[m[1]]) > 0 && (!declared[m[1]+"."+m[2]] || m[3] != "" && !words[m[3]]) {
			out = append(out, "no "+m[0])
		}
	}
	for _, m := range memberName.FindAllStringSubmatch(page, -1) {
		if !words[m[1]] || !words[m[2]] {
			out = append(out, "no "+m[0])
		}
	}
	for _, m := range goFileName.FindAllStringSubmatch(page, -1) {
		if !t.hasFile(m[1]) {
			out = append(out, "no file "+m[0])
		}
	}
	for _, m := range plainName.FindAllStringSubmatch(page, -1) {
		if !words[m[1]] {
			out = append(out, "no "+m[0])
		}
	}
	return out
}

// declaredNames returns the names of a declaration: of a function, a method, or types, variables and constants.
func declaredNames(decl ast.Decl) (names []string) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		return []string{d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

// hasFile reports whether the module has a Go file, of which the name says at least the last part of the path.
func (t *tree) hasFile(name string) bool {
	for _, files := range [][]*file{t.files, t.tests} {
		for _, f := range files {
			if f.path == name || strings.HasSuffix(f.path, "/"+name) {
				return true
			}
		}
	}
	return false
}

func TestNamesOfCodeInTheArchitectureExist(t *testing.T) {
	t.Parallel()
	expectNoFaults(t, unknownNames)
}

func TestUnknownNamesOfCodeAreFound(t *testing.T) {
	t.Parallel()
	source := plant(t, map[string]string{
		"internal/points/ledger/a.go": "package ledger\ntype A struct { B int }\nfunc doThis() {}\nconst c = \"someProperty\"\n",
	})
	known := "`ledger.A`, `ledger.A.B`, `doThis`, `someProperty`, `a.go`, `ledger/a.go`, `http.Client`, `A.B`"
	if got := unknownNames(source, known); got != nil {
		t.Errorf("%q", got)
	}
	unknown := "`ledger.C`, `ledger.A.D`, `doThat`, `b.go`, `A.D`"
	if got := unknownNames(source, unknown); len(got) != 5 {
		t.Errorf("%q", got)
	}
}
