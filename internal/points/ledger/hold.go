package ledger

import (
	"context"

	"laurel"
	"laurel/internal/points/lots"
	"laurel/internal/store"
)

// Hold locks users' accounts of a currency until the transaction ends, and keeps the currency from being deleted
// meanwhile. It returns those that exist, in the order of the users. Without users only the currency is kept. Refused
// "Loyalty currency not found" where it is deleted or not the website's. For callers of a low rate that work out
// beneath the locks what to post (PostIn).
func (s *Service) Hold(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	currency laurel.ID,
	users []laurel.ID,
) ([]lots.Account, error) {
	h := &holding{scope: scope, currency: currency, users: users}
	err := store.Run(ctx, tx, h)
	return h.held, err
}

// holding is a Work that only looks.
type holding struct {
	scope    laurel.Scope
	currency laurel.ID
	users    []laurel.ID
	held     []lots.Account
}

func (h *holding) Locks() []store.Lock {
	locks := []store.Lock{currencies.Lock(h.currency)}
	for _, user := range h.users {
		locks = append(locks, accounts.Lock(accountKey{h.currency, user}))
	}
	return locks
}

func (h *holding) Judge(b *store.Batch) error {
	h.held = nil
	if !LiveCurrency(b, h.scope, h.currency) {
		return &UnknownCurrencyError{h.currency}
	}
	for _, user := range h.users {
		if row := accounts.Row(b, accountKey{h.currency, user}); !row.fresh {
			h.held = append(h.held, row.asLots())
		}
	}
	return nil
}

// PostIn writes transactions inside one that the caller owns, and waits for rows that others hold. All of them are
// written or none.
func (s *Service) PostIn(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	postings ...Posting,
) ([]Transaction, error) {
	if len(postings) == 0 {
		return nil, nil
	}
	w := &direct{scope: scope, postings: postings}
	err := store.Run(ctx, tx, w)
	return w.made, err
}

// direct is postings as a Work of their own.
type direct struct {
	scope    laurel.Scope
	postings []Posting
	made     []Transaction
}

func (w *direct) Locks() []store.Lock {
	var locks []store.Lock
	for _, p := range w.postings {
		locks = append(locks, p.Locks()...)
	}
	return locks
}

// Judge stages one posting after the other: a later one sees what an earlier one left. The caller's transaction ends
// where one is refused.
func (w *direct) Judge(b *store.Batch) error {
	w.made = nil
	for _, p := range w.postings {
		p.Scope = w.scope
		t, err := p.Stage(b)
		if err != nil {
			return err
		}
		w.made = append(w.made, t)
	}
	return nil
}

// Holder is the user of an account that is held: nothing else of it is looked at or changes.
func Holder(user laurel.ID) Member {
	nothing := func(*store.Batch) error { return nil }
	return Member{UserID: user, Check: nothing, Admit: nothing}
}
