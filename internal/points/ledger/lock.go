package ledger

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/store"
)

// LockAccounts locks users' accounts of a currency until the transaction ends, and keeps the currency from being
// deleted meanwhile. It returns the accounts that exist, in the order of the users. Without users it only keeps the
// currency from being deleted. Refused "Loyalty currency not found" if the currency is deleted or of another website.
// Callers then compute from the locked accounts what they post with PostIn.
func (s *Service) LockAccounts(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	currency laurel.ID,
	users []laurel.ID,
) ([]lots.Account, error) {
	h := &lockAccountsWork{scope: scope, currency: currency, users: users}
	err := store.Run(ctx, tx, h)
	return h.accounts, err
}

// lockAccountsWork is the Work that locks and reads accounts.
type lockAccountsWork struct {
	scope    laurel.Scope
	currency laurel.ID
	users    []laurel.ID
	accounts []lots.Account
}

// Locks names the currency and the accounts of the users.
func (h *lockAccountsWork) Locks() []store.Lock {
	locks := []store.Lock{currencies.Lock(h.currency)}
	for _, user := range h.users {
		locks = append(locks, accounts.Lock(AccountKey{h.currency, user}))
	}
	return locks
}

// Judge runs once the rows are locked: it sets h.accounts to those of the accounts that exist. It returns
// UnknownCurrencyError if the currency is not live.
func (h *lockAccountsWork) Judge(b *store.Batch) error {
	h.accounts = nil
	if !IsLiveCurrency(b, h.scope, h.currency) {
		return &UnknownCurrencyError{h.currency}
	}
	for _, user := range h.users {
		if row := accounts.Row(b, AccountKey{h.currency, user}); !row.isNew {
			h.accounts = append(h.accounts, row.lotAccount())
		}
	}
	return nil
}

// PostIn writes ledger transactions, all of them or none, in the caller's database transaction. It waits for rows that
// others have locked.
func (s *Service) PostIn(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	postings ...Posting,
) ([]Transaction, error) {
	if len(postings) == 0 {
		return nil, nil
	}
	w := &postWork{scope: scope, postings: postings}
	err := store.Run(ctx, tx, w)
	return w.transactions, err
}

// postWork is the Work that writes postings.
type postWork struct {
	scope        laurel.Scope
	postings     []Posting
	transactions []Transaction
}

// Locks names the rows of all postings.
func (w *postWork) Locks() []store.Lock {
	var locks []store.Lock
	for _, p := range w.postings {
		locks = append(locks, p.Locks()...)
	}
	return locks
}

// Judge runs once the rows are locked: it stages one posting after the other, so that a later one is checked against
// the balances that an earlier one leaves. If it returns an error, earlier postings may be staged already, so the
// caller must roll its transaction back.
func (w *postWork) Judge(b *store.Batch) error {
	w.transactions = nil
	for _, p := range w.postings {
		p.Scope = w.scope
		t, err := p.Stage(b)
		if err != nil {
			return err
		}
		w.transactions = append(w.transactions, t)
	}
	return nil
}

// LockedMember returns a Member for an account that the caller has locked with LockAccounts. It has no checks.
func LockedMember(user laurel.ID) Member {
	noCheck := func(*store.Batch) error { return nil }
	return Member{UserID: user, Check: noCheck, Admit: noCheck}
}
