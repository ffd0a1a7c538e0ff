package arch_test

import (
	"go/ast"
	"path"
	"regexp"
	"strings"
	"testing"
)

// A statement is known by its first words, a part of one by words that prose has not. Keywords stand in capitals here,
// as everywhere in this project; small ones count where what follows leaves no doubt.
var (
	sqlStatement = regexp.MustCompile(
		`^\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE (UNIQUE )?(TABLE|INDEX|VIEW|SEQUENCE)|ALTER TABLE|DROP (TABLE|INDEX)|WITH( RECURSIVE)? \w+ AS)\b`,
	)
	sqlSmall = regexp.MustCompile(
		`(?s)^\s*(select\s.*\sfrom\s+\w+\s*(where|order|join|limit|group|$)|insert\s+into\s+\w+\s*\(|update\s+\w+\s+set\s+\w+\s*=|delete\s+from\s+\w+\s+where\b)`,
	)
	sqlPart = regexp.MustCompile(
		`(^|\s)(WHERE|ORDER BY|GROUP BY|IS NULL|IS NOT NULL|ON CONFLICT|FOR UPDATE|FOR SHARE|(LEFT|INNER|CROSS) JOIN)(\s|$)|\w (=|<|>|<=|>=|<>) \?(\s|$|,|\))`,
	)
)

func isSQL(s string) bool {
	return sqlStatement.MatchString(s) || sqlSmall.MatchString(s) || sqlPart.MatchString(s)
}

func maySQL(f *file) bool {
	base := path.Base(f.path)
	return f.pkg == "store" || base == "sql.go" || strings.HasSuffix(base, "_sql.go")
}

func sqlStandsInSQLFiles(t *tree) []string {
	var out []string
	for _, f := range t.files {
		// These are part of the tests: one creates and drops whole databases, the other writes what no caller can.
		if maySQL(f) || f.pkg == "storetest" || f.pkg == "apptest" {
			continue
		}
		for _, s := range t.texts(f) {
			if isSQL(s.value) {
				out = append(out, t.at(f, s.pos, "SQL belongs in sql.go or *_sql.go: %.60q", s.value))
			}
		}
		out = append(out, t.sqlBuilders(f)...)
	}
	for name := range t.sql {
		if dir := path.Dir(name); dir != migrations && dir != migrations+"/engines" {
			out = append(out, name+": SQL files belong in "+migrations)
		}
	}
	return out
}

// sqlBuilders finds the values of store that become statements.
func (t *tree) sqlBuilders(f *file) []string {
	var out []string
	for pos, name := range uses(f, module+"/internal/store") {
		if name == "Where" || name == "Insert" {
			out = append(out, t.at(f, pos, "store.%s belongs in sql.go or *_sql.go", name))
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		if lit, ok := n.(*ast.CompositeLit); ok && isStoreType(f, lit.Type, "Update") {
			out = append(out, t.at(f, lit.Pos(), "store.Update belongs in sql.go or *_sql.go"))
		}
		if lit, ok := n.(*ast.CompositeLit); ok && isQueueTable(f, lit.Type) {
			out = append(out, t.at(f, lit.Pos(), "worker.QueueTable belongs in sql.go or *_sql.go"))
		}
		return true
	})
	return out
}

// isStoreType tells whether an expression names one of these types of store.
func isStoreType(f *file, e ast.Expr, names ...string) bool {
	return isTypeOf(f, e, module+"/internal/store", names...)
}

// isQueueTable tells whether an expression names the description of a queue's table, which becomes statements.
func isQueueTable(f *file, e ast.Expr) bool {
	return isTypeOf(f, e, module+"/internal/worker", "QueueTable")
}

func isTypeOf(f *file, e ast.Expr, pkg string, names ...string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	x, ok := sel.X.(*ast.Ident)
	if !ok || f.imports[x.Name] != pkg {
		return false
	}
	for _, name := range names {
		if sel.Sel.Name == name {
			return true
		}
	}
	return false
}

func TestSQLRule(t *testing.T) {
	t.Parallel()
	tryPlanted(t, sqlStandsInSQLFiles, []planted{
		{"statements", map[string]string{"internal/points/ledger/post.go": "package ledger\nconst (\n" +
			"\ta = `\n\tSELECT id FROM x`\n\tb = \"INSERT INTO x (id) VALUES (?)\"\n\tc = \"UPDATE x SET a = 1\"\n\td = \"DELETE FROM x\"\n\te = \"CREATE TABLE x ()\"\n" +
			"\tf = \"ALTER TABLE x ADD y\"\n\tg = \"WITH x AS (SELECT 1)\"\n\th = \"select a from x where y\"\n)"},
			[]string{"post.go:10", "post.go:11", "post.go:3", "post.go:5", "post.go:6", "post.go:7", "post.go:8", "post.go:9"}},
		{
			"parts",
			map[string]string{
				"internal/rules/completionjobs/queue.go": "package jobs\nimport \"laurel.example/laurel/internal/worker\"\nvar w = worker.QueueTable{Table: \"x\"}\n",
				"internal/rules/catalog/list.go": "package catalog\nimport \"laurel.example/laurel/internal/store\"\nvar w store.Where\n" +
					"var a = \"t.id = ?\"\nvar b = \" ORDER BY t.id\"\nvar c = store.Update{Table: \"x\"}\n",
			},
			[]string{
				"list.go:3: store.Where",
				"list.go:4",
				"list.go:5",
				"list.go:6: store.Update",
				"queue.go:3: worker.QueueTable",
			},
		},
		{
			"a file of SQL",
			map[string]string{"internal/rules/catalog/extra.sql": "SELECT 1"},
			[]string{"extra.sql: SQL files belong"},
		},
		{
			"clean",
			map[string]string{
				"internal/points/ledger/sql.go":      "package ledger\nconst a = `SELECT 1`",
				"internal/points/ledger/rank_sql.go": "package ledger\nconst b = `UPDATE x SET a = ?`",
				"internal/store/tx.go":               "package store\nconst c = `SELECT 1`",
				migrations + "/1.sql":                "CREATE TABLE x (id UUID);",
				"internal/points/ledger/prose.go": "package ledger\nconst d = \"Select one from the list\"\nconst e = \"update failed\"\nconst f = \"With best wishes\"\n" +
					"const g = \"SELECTION\"\nconst h = \"create a key\"\nconst i = \"/api/x?where=1&a=?\"\nconst j = \"delete from the list what is old\"\n// SELECT in a comment\n",
			},
			nil,
		},
	})
}
