package expiry

import (
	"context"
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/store"
)

// expireDue debits the points that are left of the currency's expired lots, a few accounts per transaction. In each
// transaction it first locks the accounts and computes their lots up to the last entry. Then the lots sum to the
// balance, so no balance falls below zero. The lots end in the transaction of the debits, so a crash does not expire
// them twice.
func (s *Service) expireDue(ctx context.Context, sweep lots.Sweep, terms lots.Terms) error {
	// A round has no effect if other nodes were faster, or if entries that are applied only now have spent the lots. After
	// three such rounds in a row the rest is left to the next call.
	for roundsWithoutEffect := 0; roundsWithoutEffect < 3; {
		users, err := lots.UsersWithExpiredLots(ctx, s.db, sweep.CurrencyID, s.db.Now(), expireChunk)
		if err != nil || len(users) == 0 {
			return errors.Join(err, ctx.Err())
		}
		if err := s.applyEntriesOfUsers(ctx, sweep, terms, users); err != nil {
			return err
		}
		ended := 0
		err = s.db.InTx(ctx, func(tx *store.Tx) (err error) {
			ended, err = s.expireUsers(
				ctx,
				&applyStep{tx: tx, scope: scopeOf(sweep), terms: terms, entriesLeft: entryChunk},
				sweep.CurrencyID,
				users,
			)
			return err
		})
		if laurel.CodeOf(err) == laurel.Refused { // the currency was deleted meanwhile
			return nil
		}
		if err != nil {
			return err
		}
		roundsWithoutEffect++
		if ended > 0 {
			roundsWithoutEffect = 0
		}
	}
	return nil
}

// applyEntriesOfUsers computes the lots of users' accounts in a currency up to the last entry. It applies all entries
// to the books, which hold the lots, in as many transactions as it takes. That may take long, so callers call it before
// they lock the accounts.
func (s *Service) applyEntriesOfUsers(
	ctx context.Context, sweep lots.Sweep, terms lots.Terms, users []laurel.ID,
) error {
	for complete := false; !complete; {
		err := s.db.InTx(ctx, func(tx *store.Tx) error {
			step := &applyStep{tx: tx, scope: scopeOf(sweep), terms: terms, entriesLeft: entryChunk}
			accounts, err := s.ledger.AccountsOf(ctx, tx, step.scope, sweep.CurrencyID, users)
			if err != nil {
				return err
			}
			var books []*lots.Book
			if books, complete, err = s.applyEntries(ctx, step, accounts); err != nil {
				return err
			}
			return lots.Save(ctx, tx, books)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// expireUsers locks the accounts of users, computes their lots up to the last entry, and debits the lots that have
// expired. It returns how many lots it debited. If there are more new entries than step.entriesLeft, it applies only so
// many, debits nothing and returns 0.
func (s *Service) expireUsers(
	ctx context.Context,
	step *applyStep,
	currency laurel.ID,
	users []laurel.ID,
) (ended int, err error) {
	accounts, err := s.ledger.LockAccounts(ctx, step.tx, step.scope, currency, users)
	if err != nil {
		return 0, err
	}
	changed, complete, err := s.applyEntries(ctx, step, accounts)
	if err != nil {
		return 0, err
	}
	if err := lots.Save(ctx, step.tx, changed); err != nil || !complete {
		return 0, err
	}
	books, err := lots.LockBooks(ctx, step.tx, step.terms, accounts)
	if err != nil {
		return 0, err
	}
	if err := lots.ReadExpiredLots(ctx, step.tx, books, lotsPerExpiry); err != nil {
		return 0, err
	}
	expiring, postings := findExpiringLots(books, step.tx)
	transactions, err := s.ledger.PostIn(ctx, step.tx, step.scope, postings...)
	if err != nil {
		return 0, err
	}
	var updated []*lots.Book
	for i, t := range transactions {
		updated = append(updated, expiring[i].book)
		for j, l := range expiring[i].due {
			e := t.Entries[j]
			if err := expiring[i].book.Expire(
				l,
				lots.Entry{ID: e.ID, Version: e.LockVersion, Amount: e.Amount, Debit: true, At: store.Micros(e.CreatedAt)},
			); err != nil {
				return 0, err
			}
			ended++
		}
	}
	return ended, lots.Save(ctx, step.tx, updated)
}

// expiringLots has the lots of one account that expire now.
type expiringLots struct {
	book *lots.Book
	due  []*lots.Lot
}

// findExpiringLots returns the books that have expired lots, each with these lots, and for each book a posting that
// debits the lots, one line per lot.
func findExpiringLots(books []*lots.Book, tx *store.Tx) (list []expiringLots, postings []ledger.Posting) {
	for _, b := range books {
		due := b.ExpiredLots(store.Micros(tx.Now()))
		if len(due) == 0 {
			continue
		}
		p := ledger.Posting{Type: ledger.TypeAPIKey, Cause: ledger.CauseExpiry, Description: "Points expired"}
		for _, l := range due {
			p.Lines = append(p.Lines, ledger.Line{
				Member: ledger.LockedMember(b.UserID), CurrencyID: b.CurrencyID, Direction: ledger.Debit,
				Amount: l.Remaining, Metadata: ledger.LotMetadata(nil, l, ledger.LotExpired),
			})
		}
		list, postings = append(list, expiringLots{b, due}), append(postings, p)
	}
	return list, postings
}
