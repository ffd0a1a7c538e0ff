package arch_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const contract = "docs/contract"

var (
	citation = regexp.MustCompile(`\b[Cc]ontract,? (?:section )?(\d+(?:\.\d+)?)`)
	numbered = regexp.MustCompile(`(?m)^#+ (\d+(?:\.\d+)?) `)
	linked   = regexp.MustCompile(`\]\(([^)\s#:]+)(?:#[^)\s]*)?\)`)
)

// prose returns the source and pages that may cite the contract or link to a page.
func prose(root fs.FS) (map[string]string, error) {
	out := map[string]string{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if err == nil && (name != "." && strings.HasPrefix(d.Name(), ".") || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			return err
		}
		if slices.Contains([]string{".go", ".md", ".sql", ".sh"}, path.Ext(name)) {
			text, err := fs.ReadFile(root, name)
			out[name] = string(text)
			return err
		}
		return nil
	})
	return out, err
}

// brokenCitations returns the sections of the contract that are cited and stand in no page of its folder, and the links
// of pages that lead to no file.
func brokenCitations(root fs.FS) ([]string, error) {
	files, err := prose(root)
	sections := map[string]bool{}
	for name, text := range files {
		if path.Dir(name) == contract {
			for _, m := range numbered.FindAllStringSubmatch(text, -1) {
				sections[m[1]] = true
			}
		}
	}
	var out []string
	for name, text := range files {
		for _, m := range citation.FindAllStringSubmatch(text, -1) {
			if !sections[m[1]] {
				out = append(out, name+": the contract has no section "+m[1])
			}
		}
		if path.Ext(name) != ".md" {
			continue
		}
		for _, m := range linked.FindAllStringSubmatch(text, -1) {
			if _, err := fs.Stat(root, path.Join(path.Dir(name), m[1])); err != nil {
				out = append(out, name+": no file at "+m[1])
			}
		}
	}
	return sorted(out), err
}

func TestEverySectionOfTheContractThatIsCitedExists(t *testing.T) {
	t.Parallel()
	broken, err := brokenCitations(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range broken {
		t.Error(b)
	}
}

func TestACitationOfAMissingSectionIsFound(t *testing.T) {
	t.Parallel()
	page := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	got, err := brokenCitations(fstest.MapFS{
		contract + "/requests.md": page("## 1.1 Transport\n\nSee [errors](errors.md) and [keys](keys.md#12-keys).\n"),
		contract + "/keys.md":     page("### 1.2 Keys\n"),
		"internal/x/x.go": page(
			"// X cites contract 1.1 and contract 1.2, which exist, and contract " + "9.9, which does not.\n",
		),
		"scripts/node_modules/other/README.md": page("[Theirs](theirs.md)\n"),
	})
	want := []string{contract + "/requests.md: no file at errors.md", "internal/x/x.go: the contract has no section 9.9"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}

// TestEveryDecisionIsListed: the list of decisions has each of them, with the title that it has.
func TestEveryDecisionIsListed(t *testing.T) {
	t.Parallel()
	const folder = "../../../docs/decisions/"
	list, err := os.ReadFile(folder + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(folder + "0*.md")
	if err != nil || len(files) == 0 {
		t.Fatalf("no decisions were found: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		title, _, _ := strings.Cut(string(text), "\n")
		number, name, _ := strings.Cut(strings.TrimPrefix(title, "# "), ". ")
		if line := fmt.Sprintf("| %s | [%s](%s) |", number, name, filepath.Base(file)); !strings.Contains(string(list), line) {
			t.Errorf("docs/decisions/README.md lacks the line %s", line)
		}
	}
}
