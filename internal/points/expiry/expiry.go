// Package expiry does the background work on lots: it computes lots from entries, expires points, and releases held
// ones. It owns no table: lots belong to package lots, entries and balances to the ledger. How long points live, or are
// held, is a setting of their currency.
package expiry

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/panics"
	"laurel/internal/points/ledger"
	"laurel/internal/points/lots"
	"laurel/internal/points/rewardhistory"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	tickEvery = time.Second
	// sweepEvery is shorter than any points live, so every lot is computed long before it expires.
	sweepEvery        = 6 * time.Hour
	sweepChunk        = 500  // accounts per transaction of a sweep
	entryChunk        = 1000 // entries that one transaction applies to lots
	expireChunk       = 256  // lots whose accounts are locked together: the fewer, the shorter completions wait
	lotsAtOnce        = 1000 // lots that one transaction expires
	currenciesPerPage = 100
)

// Service expires and releases points.
type Service struct {
	db      *store.DB
	ledger  *ledger.Service
	history *rewardhistory.Service
	log     *slog.Logger
}

// New makes the service.
func New(db *store.DB, books *ledger.Service, log *slog.Logger) *Service {
	return &Service{db: db, ledger: books, history: rewardhistory.New(db), log: log}
}

// Run releases and expires due points until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	worker.Loop{
		Every: tickEvery,
		Log:   s.log,
		Fault: "points could not be expired or released; it is tried again",
	}.RunEach(
		ctx,
		s.RunDue,
	)
}

// RunDue releases all held points that are due, and takes back all that have expired. A fault of one currency does not
// stop the others.
func (s *Service) RunDue(ctx context.Context) error {
	failed := panics.Safely(func() error { return s.releaseDue(ctx) })
	for after := (laurel.ID{}); ; {
		list, err := lots.Due(ctx, s.db, s.db.Now(), laurel.PageRequest{StartingAfter: after, Limit: currenciesPerPage})
		if err != nil {
			return errors.Join(failed, err)
		}
		for _, sweep := range list {
			failed = errors.Join(failed, panics.Safely(func() error { return s.expireCurrency(ctx, sweep) }))
		}
		if len(list) < currenciesPerPage || ctx.Err() != nil {
			return errors.Join(failed, ctx.Err())
		}
		after = list[len(list)-1].CurrencyID
	}
}

// scopeOf returns the scope of a currency's website, for work without a caller.
func scopeOf(sweep lots.Sweep) laurel.Scope {
	return laurel.Scope{OrganizationID: sweep.OrganizationID, WebsiteID: sweep.WebsiteID}
}

// expireCurrency sweeps a currency if that is due, updates the lots of refunded accounts, and expires lots that are
// due.
func (s *Service) expireCurrency(ctx context.Context, sweep lots.Sweep) error {
	terms, err := s.ledger.Terms(ctx, s.db, scopeOf(sweep), sweep.CurrencyID)
	if err != nil || terms.Era() != sweep.Era { // it was turned off meanwhile
		return err
	}
	if err := s.sweep(ctx, sweep, terms); err != nil {
		return err
	}
	if err := s.catchUpRefunded(ctx, sweep, terms); err != nil {
		return err
	}
	return s.expireDue(ctx, sweep, terms)
}

// catchUpRefunded updates the lots of accounts with refunds. The lots that the points returned to may have expired
// meanwhile.
func (s *Service) catchUpRefunded(ctx context.Context, sweep lots.Sweep, terms lots.Terms) error {
	for {
		refunds, err := lots.Refunds(ctx, s.db, sweep.CurrencyID, expireChunk)
		if err != nil || len(refunds) == 0 {
			return errors.Join(err, ctx.Err())
		}
		users := make([]laurel.ID, len(refunds))
		for i, r := range refunds {
			users[i] = r.UserID
		}
		if err := s.catchUpUsers(ctx, sweep, terms, users); err != nil {
			return err
		}
		err = s.db.InTx(ctx, func(tx *store.Tx) error { return lots.RemoveRefunds(ctx, tx, refunds) })
		if err != nil {
			return err
		}
	}
}

// bookStep is one transaction that applies entries to lots, with a budget of entries.
type bookStep struct {
	tx     *store.Tx
	scope  laurel.Scope
	terms  lots.Terms
	budget int // entries that may still be read
}

// catchUp applies entries of accounts to their books, and returns the changed books. complete reports whether all
// entries are applied that the accounts had when they were read.
func (s *Service) catchUp(
	ctx context.Context,
	w *bookStep,
	accounts []lots.Account,
) (changed []*lots.Book, complete bool, err error) {
	books, err := lots.LockBooks(ctx, w.tx, w.terms, accounts)
	if err != nil {
		return nil, false, err
	}
	complete = true
	for _, b := range books {
		switch {
		case !b.IsBehind():
			continue
		case w.budget <= 0:
			complete = false
			continue
		}
		if err := s.advanceBook(ctx, w, b); err != nil {
			return nil, false, err
		}
		complete = complete && b.IsCurrent()
		changed = append(changed, b)
	}
	return changed, complete, nil
}

// advanceBook applies the next entries of one account to its book, and begins the book if necessary.
func (s *Service) advanceBook(ctx context.Context, w *bookStep, b *lots.Book) error {
	if begins, since := b.NeedsOpening(); begins {
		if b.IsIdle() {
			b.OpenIdle()
			return nil
		}
		opening, err := s.ledger.OpeningOf(ctx, w.tx, w.scope, b.AccountID, since)
		if err != nil {
			return err
		}
		b.Open(opening)
	}
	entries, err := s.ledger.EntriesAfter(ctx, w.tx, w.scope, b.Bookmark, w.budget)
	if err != nil {
		return err
	}
	w.budget -= len(entries)
	if err := b.Prepare(ctx, w.tx, entries); err != nil {
		return err
	}
	return b.Apply(entries)
}

// sweep applies all entries of a currency's accounts to their books, if a sweep is due. After it, all lots of entries
// from before it are known.
func (s *Service) sweep(ctx context.Context, sweep lots.Sweep, terms lots.Terms) error {
	if sweep.DueAt > store.Micros(s.db.Now()) {
		return nil
	}
	for done := false; !done; {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := sweep
		err := s.db.InTx(ctx, func(tx *store.Tx) (err error) {
			next = sweep
			done, err = s.sweepStep(ctx, &bookStep{tx: tx, scope: scopeOf(sweep), terms: terms, budget: entryChunk}, &next)
			return err
		})
		if err != nil {
			return err
		}
		sweep = next
	}
	return nil
}

// sweepStep handles the next accounts of a sweep in one transaction, and reports whether the sweep is done.
func (s *Service) sweepStep(ctx context.Context, w *bookStep, sweep *lots.Sweep) (done bool, err error) {
	accounts, err := s.ledger.AccountsAfter(
		ctx,
		w.tx,
		w.scope,
		sweep.CurrencyID,
		laurel.PageRequest{StartingAfter: sweep.AfterUser, Limit: sweepChunk},
	)
	if err != nil {
		return false, err
	}
	books, complete, err := s.catchUp(ctx, w, accounts)
	if err != nil {
		return false, err
	}
	if err := lots.Save(ctx, w.tx, books); err != nil {
		return false, err
	}
	switch {
	case !complete:
		return false, nil // the same accounts once more
	case len(accounts) < sweepChunk:
		sweep.AfterUser, sweep.DueAt = laurel.ID{}, store.Micros(w.tx.Now().Add(sweepEvery))
		done = true
	default:
		sweep.AfterUser = accounts[len(accounts)-1].UserID
	}
	return done, sweep.Save(ctx, w.tx)
}
