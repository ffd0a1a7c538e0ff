package lists

import (
	"cmp"
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
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
		return KindAllotment
	}
	return ConditionKind(k.Condition)
}

// maxWalletsPerQuery bounds the wallets of one query.
const maxWalletsPerQuery = 1024

// FindMembers returns, by key, the members that the keys name: a key names a member if its wallet is in the current
// import of its list.
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

// ListMembers returns a page of the members of a rule's list, ordered by wallet. after names the rule and the last
// wallet of the page before; an empty wallet starts from the beginning. If a new import replaces the list between two
// pages, paging continues at the same wallet: members of both imports are neither skipped nor repeated. It returns
// ErrNotImported if the list was never imported.
func (s *Service) ListMembers(ctx context.Context, scope laurel.Scope, after Key, limit int) ([]Member, error) {
	rows, err := selectMemberPage(ctx, s.db, scope, after, limit)
	if err == nil && len(rows) == 0 {
		err = s.CheckImported(ctx, scope, after.Owner)
	}
	out := make([]Member, len(rows))
	for i, r := range rows {
		out[i] = r.toMember()
	}
	return out, err
}

// ErrNotImported is returned if a list was not imported yet.
var ErrNotImported = &laurel.Error{Code: laurel.Unavailable, Message: "The rule's list is not read yet", RetryAfter: 1}

// CheckImported returns ErrNotImported unless the list of wallets of a rule, and those of the conditions in its chains,
// have been imported. A list that was never imported must not be taken for an empty one.
func (s *Service) CheckImported(ctx context.Context, _ laurel.Scope, rule laurel.ID) error {
	notImported, err := s.sourcesNotImported(ctx, rule)
	if err == nil && len(notImported) > 0 {
		err = ErrNotImported
	}
	return err
}

// CheckImportAttempted returns ErrNotImported like CheckImported, except for the list of a condition after an import of
// it has failed: the condition then holds for no member until an import succeeds.
func (s *Service) CheckImportAttempted(ctx context.Context, _ laurel.Scope, rule laurel.ID) error {
	notImported, err := s.sourcesNotImported(ctx, rule)
	if err != nil {
		return err
	}
	for _, list := range notImported {
		base, _ := list.Kind.split()
		if base != KindCondition {
			return ErrNotImported
		}
		if failed, err := hasFailedImport(ctx, s.db, list); err != nil || !failed {
			return cmp.Or(err, error(ErrNotImported))
		}
	}
	return nil
}

// sourcesNotImported returns the lists of wallets of a rule, and of the conditions in its chains, that have no current
// import.
func (s *Service) sourcesNotImported(ctx context.Context, rule laurel.ID) ([]source, error) {
	sources, err := selectSources(ctx, s.db, rule)
	var out []source
	for kind, list := range sources {
		if base, _ := kind.split(); (base == KindAllotment || base == KindCondition) && list.CurrentID.IsZero() {
			out = append(out, list)
		}
	}
	return out, err
}

// FindRulesByWallets returns the rules of the scope whose list contains one of the wallets.
func (s *Service) FindRulesByWallets(ctx context.Context, scope laurel.Scope, wallets []string) ([]laurel.ID, error) {
	if len(wallets) == 0 {
		return nil, nil
	}
	return selectOwnersByWallets(ctx, s.db, scope, OwnerRule, wallets)
}

// TokenRewards returns the rewards that the list or feed of a rule names for tokens, by the decimal form of the token's
// number. Tokens that it does not name, and malformed ones, are left out.
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
