package arch_test

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// listsHaveOneReader keeps lists from being read, and exports from being written, by other rules than those of csvfile.
func listsHaveOneReader(t *tree) []string {
	var out []string
	for _, f := range t.files {
		if f.pkg == "csvfile" {
			continue
		}
		for _, spec := range f.ast.Imports {
			if unquote(spec.Path) == "encoding/csv" {
				out = append(out, t.at(f, spec.Pos(), "encoding/csv: csvfile reads and writes files of separated values"))
			}
		}
		if f.pkg == "content" { // sends files as they were uploaded
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING && strings.Contains(text.Value, "text/csv") {
				out = append(out, t.at(f, text.Pos(), "text/csv: csvfile.Writer writes exports, of csvfile.ContentType"))
			}
			return true
		})
	}
	return out
}

func TestCSVRule(t *testing.T) {
	t.Parallel()
	tryPlanted(t, listsHaveOneReader, []planted{
		{
			"another reader",
			map[string]string{"internal/rules/lists/a.go": "package lists\nimport _ \"encoding/csv\""},
			[]string{"a.go:2: encoding/csv"},
		},
		{
			"another writer",
			map[string]string{"internal/api/rules/a.go": "package rules\nconst kind = \"text/csv\""},
			[]string{"a.go:2: text/csv"},
		},
		{
			"clean",
			map[string]string{
				"internal/content/a.go": "package content\nconst kind = \"text/csv\"",
				"internal/csvfile/a.go": "package csvfile\nconst ContentType = \"text/csv\"",
			},
			nil,
		},
	})
}
