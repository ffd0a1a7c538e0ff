package main

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

func TestAnUntidyRequirementIsNamed(t *testing.T) {
	t.Parallel()
	needed := map[string]bool{"example.org/used": true, "example.org/used/v2": true, "example.org/below": true}
	imports := []string{"example.org/used", "example.org/used/v2/part"}
	tidy := []module{{Path: "example.org/used"}, {Path: "example.org/used/v2"},
		{Path: "example.org/below", Indirect: true}}
	if problems := untidy(tidy, imports, needed); len(problems) > 0 {
		t.Errorf("a tidy go.mod: got %q", problems)
	}
	problems := untidy([]module{
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

const goodList = `# Modules
| Date | What was looked at | Found |
| Module | Version | Released | Reviewed | Used by |
|---|---|---|---|---|
| example.org/a | v1.0.0 | 2026-01-02 | 2026-02-03 | binary |
| example.org/b | v2.0.0 | 2026-01-02 | 2026-02-03 | binary, through others |
`

func TestAModuleWithoutItsLineInTheListIsNamed(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	a := module{Path: "example.org/a", Version: "v1.0.0", binary: true, released: day}
	b := module{Path: "example.org/b", Version: "v2.0.0", Indirect: true, binary: true}
	otherDay := a
	otherDay.released = day.AddDate(0, 0, 1)
	for _, same := range []module{a, otherDay} {
		if problems := unlisted([]module{same, b}, goodList); len(problems) > 0 {
			t.Errorf("a list of all: got %q", problems)
		}
	}
	bumped, testsOnly := a, a
	bumped.Version, testsOnly.binary = "v1.1.0", false
	for name, c := range map[string]struct {
		required []module
		list     string
		want     string
	}{
		"a new module": {[]module{a, b, {Path: "example.org/c", Version: "v3.0.0"}}, goodList,
			"example.org/c v3.0.0 is missing"},
		"another version":       {[]module{bumped, b}, goodList, "example.org/a is at v1.1.0 in go.mod, not at v1.0.0"},
		"a module that is gone": {[]module{a}, goodList, "go.mod does not require example.org/b"},
		"another use":           {[]module{testsOnly, b}, goodList, "tests, other systems"},
		"no review": {[]module{a, b}, strings.Replace(goodList, "2026-02-03 | binary |", unreviewed+" | binary |", 1),
			"nobody has reviewed example.org/a"},
	} {
		if problems := strings.Join(unlisted(c.required, c.list), "\n"); !strings.Contains(problems, c.want) {
			t.Errorf("%s: want %q in %q", name, c.want, problems)
		}
	}
}

func TestANewVersionWaitsForItsReview(t *testing.T) {
	t.Parallel()
	have := rowsOf(goodList)["example.org/a"]
	if got := wanted(module{Path: "example.org/a", Version: "v1.1.0", binary: true}, have); got.reviewed != unreviewed {
		t.Errorf("got %v, want it to be %s reviewed", got, unreviewed)
	}
	if got := wanted(module{Path: "example.org/a", Version: "v1.0.0", binary: true}, have); got != have {
		t.Errorf("got %v, want %v: nothing has changed", got, have)
	}
}
