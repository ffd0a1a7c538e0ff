package lists

import (
	"cmp"
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// Member is a wallet on a rule's list, with its amount; nil: the amount of the rule.
type Member struct {
	Wallet string
	Amount *laurel.Amount
}

// Key identifies a wallet, in its stored form, on the list of a rule, or of a condition of a rule or badge.
type Key struct {
	Owner     laurel.ID // the rule or the badge
	Condition laurel.ID // zero: the list of the rule itself
	Wallet    string
}

// kind returns the kind of the list.
func (k Key) kind() Kind {
	if k.Condition.IsZero() {
		return Allotment
	}
	return ConditionKind(k.Condition)
}

// maxWalletsPerQuery bounds the wallets of one query.
const maxWalletsPerQuery = 1024

// FindMembers returns the members among the keys: those whose wallet is in the current import of the list.
func FindMembers(ctx context.Context, q store.Queryer, keys []Key) (map[Key]Member, error) {
	wallets := map[Key][]string{} // by list
	for _, k := range keys {
		list := Key{Owner: k.Owner, Condition: k.Condition}
		wallets[list] = append(wallets[list], k.Wallet)
	}
	out := make(map[Key]Member, len(keys))
	for list, names := range wallets { // few lists: the keys come from simultaneous callers
		for chunk := range slices.Chunk(names, maxWalletsPerQuery) {
			rows, err := selectMembers(ctx, q, list, chunk)
			if err != nil {
				return nil, err
			}
			for _, r := range rows {
				list.Wallet = r.Key
				out[list] = r.toMember()
			}
		}
	}
	return out, nil
}

// ListMembers returns a page of the members of a rule's list, ordered by wallet, after the wallet of the key (empty:
// from the start). If a new import replaces the list between two pages, paging continues at the same wallet: members of
// both imports are neither skipped nor repeated. It returns ErrUnread if the list was never imported.
func (s *Service) ListMembers(ctx context.Context, scope laurel.Scope, after Key, limit int) ([]Member, error) {
	rows, err := selectMemberPage(ctx, s.db, scope, after, limit)
	if err == nil && len(rows) == 0 {
		err = s.CheckRead(ctx, scope, after.Owner)
	}
	out := make([]Member, len(rows))
	for i, r := range rows {
		out[i] = r.toMember()
	}
	return out, err
}

// ErrUnread is returned if a list has no current import yet.
var ErrUnread = &laurel.Error{Code: laurel.Unavailable, Message: "The rule's list is not read yet", RetryAfter: 1}

// CheckRead returns ErrUnread if the list of a rule, or of a condition in its chains, was never imported. Such a list
// must not be taken for an empty one.
func (s *Service) CheckRead(ctx context.Context, _ laurel.Scope, rule laurel.ID) error {
	unread, err := s.unreadSources(ctx, rule)
	if err == nil && len(unread) > 0 {
		err = ErrUnread
	}
	return err
}

// CheckTried is CheckRead, but accepts lists of conditions whose import has failed: their condition holds for nobody
// until an import succeeds.
func (s *Service) CheckTried(ctx context.Context, _ laurel.Scope, rule laurel.ID) error {
	unread, err := s.unreadSources(ctx, rule)
	if err != nil {
		return err
	}
	for _, list := range unread {
		base, _ := list.Kind.split()
		if base != Condition {
			return ErrUnread
		}
		if failed, err := hasFailed(ctx, s.db, list); err != nil || !failed {
			return cmp.Or(err, error(ErrUnread))
		}
	}
	return nil
}

// unreadSources returns the wallet lists of a rule and its conditions that have no current import.
func (s *Service) unreadSources(ctx context.Context, rule laurel.ID) ([]source, error) {
	sources, err := selectSources(ctx, s.db, rule)
	var out []source
	for kind, list := range sources {
		if base, _ := kind.split(); (base == Allotment || base == Condition) && list.CurrentID.IsZero() {
			out = append(out, list)
		}
	}
	return out, err
}

// RulesListing returns the rules of the scope whose list contains one of the wallets.
func (s *Service) RulesListing(ctx context.Context, scope laurel.Scope, wallets []string) ([]laurel.ID, error) {
	if len(wallets) == 0 {
		return nil, nil
	}
	return selectOwnersListing(ctx, s.db, scope, OwnerRule, wallets)
}

// TokenRewards returns the rewards of tokens by the list or feed of a rule. Tokens without a reward are left out.
func (s *Service) TokenRewards(
	ctx context.Context,
	scope laurel.Scope,
	rule laurel.ID,
	tokens []string,
) (map[string]laurel.Amount, error) {
	out := map[string]laurel.Amount{}
	var keys []string
	for _, token := range tokens {
		if key, problem := tokenID(token); problem == "" {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return out, nil
	}
	rows, err := selectTokenRewards(ctx, s.db, scope, rule, keys)
	for _, r := range rows {
		out[r.Key] = *r.Amount
	}
	return out, err
}
