package report

import (
	"bytes"
	"context"
	"math/bits"
	"slices"
	"strings"

	"laurel"
	"laurel/internal/store"
)

// partsAtOnce is the number of parts that one statement reads.
const partsAtOnce = 16

// entryParts divide a list by a column. An index has the entries of each part in order, but no index has all of them
// in order.
type entryParts struct {
	column string
	ids    []laurel.ID
}

const (
	ofAccount = "e.loyalty_account_id"
	ofRule    = "e.loyalty_rule_id"
)

// sortOrder is how a list of entries is sorted.
type sortOrder struct {
	column    string
	ascending bool
	// risesWithTime reports that within an account the column increases with time. The index of an account's entries
	// begins with the time, so sorting by that first leaves only entries of the same moment to sort.
	risesWithTime bool
}

func (o sortOrder) String() string { return o.byColumns(o.column, "e.id") }

// withinAccount returns the ORDER BY for the entries of one account.
func (o sortOrder) withinAccount() string {
	if !o.risesWithTime {
		return o.String()
	}
	return o.byColumns("e.created_at", o.column, "e.id")
}

func (o sortOrder) byColumns(columns ...string) string {
	direction := " DESC"
	if o.ascending {
		direction = " ASC"
	}
	return " ORDER BY " + strings.Join(columns, direction+", ") + direction
}

// after adds the condition that a row comes after an entry, in a list sorted by String, or by withinAccount for the
// list of one account.
func (o sortOrder) after(w *store.Where, at pageStart, oneAccount bool) {
	if !oneAccount || !o.risesWithTime {
		w.After(o.column, "e.id", !o.ascending, at.Place, at.ID)
		return
	}
	comparison := " < (?, ?, ?)"
	if o.ascending {
		comparison = " > (?, ?, ?)"
	}
	w.Add("(e.created_at, "+o.column+", e.id)"+comparison, at.CreatedAt, at.Place, at.ID)
}

// entryPosition is the position of an entry in a list.
type entryPosition struct {
	ID    laurel.ID `db:"id"`
	Place int64     `db:"place"`
}

// pageStart is the position of the entry after which a page begins.
type pageStart struct {
	entryPosition
	CreatedAt int64 `db:"created_at"`
}

func (o sortOrder) compare(a, b entryPosition) int {
	c := bytes.Compare(a.ID[:], b.ID[:])
	if a.Place != b.Place {
		c = 1
		if a.Place < b.Place {
			c = -1
		}
	}
	if !o.ascending {
		return -c
	}
	return c
}

// mainAccounts returns the main accounts that match the filter: a website has few. No index has all their entries in
// order, since every completion would have to write it.
func (s *Service) mainAccounts(ctx context.Context, scope laurel.Scope, f EntryFilter) ([]laurel.ID, error) {
	var c store.Where
	whereTenant(&c, "c.", scope)
	store.In(&c, "c.id", f.CurrencyIDs)
	var accounts []laurel.ID
	err := s.db.Select(ctx, &accounts, "SELECT c.main_account_id FROM loyalty_currencies c"+c.String(), c.Args...)
	return accounts, err
}

// selectRules returns the rules that match the filter if they are few. Reading a website's newest entries instead might
// find only entries of other rules.
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
	if len(ids) > maxParts || f.RuleGroupID.IsZero() && len(ids) == 1 { // one by itself is read in order anyway
		return nil, nil
	}
	return ids, nil
}

// firstEntries returns the first entries of the parts, in order, that satisfy the conditions.
func (s *Service) firstEntries(
	ctx context.Context, all entryParts, o sortOrder, w store.Where, limit int,
) ([]laurel.ID, error) {
	var first []entryPosition
	for some := range slices.Chunk(all.ids, partsAtOnce) {
		query, args := selectFromParts(w, o, entryParts{all.column, some}, limit)
		var next []entryPosition
		if err := s.db.Select(ctx, &next, query, args...); err != nil {
			return nil, err
		}
		first = append(first, next...)
		slices.SortFunc(first, o.compare)
		first = first[:min(len(first), limit)]
	}
	ids := make([]laurel.ID, len(first))
	for i, p := range first {
		ids[i] = p.ID
	}
	return ids, nil
}

// selectFromParts returns a statement that reads at most limit entries from the index of each part. The parts are
// padded with empty ones to a power of two, so that there are few different statements to prepare.
func selectFromParts(w store.Where, o sortOrder, parts entryParts, limit int) (string, []any) {
	texts := make([]string, 1<<bits.Len(uint(len(parts.ids)-1)))
	var args []any
	for i := range texts {
		var id laurel.ID
		if i < len(parts.ids) {
			id = parts.ids[i]
		}
		texts[i] = "SELECT id, place FROM (SELECT e.id, " + o.column + " AS place FROM loyalty_transaction_entries e" + w.String() + " AND " + parts.column + " = ?" +
			o.withinAccount() + " LIMIT ?) part"
		args = append(append(args, w.Args...), id, limit)
	}
	whole := "SELECT id, place FROM (" + strings.Join(texts, " UNION ALL ") + ") whole"
	return whole + o.byColumns("place", "id") + " LIMIT ?", append(args, limit)
}
