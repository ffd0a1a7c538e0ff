package main

import (
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
		"a.go":              {Data: []byte("package a\nimport (\n\t\"fmt\"\n\t\"laurel/x\"\n\t_ \"example.org/plain\"\n)")},
		"x/a_test.go":       {Data: []byte("package a\nimport \"example.org/tests\"")},
		"x/a_windows.go":    {Data: []byte("//go:build windows\n\npackage a\nimport \"example.org/windows\"")},
		"tools/go.mod":      {Data: []byte("module laurel/tools")},
		"tools/a.go":        {Data: []byte("package a\nimport \"example.org/tools\"")},
		"testdata/a.go":     {Data: []byte("package a\nimport \"example.org/data\"")},
		"node_modules/a.go": {Data: []byte("no Go")},
	})
	want := []string{"example.org/plain", "example.org/tests", "example.org/windows"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q (%v), want %q", got, err, want)
	}
}
