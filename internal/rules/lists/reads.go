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

// maxWallets are asked for at once.
const maxWallets = 1024

// On returns those of the wallets that stand on the lists that count for their owners.
func On(ctx context.Context, q store.Queryer, keys []Key) (map[Key]Member, error) {
	wallets := map[Key][]string{} // by list
	for _, k := range keys {
		list := Key{Owner: k.Owner, Condition: k.Condition}
		wallets[list] = append(wallets[list], k.Wallet)
	}
	out := make(map[Key]Member, len(keys))
	for list, names := range wallets { // few lists: what other callers of the moment ask for
		for part := range slices.Chunk(names, maxWallets) {
			rows, err := onList(ctx, q, list, part)
			if err != nil {
				return nil, err
			}
			for _, r := range rows {
				list.Wallet = r.Key
				out[list] = r.shape()
			}
		}
	}
	return out, nil
}

// Members returns up to limit members of the list that counts for a rule of the scope, in the order of the wallets,
// behind the one of the key (an empty wallet: from the start). A list that is exchanged between two pages goes on at
// the same place: nobody who stands on both is passed over or met twice. Unavailable: no reading of the rule's list has
// ended well yet.
func (s *Service) Members(ctx context.Context, scope laurel.Scope, after Key, limit int) ([]Member, error) {
	rows, err := membersOf(ctx, s.db, scope, after, limit)
	if err == nil && len(rows) == 0 {
		err = s.Counts(ctx, scope, after.Owner)
	}
	out := make([]Member, len(rows))
	for i, r := range rows {
		out[i] = r.shape()
	}
	return out, err
}

// ErrUnread is the error of a list of which nothing was read yet.
var ErrUnread = &laurel.Error{Code: laurel.Unavailable, Message: "The rule's list is not read yet", RetryAfter: 1}

// Counts returns ErrUnread where the rule, or a condition before it, names wallets by a list of which nothing was read
// yet: it is no empty one.
func (s *Service) Counts(ctx context.Context, _ laurel.Scope, rule laurel.ID) error {
	unread, err := s.unread(ctx, rule)
	if err == nil && len(unread) > 0 {
		err = ErrUnread
	}
	return err
}

// Tried returns ErrUnread as Counts does, but not for the list of a condition that was tried and could not be read: its
// condition holds for nobody until it is.
func (s *Service) Tried(ctx context.Context, _ laurel.Scope, rule laurel.ID) error {
	unread, err := s.unread(ctx, rule)
	if err != nil {
		return err
	}
	for _, list := range unread {
		base, _ := list.Kind.plain()
		if base != Condition {
			return ErrUnread
		}
		if failed, err := failedBefore(ctx, s.db, list); err != nil || !failed {
			return cmp.Or(err, error(ErrUnread))
		}
	}
	return nil
}

// unread are the lists by which a rule judges wallets of which nothing was read yet.
func (s *Service) unread(ctx context.Context, rule laurel.ID) ([]source, error) {
	known, err := sourcesOf(ctx, s.db, rule)
	var out []source
	for kind, list := range known {
		if base, _ := kind.plain(); (base == Allotment || base == Condition) && list.CurrentID.IsZero() {
			out = append(out, list)
		}
	}
	return out, err
}

// RulesOf returns the rules of the scope on whose lists one of the wallets stands.
func (s *Service) RulesOf(ctx context.Context, scope laurel.Scope, wallets []string) ([]laurel.ID, error) {
	if len(wallets) == 0 {
		return nil, nil
	}
	return ownersOf(ctx, s.db, scope, OfRule, wallets)
}

// Worth returns what the tokens are worth by the feed or file that counts for a rule of the scope. Tokens that it does
// not name are left out.
func (s *Service) Worth(
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
	rows, err := worthOf(ctx, s.db, scope, rule, keys)
	for _, r := range rows {
		out[r.Key] = *r.Amount
	}
	return out, err
}
