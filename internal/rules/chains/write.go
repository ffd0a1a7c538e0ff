package chains

import (
	"context"
	"slices"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/store"
)

// Conditions are the conditions of a new chain as a caller sends them.
type Conditions struct {
	List []conditions.Input `json:"loyaltyConditions"`
}

const (
	maxConditions = 50
	// maxChains bounds the live chains of a rule: each completion evaluates all of them.
	maxChains = 20
)

// Bounds returns that conditions are required, and how many.
func (Conditions) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"loyaltyConditions"}, NotNull: []string{"loyaltyConditions"},
		Keywords: map[string]laurel.Keywords{"loyaltyConditions": {"minItems": 1, "maxItems": maxConditions}},
	}
}

// Create creates a chain. Errors: Invalid with all faults, such as "<Thing> not found" with the path of the reference;
// Refused "Rule chain has a cycle", or if the rule has maxChains chains already; NotFound "Loyalty rule".
func (s *Service) Create(ctx context.Context, scope laurel.Scope, in Patch, list Conditions) (Chain, error) {
	c, paths, err := parse(in, list)
	if err != nil {
		return Chain{}, err
	}
	if err := s.checkListURLs(ctx, scope, c); err != nil {
		return Chain{}, err
	}
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := lockChainChanges(ctx, tx, scope); err != nil {
			return err
		}
		rule, err := s.rules.LockLive(ctx, tx, scope, c.RuleID)
		if err != nil {
			return err
		}
		scope := scope.At(rule.WebsiteID)
		if err := s.checkReferences(ctx, tx, scope, paths); err != nil {
			return err
		}
		if err := s.checkCycle(ctx, tx, scope, c); err != nil {
			return err
		}
		existing, err := OfRules(ctx, tx, scope, []laurel.ID{rule.ID})
		if err != nil {
			return err
		}
		if len(existing) >= maxChains {
			return laurel.Errorf(laurel.Refused, "Loyalty rule has %d chains already", maxChains)
		}
		c.ID, c.OrganizationID, c.WebsiteID, c.CreatedAt.Time, c.UpdatedAt.Time =
			tx.NewID(), rule.OrganizationID, rule.WebsiteID, tx.Now(), tx.Now()
		c.assignIDs(tx)
		if _, err := Table.Insert(ctx, tx, &c, ""); err != nil {
			return err
		}
		if err := c.enqueueLists(ctx, tx); err != nil {
			return err
		}
		return s.rules.SetHasChains(ctx, tx, scope, rule.ID, true)
	})
	if err == nil {
		s.lists.Wake()
	}
	return c, err
}

// lockChainChanges lets only one transaction at a time change chains of an organization, so that two new chains cannot
// close a cycle together.
func lockChainChanges(ctx context.Context, tx *store.Tx, scope laurel.Scope) error {
	return tx.AdvisoryLock(ctx, "rule chains of "+scope.OrganizationID.String())
}

// parse validates a new chain. It returns the chain without ids, and the records that its conditions refer to, with the
// paths for faults.
func parse(in Patch, list Conditions) (c Chain, paths []conditions.ReferencePath, err error) {
	f := in.Create(&c)
	if n := len(list.List); n < 1 || n > maxConditions {
		f.Add("loyaltyConditions", "must have between 1 and %d items", maxConditions)
		return Chain{}, nil, f.Err()
	}
	for i, condition := range list.List {
		parsed, conditionPaths := condition.Condition(&f, "loyaltyConditions."+strconv.Itoa(i))
		c.Conditions, paths = append(c.Conditions, parsed), append(paths, conditionPaths...)
	}
	return c, paths, f.Err()
}

// assignIDs gives ids to the conditions and their targets.
func (c *Chain) assignIDs(tx *store.Tx) {
	for i := range c.Conditions {
		c.Conditions[i].ID = tx.NewID()
		for j := range c.Conditions[i].Targets {
			c.Conditions[i].Targets[j].ID = tx.NewID()
		}
	}
}

// checkReferences returns a fault for each of the references whose record does not exist in the scope.
func (s *Service) checkReferences(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, paths []conditions.ReferencePath,
) error {
	var all []conditions.Condition
	for _, p := range paths {
		all = append(all, conditions.Condition{Targets: []conditions.Target{p.Target}})
	}
	wanted := conditions.ReferencesOf(all)
	existing := conditions.References{}
	var err error
	if existing.Rules, err = s.rules.LiveAmong(ctx, tx, scope, wanted.Rules); err != nil {
		return err
	}
	if existing.Sections, err = s.rules.LiveGroups(ctx, tx, scope, wanted.Sections); err != nil {
		return err
	}
	if existing.Badges, err = badges.LiveAmong(ctx, tx, scope, wanted.Badges); err != nil {
		return err
	}
	for _, id := range wanted.Balances {
		live, err := s.ledger.IsLiveCurrencyIn(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		if live {
			existing.Balances = append(existing.Balances, id)
		}
	}
	var f laurel.Faults
	existing.ReportMissing(&f, paths)
	return f.Err()
}

// checkCycle refuses a chain whose rule would have to be completed before itself, directly or through other chains. A
// condition on a group of rules counts only if it requires all of them, and with the rules that the group has now. A
// rule that joins the group later may close a cycle; then the rules of the cycle stay locked.
func (s *Service) checkCycle(ctx context.Context, tx *store.Tx, scope laurel.Scope, c Chain) error {
	for _, condition := range c.Conditions {
		for _, t := range condition.Targets {
			if t.RuleID == c.RuleID {
				return errCycle()
			}
		}
	}
	// A breadth-first search over the rules that the chain requires, and those that their chains require.
	visited := map[laurel.ID]bool{}
	frontier := []Chain{c}
	for len(frontier) > 0 {
		required, err := s.requiredRules(ctx, tx, scope, frontier)
		if err != nil {
			return err
		}
		if slices.Contains(required, c.RuleID) {
			return errCycle()
		}
		required = slices.DeleteFunc(required, func(id laurel.ID) bool {
			isVisited := visited[id]
			visited[id] = true
			return isVisited
		})
		if frontier, err = OfRules(ctx, tx, scope, required); err != nil {
			return err
		}
	}
	return nil
}

// errCycle returns the refusal of a chain that closes a cycle.
func errCycle() error { return laurel.Errorf(laurel.Refused, "Rule chain has a cycle") }

// requiredRules returns the rules that must be completed before the rules of the chains: those that conditions name,
// and all rules of a group of which a condition requires all.
func (s *Service) requiredRules(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, list []Chain,
) ([]laurel.ID, error) {
	var rules []laurel.ID
	for _, c := range list {
		references := conditions.ReferencesOf(c.Conditions)
		rules = append(rules, references.Rules...)
		for _, condition := range c.Conditions {
			if condition.Type != conditions.TypeSection || condition.RequiredCount != nil {
				continue
			}
			group := condition.Targets[0].GroupID
			rulesByGroup, err := s.rules.RulesByGroup(ctx, tx, scope, []laurel.ID{group})
			if err != nil {
				return nil, err
			}
			for _, id := range rulesByGroup[group] {
				if id != c.RuleID { // the rule of the chain does not count within its own group
					rules = append(rules, id)
				}
			}
		}
	}
	return rules, nil
}

// Get returns a live chain. Errors: NotFound "Rule chain".
func (s *Service) Get(ctx context.Context, scope laurel.Scope, id laurel.ID) (Chain, error) {
	return Table.Get(ctx, s.db, store.LiveByID(scope, id), "")
}

// Delete deletes a chain and returns it. It returns NotFound "Rule chain" if the chain is deleted already.
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id laurel.ID) (Chain, error) {
	var c Chain
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := lockChainChanges(ctx, tx, scope); err != nil {
			return err
		}
		var err error
		if c, err = Table.Get(ctx, tx, store.LiveByID(scope, id), ""); err != nil {
			return err
		}
		if err := Table.Edit(ctx, tx, scope, &c, func(tx *store.Tx, c *Chain) error {
			c.DeletedAt.Time = tx.Now()
			return s.rules.Lock(ctx, tx, scope, c.RuleID)
		}); err != nil {
			return err
		}
		if err := c.removeLists(ctx, tx); err != nil {
			return err
		}
		remaining, err := OfRules(ctx, tx, scope, []laurel.ID{c.RuleID})
		if err != nil {
			return err
		}
		return s.rules.SetHasChains(ctx, tx, scope, c.RuleID, len(remaining) > 0)
	})
	return c, err
}
