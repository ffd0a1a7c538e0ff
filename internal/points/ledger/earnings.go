package ledger

import (
	"context"
	"slices"
	"time"

	"laurel"
	"laurel/internal/store"
)

// maxIDsPerQuery bounds the arguments of one statement.
const maxIDsPerQuery = 500

// Balances returns what users have in a currency of the scope's website, as everybody sees it. Users without an account
// are left out.
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

// Earning names a user and since when its earnings count.
type Earning struct {
	User laurel.ID
	From time.Time
}

// Earnings asks what users earned in a currency: what rules credited after each one's From and up to To, which is
// settled (store.Settled).
type Earnings struct {
	CurrencyID laurel.ID
	To         time.Time
	Users      []Earning
}

// Earned returns what users earned by rules, shares of what others earned left out (contract 5.12). Users that earned
// nothing are left out.
func (s *Service) Earned(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	e Earnings,
) (map[laurel.ID]laurel.Amount, error) {
	out := make(map[laurel.ID]laurel.Amount)
	return out, selectEarned(ctx, q, scope, e, out)
}
