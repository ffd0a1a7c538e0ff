package catalog

import (
	"context"
	"math"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var groupTable = store.NewRecords[Group]("loyalty_rule_groups", "Loyalty rule group")

// lockGroupOrder locks the order of groups and of their rules in a website until tx ends.
func lockGroupOrder(ctx context.Context, tx *store.Tx, scope laurel.Scope) error {
	return tx.AdvisoryLock(ctx, "rule groups of "+scope.WebsiteID.String())
}

// nextSortID returns the sortId after the highest one of the website, and locks the order, so that no other transaction
// takes the same. If the highest is the largest integer, it is returned again; groups with equal sortIds are ordered by
// creation.
func nextSortID(ctx context.Context, tx *store.Tx, scope laurel.Scope) (int64, error) {
	if err := lockGroupOrder(ctx, tx, scope); err != nil {
		return 0, err
	}
	var last int64
	err := tx.Get(
		ctx,
		&last,
		"SELECT COALESCE(MAX(sort_id), -1) FROM loyalty_rule_groups WHERE website_id = ? AND deleted_at IS NULL",
		scope.WebsiteID,
	)
	if err != nil || last == math.MaxInt64 {
		return last, err
	}
	return last + 1, nil
}

// listGroups reads a page of live groups without their rules, ordered by sortId.
func listGroups(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	page laurel.PageRequest,
) (laurel.Page[Group], error) {
	return groupTable.Page(ctx, q, store.List{
		Where: store.Live(scope), Cursors: store.OfTenant(scope), Order: []string{"sort_id", "created_at", "id"},
	}, page)
}

// orderOfRules is the ORDER BY of the rules (r) of a group: by place, then rules without a place, oldest first.
const orderOfRules = "r.group_place IS NULL, r.group_place, r.created_at, r.id"

// rulesOfGroup returns the ids of the live rules of a group in their order. Rules with isSpecial are left out, as in
// lists.
func rulesOfGroup(ctx context.Context, q store.Queryer, group laurel.ID) ([]laurel.ID, error) {
	var ids []laurel.ID
	err := q.Select(
		ctx,
		&ids,
		`SELECT r.id FROM loyalty_rules r WHERE r.loyalty_rule_group_id = ? AND r.deleted_at IS NULL AND NOT r.is_special
		ORDER BY `+orderOfRules,
		group,
	)
	return ids, err
}

// setRulePlace sets the place of a rule in its group. It does nothing if the rule has left the group meanwhile.
func setRulePlace(ctx context.Context, tx *store.Tx, group, rule laurel.ID, place int) error {
	_, err := tx.Exec(
		ctx,
		"UPDATE loyalty_rules SET group_place = ? WHERE id = ? AND loyalty_rule_group_id = ?",
		place,
		rule,
		group,
	)
	return err
}

// fillGroup reads the live rules of one group into it, as fillGroups does.
func fillGroup(ctx context.Context, q store.Queryer, g Group) (Group, error) {
	filled, err := fillGroups(ctx, q, []Group{g}, GroupFilter{})
	if err != nil {
		return g, err
	}
	return filled[0], nil
}

// fillGroups reads the live rules that the filter selects into the groups, in their order, without rules with
// isSpecial. It returns the first groups whose rules fit into a page: at most maxGroupRules, and within the budget of
// bytes of a response (see FitGroups).
func fillGroups(ctx context.Context, q store.Queryer, groups []Group, f GroupFilter) ([]Group, error) {
	if len(groups) == 0 {
		return groups, nil
	}
	place := map[laurel.ID]int{}
	ids := make([]laurel.ID, len(groups))
	for i, g := range groups {
		place[g.ID], ids[i] = i, g.ID
	}
	var w store.Where
	store.In(&w, "g.id", ids)
	w.Add("r.deleted_at IS NULL AND NOT r.is_special")
	if f.WithoutHidden || f.ForClients {
		w.Add("NOT r.hide_in_ui")
	}
	if f.ForClients {
		w.Add("(r.show_before_start OR r.start_time IS NULL OR r.start_time <= ?)", f.now)
	}
	rows, next, err := store.SelectWithinBudget[ruleRow](
		ctx,
		q,
		`SELECT r.id, r.organization_id, r.website_id, r.record, r.loyalty_currency_id, r.version, r.chained, r.created_at, r.updated_at, r.deleted_at
		FROM loyalty_rules r JOIN loyalty_rule_groups g ON g.id = r.loyalty_rule_group_id`+w.String()+
			" ORDER BY g.sort_id, g.created_at, g.id, "+orderOfRules+" LIMIT ?",
		append(w.Args, maxGroupRules+1)...)
	if err != nil {
		return nil, err
	}
	fit := min(len(rows), maxGroupRules)
	if next != nil { // it shows which group has further rules
		rows = append(rows, *next)
	}
	rules, err := decodeRules(rows)
	for _, r := range rules {
		i := place[*r.LoyaltyRuleGroupID]
		groups[i].Rules = append(groups[i].Rules, r)
	}
	return FitGroups(groups, fit), err
}

// countGroupRules returns how many live rules a group has, those with isSpecial included.
func countGroupRules(ctx context.Context, tx *store.Tx, group laurel.ID) (int, error) {
	var n int
	err := tx.Get(
		ctx,
		&n,
		"SELECT COUNT(*) FROM loyalty_rules WHERE loyalty_rule_group_id = ? AND deleted_at IS NULL",
		group,
	)
	return n, err
}

// lockGroupRules locks the live rules of a group and returns their ids in ascending order; a group has at most
// maxGroupRules. The first query finds the rules to lock; the second, under the locks, finds those that are still in
// the group.
func lockGroupRules(ctx context.Context, tx *store.Tx, group laurel.ID) ([]laurel.ID, error) {
	const query = "SELECT id FROM loyalty_rules WHERE loyalty_rule_group_id = ? AND deleted_at IS NULL ORDER BY id"
	var ids []laurel.ID
	if err := tx.Select(ctx, &ids, query, group); err != nil {
		return nil, err
	}
	if err := Versions.LockExclusively(ctx, tx, ids...); err != nil {
		return nil, err
	}
	ids = nil
	err := tx.Select(ctx, &ids, query+tx.ForUpdate(), group)
	return ids, err
}

// readLockedRules reads rules by id. The caller holds their locks.
func readLockedRules(ctx context.Context, tx *store.Tx, ids []laurel.ID) ([]Rule, error) {
	var w store.Where
	store.In(&w, "id", ids)
	return selectRules(ctx, tx, w.String()+" ORDER BY id", w.Args)
}

// selectRules reads rules; rest is the SQL behind FROM loyalty_rules.
func selectRules(ctx context.Context, q store.Queryer, rest string, args []any) ([]Rule, error) {
	var rows []ruleRow
	if err := q.Select(ctx, &rows, selectRule+rest, args...); err != nil {
		return nil, err
	}
	return decodeRules(rows)
}

// decodeRules decodes rows into rules.
func decodeRules(rows []ruleRow) ([]Rule, error) {
	out := make([]Rule, len(rows))
	for i, row := range rows {
		var err error
		if out[i], err = row.rule(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// startedAndNotEnded is the SQL condition for live rules (r) that have started and not ended. It takes the moment
// twice.
const startedAndNotEnded = `r.deleted_at IS NULL AND (r.start_time IS NULL OR r.start_time <= ?) AND (r.end_time IS NULL OR r.end_time > ?)`

// requiredRules returns the ids of the rules of a website that must be completed before others at a moment (contract
// 5.8): required rules, and the rules of required groups. It is a union, so that each part uses its own index.
func requiredRules(ctx context.Context, q store.Queryer, website laurel.ID, now int64) ([]laurel.ID, error) {
	var ids []laurel.ID
	err := q.Select(ctx, &ids, `SELECT r.id FROM loyalty_rules r WHERE r.website_id = ? AND r.is_required AND `+startedAndNotEnded+`
		UNION ALL SELECT r.id FROM loyalty_rule_groups g JOIN loyalty_rules r ON r.loyalty_rule_group_id = g.id
		WHERE g.website_id = ? AND g.is_required AND g.deleted_at IS NULL AND NOT r.is_required AND `+startedAndNotEnded, website, now, now, website, now, now)
	return ids, err
}

// isRequired reports whether members must complete the rule before other rules: either the rule itself is required, or
// its group.
func isRequired(ctx context.Context, q store.Queryer, rule Rule) (bool, error) {
	if rule.IsRequired || rule.LoyaltyRuleGroupID == nil {
		return rule.IsRequired, nil
	}
	var n int
	err := q.Get(
		ctx,
		&n,
		"SELECT COUNT(*) FROM loyalty_rule_groups WHERE id = ? AND is_required AND deleted_at IS NULL",
		*rule.LoyaltyRuleGroupID,
	)
	return n > 0, err
}
