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

// partsAtOnce is how many parts of a list one statement reads.
const partsAtOnce = 16

// entryParts divide a list: an index holds the entries of each in their order, and of all of them none does.
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
	// risesWithTime tells that within an account the column rises and time never falls. The index of an account's entries
	// begins with the time, so sorting by that first leaves only those of one moment to sort.
	risesWithTime bool
}

func (o sortOrder) String() string { return o.byColumns(o.column, "e.id") }

// withinAccount sorts the entries of one account alike.
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

// after continues behind an entry in a list sorted by String, or by within where the list is one account's.
func (o sortOrder) after(w *store.Where, at reached, oneAccount bool) {
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

// place is where an entry stands in a list.
type place struct {
	ID    laurel.ID `db:"id"`
	Place int64     `db:"place"`
}

// reached is where the entry before a page stands.
type reached struct {
	place
	CreatedAt int64 `db:"created_at"`
}

func (o sortOrder) compare(a, b place) int {
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

// mainAccounts returns those that the filter means: a website has few. No index holds their entries together, since
// each completion would have to write it.
func (s *Service) mainAccounts(ctx context.Context, scope laurel.Scope, f EntryFilter) ([]laurel.ID, error) {
	var c store.Where
	whereTenant(&c, "c.", scope)
	store.In(&c, "c.id", f.CurrencyIDs)
	var accounts []laurel.ID
	err := s.db.Select(ctx, &accounts, "SELECT c.main_account_id FROM loyalty_currencies c"+c.String(), c.Args...)
	return accounts, err
}

// rules returns those that the filter means, where they are few: the newest entries of a website may all be of others.
func (s *Service) rules(ctx context.Context, f EntryFilter) ([]laurel.ID, error) {
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

// firstOf finds the first entries of the parts that meet the conditions.
func (s *Service) firstOf(ctx context.Context, all entryParts, o sortOrder, w store.Where, limit int) ([]laurel.ID, error) {
	var first []place
	for some := range slices.Chunk(all.ids, partsAtOnce) {
		query, args := ofParts(w, o, entryParts{all.column, some}, limit)
		var next []place
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

// ofParts is a statement that reads from the index of each part no more than the limit. Parts of nothing fill them up
// to a power of two, so that there are few statements to prepare.
func ofParts(w store.Where, o sortOrder, of entryParts, limit int) (string, []any) {
	texts := make([]string, 1<<bits.Len(uint(len(of.ids)-1)))
	var args []any
	for i := range texts {
		var id laurel.ID
		if i < len(of.ids) {
			id = of.ids[i]
		}
		texts[i] = "SELECT id, place FROM (SELECT e.id, " + o.column + " AS place FROM loyalty_transaction_entries e" + w.String() + " AND " + of.column + " = ?" +
			o.withinAccount() + " LIMIT ?) part"
		args = append(append(args, w.Args...), id, limit)
	}
	whole := "SELECT id, place FROM (" + strings.Join(texts, " UNION ALL ") + ") whole"
	return whole + o.byColumns("place", "id") + " LIMIT ?", append(args, limit)
}
