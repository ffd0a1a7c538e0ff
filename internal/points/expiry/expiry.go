// Package expiry does the background work on lots: it computes lots from entries, expires points, and releases held
// ones. It owns no table: lots belong to package lots, entries and balances to the ledger. How long points live, or are
// held, is a setting of their currency.
package expiry

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/panics"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/points/rewardhistory"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

const (
	tickEvery = time.Second
	// sweepEvery is shorter than any points live, so every lot is computed long before it expires.
	sweepEvery        = 6 * time.Hour
	sweepChunk        = 500  // accounts per transaction of a sweep
	entryChunk        = 1000 // entries that one transaction applies to lots
	expireChunk       = 256  // expired lots whose accounts are locked together: the fewer, the shorter completions wait
	lotsPerExpiry     = 1000 // lots that one transaction expires
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

// RunDue releases all held points that are due, and debits all points that have expired. A fault of one currency does
// not stop the others.
func (s *Service) RunDue(ctx context.Context) error {
	failed := panics.Safely(func() error { return s.releaseDue(ctx) })
	for after := (laurel.ID{}); ; {
		list, err := lots.DueSweeps(ctx, s.db, s.db.Now(), laurel.PageRequest{StartingAfter: after, Limit: currenciesPerPage})
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

// expireCurrency computes the lots of a currency's accounts and then debits the expired ones. It computes those of all
// accounts if the currency's sweep, a regular pass over them, is due, and otherwise only those of accounts with
// refunds. It does nothing if the points of the currency no longer expire, or expire since another moment (era) than
// the sweep says.
func (s *Service) expireCurrency(ctx context.Context, sweep lots.Sweep) error {
	terms, err := s.ledger.Terms(ctx, s.db, scopeOf(sweep), sweep.CurrencyID)
	if err != nil || terms.Era() != sweep.Era { // expiry was turned off meanwhile
		return err
	}
	if err := s.runSweep(ctx, sweep, terms); err != nil {
		return err
	}
	if err := s.applyEntriesOfRefunds(ctx, sweep, terms); err != nil {
		return err
	}
	return s.expireDue(ctx, sweep, terms)
}

// applyEntriesOfRefunds computes the lots of the accounts with enqueued refunds, up to their last entry. It does not
// wait for the next sweep, because the lots that refunded points return to may have expired already.
func (s *Service) applyEntriesOfRefunds(ctx context.Context, sweep lots.Sweep, terms lots.Terms) error {
	for {
		refunds, err := lots.EnqueuedRefunds(ctx, s.db, sweep.CurrencyID, expireChunk)
		if err != nil || len(refunds) == 0 {
			return errors.Join(err, ctx.Err())
		}
		users := make([]laurel.ID, len(refunds))
		for i, r := range refunds {
			users[i] = r.UserID
		}
		if err := s.applyEntriesOfUsers(ctx, sweep, terms, users); err != nil {
			return err
		}
		err = s.db.InTx(ctx, func(tx *store.Tx) error { return lots.RemoveRefunds(ctx, tx, refunds) })
		if err != nil {
			return err
		}
	}
}

// applyStep is one transaction that applies a bounded number of entries to lots.
type applyStep struct {
	tx          *store.Tx
	scope       laurel.Scope
	terms       lots.Terms
	entriesLeft int // entries that may still be read
}

// applyEntries computes the lots of accounts further: it applies new entries to their books, which hold the lots, at
// most step.entriesLeft entries in all. It returns the changed books, which the caller saves. complete reports whether
// all entries are applied that the accounts had when they were read.
func (s *Service) applyEntries(
	ctx context.Context,
	step *applyStep,
	accounts []lots.Account,
) (changed []*lots.Book, complete bool, err error) {
	books, err := lots.LockBooks(ctx, step.tx, step.terms, accounts)
	if err != nil {
		return nil, false, err
	}
	complete = true
	for _, b := range books {
		switch {
		case !b.IsBehind():
			continue
		case step.entriesLeft <= 0:
			complete = false
			continue
		}
		if err := s.advanceBook(ctx, step, b); err != nil {
			return nil, false, err
		}
		complete = complete && b.IsCurrent()
		changed = append(changed, b)
	}
	return changed, complete, nil
}

// advanceBook applies the next entries of one account to its book, which holds its lots, at most step.entriesLeft
// entries. If the book is new or starts again, it first opens it with the balance at the moment since when points of
// the currency expire (b.Era). If the account has no entries since then, that is all.
func (s *Service) advanceBook(ctx context.Context, step *applyStep, b *lots.Book) error {
	if begins, since := b.NeedsOpening(); begins {
		if b.IsIdle() {
			b.OpenIdle()
			return nil
		}
		opening, err := s.ledger.OpeningOf(ctx, step.tx, step.scope, b.AccountID, since)
		if err != nil {
			return err
		}
		b.Open(opening)
	}
	entries, err := s.ledger.EntriesAfter(ctx, step.tx, step.scope, b.Bookmark, step.entriesLeft)
	if err != nil {
		return err
	}
	step.entriesLeft -= len(entries)
	if err := b.ReadLotsFor(ctx, step.tx, entries); err != nil {
		return err
	}
	return b.Apply(entries)
}

// runSweep computes the lots of all accounts of a currency, if its regular sweep is due, in transactions of a bounded
// size. When it returns, the lots of every entry that existed when it began are known.
func (s *Service) runSweep(ctx context.Context, sweep lots.Sweep, terms lots.Terms) error {
	if sweep.DueAt > store.Micros(s.db.Now()) {
		return nil
	}
	for done := false; !done; {
		if err := ctx.Err(); err != nil {
			return err
		}
		next := sweep
		err := s.db.InTx(ctx, func(tx *store.Tx) (err error) {
			next = sweep // again, if the transaction is rerun
			done, err = s.sweepStep(ctx, &applyStep{tx: tx, scope: scopeOf(sweep), terms: terms, entriesLeft: entryChunk}, &next)
			return err
		})
		if err != nil {
			return err
		}
		sweep = next
	}
	return nil
}

// sweepStep computes the lots of the next sweepChunk accounts of a sweep in one transaction, and stores in the sweep
// how far it has come. If the accounts have more entries than one transaction applies, the next step begins with the
// same accounts. done reports that the sweep has handled all accounts; the next one is then due after sweepEvery.
func (s *Service) sweepStep(ctx context.Context, step *applyStep, sweep *lots.Sweep) (done bool, err error) {
	accounts, err := s.ledger.AccountsAfter(
		ctx,
		step.tx,
		step.scope,
		sweep.CurrencyID,
		laurel.PageRequest{StartingAfter: sweep.AfterUser, Limit: sweepChunk},
	)
	if err != nil {
		return false, err
	}
	books, complete, err := s.applyEntries(ctx, step, accounts)
	if err != nil {
		return false, err
	}
	if err := lots.Save(ctx, step.tx, books); err != nil {
		return false, err
	}
	switch {
	case !complete:
		return false, nil // the same accounts once more
	case len(accounts) < sweepChunk:
		sweep.AfterUser, sweep.DueAt = laurel.ID{}, store.Micros(step.tx.Now().Add(sweepEvery))
		done = true
	default:
		sweep.AfterUser = accounts[len(accounts)-1].UserID
	}
	return done, sweep.Save(ctx, step.tx)
}
