package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// broken returns the tests that a page names and that no file below the source declares. A run of all tests asks more,
// namely whether they passed, but only at its end.
func broken(t *testing.T, page string, source fs.FS) []string {
	t.Helper()
	var declared strings.Builder
	err := fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && isLeftOut(source, name):
			return fs.SkipDir
		case d.IsDir(), !strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(source, name)
		declared.Write(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, name := range regexp.MustCompile(`\bTest[A-Z]\w*`).FindAllString(page, -1) {
		if !strings.Contains(declared.String(), "\nfunc "+name+"(") {
			out = append(out, name)
		}
	}
	return out
}

func TestEveryPromiseNamesATestThatIsThere(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..")
	page, err := os.ReadFile(filepath.Join(root, "SECURITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	if missing := broken(t, string(page), os.DirFS(root)); len(missing) > 0 {
		t.Errorf("SECURITY.md names %q, which are not there: name what keeps the promise now", missing)
	}
	planted := "A promise. `TestEveryPromiseNamesATestThatIsThere`, `Test" + "OfNothing`"
	if missing := broken(t, planted, os.DirFS(".")); len(missing) != 1 || missing[0] != "Test"+"OfNothing" {
		t.Errorf("of a planted page: got %q, want the test of nothing", missing)
	}
}
