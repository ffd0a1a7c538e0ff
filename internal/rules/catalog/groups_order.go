package catalog

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/store"
)

// Group returns a live group without its rules. NotFound "Loyalty rule group" outside the scope or when deleted.
func (s *Service) Group(ctx context.Context, scope laurel.Scope, id laurel.ID) (Group, error) {
	g, err := readGroup(ctx, s.db, scope, id, "")
	if err == nil && !g.DeletedAt.IsZero() {
		err = laurel.Missing("Loyalty rule group")
	}
	return g, err
}

// maxReorderedGroups bounds the groups whose order one move may write anew.
const maxReorderedGroups = 1000

// ErrTooManyGroups is the error of moves among more groups than are written anew at once.
var ErrTooManyGroups = laurel.Errorf(
	laurel.Refused, "More than %d groups cannot be put into an order here", maxReorderedGroups,
)

// listGroupsToReorder reads the live groups in their order. Nobody else makes or moves groups of the website until tx
// ends.
func listGroupsToReorder(ctx context.Context, tx *store.Tx, scope laurel.Scope) ([]Group, error) {
	if err := lockGroupOrder(ctx, tx, scope); err != nil {
		return nil, err
	}
	list, err := listGroups(ctx, tx, scope, laurel.PageRequest{Limit: maxReorderedGroups})
	if err == nil && list.HasNextPage {
		err = ErrTooManyGroups
	}
	return list.Data, err
}

// MoveGroup lets a group change places with the one before it, or behind it, in the order of lists. The first and the
// last stay. NotFound "Loyalty rule group" as Group.
func (s *Service) MoveGroup(ctx context.Context, scope laurel.Scope, id laurel.ID, up bool) error {
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		groups, err := listGroupsToReorder(ctx, tx, scope)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(groups, func(g Group) bool { return g.ID == id })
		if at < 0 {
			return laurel.Missing("Loyalty rule group")
		}
		to := at + 1
		if up {
			to = at - 1
		}
		if to < 0 || to >= len(groups) {
			return nil
		}
		groups[at], groups[to] = groups[to], groups[at]
		return renumberGroups(ctx, tx, scope, groups)
	})
}

// renumberGroups numbers the groups in their order, from the least number that they have.
func renumberGroups(ctx context.Context, tx *store.Tx, scope laurel.Scope, groups []Group) error {
	least := groups[0].SortID
	for _, g := range groups {
		least = min(least, g.SortID)
	}
	for i, g := range groups {
		sortID := least + int64(i)
		if g.SortID == sortID {
			continue
		}
		locked, err := readGroup(ctx, tx, scope, g.ID, tx.ForUpdate())
		if err != nil {
			return err
		}
		locked.SortID, locked.UpdatedAt = sortID, tx.Now()
		if err := updateGroup(ctx, tx, locked); err != nil {
			return err
		}
	}
	return nil
}

// ErrGroupsChanged is the error of an order that comes too late.
var ErrGroupsChanged = laurel.Errorf(laurel.Refused, "Somebody else has changed the groups or their order meanwhile")

// OrderGroups puts all live groups into an order. was is the order that it started from: ErrGroupsChanged where the
// groups are others by now, or stand in another order, and where the two lists do not name the same groups;
// ErrTooManyGroups.
func (s *Service) OrderGroups(ctx context.Context, scope laurel.Scope, expected, order []laurel.ID) error {
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		current, err := listGroupsToReorder(ctx, tx, scope)
		if err != nil {
			return err
		}
		if len(current) != len(expected) || len(expected) != len(order) || len(expected) == 0 {
			return ErrGroupsChanged
		}
		byID := map[laurel.ID]Group{}
		for i, g := range current {
			if g.ID != expected[i] {
				return ErrGroupsChanged
			}
			byID[g.ID] = g
		}
		groups := make([]Group, len(order))
		for i, id := range order {
			g, known := byID[id]
			if !known {
				return ErrGroupsChanged
			}
			delete(byID, id) // each once
			groups[i] = g
		}
		return renumberGroups(ctx, tx, scope, groups)
	})
}

// MoveRule lets a rule change places with the one before it, or behind it, in its group. The first and the last stay.
// NotFound "Loyalty rule group" as Group, "Loyalty rule" where the rule is not in it.
func (s *Service) MoveRule(ctx context.Context, scope laurel.Scope, group, rule laurel.ID, up bool) error {
	return s.reorderGroupRules(ctx, scope, group, func(rules []laurel.ID) ([]laurel.ID, error) {
		at := slices.Index(rules, rule)
		if at < 0 {
			return nil, laurel.Missing("Loyalty rule")
		}
		to := at + 1
		if up {
			to = at - 1
		}
		if to < 0 || to >= len(rules) {
			return nil, nil
		}
		rules[at], rules[to] = rules[to], rules[at]
		return rules, nil
	})
}

// ErrGroupRulesChanged is the error of an order of rules that comes too late.
var ErrGroupRulesChanged = laurel.Errorf(laurel.Refused, "Somebody else has changed the rules of the group meanwhile")

// OrderRules puts the live rules of a group into an order. was is the order that it started from: ErrGroupRulesChanged
// where the rules are others by now, or stand in another order, and where the two lists do not name the same rules.
func (s *Service) OrderRules(
	ctx context.Context, scope laurel.Scope, group laurel.ID, expected, order []laurel.ID,
) error {
	return s.reorderGroupRules(ctx, scope, group, func(rules []laurel.ID) ([]laurel.ID, error) {
		sortedOrder := slices.Clone(order)
		slices.SortFunc(sortedOrder, laurel.ID.Compare)
		sortedRules := slices.Clone(rules)
		slices.SortFunc(sortedRules, laurel.ID.Compare)
		if !slices.Equal(rules, expected) || !slices.Equal(sortedRules, sortedOrder) {
			return nil, ErrGroupRulesChanged
		}
		return order, nil
	})
}

// reorderGroupRules writes the order that decide makes of the rules of a group. Orders of a website come one by one.
// The rules keep their versions, as their order has no effect on what they pay.
func (s *Service) reorderGroupRules(
	ctx context.Context,
	scope laurel.Scope,
	group laurel.ID,
	reorder func([]laurel.ID) ([]laurel.ID, error),
) error {
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := lockGroupOrder(ctx, tx, scope); err != nil {
			return err
		}
		g, err := readGroup(ctx, tx, scope, group, "")
		if err == nil && !g.DeletedAt.IsZero() {
			err = laurel.Missing("Loyalty rule group")
		}
		if err != nil {
			return err
		}
		rules, err := rulesOfGroup(ctx, tx, group)
		if err != nil {
			return err
		}
		order, err := reorder(rules)
		if err != nil {
			return err
		}
		sorted := slices.Clone(order) // rows are locked in the order of their ids, as everywhere
		slices.SortFunc(sorted, laurel.ID.Compare)
		for _, id := range sorted {
			if err := setRulePlace(ctx, tx, group, id, slices.Index(order, id)+1); err != nil {
				return err
			}
		}
		return nil
	})
}
