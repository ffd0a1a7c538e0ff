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

// hop is a line of the list: a hop, or, with a dash, a function that a hop calls.
var hop = regexp.MustCompile("^(?:(\\d+)\\.|   -) `([^`]+)` `([^`]+)`: ")

// hopsStand looks at the hops that docs/ARCHITECTURE.md tells of, and at the functions that each hop calls: each function
// stands in its file and is named once.
func hopsStand(t *tree, page string) []string {
	_, rest, _ := strings.Cut(page, "<!-- hops:")
	list, _, ended := strings.Cut(rest, "<!-- end of hops -->")
	if !ended {
		return []string{"docs/ARCHITECTURE.md has no list of hops"}
	}
	var out []string
	seen, hops := map[string]bool{}, 0
	for _, line := range strings.Split(list, "\n")[1:] {
		m := hop.FindStringSubmatch(line)
		switch {
		case strings.TrimSpace(line) == "":
		case m == nil:
			out = append(out, "no hop: "+line)
		case seen[m[2]+m[3]]:
			out = append(out, m[3]+" is entered twice")
		case !t.declares(m[2], m[3]):
			out = append(out, fmt.Sprintf("%s has no function %s", m[2], m[3]))
		default:
			seen[m[2]+m[3]] = true
			if m[1] != "" {
				hops++
			}
		}
	}
	if hops > mostHops || hops == 0 {
		out = append(out, fmt.Sprintf("%d hops, at most %d", hops, mostHops))
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
		"has no function D":   list(a + "   - `internal/points/ledger/a.go` `D`: x\n"),
		"B is entered twice":  list(a + b + "   - `internal/points/ledger/a.go` `B`: x\n"),
		"no hop: or so":       list(a + "or so\n"),
		"0 hops, at most 10":  list(""),
		"has no list of hops": a,
	} {
		if got := strings.Join(hopsStand(source, text), "; "); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
