package rules

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/api/caller"
	"laurel/internal/api/rest"
	"laurel/internal/feed"
	"laurel/internal/rules/catalog"
)

// Events tells what changes of rules say in events (contract 7.1).
type Events struct{ h handlers }

// NewEvents makes them; of the configuration it needs what reads.
func NewEvents(cfg Config) Events { return Events{handlers{cfg}} }

// Rules returns the records of contract 3.12 as they are now, without codes and secrets, aligned with the changes.
func (e Events) Rules(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	byID, err := e.rules(ctx, scope, entities(changes))
	if err != nil {
		return nil, err
	}
	scope.Role = laurel.RoleReadOnly
	list := make([]catalog.Rule, 0, len(byID))
	for _, r := range byID {
		list = append(list, r)
	}
	shape, err := e.h.shapeRules(ctx, scope, list...)
	if err != nil {
		return nil, err
	}
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		if r, known := byID[c.EntityID]; known {
			out[i] = rest.Raw(shape(r))
		}
	}
	return out, nil
}

// rules reads rules, deleted ones too, by id.
func (e Events) rules(ctx context.Context, scope laurel.Scope, ids []laurel.ID) (map[laurel.ID]catalog.Rule, error) {
	out := map[laurel.ID]catalog.Rule{}
	for _, id := range ids {
		if _, known := out[id]; known {
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

// fulfilled is what a completion tells: the status with the rule and the user by name.
type fulfilled struct {
	ruleStatus
	FulfilledAt laurel.Timestamp `json:"fulfilledAt"`
	LoyaltyRule fulfilledRule    `json:"loyaltyRule"`
	User        caller.ShortUser `json:"user"`
}

type fulfilledRule struct {
	ID   laurel.ID `json:"id"`
	Name string    `json:"name"`
}

// Statuses returns the records of completions, aligned with the changes.
func (e Events) Statuses(ctx context.Context, scope laurel.Scope, changes []feed.Change) ([]json.RawMessage, error) {
	found, err := e.h.Report.StatusesByID(ctx, scope, entities(changes))
	if err != nil {
		return nil, err
	}
	byID := map[laurel.ID]ruleStatus{}
	for _, s := range found {
		byID[s.ID] = shapeStatus(s)
	}
	type completed struct {
		RuleID laurel.ID `json:"loyaltyRuleId"`
		UserID laurel.ID `json:"userId"`
	}
	by := make([]completed, len(changes))
	var rules, users []laurel.ID
	for i, c := range changes {
		if err := json.Unmarshal(c.Data, &by[i]); err != nil {
			return nil, err
		}
		rules, users = append(rules, by[i].RuleID), append(users, by[i].UserID)
	}
	known, err := e.rules(ctx, scope, rules)
	if err != nil {
		return nil, err
	}
	wallets, err := e.h.Identity.WalletsOf(ctx, scope, users)
	if err != nil {
		return nil, err
	}
	out := make([]json.RawMessage, len(changes))
	for i, c := range changes {
		status, some := byID[c.EntityID]
		rule, named := known[by[i].RuleID]
		if !some || !named {
			continue
		}
		status.UserID = by[i].UserID
		told := fulfilled{
			ruleStatus: status, FulfilledAt: laurel.Timestamp{Time: c.At}, LoyaltyRule: fulfilledRule{rule.ID, rule.Name},
			User: caller.ShortUser{ID: by[i].UserID},
		}
		if wallet := wallets[by[i].UserID]; wallet != "" {
			told.User.WalletAddress = &wallet
		}
		out[i] = rest.Raw(told)
	}
	return out, nil
}

func entities(changes []feed.Change) []laurel.ID {
	ids := make([]laurel.ID, len(changes))
	for i, c := range changes {
		ids[i] = c.EntityID
	}
	return ids
}
