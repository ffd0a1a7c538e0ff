package lots

import (
	"context"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

const lotColumns = `id, organization_id, website_id, loyalty_account_id, loyalty_currency_id, user_id, state, amount, remaining, era, version,
	loyalty_rule_id, loyalty_rule_type, loyalty_transaction_id, entry_id, end_entry_id, reason, description, created_at, waits_until, expires_at, ended_at`

const selectLot = "SELECT " + lotColumns + " FROM account_lots"

// selectHeld is selectLot for a store.Table.
var selectHeld = "SELECT t." + strings.ReplaceAll(lotColumns, ", ", ", t.") + " FROM account_lots t"

// insertLot and updateLot are no store.Records: every credit and debit of points that expire writes lots.
var insertLot = store.Insert{
	Table: "account_lots",
	Columns: store.Columns(`id uuid, organization_id uuid, website_id uuid, loyalty_account_id uuid,
	loyalty_currency_id uuid, user_id uuid, state text, amount bigint, remaining bigint, era bigint, version bigint, loyalty_rule_id uuid,
	loyalty_rule_type text, loyalty_transaction_id uuid, entry_id uuid, description text, created_at bigint, waits_until bigint, expires_at bigint, ended_at bigint`),
}

// insertLots inserts lots.
func insertLots(ctx context.Context, tx *store.Tx, rows []Lot) error {
	values := make([][]any, len(rows))
	for i, l := range rows {
		values[i] = []any{
			l.ID,
			l.OrganizationID,
			l.WebsiteID,
			l.AccountID,
			l.CurrencyID,
			l.UserID,
			string(l.State),
			l.Amount,
			l.Remaining,
			l.Era,
			l.Version,
			l.RuleID,
			l.RuleType,
			l.TransactionID,
			l.EntryID,
			l.Description,
			l.CreatedAt,
			l.WaitsUntil,
			l.ExpiresAt,
			l.EndedAt,
		}
	}
	_, err := tx.InsertRows(ctx, insertLot, values)
	return err
}

var updateLot = store.Update{
	Table: "account_lots",
	Keys:  store.Columns("id uuid"),
	Set: store.Columns(
		"state text, remaining bigint, era bigint, version bigint, expires_at bigint, ended_at bigint, end_entry_id uuid",
	),
}

var insertAllocation = store.Insert{
	Table: "lot_allocations",
	Columns: store.Columns(`lot_id uuid, entry_id uuid, organization_id uuid, website_id uuid,
	loyalty_account_id uuid, amount bigint, version bigint, created_at bigint, purpose text`),
}

var insertBookmark = store.Insert{
	Table:    "lot_accounts",
	Conflict: store.IgnoreConflicts,
	Columns: store.Columns(`loyalty_account_id uuid,
	organization_id uuid, website_id uuid, loyalty_currency_id uuid, user_id uuid, era bigint, version bigint, entry_at bigint`),
}

var updateBookmark = store.Update{Table: "lot_accounts", Keys: store.Columns("loyalty_account_id uuid"),
	Set: store.Columns("era bigint, version bigint, entry_at bigint")}

// LockBooks locks the bookmarks of accounts and returns their books, in the order of the given accounts, without lots.
// terms are the present terms of the currency. Every change of lots locks these rows; the caller may have locked the
// accounts too.
func LockBooks(ctx context.Context, tx *store.Tx, terms Terms, accounts []Account) ([]*Book, error) {
	if len(accounts) == 0 {
		return nil, nil
	}
	var w store.Where
	ids := make([]laurel.ID, len(accounts))
	for i, a := range accounts {
		ids[i] = a.AccountID
	}
	store.In(&w, "loyalty_account_id", ids)
	var stored []Bookmark
	err := tx.Select(
		ctx,
		&stored,
		`SELECT loyalty_account_id, organization_id, website_id, loyalty_currency_id, user_id, era, version, entry_at
		FROM lot_accounts`+w.String()+" ORDER BY loyalty_account_id"+tx.ForUpdate(),
		w.Args...)
	byAccount := make(map[laurel.ID]Bookmark, len(stored))
	for _, k := range stored {
		byAccount[k.AccountID] = k
	}
	books := make([]*Book, len(accounts))
	for i, a := range accounts {
		bookmark, exists := byAccount[a.AccountID]
		books[i] = newBook(a, terms, bookmark, exists, tx.NewID)
	}
	return books, err
}

// newBook returns the book of an account without its lots. exists says whether the account has a bookmark. If it has
// none, or one of an earlier era, the book begins anew with the era of the terms.
func newBook(a Account, terms Terms, bookmark Bookmark, exists bool, newID func() laurel.ID) *Book {
	era := terms.Era()
	b := &Book{
		Bookmark: bookmark, account: a, terms: terms, newID: newID, isNew: !exists,
		restarts: exists && bookmark.Era != era,
		heldLots: map[laurel.ID]*Lot{}, changed: map[laurel.ID]*Lot{}, readLots: map[laurel.ID]*Lot{},
		sources: map[string][]*source{},
	}
	if b.isNew || b.restarts {
		b.Bookmark = a.Bookmark
		b.Era, b.Version, b.EntryAt = era, 0, 0
	}
	return b
}

// lotsPerRead bounds how many lots are read at a time.
const lotsPerRead = 256

// ReadLotsFor reads the lots that Apply will change for the entries: as many of the oldest open lots as the debits take
// from, the held points that credits release, and the lots that refunds return points to.
func (b *Book) ReadLotsFor(ctx context.Context, tx *store.Tx, entries []Entry) error {
	if err := b.readHeldLots(ctx, tx, entries); err != nil {
		return err
	}
	if b.isNew || b.restarts {
		return nil
	}
	after := int64(0)
	for more, want := true, totalDebits(entries); more && want > 0; {
		var page []*Lot
		if err := tx.Select(
			ctx,
			&page,
			selectLot+" WHERE loyalty_account_id = ? AND state = 'open' AND version > ? ORDER BY version LIMIT ?",
			b.AccountID,
			after,
			lotsPerRead,
		); err != nil {
			return err
		}
		for _, l := range page {
			want -= l.Remaining
			after = *l.Version
			b.readLots[l.ID] = l
		}
		b.open, more = append(b.open, page...), len(page) == lotsPerRead
	}
	return b.readSources(ctx, tx, entries)
}

// ReadExpiredLots reads the expired lots of accounts into their books, at most limit lots in all. All entries must be
// applied to the books.
func ReadExpiredLots(ctx context.Context, tx *store.Tx, books []*Book, limit int) error {
	if len(books) == 0 {
		return nil
	}
	ids := make([]laurel.ID, len(books))
	byAccount := make(map[laurel.ID]*Book, len(books))
	for i, b := range books {
		ids[i], byAccount[b.AccountID] = b.AccountID, b
	}
	var w store.Where
	store.In(&w, "loyalty_account_id", ids)
	w.Add("state = 'open' AND expires_at <= ?", store.Micros(tx.Now()))
	var due []*Lot
	err := tx.Select(
		ctx,
		&due,
		selectLot+w.String()+" ORDER BY loyalty_account_id, version LIMIT ?",
		append(w.Args, limit)...)
	for _, l := range due {
		b := byAccount[l.AccountID]
		b.open = append(b.open, l)
	}
	return err
}

// readHeldLots reads the lots of held points that credits among the entries have released.
func (b *Book) readHeldLots(ctx context.Context, tx *store.Tx, entries []Entry) error {
	var credits []laurel.ID
	for _, e := range entries {
		if !e.Debit && e.Amount > 0 {
			credits = append(credits, e.ID)
		}
	}
	for chunk := range slices.Chunk(credits, lotsPerRead) {
		var w store.Where
		store.In(&w, "entry_id", chunk)
		var lots []*Lot
		if err := tx.Select(ctx, &lots, selectLot+w.String(), w.Args...); err != nil {
			return err
		}
		for _, l := range lots {
			b.heldLots[l.EntryID] = l
		}
	}
	return nil
}

// Save writes the changes of books that LockBooks has locked: bookmarks, lots, and what debits took from lots and
// refunds returned to them. It returns store.ErrRerun if another node has begun one of the books meanwhile.
func Save(ctx context.Context, tx *store.Tx, books []*Book) error {
	var added []Lot
	var changed, allocations, returns, newBookmarks, movedBookmarks [][]any
	inOrder := slices.SortedFunc(slices.Values(books), func(a, b *Book) int { return a.AccountID.Compare(b.AccountID) })
	for _, b := range inOrder {
		bookmark := []any{b.AccountID, b.Era, b.Version, b.EntryAt}
		switch {
		case b.isNew:
			newBookmarks = append(
				newBookmarks,
				[]any{b.AccountID, b.OrganizationID, b.WebsiteID, b.CurrencyID, b.UserID, b.Era, b.Version, b.EntryAt},
			)
		case b.restarts:
			if err := closeLots(ctx, tx, b.Bookmark); err != nil {
				return err
			}
			movedBookmarks = append(movedBookmarks, bookmark)
		default:
			movedBookmarks = append(movedBookmarks, bookmark)
		}
		for _, l := range b.added {
			added = append(added, *l)
			delete(b.changed, l.ID)
		}
		for _, l := range b.changed {
			changed = append(
				changed,
				[]any{l.ID, string(l.State), l.Remaining, l.Era, l.Version, l.ExpiresAt, l.EndedAt, l.EndEntryID},
			)
		}
		for _, a := range b.allocations {
			var purpose any
			if a.purpose != "" {
				purpose = a.purpose
			}
			allocations = append(allocations,
				[]any{a.lot, a.entry, b.OrganizationID, b.WebsiteID, b.AccountID, a.amount, a.version, a.at, purpose})
		}
		for _, a := range b.returns {
			returns = append(returns,
				[]any{a.lot, a.entry, b.OrganizationID, b.WebsiteID, b.AccountID, a.amount, a.version, a.at, a.purpose})
		}
	}
	n, err := tx.InsertRows(ctx, insertBookmark, newBookmarks)
	if err == nil && n < int64(len(newBookmarks)) {
		err = store.ErrRerun // another node began the book
	}
	if err != nil {
		return err
	}
	if _, err := tx.UpdateRows(ctx, updateBookmark, movedBookmarks); err != nil {
		return err
	}
	if err := insertLots(ctx, tx, added); err != nil {
		return err
	}
	if _, err := tx.UpdateRows(ctx, updateLot, changed); err != nil {
		return err
	}
	if _, err := tx.InsertRows(ctx, insertAllocation, allocations); err != nil {
		return err
	}
	_, err = tx.InsertRows(ctx, insertReturn, returns)
	return err
}

// closeLots closes the account's open lots of other eras than the bookmark's. They are from before points of the
// currency stopped expiring; since the new era began, other lots make up the balance.
func closeLots(ctx context.Context, tx *store.Tx, bookmark Bookmark) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE account_lots SET state = 'closed', ended_at = ? WHERE loyalty_account_id = ? AND state = 'open' AND era <> ?",
		bookmark.Era,
		bookmark.AccountID,
		bookmark.Era,
	)
	return err
}
