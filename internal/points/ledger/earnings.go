package ledger

import (
	"context"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// maxIDsPerQuery bounds the ids in one statement.
const maxIDsPerQuery = 500

// PublicBalances returns the balances of users, as everyone may see them, in a currency of the scope's website. Users
// without an account are left out.
func (s *Service) PublicBalances(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	currency laurel.ID,
	users []laurel.ID,
) (map[laurel.ID]laurel.Amount, error) {
	out := make(map[laurel.ID]laurel.Amount, len(users))
	for part := range slices.Chunk(users, maxIDsPerQuery) {
		if err := selectPublicBalances(ctx, q, scope, balanceQuery{currency, part}, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// UsersOfAccounts returns the user of each account, by account. Main accounts, and accounts outside the scope, are left
// out.
func (s *Service) UsersOfAccounts(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	accounts []laurel.ID,
) (map[laurel.ID]laurel.ID, error) {
	out := make(map[laurel.ID]laurel.ID, len(accounts))
	for part := range slices.Chunk(accounts, maxIDsPerQuery) {
		if err := selectUsersOfAccounts(ctx, q, scope, part, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// EarningUser is a user whose earnings are asked for, and the moment after which they count.
type EarningUser struct {
	User laurel.ID
	From time.Time
}

// EarningsQuery selects the credits of rules to users in a currency: for each user those after its From and up to To.
// To must be settled (store.Settled).
type EarningsQuery struct {
	CurrencyID laurel.ID
	To         time.Time
	Users      []EarningUser
}

// SumEarnings returns, by user, the sum of the users' credits by rules in the periods of the query, without referral
// shares (contract 5.12). Users without such credits are left out.
func (s *Service) SumEarnings(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	e EarningsQuery,
) (map[laurel.ID]laurel.Amount, error) {
	out := make(map[laurel.ID]laurel.Amount)
	return out, sumEarnings(ctx, q, scope, e, out)
}
