package chains

import (
	"context"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/store"
)

// findOnLists returns, for each of the people, the set of the ids of the conditions whose list contains the person's
// wallet. A list that was not imported yet contains nobody. The lookup for a single person is joined with those of
// simultaneous callers.
func (s *Service) findOnLists(
	ctx context.Context,
	rule laurel.ID,
	people []identity.Person,
	list []conditions.Condition,
) ([]map[laurel.ID]bool, error) {
	var keys []lists.Key
	for _, c := range list {
		for _, p := range people {
			if c.Type == conditions.TypeCSV && p.Wallet != "" {
				keys = append(keys, lists.Key{Owner: rule, Condition: c.ID, Wallet: p.Wallet})
			}
		}
	}
	out := make([]map[laurel.ID]bool, len(people))
	if len(keys) == 0 {
		return out, nil
	}
	members := map[lists.Key]lists.Member{}
	var err error
	if len(people) > 1 {
		members, err = lists.FindMembers(ctx, s.db, keys)
	} else {
		err = s.loadMembers(ctx, keys, members)
	}
	for i, p := range people {
		out[i] = map[laurel.ID]bool{}
		for _, c := range list {
			if _, listed := members[lists.Key{Owner: rule, Condition: c.ID, Wallet: p.Wallet}]; listed {
				out[i][c.ID] = true
			}
		}
	}
	return out, err
}

// loadMembers looks up keys one by one through the loader, which joins simultaneous lookups, and adds the members to
// found.
func (s *Service) loadMembers(ctx context.Context, keys []lists.Key, found map[lists.Key]lists.Member) error {
	for _, k := range keys {
		member, listed, err := s.memberLoader.Get(ctx, k)
		if err != nil {
			return err
		}
		if listed {
			found[k] = member
		}
	}
	return nil
}

// checkListURLs returns an error with a fault for each condition of the chain whose list must not be read from its
// address (contract 7.2), and nil if there is none.
func (s *Service) checkListURLs(ctx context.Context, scope laurel.Scope, c Chain) error {
	var f laurel.Faults
	for i, condition := range c.Conditions {
		if condition.CSVURL == nil {
			continue
		}
		if err := s.lists.Check(
			ctx,
			scope,
			&f,
			"loyaltyConditions."+strconv.Itoa(i)+".csvUrl",
			*condition.CSVURL,
		); err != nil {
			return err
		}
	}
	return f.Err()
}

// enqueueLists enqueues imports of the lists of the chain's conditions.
func (c Chain) enqueueLists(ctx context.Context, tx *store.Tx) error {
	scope := laurel.Scope{OrganizationID: c.OrganizationID, WebsiteID: c.WebsiteID}
	for _, condition := range c.Conditions {
		if condition.CSVURL == nil {
			continue
		}
		if err := lists.EnqueueConditionList(
			ctx,
			tx,
			scope,
			lists.ConditionList{Rule: c.RuleID, Condition: condition.ID, URL: *condition.CSVURL},
		); err != nil {
			return err
		}
	}
	return nil
}

// removeLists removes the lists of the chain's conditions.
func (c Chain) removeLists(ctx context.Context, tx *store.Tx) error {
	for _, condition := range c.Conditions {
		if condition.CSVURL == nil {
			continue
		}
		if err := lists.RemoveConditionList(ctx, tx, c.RuleID, condition.ID); err != nil {
			return err
		}
	}
	return nil
}

// UpdateListsOfRule enqueues imports of the lists in a rule's chains, in the transaction that saves the rule. If the
// rule is deleted, it stops importing all lists of the rule, but keeps those imported already, in case the rule is
// undeleted.
func UpdateListsOfRule(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule catalog.Rule) error {
	if !rule.HasChains {
		return nil
	}
	if !rule.DeletedAt.IsZero() {
		return lists.StopImportsOfRule(ctx, tx, scope, rule.ID)
	}
	chains, err := OfRules(ctx, tx, scope, []laurel.ID{rule.ID})
	if err != nil {
		return err
	}
	for _, c := range chains {
		if err := c.enqueueLists(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}
