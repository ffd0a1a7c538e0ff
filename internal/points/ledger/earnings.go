package ledger

import (
	"context"
	"slices"
	"time"

	"laurel"
	"laurel/internal/store"
)

// maxIDsPerQuery bounds the ids in one statement.
const maxIDsPerQuery = 500

// Balances returns the public balances of users in a currency of the scope's website. Users without an account are left
// out.
func (s *Service) Balances(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	currency laurel.ID,
	users []laurel.ID,
) (map[laurel.ID]laurel.Amount, error) {
	out := make(map[laurel.ID]laurel.Amount, len(users))
	for part := range slices.Chunk(users, maxIDsPerQuery) {
		if err := selectBalances(ctx, q, scope, balanceQuery{currency, part}, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Owners returns whose the accounts are, of those in the scope that are users'.
func (s *Service) Owners(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	accounts []laurel.ID,
) (map[laurel.ID]laurel.ID, error) {
	out := make(map[laurel.ID]laurel.ID, len(accounts))
	for part := range slices.Chunk(accounts, maxIDsPerQuery) {
		if err := selectOwners(ctx, q, scope, part, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Earning names a user, and the moment after which its earnings count.
type Earning struct {
	User laurel.ID
	From time.Time
}

// Earnings selects what rules have credited to users in a currency, after each one's From and up to To, which must be
// settled (store.Settled).
type Earnings struct {
	CurrencyID laurel.ID
	To         time.Time
	Users      []Earning
}

// Earned returns, by user, what rules have credited, without referral shares (contract 5.12). Users without earnings
// are left out.
func (s *Service) Earned(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	e Earnings,
) (map[laurel.ID]laurel.Amount, error) {
	out := make(map[laurel.ID]laurel.Amount)
	return out, selectEarned(ctx, q, scope, e, out)
}
