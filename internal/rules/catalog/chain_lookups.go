package catalog

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// LockLive locks a rule whose chains are about to change. NotFound "Loyalty rule" outside the scope or when deleted.
func (s *Service) LockLive(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (Rule, error) {
	r, err := lockRule(ctx, tx, scope, id)
	if err == nil && !r.DeletedAt.IsZero() {
		err = laurel.Missing("Loyalty rule")
	}
	return r, err
}

// Lock locks a rule, deleted ones too, of which a chain is about to end.
func (s *Service) Lock(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) error {
	_, err := lockRule(ctx, tx, scope, id)
	return err
}

// SetHasChains notes whether a rule has chains. It counts as a change: completions that were prepared before are
// prepared anew. The rule is locked.
func (s *Service) SetHasChains(ctx context.Context, tx *store.Tx, _ laurel.Scope, id laurel.ID, hasChains bool) error {
	return updateHasChains(ctx, tx, id, hasChains)
}

// SelectLiveIDs returns those of the rules that belong to the scope and are not deleted.
func (s *Service) LiveAmong(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
) ([]laurel.ID, error) {
	return store.SelectLiveIDs(ctx, q, scope, "loyalty_rules", ids)
}

// LiveGroups returns those of the groups that belong to the scope and are not deleted.
func (s *Service) LiveGroups(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
) ([]laurel.ID, error) {
	return store.SelectLiveIDs(ctx, q, scope, "loyalty_rule_groups", ids)
}

// RulesByGroup returns the live rules of each of the groups; a deleted group has none.
func (s *Service) RulesByGroup(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	groups []laurel.ID,
) (map[laurel.ID][]laurel.ID, error) {
	return selectRulesByGroup(ctx, q, scope, groups)
}

// GroupsOfRules returns the groups of the live ones of the rules; those without a group are left out.
func (s *Service) GroupsOfRules(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rules []laurel.ID,
) (map[laurel.ID]laurel.ID, error) {
	return selectGroupsOfRules(ctx, q, scope, rules)
}
