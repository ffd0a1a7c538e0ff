package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestAnUntidyRequirementIsNamed(t *testing.T) {
	t.Parallel()
	needed := map[string]bool{"example.org/used": true, "example.org/used/v2": true, "example.org/below": true}
	imports := []string{"example.org/used", "example.org/used/v2/part"}
	tidy := []module{{Path: "example.org/used"}, {Path: "example.org/used/v2"},
		{Path: "example.org/below", Indirect: true}}
	if problems := findUntidy(tidy, imports, needed); len(problems) > 0 {
		t.Errorf("a tidy go.mod: got %q", problems)
	}
	problems := findUntidy([]module{
		{Path: "example.org/used", Indirect: true},
		{Path: "example.org/below"},
		{Path: "example.org/unused", Indirect: true},
	}, append(imports, "example.org/usedtoo"), needed)
	for i, want := range []string{"no module for the import example.org/usedtoo",
		"example.org/used is imported, so it is not // indirect",
		"example.org/below is imported by other modules only", "nothing needs example.org/unused"} {
		if i >= len(problems) || !strings.Contains(problems[i], want) {
			t.Errorf("problem %d: want %q in %q", i, want, problems)
		}
	}
}

func TestImportsAreThoseOfTestsAndOtherSystemsToo(t *testing.T) {
	t.Parallel()
	got, err := importsOf(fstest.MapFS{
		"a.go":              {Data: []byte("package a\nimport (\n\t\"fmt\"\n\t\"laurel.example/laurel/x\"\n\t_ \"example.org/plain\"\n)")},
		"x/a_test.go":       {Data: []byte("package a\nimport \"example.org/tests\"")},
		"x/a_windows.go":    {Data: []byte("//go:build windows\n\npackage a\nimport \"example.org/windows\"")},
		"tools/go.mod":      {Data: []byte("module laurel.example/laurel/tools")},
		"tools/a.go":        {Data: []byte("package a\nimport \"example.org/tools\"")},
		"testdata/a.go":     {Data: []byte("package a\nimport \"example.org/data\"")},
		"node_modules/a.go": {Data: []byte("no Go")},
	})
	want := []string{"example.org/plain", "example.org/tests", "example.org/windows"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}

// TestTheModuleCanBeInstalledByItsPath checks what go install asks of a module of somebody else (decision 147).
func TestTheModuleCanBeInstalledByItsPath(t *testing.T) {
	t.Parallel()
	text, err := exec.CommandContext(t.Context(), "go", "mod", "edit", "-json", filepath.Join("..", "..", "go.mod")).Output()
	if err != nil {
		t.Fatal(err)
	}
	var described struct {
		Module           struct{ Path string }
		Replace, Exclude []any
	}
	if err := json.Unmarshal(text, &described); err != nil {
		t.Fatal(err)
	}
	if described.Module.Path != ownPath || len(described.Replace)+len(described.Exclude) > 0 {
		t.Errorf("go install refuses %s", text)
	}
	source := os.DirFS(filepath.Join("..", ".."))
	allowed := regexp.MustCompile(`^[A-Za-z0-9 !#$%&()+,.=@^_{}~/\[\]-]+$`)
	err = fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && name != "." && isLeftOut(source, name) && path.Base(name) != "testdata" {
			return fs.SkipDir
		}
		if !allowed.MatchString(name) {
			t.Errorf("the archive of a module cannot have %q", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
