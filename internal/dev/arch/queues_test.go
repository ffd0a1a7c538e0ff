package arch_test

import (
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// queuesServeTenantsInTurn looks at every queue of the worker. The description of its table names the owners of its
// items (QueueTable.OwnerColumn), in a table that has both ids of their tenant and an index by owner and due time,
// which may begin with the column whose value QueueTable.Filter names. The queue says how many owners it serves at
// once (Fairness), two at least. So places are shared by organization first, and none has all.
func queuesServeTenantsInTurn(t *tree) []string {
	var out []string
	columns, indexes := t.columns(), t.indexes()
	for _, f := range t.files {
		if f.pkg == "worker" {
			continue
		}
		ast.Inspect(f.ast, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				out = append(out, t.queueFaults(f, n, columns, indexes)...)
			case *ast.AssignStmt:
				out = append(out, t.ownersNamedLater(f, n)...)
			}
			return true
		})
	}
	return out
}

// queueFaults judges one literal.
func (t *tree) queueFaults(
	f *file,
	lit *ast.CompositeLit,
	columns map[string]map[string]string,
	indexes map[string][]string,
) []string {
	fields := fieldsOf(lit)
	var faults []string
	switch kind := lit.Type.(type) {
	case *ast.IndexExpr:
		if isTypeOf(f, kind.X, module+"/internal/worker", "Queue") && fields["Fairness"] == nil {
			faults = []string{"the queue does not say how many owners it serves at once (Fairness)"}
		}
	default:
		switch {
		case isQueueTable(f, lit.Type):
			faults = t.leasedFaults(f, fields, columns, indexes)
		case isTypeOf(f, lit.Type, module+"/internal/worker", "Fairness") && t.number(f, fields["MaxOwners"]) < 2:
			faults = []string{"Fairness.MaxOwners is a number of two at least: one tenant would have all places"}
		}
	}
	for i, fault := range faults {
		faults[i] = t.at(f, lit.Pos(), "%s", fault)
	}
	return faults
}

// leasedFaults judges the description of a queue's table.
func (t *tree) leasedFaults(
	f *file,
	fields map[string]ast.Expr,
	columns map[string]map[string]string,
	indexes map[string][]string,
) (faults []string) {
	named := func(field string) string {
		if fields[field] == nil {
			return ""
		}
		return t.flatten(f, fields[field])
	}
	table, owner, due := named("Table"), named("OwnerColumn"), named("Due")
	if owner == "" || owner == "¤" {
		return []string{"the queue of " + table + " does not name its owners (OwnerColumn) where it is described"}
	}
	for _, column := range []string{owner, "organization_id", "website_id"} {
		if columns[table][column] == "" {
			faults = append(faults, "the queue of "+table+" needs its column "+column)
		}
	}
	filter := filterColumn.FindStringSubmatch(named("Filter"))
	for _, order := range []string{owner + ", " + due, due} { // to find the next owner, and the item that is due first
		if !slices.ContainsFunc(indexes[table], func(index string) bool {
			if filter != nil {
				index = strings.TrimPrefix(index, filter[1]+", ")
			}
			return index == order || strings.HasPrefix(index, order+",")
		}) {
			faults = append(faults, "the queue of "+table+" has no index by "+order)
		}
	}
	return faults
}

// filterColumn matches the condition of a queue that works on the items with one value of a column.
var filterColumn = regexp.MustCompile(`^(\w+) = '[^']*'$`)

// ownersNamedLater finds owners that are named, or taken away, after a queue is described: nobody could judge them.
func (t *tree) ownersNamedLater(f *file, assign *ast.AssignStmt) (out []string) {
	if !slices.Contains(slices.Collect(maps.Values(f.imports)), module+"/internal/worker") {
		return nil
	}
	for _, target := range assign.Lhs {
		sel, ok := target.(*ast.SelectorExpr)
		if ok && slices.Contains([]string{"OwnerColumn", "Fairness", "MaxOwners"}, sel.Sel.Name) {
			out = append(out, t.at(f, sel.Pos(), "%s is named where the queue is described, and never later", sel.Sel.Name))
		}
	}
	return out
}

func fieldsOf(lit *ast.CompositeLit) map[string]ast.Expr {
	out := map[string]ast.Expr{}
	for _, e := range lit.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok {
				out[key.Name] = pair.Value
			}
		}
	}
	return out
}

// number returns a number that is written down, or the constant of the package with that name; 0 for anything else.
func (t *tree) number(f *file, e ast.Expr) int {
	switch e := e.(type) {
	case *ast.BasicLit:
		n, _ := strconv.Atoi(e.Value) // 0 if it is not a whole number
		return n
	case *ast.Ident:
		for _, other := range t.files {
			if path.Dir(other.path) != path.Dir(f.path) {
				continue
			}
			if value := constOf(other, e.Name); value != nil {
				return t.number(other, value)
			}
		}
	}
	return 0
}

// constOf returns the value of a constant of a file; nil: it has no such constant.
func constOf(f *file, name string) ast.Expr {
	for _, decl := range f.ast.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			value := spec.(*ast.ValueSpec)
			for i, known := range value.Names {
				if known.Name == name && i < len(value.Values) {
					return value.Values[i]
				}
			}
		}
	}
	return nil
}

var indexStep = regexp.MustCompile(
	`CREATE (?:UNIQUE )?INDEX (\w+)\s+ON (\w+) \(([^)]*)\)|DROP INDEX (\w+)|DROP TABLE (\w+)`,
)

// indexes reads the columns of the indexes that tables have on some engine, those of one engine too.
func (t *tree) indexes() map[string][]string {
	type index struct{ table, columns string }
	known := map[string]index{}
	byNumber := func(a, b string) int { return strings.Compare(path.Base(a), path.Base(b)) }
	for _, name := range slices.SortedFunc(maps.Keys(t.sql), byNumber) {
		up, _, _ := strings.Cut(t.sql[name], "-- +goose Down")
		for _, m := range indexStep.FindAllStringSubmatch(up, -1) {
			switch {
			case m[1] != "":
				known[m[1]] = index{m[2], m[3]}
			case m[4] != "":
				delete(known, m[4])
			default:
				maps.DeleteFunc(known, func(_ string, i index) bool { return i.table == m[5] })
			}
		}
	}
	out := map[string][]string{}
	for _, i := range known {
		out[i.table] = append(out[i.table], i.columns)
	}
	return out
}

func TestQueuesServeTenantsInTurn(t *testing.T) {
	t.Parallel()
	const (
		things = "CREATE TABLE things (\n\tid UUID PRIMARY KEY,\n\torganization_id UUID NOT NULL,\n\twebsite_id UUID NOT NULL,\n" +
			"\tdue_at BIGINT\n);\nCREATE INDEX things_due ON things (website_id, due_at) WHERE due_at IS NOT NULL;\n" +
			"CREATE INDEX things_first ON things (due_at) WHERE due_at IS NOT NULL;\n"
		begins = "package jobs\n\nimport \"laurel.example/laurel/internal/worker\"\n\n"
		good   = `var leased = worker.QueueTable{Table: "things", Key: "id", Due: "due_at", OwnerColumn: "website_id"}` + "\n"
	)
	plants := func(migration, code string) map[string]string {
		return map[string]string{
			"internal/store/migrations/00001_a.sql": migration, "internal/rules/completionjobs/sql.go": begins + code,
		}
	}
	tryPlanted(t, queuesServeTenantsInTurn, []planted{
		{
			"no owners", plants(things, `var leased = worker.QueueTable{Table: "things", Key: "id", Due: "due_at"}`),
			[]string{"sql.go:5: the queue of things does not name its owners"},
		},
		{
			"no owners in one of two",
			plants(things, good+`var other = worker.QueueTable{Table: "things", Key: "id", Due: "due_at", OwnerColumn: ""}`),
			[]string{"sql.go:6: the queue of things does not name its owners"},
		},
		{
			"owners that are named later",
			plants(things, "func leased() worker.QueueTable {\n\tl := worker.QueueTable{Table: \"things\", Due: \"due_at\"}\n"+
				"\tif false {\n\t\tl.OwnerColumn = \"website_id\"\n\t}\n\treturn l\n}"),
			[]string{"sql.go:6: the queue of things does not name", "sql.go:8: OwnerColumn is named where"},
		},
		{
			"a table without a tenant", plants(strings.Replace(things, "organization_id", "somebody", 1), good),
			[]string{"sql.go:5: the queue of things needs its column organization_id"},
		},
		{
			"no index by owner", plants(things+"DROP INDEX things_due;\n", good),
			[]string{"sql.go:5: the queue of things has no index by website_id, due_at"},
		},
		{
			"no index by due time", plants(things+"DROP INDEX things_first;\n", good),
			[]string{"sql.go:5: the queue of things has no index by due_at"},
		},
		{
			"a filter by another column",
			plants(
				strings.Replace(things, "(website_id, due_at)", "(status, website_id, due_at)", 1),
				strings.Replace(good, "}", `, Filter: "kind = 'a'"}`, 1),
			),
			[]string{"sql.go:5: the queue of things has no index by website_id, due_at"},
		},
		{
			"a filter by the first column",
			plants(
				strings.NewReplacer("(website_id,", "(kind, website_id,", "(due_at)", "(kind, due_at)").Replace(things),
				strings.Replace(good, "}", `, Filter: "kind = 'a'"}`, 1),
			),
			nil,
		},
		{
			"no fairness", plants(things, good+`var q = worker.Queue[int]{Batch: 1}`),
			[]string{"sql.go:6: the queue does not say how many owners"},
		},
		{
			"one owner at once",
			plants(things, good+"const owners = 1\n\nvar q = worker.Queue[int]{Fairness: worker.Fairness{MaxOwners: owners, MaxLooks: 9}}"),
			[]string{"sql.go:8: Fairness.MaxOwners is a number of two at least"},
		},
		{
			"clean",
			plants(things, good+"const owners = 2\n\nvar q = worker.Queue[int]{Fairness: worker.Fairness{MaxOwners: owners, MaxLooks: 9}}"),
			nil,
		},
	})
}

// TestQueuesAreFound keeps the rule from looking in the wrong place.
func TestQueuesAreFound(t *testing.T) {
	t.Parallel()
	source, err := load(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, f := range source.files {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok && isQueueTable(f, lit.Type) {
				found++
			}
			return true
		})
	}
	if found < 17 {
		t.Errorf("only %d queues were found", found)
	}
}
