package ledger

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// Holdings answers what the users hold together in each of the currencies, as it is now. Currencies in which none has an account are left out.
func (s *Service) Holdings(ctx context.Context, scope laurel.Scope, users, currencies []laurel.ID) (map[laurel.ID]laurel.Amount, error) {
	return holdings(ctx, s.db, scope, users, currencies)
}

// Place answers the rank of a user in a currency, as Rank does; the zero Rank without an account.
func (s *Service) Place(ctx context.Context, scope laurel.Scope, user, currency laurel.ID) (Rank, error) {
	found, err := accounts.Read(ctx, s.db, []accountKey{{currency, user}})
	if a := found[accountKey{currency, user}]; a != nil {
		return s.Rank(ctx, scope, a.ID, currency)
	}
	return Rank{}, err
}

// Held answers the balance of a user as the batch has it now. The account is among the Locks of a posting of the Work.
func Held(b *store.Batch, currency, user laurel.ID) laurel.Amount {
	return accounts.Row(b, accountKey{currency, user}).Amount
}
