package completionjobs

import (
	"strings"

	"laurel.example/laurel"
)

// PageQuery returns the statement that reads the first page of the jobs that a filter selects.
func PageQuery(scope laurel.Scope, f Filter) (query string, args []any) {
	l := newest(scope, f)
	order := strings.Join(l.Order, " DESC, ") + " DESC"
	return table.Query() + l.Where.String() + " ORDER BY " + order + " LIMIT 26", l.Where.Args
}
