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

// accountsAtOnce is how many accounts one statement reads the entries of.
const accountsAtOnce = 16

// order is how a list of entries is sorted.
type order struct {
	column    string
	ascending bool
	// rises tells that within an account the column rises and time never falls. The index of an account's entries begins with the time, so sorting by that
	// first leaves only those of one moment to sort.
	rises bool
}

func (o order) String() string { return o.by(o.column, "e.id") }

// within sorts the entries of one account alike.
func (o order) within() string {
	if !o.rises {
		return o.String()
	}
	return o.by("e.created_at", o.column, "e.id")
}

func (o order) by(columns ...string) string {
	direction := " DESC"
	if o.ascending {
		direction = " ASC"
	}
	return " ORDER BY " + strings.Join(columns, direction+", ") + direction
}

// after continues behind an entry in a list sorted by String, or by within where the list is one account's.
func (o order) after(w *store.Where, at reached, oneAccount bool) {
	if !oneAccount || !o.rises {
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

func (o order) compare(a, b place) int {
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

// mainAccounts answers those that the filter means: a website has few. No index holds their entries together, since each completion would have to write
// it.
func (s *Service) mainAccounts(ctx context.Context, scope laurel.Scope, f EntryFilter) ([]laurel.ID, error) {
	var c store.Where
	tenant(&c, "c.", scope)
	store.In(&c, "c.id", f.CurrencyIDs)
	var accounts []laurel.ID
	err := s.db.Select(ctx, &accounts, "SELECT c.main_account_id FROM loyalty_currencies c"+c.String(), c.Args...)
	return accounts, err
}

// firstOf finds the first entries of accounts that meet the conditions.
func (s *Service) firstOf(ctx context.Context, accounts []laurel.ID, o order, w store.Where, limit int) ([]laurel.ID, error) {
	var first []place
	for some := range slices.Chunk(accounts, accountsAtOnce) {
		query, args := ofAccounts(w, o, some, limit)
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

// ofAccounts is a statement that reads from each account's index no more than the limit. Accounts that are none fill them up to a power of two, so that
// there are few statements to prepare.
func ofAccounts(w store.Where, o order, accounts []laurel.ID, limit int) (string, []any) {
	parts := make([]string, 1<<bits.Len(uint(len(accounts)-1)))
	var args []any
	for i := range parts {
		var account laurel.ID
		if i < len(accounts) {
			account = accounts[i]
		}
		parts[i] = "SELECT id, place FROM (SELECT e.id, " + o.column + " AS place FROM loyalty_transaction_entries e" + w.String() + " AND e.loyalty_account_id = ?" +
			o.within() + " LIMIT ?) part"
		args = append(append(args, w.Args...), account, limit)
	}
	return "SELECT id, place FROM (" + strings.Join(parts, " UNION ALL ") + ") whole" + o.by("place", "id") + " LIMIT ?", append(args, limit)
}
