package catalog

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// updateHasChains stores whether a rule has chains, and raises its version.
func updateHasChains(ctx context.Context, tx *store.Tx, id laurel.ID, hasChains bool) error {
	_, err := tx.Exec(ctx, "UPDATE loyalty_rules SET chained = ?, version = version + 1 WHERE id = ?", hasChains, id)
	return err
}

// groupedRule is a rule with its group.
type groupedRule struct {
	ID    laurel.ID `db:"id"`
	Group laurel.ID `db:"loyalty_rule_group_id"`
}

// selectRulesByGroup reads the ids of the live rules of groups, by the group's id.
func selectRulesByGroup(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	groups []laurel.ID,
) (map[laurel.ID][]laurel.ID, error) {
	rows, err := store.SelectByIDs[groupedRule](ctx, q, "loyalty_rule_group_id", groups, func(w *store.Where) string {
		w.Tenant("", scope)
		w.Add("deleted_at IS NULL")
		return "SELECT id, loyalty_rule_group_id FROM loyalty_rules" + w.String() + " ORDER BY id"
	})
	out := map[laurel.ID][]laurel.ID{}
	for _, r := range rows {
		out[r.Group] = append(out[r.Group], r.ID)
	}
	return out, err
}

// selectGroupsOfRules reads the ids of the groups of live rules, by the rule's id. Rules without a group are left out.
func selectGroupsOfRules(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rules []laurel.ID,
) (map[laurel.ID]laurel.ID, error) {
	rows, err := store.SelectByIDs[groupedRule](ctx, q, "id", rules, func(w *store.Where) string {
		w.Tenant(q.Engine().NoIndexPrefix(), scope)
		w.Add("deleted_at IS NULL AND loyalty_rule_group_id IS NOT NULL")
		return "SELECT id, loyalty_rule_group_id FROM loyalty_rules" + w.String()
	})
	out := map[laurel.ID]laurel.ID{}
	for _, r := range rows {
		out[r.ID] = r.Group
	}
	return out, err
}
