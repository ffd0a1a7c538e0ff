package ledger

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// Holdings are balances by currency and user.
type Holdings map[accountKey]laurel.Amount

// Sum returns what the users hold together in a currency; what no amount can be counts as the highest.
func (h Holdings) Sum(currency laurel.ID, users []laurel.ID) laurel.Amount {
	sum := laurel.Amount(0)
	for _, u := range users {
		var err error
		if sum, err = sum.Plus(h[accountKey{currency, u}]); err != nil {
			return laurel.MaxAmount
		}
	}
	return sum
}

// Holdings returns what the users hold in the currencies, which are the scope's, as it is now.
func (s *Service) Holdings(ctx context.Context, _ laurel.Scope, users, currencies []laurel.ID) (Holdings, error) {
	var keys []accountKey
	for _, c := range currencies {
		for _, u := range users {
			keys = append(keys, accountKey{c, u})
		}
	}
	out := make(Holdings, len(keys))
	if len(keys) == 0 {
		return out, nil
	}
	found, err := accounts.Read(ctx, s.db, keys)
	for k, a := range found {
		out[k] = a.Amount
	}
	return out, err
}

// Place returns the rank of a user in a currency, as Rank does; the zero Rank without an account.
func (s *Service) Place(ctx context.Context, scope laurel.Scope, user, currency laurel.ID) (Rank, error) {
	found, err := accounts.Read(ctx, s.db, []accountKey{{currency, user}})
	if a := found[accountKey{currency, user}]; a != nil {
		return s.Rank(ctx, scope, a.ID, currency)
	}
	return Rank{}, err
}

// Held returns the balance of a user as the batch has it now. The account is among the Locks of a posting of the Work.
func Held(b *store.Batch, currency, user laurel.ID) laurel.Amount {
	return accounts.Row(b, accountKey{currency, user}).Amount
}
