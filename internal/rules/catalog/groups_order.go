package catalog

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Group returns a live group without its rules. It returns NotFound "Loyalty rule group" for a group that is deleted or
// outside the scope.
func (s *Service) Group(ctx context.Context, scope laurel.Scope, id laurel.ID) (Group, error) {
	return groupTable.Get(ctx, s.db, store.LiveByID(scope, id), "")
}

// GroupWithRules returns a live group with its live rules, as a change of the group does. Errors: as Group.
func (s *Service) GroupWithRules(ctx context.Context, scope laurel.Scope, id laurel.ID) (Group, error) {
	g, err := s.Group(ctx, scope, id)
	if err != nil {
		return g, err
	}
	return fillGroup(ctx, s.db, g)
}

// maxReorderedGroups bounds the groups that one change of the order may renumber.
const maxReorderedGroups = 1000

// ErrTooManyGroups is returned if a website has more than maxReorderedGroups groups.
var ErrTooManyGroups = laurel.Errorf(
	laurel.Refused, "More than %d groups cannot be put into an order here", maxReorderedGroups,
)

// listGroupsToReorder returns all live groups of the website in their order, or ErrTooManyGroups if there are more than
// maxReorderedGroups. It locks the order: until tx ends, no other transaction creates or moves groups of the website.
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

// MoveGroup swaps a group with the one before it (up) or after it. It does nothing if there is no group on that side.
// Errors: NotFound "Loyalty rule group"; ErrTooManyGroups.
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

// renumberGroups sets the sortIds of the groups to consecutive numbers in their order, starting with the lowest sortId
// that one of them has. Groups that have their number already are not written.
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
		locked, err := groupTable.Get(ctx, tx, store.LiveByID(scope, g.ID), tx.ForUpdate())
		if err != nil {
			return err
		}
		locked.SortID, locked.UpdatedAt.Time = sortID, tx.NowAfter(locked.UpdatedAt.Time)
		if err := groupTable.Update(ctx, tx, &locked); err != nil {
			return err
		}
	}
	return nil
}

// ErrGroupsChanged is returned if the groups or their order have changed since the caller read them.
var ErrGroupsChanged = laurel.Errorf(laurel.Refused, "Somebody else has changed the groups or their order meanwhile")

// OrderGroups puts all live groups of the website into the given order. expected is the order that the caller has read.
// Errors: ErrGroupsChanged if the present order differs from expected, or if order does not have the same groups;
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
			g, ok := byID[id]
			if !ok {
				return ErrGroupsChanged
			}
			delete(byID, id) // so that a group that order lists twice is not found again
			groups[i] = g
		}
		return renumberGroups(ctx, tx, scope, groups)
	})
}

// MoveRule swaps a rule of a group with the one before it (up) or after it. It does nothing if there is no rule on that
// side. Errors: NotFound "Loyalty rule group"; NotFound "Loyalty rule" if the rule is not in the group.
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

// ErrGroupRulesChanged is returned if the rules of a group or their order have changed since the caller read them.
var ErrGroupRulesChanged = laurel.Errorf(laurel.Refused, "Somebody else has changed the rules of the group meanwhile")

// OrderRules puts the live rules of a group into the given order. expected is the order that the caller has read.
// Errors: NotFound "Loyalty rule group"; ErrGroupRulesChanged if the present order differs from expected, or if order
// does not have the same rules.
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

// reorderGroupRules calls reorder with the ids of a group's live rules in their order, and stores the order that
// reorder returns; if that is nil, nothing changes. The order of groups and rules of the website is locked meanwhile.
// The versions of the rules stay, as the order has no effect on what they pay.
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
		if _, err := groupTable.Get(ctx, tx, store.LiveByID(scope, group), ""); err != nil {
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
