package store

import (
	"math/bits"
	"strings"

	"laurel.example/laurel"
)

// Where collects the conditions of a query, joined by AND.
type Where struct {
	parts []string
	Args  []any
}

// Add adds a condition with its arguments.
func (w *Where) Add(condition string, args ...any) {
	w.parts = append(w.parts, condition)
	w.Args = append(w.Args, args...)
}

// With adds a condition, as Add does, and returns w.
func (w *Where) With(condition string, args ...any) *Where {
	w.Add(condition, args...)
	return w
}

// OfTenant returns the condition for all records of the scope, deleted ones included.
func OfTenant(scope laurel.Scope) *Where {
	w := &Where{}
	w.Tenant("", scope)
	return w
}

// Live returns the condition for the records of the scope that are not deleted.
func Live(scope laurel.Scope) *Where { return OfTenant(scope).With("deleted_at IS NULL") }

// LiveByID returns the condition for the record of the scope with the id, unless it is deleted.
func LiveByID(scope laurel.Scope, id laurel.ID) *Where { return Live(scope).With("id = ?", id) }

// NoIndexPrefix returns the prefix that keeps SQLite from using the index of a column, such as a tenant's column in a
// query that names rows by id. SQLite's planner has no statistics: it would scan a whole website rather than look up
// more than one id. The prefix is empty on PostgreSQL, for which TenantWithIDs has another way.
func (e Engine) NoIndexPrefix() string {
	if e == SQLite {
		return "+"
	}
	return ""
}

// In adds the condition that the column has one of the values. Without values it adds no condition, so that all rows
// match.
func In[T any](w *Where, column string, values []T) {
	if len(values) == 0 {
		return
	}
	// The list is padded with its last value to a power of two, so that there are few different statements to prepare.
	args := make([]any, 1<<bits.Len(uint(len(values)-1)))
	for i := range args {
		args[i] = values[min(i, len(values)-1)]
	}
	w.Add(column+" IN ("+placeholders(len(args))+")", args...)
}

// InArray adds the same condition as In, for statements that run often with lists of any length. On PostgreSQL the
// values, of the SQL type kind, are one array argument, so that it is one statement whatever their number.
func InArray[T any](w *Where, q Queryer, column, kind string, values []T) {
	if q.Engine() == SQLite || len(values) == 0 {
		In(w, column, values)
		return
	}
	rows := make([][]any, len(values))
	for i, v := range values {
		rows[i] = []any{v}
	}
	w.Add(column+" = ANY((SELECT ?::"+kind+"[])::"+kind+"[])", columnArrays(rows, []Column{{Type: kind}})...)
}

// Tenant limits the rows to the scope: its organization and, when it names one, its website. The prefix is an alias
// such as "t.".
func (w *Where) Tenant(prefix string, s laurel.Scope) {
	w.Add(prefix+"organization_id = ?", s.OrganizationID)
	if !s.WebsiteID.IsZero() {
		w.Add(prefix+"website_id = ?", s.WebsiteID)
	}
}

// TenantWithIDs adds the conditions of Tenant to a query that names rows by id, in a form that keeps both engines from
// scanning the whole website instead of looking up the ids. PostgreSQL would do so if its statistics of a table are
// missing or come from smaller websites.
func (w *Where) TenantWithIDs(e Engine, prefix string, s laurel.Scope) {
	if e == SQLite {
		w.Tenant(e.NoIndexPrefix()+prefix, s)
		return
	}
	w.Add(prefix+"organization_id IS NOT DISTINCT FROM ?", s.OrganizationID)
	if !s.WebsiteID.IsZero() {
		w.Add(prefix+"website_id IS NOT DISTINCT FROM ?", s.WebsiteID)
	}
}

// After adds the condition for the next page of a list that is sorted by the columns sort and id: rows after the one
// with the given sort value and id.
func (w *Where) After(sort, id string, descending bool, value any, after laurel.ID) {
	op := " > "
	if descending {
		op = " < "
	}
	w.Add("("+sort+", "+id+")"+op+"(?, ?)", value, after)
}

// String returns " WHERE …", or "" if there is no condition.
func (w *Where) String() string {
	if len(w.parts) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(w.parts, " AND ")
}

// EscapeLike escapes the wildcards of LIKE in a text, for patterns with ESCAPE '\'.
func EscapeLike(text string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text)
}
