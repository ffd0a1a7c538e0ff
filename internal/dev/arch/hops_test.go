package arch_test

import (
	"fmt"
	"go/ast"
	"os"
	"regexp"
	"strings"
	"testing"
)

// mostHops is how many functions a completion passes at most between its route and COMMIT.
const mostHops = 10

var hop = regexp.MustCompile("^\\d+\\. `([^`]+)` `([^`]+)`: ")

// hopsStand looks at the hops that docs/ARCHITECTURE.md tells of: each function stands in its file, is named once and
// called by those before it or by what they hand themselves to.
func hopsStand(t *tree, page string) []string {
	_, rest, _ := strings.Cut(page, "<!-- hops:")
	list, _, ended := strings.Cut(rest, "<!-- end of hops -->")
	if !ended {
		return []string{"docs/ARCHITECTURE.md has no list of hops"}
	}
	var out []string
	seen := map[string]bool{}
	for _, line := range strings.Split(list, "\n")[1:] {
		m := hop.FindStringSubmatch(line)
		switch {
		case strings.TrimSpace(line) == "":
		case m == nil:
			out = append(out, "no hop: "+line)
		case seen[m[1]+m[2]]:
			out = append(out, m[2]+" is entered twice")
		case !t.declares(m[1], m[2]):
			out = append(out, fmt.Sprintf("%s has no function %s", m[1], m[2]))
		default:
			seen[m[1]+m[2]] = true
		}
	}
	if len(seen) > mostHops || len(seen) == 0 {
		out = append(out, fmt.Sprintf("%d hops, at most %d", len(seen), mostHops))
	}
	return out
}

func (t *tree) declares(path, name string) bool {
	for _, f := range t.files {
		if f.path != path {
			continue
		}
		for _, d := range f.ast.Decls {
			if function, ok := d.(*ast.FuncDecl); ok && function.Name.Name == name {
				return true
			}
		}
	}
	return false
}

func TestTheHopsOfACompletionAreAsThePageSays(t *testing.T) {
	t.Parallel()
	source, err := load(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range hopsStand(source, string(page)) {
		t.Error(fault)
	}
}

func TestHopsThatDoNotStandAreTold(t *testing.T) {
	t.Parallel()
	source := plant(t, map[string]string{"internal/points/ledger/a.go": "package ledger\nfunc A() {}\nfunc B() {}\n"})
	const a, b = "1. `internal/points/ledger/a.go` `A`: x\n", "2. `internal/points/ledger/a.go` `B`: x\n"
	list := func(text string) string { return "<!-- hops: -->\n" + text + "<!-- end of hops -->\n" }
	for want, text := range map[string]string{
		"":                    list(a + b),
		"A is entered twice":  list(a + b + a),
		"has no function C":   list("1. `internal/points/ledger/a.go` `C`: x\n" + a),
		"no hop: or so":       list(a + "or so\n"),
		"0 hops, at most 10":  list(""),
		"has no list of hops": a,
	} {
		if got := strings.Join(hopsStand(source, text), "; "); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
