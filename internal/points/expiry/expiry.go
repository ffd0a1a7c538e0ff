// Package expiry carries out what happens to points by themselves: it works lots out from entries, takes back what has
// expired and gives what has waited. It owns no table: lots are lots', entries and balances the ledger's. It does not
// decide how long points live or wait; their currency says it.
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
	// sweepEvery is less than any points live, so every lot is worked out long before it expires.
	sweepEvery        = 6 * time.Hour
	sweepChunk        = 500  // accounts that are looked at in one transaction
	entryChunk        = 1000 // entries that are worked into lots in one transaction
	expireChunk       = 256  // lots whose accounts are held together: the fewer, the shorter completions wait
	lotsAtOnce        = 1000 // that expire in one transaction
	currenciesPerPage = 100  // that are asked for at a time
)

// Service carries out expiry and release.
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

// Run does what is due until ctx ends. Any number of nodes may run it.
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

// RunDue gives all points whose time of waiting has ended, and takes back all that have expired. What fails of one
// currency keeps no other waiting.
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

// scopeOf is the scope of a currency's website, for work that nobody asked for.
func scopeOf(sweep lots.Sweep) laurel.Scope {
	return laurel.Scope{OrganizationID: sweep.OrganizationID, WebsiteID: sweep.WebsiteID}
}

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

// catchUpRefunded brings the lots of accounts up to date that points have come back to: the lots that these return to
// may have expired meanwhile.
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

// bookStep is one transaction's share of an account's entries.
type bookStep struct {
	tx     *store.Tx
	scope  laurel.Scope
	terms  lots.Terms
	budget int // entries that may still be read
}

// finishBackgroundWork works entries into lots, and returns the books that it changed with whether nothing is left that was there
// when the accounts were read.
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

// advanceBook works the next entries of one account in.
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

// sweep looks all accounts of a currency through for entries that are not worked in, where it is due. After it every
// lot that was given before it began is known.
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
