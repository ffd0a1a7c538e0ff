package expiry

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/store"
)

// maxRounds bounds how many times a list applies entryChunk entries before it reads; a sweep applies the rest later.
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
	if err := s.applyEntriesOf(ctx, scope, a, terms); err != nil {
		return laurel.PageOf[lots.Lot](nil, page.Limit), err
	}
	found, err := lots.List(ctx, s.db, lots.Filter{AccountID: a.AccountID, States: states}, page)
	if err != nil {
		return found, err
	}
	return found, s.addOrigins(ctx, scope, found.Data)
}

// ExpiringFilter narrows Expiring.
type ExpiringFilter struct {
	MemberID      laurel.ID // only an account of this member; zero: of any
	After, Before time.Time // when points expire, both exclusive; zero: no bound
}

// Expiring returns how many points of an account expire at which moment, soonest first, at most limit moments. Held
// points are not among them. It first applies new entries, as List does. Nothing expires of a main account, nor in a
// currency that is deleted or whose points live forever. NotFound "Account" if the scope has no such account, or the
// filter's member has another.
func (s *Service) Expiring(
	ctx context.Context,
	scope laurel.Scope,
	account laurel.ID,
	f ExpiringFilter,
	limit int,
) (laurel.Page[lots.Expiring], error) {
	none := laurel.PageOf[lots.Expiring](nil, limit)
	a, err := s.ledger.AccountOf(ctx, s.db, scope, account)
	if err == nil && !f.MemberID.IsZero() && a.UserID != f.MemberID {
		err = laurel.Missing("Account")
	}
	if err != nil {
		return none, err
	}
	scope = scope.At(a.WebsiteID)
	currency, err := s.ledger.Currency(ctx, scope, a.CurrencyID)
	if err != nil || !currency.DeletedAt.IsZero() {
		return none, err
	}
	terms, err := s.ledger.Terms(ctx, s.db, scope, a.CurrencyID)
	if err != nil || terms.Era() == 0 || a.UserID.IsZero() {
		return none, err
	}
	if err := s.applyEntriesOf(ctx, scope, a, terms); err != nil {
		return none, err
	}
	return lots.ListExpiring(ctx, s.db, lots.ExpiringFilter{
		AccountID: a.AccountID, Era: terms.Era(), After: f.After, Before: f.Before,
	}, limit)
}

// applyEntriesOf computes the lots of one account up to the last entry that it has, in at most maxRounds transactions.
// It does nothing if points of the currency do not expire, and for main accounts, which have no lots.
func (s *Service) applyEntriesOf(ctx context.Context, scope laurel.Scope, a lots.Account, terms lots.Terms) error {
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
			return err
		}
	}
	return nil
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
