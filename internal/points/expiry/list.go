package expiry

import (
	"context"

	"laurel"
	"laurel/internal/points/lots"
	"laurel/internal/store"
)

// maxRounds bounds how many times List applies entryChunk entries before it reads; a sweep applies the rest later.
const maxRounds = 20

// List returns a page of the lots of an account in one of the states (none: in any), newest first. If points of the
// currency expire, it first applies new entries of the account to the lots, in at most maxRounds transactions; lots of
// an account with still more new entries are not up to date. NotFound "Account" if the scope has no such account.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	account laurel.ID,
	states []string,
	page laurel.PageRequest,
) (laurel.Page[lots.Lot], error) {
	a, err := s.ledger.AccountOf(ctx, s.db, scope, account)
	if err != nil {
		return laurel.PageOf[lots.Lot](nil, page.Limit), err
	}
	scope = scope.At(a.WebsiteID)
	terms, err := s.ledger.Terms(ctx, s.db, scope, a.CurrencyID)
	if err != nil {
		return laurel.PageOf[lots.Lot](nil, page.Limit), err
	}
	complete := terms.Era() == 0 || a.UserID.IsZero()
	for round := 0; !complete && round < maxRounds; round++ {
		err := s.db.InTx(ctx, func(tx *store.Tx) error {
			books, all, err := s.applyEntries(
				ctx,
				&applyStep{tx: tx, scope: scope, terms: terms, entriesLeft: entryChunk},
				[]lots.Account{a},
			)
			if err != nil {
				return err
			}
			complete = all
			return lots.Save(ctx, tx, books)
		})
		if err != nil {
			return laurel.PageOf[lots.Lot](nil, page.Limit), err
		}
	}
	found, err := lots.List(ctx, s.db, lots.Filter{AccountID: a.AccountID, States: states}, page)
	if err != nil {
		return found, err
	}
	return found, s.addOrigins(ctx, scope, found.Data)
}

// addOrigins sets, in the list itself, the transaction and the rule of lots that do not store them: those of the entry
// that made the lot. Only lots of held points store them.
func (s *Service) addOrigins(ctx context.Context, scope laurel.Scope, list []lots.Lot) error {
	var entries []laurel.ID
	for _, l := range list {
		if l.TransactionID.IsZero() && !l.EntryID.IsZero() {
			entries = append(entries, l.EntryID)
		}
	}
	of, err := s.history.Origins(ctx, s.db, scope, entries)
	for i, l := range list {
		if origin, found := of[l.EntryID]; found && l.TransactionID.IsZero() {
			list[i].TransactionID, list[i].RuleID = origin.TransactionID, origin.RuleID
		}
	}
	return err
}
