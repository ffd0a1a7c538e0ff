package catalog

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// LockLive locks a live rule, so that its chains can be changed, and returns it. It returns NotFound "Loyalty rule" for
// a rule that is deleted or outside the scope.
func (s *Service) LockLive(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (Rule, error) {
	r, err := lockRule(ctx, tx, scope, id)
	if err == nil && !r.DeletedAt.IsZero() {
		err = laurel.Missing("Loyalty rule")
	}
	return r, err
}

// Lock locks a rule, also a deleted one. It returns NotFound "Loyalty rule" for a rule outside the scope.
func (s *Service) Lock(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) error {
	_, err := lockRule(ctx, tx, scope, id)
	return err
}

// SetHasChains stores whether a rule has chains, and raises the version of the rule: completions that were prepared on
// the former version are prepared again. The caller holds the lock of the rule.
func (s *Service) SetHasChains(ctx context.Context, tx *store.Tx, _ laurel.Scope, id laurel.ID, hasChains bool) error {
	return updateHasChains(ctx, tx, id, hasChains)
}

// LiveAmong returns the ids of the live rules among those with the given ids: rules of the scope that are not deleted.
func (s *Service) LiveAmong(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
) ([]laurel.ID, error) {
	return store.SelectLiveIDs(ctx, q, scope, "loyalty_rules", ids)
}

// LiveGroups returns the ids of the live rule groups among those with the given ids: groups of the scope that are not
// deleted.
func (s *Service) LiveGroups(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
) ([]laurel.ID, error) {
	return store.SelectLiveIDs(ctx, q, scope, "loyalty_rule_groups", ids)
}

// RulesByGroup returns the ids of the live rules of each group, by the group's id. Groups without live rules, such as
// deleted groups, are left out.
func (s *Service) RulesByGroup(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	groups []laurel.ID,
) (map[laurel.ID][]laurel.ID, error) {
	return selectRulesByGroup(ctx, q, scope, groups)
}

// GroupsOfRules returns the id of the group of each live rule, by the rule's id. Rules without a group are left out.
func (s *Service) GroupsOfRules(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rules []laurel.ID,
) (map[laurel.ID]laurel.ID, error) {
	return selectGroupsOfRules(ctx, q, scope, rules)
}
