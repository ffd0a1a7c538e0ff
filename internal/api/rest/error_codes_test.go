package rest_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"laurel.example/laurel/internal/api/rest"
)

// refusing are the functions that make refusals for callers, and which of their arguments is the message.
var refusing = map[string]int{
	"Errorf": 1, "Refuse": 0, "refused": 0, "errOrRefused": 1, "newRefusal": 1, "Missing": 0,
}

// notOfTheAPI are folders whose refusals only people see: in the dashboard and at the command line.
var notOfTheAPI = regexp.MustCompile(`^internal/(dashboard|admins|dev|evm/reader|points/audit)(/|$)|^internal/app/organizations\.go$`)

// verb is a verb of package fmt.
var verb = regexp.MustCompile(`%[-+#.0-9]*[a-zA-Z]`)

// TestEveryRefusalHasACode reads all messages of refusals out of the code: a program must not have to compare texts
// (contract 1.11).
func TestEveryRefusalHasACode(t *testing.T) {
	t.Parallel()
	files := sources(t)
	constants := constantsOf(files)
	found := 0
	for path, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := nameOf(call.Fun)
			at, ok := refusing[name]
			if !ok || len(call.Args) <= at || name == "Errorf" && !isRefusal(call.Args[0]) {
				return true
			}
			message, ok := textOf(call.Args[at], file.Name.Name, constants)
			if message = verb.ReplaceAllString(message, "7"); !ok || message == "7" {
				return true
			}
			if name == "Missing" {
				message += " not found"
			}
			found++
			if rest.CodeOfMessage(message) == "" && message != "Bad Request" {
				t.Errorf("%s: %q has no code: add it to error_codes.go", path, message)
			}
			return true
		})
	}
	if found < 150 {
		t.Errorf("only %d refusals were found in the code", found)
	}
}

// sources returns the parsed files behind the API, by path.
func sources(t *testing.T) map[string]*ast.File {
	t.Helper()
	const root = "../../.."
	out, positions := map[string]*ast.File{}, token.NewFileSet()
	err := filepath.WalkDir(filepath.Join(root, "internal"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		short, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		short = filepath.ToSlash(short)
		switch {
		case notOfTheAPI.MatchString(short) && entry.IsDir():
			return filepath.SkipDir
		case notOfTheAPI.MatchString(short), !strings.HasSuffix(short, ".go"), strings.HasSuffix(short, "_test.go"):
			return nil
		}
		out[short], err = parser.ParseFile(positions, path, nil, 0)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// constantsOf returns the texts of constants, by package and name.
func constantsOf(files map[string]*ast.File) map[string]string {
	out := map[string]string{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Names) != len(spec.Values) {
				return true
			}
			for i, name := range spec.Names {
				if text, ok := textOf(spec.Values[i], "", nil); ok {
					out[file.Name.Name+"."+name.Name] = text
				}
			}
			return true
		})
	}
	return out
}

func nameOf(function ast.Expr) string {
	switch f := function.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// isRefusal reports whether the code of an error is one that messages decide about.
func isRefusal(code ast.Expr) bool {
	switch nameOf(code) {
	case "Refused", "Forbidden", "NotFound":
		return true
	}
	return false
}

// textOf returns the text of an expression in a package: literals, constants and their sums.
func textOf(e ast.Expr, pkg string, constants map[string]string) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		text, ok := constants[pkg+"."+e.Name]
		return text, ok
	case *ast.SelectorExpr:
		text, ok := constants[nameOf(e.X)+"."+e.Sel.Name]
		return text, ok
	case *ast.BinaryExpr:
		left, ok := textOf(e.X, pkg, constants)
		right, also := textOf(e.Y, pkg, constants)
		return left + right, ok && also
	}
	return "", false
}

// TestProblemsHaveCodes looks at one problem of each code.
func TestProblemsHaveCodes(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		"is required": "required", "must be a uuid": "not_a_uuid", "must be one of: a, b": "not_one_of",
		"must be between 1 and 100": "out_of_range", "must be at most 5": "out_of_range",
		"must be at most 5 characters": "wrong_length", "must be at least 1 character": "wrong_length",
		"must be between 1 and 64 characters": "wrong_length", "must be at most 9 bytes": "wrong_length",
		"must have at most 5 items": "wrong_item_count", "must have at most 6 decimal places": "too_many_decimal_places",
		"is not a known property": "unknown_property", "must not be the currency of a token reward": "not_allowed",
		"must be after from": "out_of_order", "must be due some day: no date fits it": "invalid",
	} {
		if got := rest.CodeOfProblem("a.0.b", "a.0.b "+message); got != want {
			t.Errorf("%s: %s, want %s", message, got, want)
		}
	}
	for message, want := range map[string]string{
		"Badge not found": "not_found", "userId or walletAddress is required": "required",
		"Malformed JSON body": "malformed_json",
	} {
		if got := rest.CodeOfProblem("x", message); got != want {
			t.Errorf("%s: %s, want %s", message, got, want)
		}
	}
}

// TestCodesAreWords keeps them readable: lower case, and one code for each message.
func TestCodesAreWords(t *testing.T) {
	t.Parallel()
	word := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for _, code := range append(rest.ErrorCodes(), rest.FaultCodes()...) {
		if !word.MatchString(code) {
			t.Errorf("%q is no code", code)
		}
	}
	seen := map[string]bool{}
	for _, message := range rest.Messages() {
		if seen[message] {
			t.Errorf("%q has two codes", message)
		}
		seen[message] = true
	}
}

// TestTheDocsHoldTheErrorCodes compares the tables of docs/contract/error-codes.md with the code. -update writes them.
func TestTheDocsHoldTheErrorCodes(t *testing.T) {
	t.Parallel()
	const path = "../../../docs/contract/error-codes.md"
	was, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	now := string(was)
	for title, rows := range map[string][]string{"codes of errors": rest.ErrorRows(), "codes of problems": rest.ProblemRows()} {
		begin, end := "<!-- "+title+": made by make docs -->\n", "<!-- end -->"
		before, rest, ok := strings.Cut(now, begin)
		_, after, also := strings.Cut(rest, end)
		if !ok || !also {
			t.Fatalf("%s has no place for the %s", path, title)
		}
		now = before + begin + "\n| Code | Message |\n|---|---|\n" + strings.Join(rows, "\n") + "\n\n" + end + after
	}
	if *update {
		err = os.WriteFile(path, []byte(now), 0o644)
	} else if now != string(was) {
		t.Error("docs/contract/error-codes.md is not what the code says: run make docs")
	}
	if err != nil {
		t.Error(err)
	}
}

var update = flag.Bool("update", false, "write the tables of the docs")
