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

// maxOrdered bounds the groups whose order one move may write anew.
const maxOrdered = 1000

// ErrTooManyToOrder is the error of moves among more groups than are written anew at once.
var ErrTooManyToOrder = laurel.Errorf(laurel.Refused, "More than %d groups cannot be put into an order here", maxOrdered)

// toOrder reads the live groups in their order. Nobody else makes or moves groups of the website until tx ends.
func toOrder(ctx context.Context, tx *store.Tx, scope laurel.Scope) ([]Group, error) {
	if err := takeGroupTurns(ctx, tx, scope); err != nil {
		return nil, err
	}
	list, err := listGroups(ctx, tx, scope, laurel.PageRequest{Limit: maxOrdered})
	if err == nil && list.HasNextPage {
		err = ErrTooManyToOrder
	}
	return list.Data, err
}

// MoveGroup lets a group change places with the one before it, or behind it, in the order of lists. The first and the
// last stay. NotFound "Loyalty rule group" as Group.
func (s *Service) MoveGroup(ctx context.Context, scope laurel.Scope, id laurel.ID, up bool) error {
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		groups, err := toOrder(ctx, tx, scope)
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
		return reorder(ctx, tx, scope, groups)
	})
}

// reorder numbers the groups in their order, from the least number that they have.
func reorder(ctx context.Context, tx *store.Tx, scope laurel.Scope, groups []Group) error {
	least := groups[0].SortID
	for _, g := range groups {
		least = min(least, g.SortID)
	}
	for i, g := range groups {
		sort := least + int64(i)
		if g.SortID == sort {
			continue
		}
		held, err := readGroup(ctx, tx, scope, g.ID, tx.ForUpdate())
		if err != nil {
			return err
		}
		held.SortID, held.UpdatedAt = sort, tx.Now()
		if err := updateGroup(ctx, tx, held); err != nil {
			return err
		}
	}
	return nil
}

// ErrOrdered is the error of an order that comes too late.
var ErrOrdered = laurel.Errorf(laurel.Refused, "Somebody else has changed the groups or their order meanwhile")

// OrderGroups puts all live groups into an order. was is the order that it started from: ErrOrdered where the groups
// are others by now, or stand in another order, and where the two lists do not name the same groups; ErrTooManyToOrder.
func (s *Service) OrderGroups(ctx context.Context, scope laurel.Scope, was, order []laurel.ID) error {
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		held, err := toOrder(ctx, tx, scope)
		if err != nil {
			return err
		}
		if len(held) != len(was) || len(was) != len(order) || len(was) == 0 {
			return ErrOrdered
		}
		byID := map[laurel.ID]Group{}
		for i, g := range held {
			if g.ID != was[i] {
				return ErrOrdered
			}
			byID[g.ID] = g
		}
		groups := make([]Group, len(order))
		for i, id := range order {
			g, known := byID[id]
			if !known {
				return ErrOrdered
			}
			delete(byID, id) // each once
			groups[i] = g
		}
		return reorder(ctx, tx, scope, groups)
	})
}

// MoveRule lets a rule change places with the one before it, or behind it, in its group. The first and the last stay.
// NotFound "Loyalty rule group" as Group, "Loyalty rule" where the rule is not in it.
func (s *Service) MoveRule(ctx context.Context, scope laurel.Scope, group, rule laurel.ID, up bool) error {
	return s.placeRules(ctx, scope, group, func(rules []laurel.ID) ([]laurel.ID, error) {
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

// ErrRulesOrdered is the error of an order of rules that comes too late.
var ErrRulesOrdered = laurel.Errorf(laurel.Refused, "Somebody else has changed the rules of the group meanwhile")

// OrderRules puts the live rules of a group into an order. was is the order that it started from: ErrRulesOrdered where
// the rules are others by now, or stand in another order, and where the two lists do not name the same rules.
func (s *Service) OrderRules(ctx context.Context, scope laurel.Scope, group laurel.ID, was, order []laurel.ID) error {
	return s.placeRules(ctx, scope, group, func(rules []laurel.ID) ([]laurel.ID, error) {
		same := slices.Clone(order)
		slices.SortFunc(same, laurel.ID.Compare)
		held := slices.Clone(rules)
		slices.SortFunc(held, laurel.ID.Compare)
		if !slices.Equal(rules, was) || !slices.Equal(held, same) {
			return nil, ErrRulesOrdered
		}
		return order, nil
	})
}

// placeRules writes the order that decide makes of the rules of a group. Orders of a website come one by one. The rules
// keep their versions, as their order has no effect on what they pay.
func (s *Service) placeRules(
	ctx context.Context,
	scope laurel.Scope,
	group laurel.ID,
	decide func([]laurel.ID) ([]laurel.ID, error),
) error {
	return s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := takeGroupTurns(ctx, tx, scope); err != nil {
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
		order, err := decide(rules)
		if err != nil {
			return err
		}
		sorted := slices.Clone(order) // rows are locked in the order of their ids, as everywhere
		slices.SortFunc(sorted, laurel.ID.Compare)
		for _, id := range sorted {
			if err := placeRule(ctx, tx, group, id, slices.Index(order, id)+1); err != nil {
				return err
			}
		}
		return nil
	})
}
