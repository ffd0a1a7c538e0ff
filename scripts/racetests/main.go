// Command racetests lists the tests where goroutines meet, which is where the race detector can find something. It
// prints a pattern for go test -run and -skip, and the folders of packages to run it in: first those given with -whole,
// of which all tests are on the list. Packages given with -without are left out. Tests are told apart by name, so it
// fails where one on the list has a namesake.
//
// A test belongs to the list when it starts a goroutine, with go or with the method Go of a sync.WaitGroup and the
// like: itself, through functions of its package or of internal/dev/apptest, or through a method that does. The line
// //racetests:plain above a test leaves it out: its goroutines only spread a load, or it does less under the detector.
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// helperFolder is the folder of the package whose functions tests of other packages share, and helperPackage its name.
const (
	helperFolder  = "internal/dev/apptest"
	helperPackage = "apptest"
)

// main prints the race tests of the module in the current folder.
func main() {
	whole := flag.String("whole", "", "folders of packages that are tested whole, with commas between them")
	without := flag.String("without", "", "folders of packages that are left out, with commas between them")
	flag.Parse()
	if err := printRaceTests(".", strings.Split(*whole, ","), strings.Split(*without, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "racetests:", err)
		os.Exit(1)
	}
}

// printRaceTests prints a line for the callers of go test: a pattern that matches the tests where goroutines meet, and
// the folders of their packages. All tests of the folders in whole are among them, and these folders come first;
// folders in without are left out. It fails if a chosen test has the same name as a test of another package.
func printRaceTests(root string, whole, without []string) error {
	files, err := testFiles(root)
	if err != nil {
		return err
	}
	shared, err := filepath.Glob(filepath.Join(root, helperFolder, "*.go"))
	if err != nil {
		return err
	}
	packagesWithTest := map[string]int{} // how many packages have a test of a name
	var names []string
	folders := slices.Clone(whole) // the first to run: their tests wait longest
	for _, folder := range slices.Sorted(maps.Keys(files)) {
		tests, err := testsOf(files[folder], shared)
		if err != nil {
			return err
		}
		for name := range tests {
			packagesWithTest[name]++
		}
		if slices.Contains(without, folder) {
			continue
		}
		all, before := slices.Contains(whole, folder), len(names)
		for _, name := range slices.Sorted(maps.Keys(tests)) {
			if all || tests[name] {
				names = append(names, name)
			}
		}
		if len(names) > before && !all {
			folders = append(folders, folder)
		}
	}
	for _, name := range names {
		if packagesWithTest[name] > 1 {
			return fmt.Errorf("several packages have a test %s: rename one", name)
		}
	}
	fmt.Printf("^(%s)$ ./%s\n", strings.Join(names, "|"), strings.Join(folders, " ./"))
	return nil
}

// testFiles returns the test files of the module by folder. It leaves out test data, and modules below the module.
func testFiles(root string) (map[string][]string, error) {
	files := map[string][]string{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root:
			_, statErr := os.Stat(filepath.Join(path, "go.mod")) // nil: a module of its own
			if name := entry.Name(); statErr == nil || name == "testdata" || name == "node_modules" ||
				strings.HasPrefix(name, ".") {
				return fs.SkipDir
			}
		case strings.HasSuffix(path, "_test.go"):
			folder := filepath.Dir(path)
			files[folder] = append(files[folder], path)
		}
		return nil
	})
	return files, err
}

// functionFacts is what decides whether a function or method belongs to the list.
type functionFacts struct {
	startsGoroutine bool     // it starts a goroutine
	isExcluded      bool     // it is left out
	calls           []string // the functions it calls; package.name of other packages, .name of methods
}

// testsOf returns the tests in the files, by name, and whether goroutines meet in each: it starts a goroutine, itself
// or through functions that it calls, and is not excluded. shared are the files of the package whose functions tests of
// other packages call.
func testsOf(files, shared []string) (map[string]bool, error) {
	bodies := map[string]*functionFacts{}
	for _, file := range slices.Concat(files, shared) {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		prefix := ""
		if parsed.Name.Name == helperPackage {
			prefix = helperPackage + "."
		}
		for _, decl := range parsed.Decls {
			if function, ok := decl.(*ast.FuncDecl); ok && function.Body != nil {
				addFunction(bodies, prefix, function)
			}
		}
	}
	for grown := true; grown; { // until no function is found that starts one through another
		grown = false
		for name, b := range bodies {
			// Whose method is called is not known here, so one counts only where it starts a goroutine itself.
			through := func(callee string) bool { return bodies[callee] != nil && bodies[callee].startsGoroutine }
			if !b.startsGoroutine && name[0] != '.' && slices.ContainsFunc(b.calls, through) {
				b.startsGoroutine, grown = true, true
			}
		}
	}
	tests := map[string]bool{}
	for name, b := range bodies {
		isTest := slices.ContainsFunc([]string{"Test", "Fuzz", "Example"}, func(kind string) bool {
			return strings.HasPrefix(name, kind)
		})
		if isTest && name != "TestMain" {
			tests[name] = b.startsGoroutine && !b.isExcluded
		}
	}
	return tests, nil
}

// addFunction adds what is known of a function to bodies, by its name: the prefix and the name, or a dot and the name
// for a method. So methods of one name share their facts.
func addFunction(bodies map[string]*functionFacts, prefix string, function *ast.FuncDecl) {
	name := prefix + function.Name.Name
	if function.Recv != nil {
		name = "." + function.Name.Name
	}
	if bodies[name] == nil {
		bodies[name] = &functionFacts{}
	}
	b := bodies[name]
	if function.Doc != nil {
		plain := func(c *ast.Comment) bool { return c.Text == "//racetests:plain" }
		b.isExcluded = slices.ContainsFunc(function.Doc.List, plain)
	}
	ast.Inspect(function.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			b.startsGoroutine = true
		case *ast.CallExpr:
			switch callee := n.Fun.(type) {
			case *ast.Ident:
				b.calls = append(b.calls, prefix+callee.Name)
			case *ast.SelectorExpr:
				b.startsGoroutine = b.startsGoroutine || callee.Sel.Name == "Go"
				b.calls = append(b.calls, "."+callee.Sel.Name)
				if from, ok := callee.X.(*ast.Ident); ok {
					b.calls = append(b.calls, from.Name+"."+callee.Sel.Name)
				}
			}
		}
		return true
	})
}
