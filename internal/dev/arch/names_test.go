package arch_test

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// privateWords are ordinary words that say nothing as names: a stranger cannot guess what a function or a value that is
// named after them does. The glossary of CONTRIBUTING.md says what to write.
var privateWords = strings.Fields(`
	told tell tells fed deed deeds gave whom whose somebody nobody nothing theirs beside anew alone fare fares lump
	brought party lacks lacking crowd crowds crowded seen said heard`)

// setOfLoop is the usual name in Go for the set of values that a loop has met. As a local name it is clear.
const setOfLoop = "seen"

// rankingWord is a word of ranking that also was one of rules: it names what stands in a ranking only.
const rankingWord = "standing"

// privateNames are the names that keep such a word, with the reason. There are at most maxPrivateNames.
var privateNames = map[string]string{
	"arch.thirdParty": "the usual word for modules of others",
}

const maxPrivateNames = 20

// privateClauses are parts of sentences without a subject.
var privateClauses = []struct {
	words   *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`(?i)\bof what\b`), "a noun for of what"},
	{regexp.MustCompile(`(?i)\bof whom\b`), "a noun for of whom"},
	{regexp.MustCompile(`(?i)\bwhoever\b`), "a noun for whoever"},
	{regexp.MustCompile(`(?i)\bwho is \w+ is\b`), "a noun for who is"},
	{regexp.MustCompile(`(?i)\b(entry|entries|credit|credits|debit|debits|parts?|ids?|lists?|points) of nothing\b`), "zero, empty or unknown for of nothing"},
}

var nameWord = regexp.MustCompile(`[A-Z]+[a-z0-9]*|[a-z0-9]+`)

// namesCanBeGuessed looks at the names that the code and its tests declare, at package comments, and at comments.
func namesCanBeGuessed(t *tree) []string {
	var out []string
	for _, f := range slices.Concat(t.files, t.tests) {
		out = append(out, t.privateNamesIn(f)...)
		out = append(out, t.privateCommentsIn(f)...)
	}
	return out
}

func (t *tree) privateNamesIn(f *file) []string {
	var out []string
	declared := func(name *ast.Ident, local bool) {
		if local && name.Name == setOfLoop {
			return
		}
		if word := privateWord(f, name.Name); word != "" && privateNames[f.pkg+"."+name.Name] == "" {
			out = append(out, t.at(f, name.Pos(), "%s: the glossary has another word for %q", name.Name, word))
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		_, assigned := n.(*ast.AssignStmt)
		for _, name := range declaredBy(n) {
			declared(name, assigned)
		}
		return true
	})
	return out
}

// declaredBy returns the names that a node of the source declares itself. Tests are sentences, and may use any word.
func declaredBy(n ast.Node) []*ast.Ident {
	var left []ast.Expr
	switch n := n.(type) {
	case *ast.FuncDecl:
		if !strings.HasPrefix(n.Name.Name, "Test") {
			return []*ast.Ident{n.Name}
		}
	case *ast.TypeSpec:
		return []*ast.Ident{n.Name}
	case *ast.ValueSpec:
		return n.Names
	case *ast.Field:
		return n.Names
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			left = n.Lhs
		}
	case *ast.RangeStmt:
		if n.Tok == token.DEFINE {
			left = []ast.Expr{n.Key, n.Value}
		}
	}
	var out []*ast.Ident
	for _, e := range left {
		if name, ok := e.(*ast.Ident); ok {
			out = append(out, name)
		}
	}
	return out
}

func privateWord(f *file, name string) string {
	if strings.Contains(strings.ToLower(name), "letgo") {
		return "letGo"
	}
	for _, word := range nameWord.FindAllString(name, -1) {
		word = strings.ToLower(word)
		if slices.Contains(privateWords, word) || word == rankingWord && !strings.Contains(f.path, "rank") {
			return word
		}
	}
	return ""
}

func (t *tree) privateCommentsIn(f *file) []string {
	var out []string
	if doc := f.ast.Doc; doc != nil && path.Base(path.Dir(f.path)) != "." && f.ast.Name.Name != "main" {
		want := "// Package " + strings.TrimSuffix(f.ast.Name.Name, "_test") + " "
		if !strings.HasPrefix(doc.List[0].Text, want) {
			out = append(out, t.at(f, doc.Pos(), "the package comment does not begin with %q", want[3:]))
		}
	}
	for _, group := range f.ast.Comments {
		// a clause may stand over two lines
		text, _ := strings.CutPrefix(strings.Join(strings.Fields(strings.ReplaceAll(commentText(group), "//", " ")), " "), " ")
		for _, clause := range privateClauses {
			if clause.words.MatchString(text) {
				out = append(out, t.at(f, group.Pos(), "write %s", clause.instead))
			}
		}
	}
	return out
}

func commentText(group *ast.CommentGroup) string {
	var b strings.Builder
	for _, c := range group.List {
		b.WriteString(c.Text + " ")
	}
	return b.String()
}

func TestNamesRule(t *testing.T) {
	t.Parallel()
	source := func(text string) map[string]string {
		return map[string]string{"internal/points/ledger/a.go": "package ledger\n" + text}
	}
	tryPlanted(t, namesCanBeGuessed, []planted{
		{"a function", source("func tellShared() {}"), []string{`tellShared: the glossary has another word for "tell"`}},
		{"a type", source("type Told struct{}"), []string{"a.go:2: Told"}},
		{"a field", source("type row struct{ lumpSum int }"), []string{"lumpSum"}},
		{"a method and its parameter", source("type a int\nfunc (a) letGo(seen bool) {}"), []string{"letGo", "seen"}},
		{"a result", source("func a() (theirs int) { return 0 }"), []string{"theirs"}},
		{"a set of a loop", source("func a() {\n\tseen := map[int]bool{}\n\t_ = seen\n}"), nil},
		{"a constant", source("const whoseTurn = 1"), []string{"whoseTurn"}},
		{"a variable inside a function", source("func a() {\n\theard := 1\n\t_ = heard\n}"), []string{"a.go:3: heard"}},
		{"variables of a loop", source("func a() { for lacks, party := range []int{} { _, _ = lacks, party } }"), []string{"lacks", "party"}},
		{"standing of a member", source("type standing struct{}"), []string{"standing"}},
		{"a helper of tests", map[string]string{"internal/points/ledger/a_test.go": "package ledger_test\nfunc nobody() {}\n"}, []string{"nobody"}},
		{"the comment of a package that was renamed", map[string]string{"internal/points/ledger/a.go": "// Package books owns points.\npackage ledger\n"}, []string{`does not begin with "Package ledger "`}},
		{"of what", source("// F does of what is asked.\nfunc F() {}"), []string{"of what"}},
		{"of whom, over two lines", source("// F lists the members of\n// whom is known who they are.\nfunc F() {}"), []string{"of whom"}},
		{"whoever", source("func F() {} // Whoever asks is paid."), []string{"whoever"}},
		{"who is", source("// Who is blocked is refused.\nfunc F() {}"), []string{"who is"}},
		{"of nothing", source("// F posts an entry of nothing.\nfunc F() {}"), []string{"of nothing"}},
		{"clean", map[string]string{
			"internal/points/rank/a.go":        "// Package rank works ranks out.\npackage rank\n\ntype standing struct{}\n",
			"internal/points/ledger/a_test.go": "package ledger_test\nfunc TestNobodyIsToldWhatTheySaid() {}\n",
			"internal/points/ledger/b.go":      "// Package ledger owns points.\npackage ledger\n\n// retell uses no word of the list: telling is another.\nfunc retell(telling int) {}\n",
		}, nil},
	})
}

func TestNamesKeepFewPrivateWords(t *testing.T) {
	t.Parallel()
	if len(privateNames) > maxPrivateNames {
		t.Errorf("%d names keep a private word, the limit is %d", len(privateNames), maxPrivateNames)
	}
	for name, reason := range privateNames {
		if reason == "" {
			t.Errorf("%s has no reason", name)
		}
		t.Logf("%s: %s", name, reason)
	}
}
