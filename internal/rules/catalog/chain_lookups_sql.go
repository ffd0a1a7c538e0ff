package catalog

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// maxArguments bounds the arguments of one statement.
const maxArguments = 512

// updateHasChains stores whether a rule has chains, and raises its version.
func updateHasChains(ctx context.Context, tx *store.Tx, id laurel.ID, hasChains bool) error {
	_, err := tx.Exec(ctx, "UPDATE loyalty_rules SET chained = ?, version = version + 1 WHERE id = ?", hasChains, id)
	return err
}

// selectRulesByGroup reads the ids of the live rules of groups, by the group's id.
func selectRulesByGroup(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	groups []laurel.ID,
) (map[laurel.ID][]laurel.ID, error) {
	out := map[laurel.ID][]laurel.ID{}
	if len(groups) == 0 {
		return out, nil
	}
	var w store.Where
	store.In(&w, "loyalty_rule_group_id", groups)
	w.Tenant("", scope)
	w.Add("deleted_at IS NULL")
	var rows []struct {
		ID    laurel.ID `db:"id"`
		Group laurel.ID `db:"loyalty_rule_group_id"`
	}
	err := q.Select(ctx, &rows, "SELECT id, loyalty_rule_group_id FROM loyalty_rules"+w.String()+" ORDER BY id", w.Args...)
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
	out := map[laurel.ID]laurel.ID{}
	for chunk := range slices.Chunk(rules, maxArguments) {
		var w store.Where
		store.In(&w, "id", chunk)
		w.Tenant(q.Engine().NoIndexPrefix(), scope)
		w.Add("deleted_at IS NULL AND loyalty_rule_group_id IS NOT NULL")
		var rows []struct {
			ID    laurel.ID `db:"id"`
			Group laurel.ID `db:"loyalty_rule_group_id"`
		}
		if err := q.Select(
			ctx,
			&rows,
			"SELECT id, loyalty_rule_group_id FROM loyalty_rules"+w.String(),
			w.Args...); err != nil {
			return nil, err
		}
		for _, r := range rows {
			out[r.ID] = r.Group
		}
	}
	return out, nil
}
