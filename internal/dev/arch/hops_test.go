package arch_test

import (
	"fmt"
	"go/ast"
	"os"
	"regexp"
	"strings"
	"testing"
)

// mostHops is how many functions a story passes at most, beside those that they call.
const mostHops = 10

// hop is a line of a list: a hop, or, with a dash, a function that a hop calls.
var hop = regexp.MustCompile("^(?:(\\d+)\\.| {3}-) `([^`]+)` `([^`]+)`: ")

// hopsStand looks at the lists of hops in docs/ARCHITECTURE.md, each of which tells a story, and at the functions that
// each hop calls: each function stands in its file and is named once in a list.
func hopsStand(t *tree, page string) (out []string) {
	lists := strings.Split(page, "<!-- hops")[1:]
	if len(lists) == 0 {
		return []string{"docs/ARCHITECTURE.md has no list of hops"}
	}
	for _, list := range lists {
		list, _, ended := strings.Cut(list, "<!-- end of hops -->")
		if !ended {
			return append(out, "a list of hops has no end")
		}
		out = append(out, hopsOfListStand(t, strings.Split(list, "\n")[1:])...)
	}
	return out
}

func hopsOfListStand(t *tree, lines []string) (out []string) {
	named, hops := map[string]bool{}, 0
	for _, line := range lines {
		m := hop.FindStringSubmatch(line)
		switch {
		case strings.TrimSpace(line) == "":
		case m == nil:
			out = append(out, "no hop: "+line)
		case named[m[2]+m[3]]:
			out = append(out, m[3]+" is entered twice")
		case !t.declares(m[2], m[3]):
			out = append(out, fmt.Sprintf("%s has no function %s", m[2], m[3]))
		default:
			named[m[2]+m[3]] = true
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

func TestTheHopsAreAsThePageSays(t *testing.T) {
	t.Parallel()
	expectNoFaults(t, hopsStand)
}

// expectNoFaults reports what a rule finds in docs/ARCHITECTURE.md and the tree.
func expectNoFaults(t *testing.T, rule func(t *tree, page string) []string) {
	t.Helper()
	source, err := load(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../../docs/ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range rule(source, string(page)) {
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
		"has no end":          "<!-- hops -->\n" + a,
		"has no function E":   list(a) + list("1. `internal/points/ledger/a.go` `E`: x\n"),
	} {
		if got := strings.Join(hopsStand(source, text), "; "); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
