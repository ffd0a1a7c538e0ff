package lists

import (
	"cmp"
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// Member is a wallet on a rule's list, with what it gets; nil: what the rule pays.
type Member struct {
	Wallet string
	Amount *laurel.Amount
}

// Key names a wallet, in its stored form, and the rule on whose list it may stand, or the condition of a rule or badge.
type Key struct {
	Owner     laurel.ID // the rule or the badge
	Condition laurel.ID // zero: the rule's own list
	Wallet    string
}

// kind is that of the list.
func (k Key) kind() Kind {
	if k.Condition.IsZero() {
		return Allotment
	}
	return ConditionKind(k.Condition)
}

// maxWalletsPerQuery are asked for at once.
const maxWalletsPerQuery = 1024

// FindMembers returns those of the wallets that stand on the lists that count for their owners.
func FindMembers(ctx context.Context, q store.Queryer, keys []Key) (map[Key]Member, error) {
	wallets := map[Key][]string{} // by list
	for _, k := range keys {
		list := Key{Owner: k.Owner, Condition: k.Condition}
		wallets[list] = append(wallets[list], k.Wallet)
	}
	out := make(map[Key]Member, len(keys))
	for list, names := range wallets { // few lists: what other callers of the moment ask for
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

// ListMembers returns up to limit members of the list that counts for a rule of the scope, in the order of the wallets,
// behind the one of the key (an empty wallet: from the start). A list that is exchanged between two pages goes on at
// the same place: nobody who stands on both is passed over or met twice. Unavailable: no reading of the rule's list has
// ended well yet.
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

// ErrUnread is the error of a list of which nothing was read yet.
var ErrUnread = &laurel.Error{Code: laurel.Unavailable, Message: "The rule's list is not read yet", RetryAfter: 1}

// CheckRead returns ErrUnread where the rule, or a condition before it, names wallets by a list of which nothing was
// read yet: it is no empty one.
func (s *Service) CheckRead(ctx context.Context, _ laurel.Scope, rule laurel.ID) error {
	unread, err := s.unreadSources(ctx, rule)
	if err == nil && len(unread) > 0 {
		err = ErrUnread
	}
	return err
}

// CheckTried returns ErrUnread as Counts does, but not for the list of a condition that was tried and could not be
// read: its condition holds for nobody until it is.
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

// unreadSources are the lists by which a rule judges wallets of which nothing was read yet.
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

// RulesListing returns the rules of the scope on whose lists one of the wallets stands.
func (s *Service) RulesListing(ctx context.Context, scope laurel.Scope, wallets []string) ([]laurel.ID, error) {
	if len(wallets) == 0 {
		return nil, nil
	}
	return selectOwnersListing(ctx, s.db, scope, OwnerRule, wallets)
}

// TokenRewards returns what the tokens are worth by the feed or file that counts for a rule of the scope. Tokens that
// it does not name are left out.
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
