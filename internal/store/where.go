package store

import (
	"math/bits"
	"strings"

	"laurel"
)

// Where collects the conditions of a list, all of which must hold.
type Where struct {
	parts []string
	Args  []any
}

// Add puts a condition with its arguments.
func (w *Where) Add(condition string, args ...any) {
	w.parts = append(w.parts, condition)
	w.Args = append(w.Args, args...)
}

// NoIndex returns the prefix that keeps SQLite from using a column's index, for columns such as the tenant's beside
// conditions that name rows. SQLite's planner knows no numbers: it would walk a whole website rather than look up more
// than one key of it. PostgreSQL has no such prefix: where its figures may mislead it, see TenantWithIDs.
func (e Engine) NoIndex() string {
	if e == SQLite {
		return "+"
	}
	return ""
}

// In asks that the column holds one of the values; no values mean no condition.
func In[T any](w *Where, column string, values []T) {
	if len(values) == 0 {
		return
	}
	// The list is filled up with its last value to a power of two, so that there are few statements to prepare.
	args := make([]any, 1<<bits.Len(uint(len(values)-1)))
	for i := range args {
		args[i] = values[min(i, len(values)-1)]
	}
	w.Add(column+" IN ("+placeholders(len(args))+")", args...)
}

// Any is In for statements that are asked often and with lists of any length: on PostgreSQL the values, of the given
// type, travel as one array, so that it is one statement whatever their number.
func Any[T any](w *Where, q Queryer, column, kind string, values []T) {
	if q.Engine() == SQLite || len(values) == 0 {
		In(w, column, values)
		return
	}
	rows := make([][]any, len(values))
	for i, v := range values {
		rows[i] = []any{v}
	}
	w.Add(column+" = ANY((SELECT ?::"+kind+"[])::"+kind+"[])", arrays(rows, []Column{{Type: kind}})...)
}

// Tenant limits the rows to the scope: its organization and, when it names one, its website. The prefix is an alias
// such as "t.".
func (w *Where) Tenant(prefix string, s laurel.Scope) {
	w.Add(prefix+"organization_id = ?", s.OrganizationID)
	if !s.WebsiteID.IsZero() {
		w.Add(prefix+"website_id = ?", s.WebsiteID)
	}
}

// TenantWithIDs adds the conditions on the tenant beside those that name rows by their ids, so that neither engine
// walks a whole website instead of looking the ids up. PostgreSQL would where it has no figures of a table yet, or
// where they are those of smaller websites.
func (w *Where) TenantWithIDs(e Engine, prefix string, s laurel.Scope) {
	if e == SQLite {
		w.Tenant(e.NoIndex()+prefix, s)
		return
	}
	w.Add(prefix+"organization_id IS NOT DISTINCT FROM ?", s.OrganizationID)
	if !s.WebsiteID.IsZero() {
		w.Add(prefix+"website_id IS NOT DISTINCT FROM ?", s.WebsiteID)
	}
}

// After continues a keyset page behind the row with this sort value and id.
func (w *Where) After(sort, id string, descending bool, value any, after laurel.ID) {
	op := " > "
	if descending {
		op = " < "
	}
	w.Add("("+sort+", "+id+")"+op+"(?, ?)", value, after)
}

// String returns " WHERE …", or nothing where there is no condition.
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
