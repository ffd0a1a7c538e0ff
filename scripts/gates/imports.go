package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// ownPath is the path of this module.
const ownPath = "laurel.example/laurel"

// importsOf returns the packages of other modules that the Go files below source import, sorted. Tests and files for
// other systems count too, as for go mod tidy. Folders that isLeftOut names are left out.
func importsOf(source fs.FS) ([]string, error) {
	var out []string
	err := fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && isLeftOut(source, name):
			return fs.SkipDir
		case d.IsDir(), !strings.HasSuffix(name, ".go"):
			return nil
		}
		text, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			isOwn := target == ownPath || strings.HasPrefix(target, ownPath+"/")
			if first, _, _ := strings.Cut(target, "/"); !isOwn && strings.Contains(first, ".") { // of no standard library
				out = append(out, target)
			}
		}
		return nil
	})
	slices.Sort(out)
	return slices.Compact(out), err
}

// isLeftOut reports whether a folder does not belong to the module: the folder is a module of its own, such as tools,
// or one that the go command ignores.
func isLeftOut(source fs.FS, dir string) bool {
	base := path.Base(dir)
	if base == "testdata" || base == "node_modules" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return true
	}
	_, err := fs.Stat(source, path.Join(dir, "go.mod"))
	return err == nil
}
