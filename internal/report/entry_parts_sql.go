package report

import (
	"bytes"
	"cmp"
	"context"
	"math/bits"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// A list of the entries of several accounts or rules is read in parts, one per account or rule: an index has the
// entries of each part in order, but no index has all of them in order. The first entries of all parts are merged, and
// make the page.

// partsPerStatement is the number of parts that one statement reads.
const partsPerStatement = 16

// entryParts are the parts of a list: each has the entries with one of the ids in the column.
type entryParts struct {
	column string
	ids    []laurel.ID
}

const (
	accountColumn = "e.loyalty_account_id"
	ruleColumn    = "e.loyalty_rule_id"
)

// sortOrder is how a list of entries is sorted: by a column, then by id.
type sortOrder struct {
	column    string // or an expression
	ascending bool
	// risesWithTime means that within an account the column increases with time. The index of an account's entries begins
	// with the time, so a list that is sorted by time first has the same order, and is read from the index.
	risesWithTime bool
}

// String returns the ORDER BY of the list.
func (o sortOrder) String() string { return o.byColumns(o.column, "e.id") }

// withinAccount returns the ORDER BY for the entries of one account. It gives the same order as String.
func (o sortOrder) withinAccount() string {
	if !o.risesWithTime {
		return o.String()
	}
	return o.byColumns("e.created_at", o.column, "e.id")
}

// byColumns returns the ORDER BY for columns, all in the direction of the list.
func (o sortOrder) byColumns(columns ...string) string {
	direction := " DESC"
	if o.ascending {
		direction = " ASC"
	}
	return " ORDER BY " + strings.Join(columns, direction+", ") + direction
}

// addAfter adds the condition that a row comes after an entry in the list. oneAccount says that all entries of the list
// are of one account; the list is then sorted by withinAccount, and otherwise by String.
func (o sortOrder) addAfter(w *store.Where, at pageStart, oneAccount bool) {
	if !oneAccount || !o.risesWithTime {
		w.After(o.column, "e.id", !o.ascending, at.SortValue, at.ID)
		return
	}
	comparison := " < (?, ?, ?)"
	if o.ascending {
		comparison = " > (?, ?, ?)"
	}
	w.Add("(e.created_at, "+o.column+", e.id)"+comparison, at.CreatedAt, at.SortValue, at.ID)
}

// entryPosition is the position of an entry in a list: the value of the column that the list is sorted by, and the id.
type entryPosition struct {
	ID        laurel.ID `db:"id"`
	SortValue int64     `db:"place"`
}

// pageStart is the position of the entry after which a page begins.
type pageStart struct {
	entryPosition
	CreatedAt int64 `db:"created_at"`
}

// compare returns a negative number if a comes before b in the list, and a positive one if it comes after b.
func (o sortOrder) compare(a, b entryPosition) int {
	c := cmp.Or(cmp.Compare(a.SortValue, b.SortValue), bytes.Compare(a.ID[:], b.ID[:]))
	if !o.ascending {
		return -c
	}
	return c
}

// selectMainAccounts returns the ids of the main accounts of the currencies in f.CurrencyIDs, or of all currencies of
// the scope if there are none. A website has few. The caller reads the entries of each account by a query of its own
// and merges the results: an index over the entries of all main accounts would be written by every completion.
func (s *Service) selectMainAccounts(ctx context.Context, scope laurel.Scope, f EntryFilter) ([]laurel.ID, error) {
	var c store.Where
	whereTenant(&c, "c.", scope)
	store.In(&c, "c.id", f.CurrencyIDs)
	var accounts []laurel.ID
	err := s.db.Select(ctx, &accounts, "SELECT c.main_account_id FROM loyalty_currencies c"+c.String(), c.Args...)
	return accounts, err
}

// selectRules returns the rules that match the filter, so that their entries are read as parts. Reading the website's
// newest entries instead might pass over very many entries of other rules. It returns no rules if there are more than
// maxParts, or only one, since an index has the entries of one rule in order.
func (s *Service) selectRules(ctx context.Context, f EntryFilter) ([]laurel.ID, error) {
	ids := f.RuleIDs
	if !f.RuleGroupID.IsZero() && len(ids) == 0 {
		if err := s.db.Select(
			ctx,
			&ids,
			"SELECT id FROM loyalty_rules WHERE loyalty_rule_group_id = ? LIMIT ?",
			f.RuleGroupID,
			maxParts+1,
		); err != nil {
			return nil, err
		}
	}
	if len(ids) > maxParts || f.RuleGroupID.IsZero() && len(ids) == 1 {
		return nil, nil
	}
	return ids, nil
}

// firstEntries returns the ids of the first entries of all parts that satisfy the conditions w, at most limit, in the
// order of the list.
func (s *Service) firstEntries(
	ctx context.Context, parts entryParts, o sortOrder, w store.Where, limit int,
) ([]laurel.ID, error) {
	var first []entryPosition
	for chunk := range slices.Chunk(parts.ids, partsPerStatement) {
		query, args := selectFromParts(w, o, entryParts{parts.column, chunk}, limit)
		var found []entryPosition
		if err := s.db.Select(ctx, &found, query, args...); err != nil {
			return nil, err
		}
		first = append(first, found...)
		slices.SortFunc(first, o.compare)
		first = first[:min(len(first), limit)]
	}
	ids := make([]laurel.ID, len(first))
	for i, p := range first {
		ids[i] = p.ID
	}
	return ids, nil
}

// selectFromParts returns the statement, with its arguments, for the first limit entries of some parts. It reads at
// most limit entries from the index of each part, and sorts the union. The ids are padded with zero ids, which match no
// entries, to a power of two, so that there are few different statements to prepare.
func selectFromParts(w store.Where, o sortOrder, parts entryParts, limit int) (string, []any) {
	selectPart := "SELECT id, place FROM (SELECT e.id, " + o.column + " AS place FROM loyalty_transaction_entries e" +
		w.String() + " AND " + parts.column + " = ?" + o.withinAccount() + " LIMIT ?) part"
	padded := make([]laurel.ID, 1<<bits.Len(uint(len(parts.ids)-1)))
	copy(padded, parts.ids)
	selects := make([]string, len(padded))
	var args []any
	for i, id := range padded {
		selects[i] = selectPart
		args = append(append(args, w.Args...), id, limit)
	}
	union := "SELECT id, place FROM (" + strings.Join(selects, " UNION ALL ") + ") whole"
	return union + o.byColumns("place", "id") + " LIMIT ?", append(args, limit)
}
