package ledger

import (
	"context"
	"sort"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// BalancesByUser has the balances of users in several currencies, as VisibleBalances returns them.
type BalancesByUser map[AccountKey]laurel.Amount

// Sum returns what the users hold together in a currency, capped at laurel.MaxAmount.
func (h BalancesByUser) Sum(currency laurel.ID, users []laurel.ID) laurel.Amount {
	sum := laurel.Amount(0)
	for _, u := range users {
		var err error
		if sum, err = sum.Plus(h[AccountKey{currency, u}]); err != nil {
			return laurel.MaxAmount
		}
	}
	return sum
}

// VisibleBalances returns the present balances of the users in the currencies, as a reader with the visibility may see
// them. The caller must have checked that the currencies are the scope's. Users without an account are left out.
// Decisions that others can see, such as who has a badge, must use the zero Visibility.
func (s *Service) VisibleBalances(
	ctx context.Context, _ laurel.Scope, visibility laurel.Visibility, users, currencies []laurel.ID,
) (BalancesByUser, error) {
	var keys []AccountKey
	for _, c := range currencies {
		for _, u := range users {
			keys = append(keys, AccountKey{c, u})
		}
	}
	out := make(BalancesByUser, len(keys))
	if len(keys) == 0 {
		return out, nil
	}
	found, err := accounts.Read(ctx, s.db, keys)
	for k, a := range found {
		out[k] = a.visibleAmount(visibility)
	}
	return out, err
}

// PublicRank returns the public rank of a user in a currency, or the zero Rank if the user has no account.
func (s *Service) PublicRank(ctx context.Context, scope laurel.Scope, user, currency laurel.ID) (Rank, error) {
	found, err := accounts.Read(ctx, s.db, []AccountKey{{currency, user}})
	if a := found[AccountKey{currency, user}]; a != nil {
		return s.Rank(ctx, scope, laurel.Visibility{}, a.ID, currency)
	}
	return Rank{}, err
}

// maxRankedSingly is the number of users up to which PublicRanks counts the rank of each by a statement of its own.
const maxRankedSingly = 4

// PublicRanks returns the public ranks of users, by currency and user. Users without a rank, or beyond MaxRank, are
// left out. For more than maxRankedSingly users it reads the highest balances of a currency once and compares.
func (s *Service) PublicRanks(
	ctx context.Context,
	scope laurel.Scope,
	users, currencies []laurel.ID,
) (map[laurel.ID]map[laurel.ID]int, error) {
	out := make(map[laurel.ID]map[laurel.ID]int, len(currencies))
	for _, currency := range currencies {
		out[currency] = map[laurel.ID]int{}
		if len(users) > maxRankedSingly {
			if err := s.addPublicRanks(ctx, currency, users, out[currency]); err != nil {
				return nil, err
			}
			continue
		}
		for _, user := range users {
			rank, err := s.PublicRank(ctx, scope, user, currency)
			if err != nil {
				return nil, err
			}
			if rank.Place > 0 {
				out[currency][user] = rank.Place
			}
		}
	}
	return out, nil
}

// addPublicRanks sets in out, by user, the ranks of users in one currency: 1 + the number of greater balances among the
// highest MaxRank. Users without a rank, or beyond MaxRank, are left out.
func (s *Service) addPublicRanks(
	ctx context.Context, currency laurel.ID, users []laurel.ID, out map[laurel.ID]int,
) error {
	highest, err := highestAmounts(ctx, s.db, currency)
	if err != nil {
		return err
	}
	keys := make([]AccountKey, len(users))
	for i, u := range users {
		keys[i] = AccountKey{currency, u}
	}
	found, err := accounts.Read(ctx, s.db, keys)
	for k, a := range found {
		amount := a.visibleAmount(laurel.Visibility{})
		above := sort.Search(len(highest), func(i int) bool { return highest[i] <= amount })
		if a.Ranked && amount > 0 && above < MaxRank {
			out[k.User] = above + 1
		}
	}
	return err
}

// Leaders returns the users whose rank in a currency is at most maxRank, the highest balance first. Equal balances
// share a rank, so there may be more than maxRank users; Leaders returns at most limit of them.
func (s *Service) Leaders(
	ctx context.Context,
	scope laurel.Scope,
	currency laurel.ID,
	maxRank, limit int,
) ([]laurel.ID, error) {
	return selectLeaders(ctx, s.db, scope, leadersQuery{currency, maxRank, limit})
}

// CurrenciesOfUsers returns the currencies of the scope in which one of the users has an account.
func (s *Service) CurrenciesOfUsers(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	users []laurel.ID,
) ([]laurel.ID, error) {
	return currenciesOfUsers(ctx, q, scope, users)
}

// PublicBalance returns the public balance of a user in the batch, which does not reveal hidden bids. Payments that
// others can see are computed from it. It may exceed the real balance, so it must not be debited. The account must be
// among the Locks of the Work.
func PublicBalance(b *store.Batch, currency, user laurel.ID) laurel.Amount {
	return accounts.Row(b, AccountKey{currency, user}).visibleAmount(laurel.Visibility{})
}

// LockVersions returns the present versions of accounts; 0 for those that do not exist.
func (s *Service) LockVersions(
	ctx context.Context, scope laurel.Scope, keys []AccountKey,
) (map[AccountKey]int64, error) {
	found, err := accounts.Read(ctx, s.db, keys)
	out := make(map[AccountKey]int64, len(found))
	for k, a := range found {
		if a.OrganizationID == scope.OrganizationID {
			out[k] = a.LockVersion
		}
	}
	return out, err
}

// LockVersionIn returns the version of a locked account, as of now in the batch.
func LockVersionIn(b *store.Batch, key AccountKey) int64 { return accounts.Row(b, key).LockVersion }

// Spendable returns how much a debit of the member may take in a currency, as of now in the batch: the sum of the
// balances of its Spenders, capped at laurel.MaxAmount. Negative balances count as 0. The accounts are among the Locks
// of a debit.
func (p Member) Spendable(b *store.Batch, currency laurel.ID) laurel.Amount {
	sum := laurel.Amount(0)
	for _, user := range p.Spenders {
		var err error
		if sum, err = sum.Plus(max(0, accounts.Row(b, AccountKey{currency, user}).Amount)); err != nil {
			return laurel.MaxAmount
		}
	}
	return sum
}
