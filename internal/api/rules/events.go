package rules

import (
	"context"
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/rules/catalog"
)

// Events loads the records of rules for events (contract 7.1).
type Events struct{ h handlers }

// NewEvents returns the Events. It needs only the services that read.
func NewEvents(cfg Config) Events { return Events{handlers{cfg}} }

// Rules returns one record for each change, in their order: the rule as it is now (contract 3.12), without codes and
// secrets. It is nil if the rule is not found.
func (e Events) Rules(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	byID, err := e.rules(ctx, scope, feed.EntityIDs(changes))
	if err != nil {
		return nil, err
	}
	scope.Role = laurel.RoleReadOnly // events do not contain secrets and codes
	list := make([]catalog.Rule, 0, len(byID))
	for _, r := range byID {
		list = append(list, r)
	}
	shape, err := e.h.ruleShaper(ctx, scope, list...)
	if err != nil {
		return nil, err
	}
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		if r, ok := byID[c.EntityID]; ok {
			out[i] = rest.Raw(shape(r))
		}
	}
	return out, nil
}

// rules returns the rules with some ids, including deleted ones, by id. Ids of no rule are left out.
func (e Events) rules(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (map[laurel.ID]catalog.Rule, error) {
	out := map[laurel.ID]catalog.Rule{}
	for _, id := range ids {
		if _, ok := out[id]; ok {
			continue
		}
		r, err := e.h.Rules.Rule(ctx, scope, id)
		if laurel.CodeOf(err) == laurel.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		out[id] = r
	}
	return out, nil
}

// completedStatus is a completion as events have it: the status, with the names of the rule and the user.
type completedStatus struct {
	ruleStatus
	FulfilledAt laurel.Timestamp `json:"fulfilledAt"`
	LoyaltyRule completedRule    `json:"loyaltyRule"`
	User        caller.ShortUser `json:"user"`
}

type completedRule struct {
	ID   laurel.ID `json:"id"`
	Name string    `json:"name"`
}

// Statuses returns one record for each change, in their order. A change is a completion, and its record is the progress
// of the user on the rule, with the names of both. It is nil if the progress or the rule is not found.
func (e Events) Statuses(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	found, err := e.h.Report.StatusesByID(ctx, scope, feed.EntityIDs(changes))
	if err != nil {
		return nil, err
	}
	byID := map[laurel.ID]ruleStatus{}
	for _, s := range found {
		byID[s.ID] = shapeStatus(s)
	}
	type completion struct {
		RuleID laurel.ID `json:"loyaltyRuleId"`
		UserID laurel.ID `json:"userId"`
	}
	completions := make([]completion, len(changes))
	var rules, users []laurel.ID
	for i, c := range changes {
		if err := json.Unmarshal(c.Data, &completions[i]); err != nil {
			return nil, err
		}
		rules, users = append(rules, completions[i].RuleID), append(users, completions[i].UserID)
	}
	rulesByID, err := e.rules(ctx, scope, rules)
	if err != nil {
		return nil, err
	}
	wallets, err := e.h.Identity.WalletsOf(ctx, scope, users)
	if err != nil {
		return nil, err
	}
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		status, isFound := byID[c.EntityID]
		rule, exists := rulesByID[completions[i].RuleID]
		if !isFound || !exists {
			continue
		}
		status.UserID = completions[i].UserID
		record := completedStatus{
			ruleStatus: status, FulfilledAt: laurel.Timestamp{Time: c.At}, LoyaltyRule: completedRule{rule.ID, rule.Name},
			User: caller.ShortUser{ID: completions[i].UserID},
		}
		if wallet := wallets[completions[i].UserID]; wallet != "" {
			record.User.WalletAddress = &wallet
		}
		out[i] = rest.Raw(record)
	}
	return out, nil
}
