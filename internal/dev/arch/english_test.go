package arch_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// maxWidth is how many characters a line may have, tabs counted as one.
const maxWidth = 120

// banned are words that the glossary of CONTRIBUTING.md replaces, with what is written instead.
var banned = []struct {
	words   *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`^// [A-Za-z_]\w*(\.\w+)? answers\b`), "returns, or reports whether"},
	{regexp.MustCompile(`\banswers whether\b`), "reports whether"},
	{regexp.MustCompile(`(?i)\bsomebody outside\b`), "a provider"},
	{regexp.MustCompile(`(?i)\bpoints that wait\b`), "held points"},
}

// Lines may be wider where a break would change a text or make it worse to read: long texts, and rows of data in
// tests.
var (
	literal = regexp.MustCompile("\"[^\"]{16,}|`|https?://|nolint")
	row     = regexp.MustCompile(`["{]`)
)

// englishIsPlain looks at the width of lines and the words of comments. Inside of texts over several lines, such as
// SQL, nothing is judged.
func englishIsPlain(t *tree) []string {
	var out []string
	for _, f := range t.files {
		raw := false
		for i, line := range strings.Split(f.text, "\n") {
			comment := strings.HasPrefix(strings.TrimSpace(line), "//")
			within := raw
			if !comment && strings.Count(line, "`")%2 == 1 {
				raw = !raw
			}
			if within {
				continue
			}
			spared := literal.MatchString(line) || !comment && strings.HasSuffix(f.path, "_test.go") && row.MatchString(line)
			if utf8.RuneCountInString(line) > maxWidth && !spared {
				out = append(out, fmt.Sprintf("%s:%d: wider than %d characters", f.path, i+1, maxWidth))
			}
			if _, comment, ok := strings.Cut(line, "//"); ok {
				for _, b := range banned {
					if b.words.MatchString("//" + comment) {
						out = append(out, fmt.Sprintf("%s:%d: write %s", f.path, i+1, b.instead))
					}
				}
			}
		}
	}
	return out
}

func TestEnglishRule(t *testing.T) {
	t.Parallel()
	wide := strings.Repeat("x", maxWidth)
	tryPlanted(t, englishIsPlain, []planted{
		{"a wide comment", map[string]string{"internal/points/ledger/a.go": "package ledger\n// " + wide + "\n"}, []string{"a.go:2: wider"}},
		{"wide code", map[string]string{"internal/points/ledger/a.go": "package ledger\nvar " + wide + " = 1\n"}, []string{"a.go:2: wider"}},
		{"answers", map[string]string{"internal/points/ledger/a.go": "package ledger\n// F answers 1.\nfunc F() int { return 1 }\n// G answers whether it is so.\nfunc G() bool { return true }\n"},
			[]string{"a.go:2: write returns", "a.go:4: write reports whether", "a.go:4: write returns"}},
		{"words of the glossary", map[string]string{"internal/points/ledger/a.go": "package ledger\nvar a = 1 // of points that wait\n// Somebody outside says so.\n"},
			[]string{"a.go:2: write held points", "a.go:3: write a provider"}},
		{"clean", map[string]string{"internal/points/ledger/a.go": "package ledger\n// A callback answers 200.\nvar a = `\nSELECT " + wide + "`\nvar b = \"" + wide + "\"\n"}, nil},
	})
}

// widePages returns lines of prose that are too wide. Tables, code and addresses cannot be parted.
func widePages(files map[string]string) []string {
	var out []string
	for name, text := range files {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		code := false
		for i, line := range strings.Split(text, "\n") {
			if strings.HasPrefix(line, "```") {
				code = !code
			}
			spared := code || strings.HasPrefix(strings.TrimSpace(line), "|") || strings.Contains(line, "http")
			if utf8.RuneCountInString(line) > maxWidth && !spared {
				out = append(out, fmt.Sprintf("%s:%d: wider than %d characters", name, i+1, maxWidth))
			}
		}
	}
	return sorted(out)
}

func TestPagesFitTheWidth(t *testing.T) {
	t.Parallel()
	wide := strings.Repeat("x ", maxWidth)
	planted := map[string]string{"a.md": "# A\n" + wide + "\n| " + wide + "|\n```\n" + wide + "\n```\n", "a.go": wide}
	if got := widePages(planted); len(got) != 1 || !strings.HasPrefix(got[0], "a.md:2: wider") {
		t.Errorf("planted: %q", got)
	}
	files, err := prose(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range widePages(files) {
		t.Error(fault)
	}
}
