package rules

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/rules/lists"
)

// restrictByLists returns the ids of the rules to which a list of rules is restricted: of the rules that the request
// names, or of all rules if it names none, those whose lists of wallets contain the requested users and group. If
// isEmpty is false, no ids mean no restriction. isEmpty means that no rule matches.
func (h *handlers) restrictByLists(
	ctx context.Context,
	scope laurel.Scope,
	in *listRulesInput,
) (ids []laurel.ID, isEmpty bool, err error) {
	ids = in.LoyaltyRuleID.Values
	restrictToListsOf := func(wallets []string) error {
		found, err := h.Lists.FindRulesByWallets(ctx, scope, wallets)
		if err != nil {
			return err
		}
		if len(ids) > 0 {
			found = slices.DeleteFunc(found, func(id laurel.ID) bool { return !slices.Contains(ids, id) })
		}
		ids = found
		isEmpty = isEmpty || len(ids) == 0
		return nil
	}
	if users := in.AllotedToUserID.Values; len(users) > 0 {
		walletOf, err := h.Identity.WalletsOf(ctx, scope, users)
		if err != nil {
			return nil, false, err
		}
		var wallets []string
		for _, wallet := range walletOf {
			wallets = append(wallets, wallet)
		}
		if err := restrictToListsOf(wallets); err != nil {
			return nil, false, err
		}
	}
	if group := in.AllotedUserGroupID; !group.IsZero() && !isEmpty {
		wallets, err := h.Identity.WalletsOfGroup(ctx, scope, group.ID)
		if err != nil {
			return nil, false, err
		}
		if err := restrictToListsOf(wallets); err != nil {
			return nil, false, err
		}
	}
	return ids, isEmpty, nil
}

// ruleImport is one import of a rule's list. Its property names follow the contract.
type ruleImport struct {
	ID                 laurel.ID         `json:"id"`
	LoyaltyRuleID      laurel.ID         `json:"loyaltyRuleId"`
	Kind               string            `json:"kind" enum:"allotment,codes,rewards,condition"`
	LoyaltyConditionID *laurel.ID        `json:"loyaltyConditionId" doc:"For the kind condition: the condition of the chain; otherwise null"`
	URL                string            `json:"url"`
	Status             string            `json:"status" enum:"pending,processing,complete,failed,cancelled"`
	Message            *string           `json:"message"`
	RowsTotal          *int64            `json:"rowsTotal" doc:"null until the file is downloaded"`
	RowsRead           int64             `json:"rowsRead"`
	RowsKept           int64             `json:"rowsKept" doc:"New rows"`
	RowsSkipped        int64             `json:"rowsSkipped" doc:"Invalid rows, and rows that the list has already"`
	Errors             []lists.RowError  `json:"errors" doc:"The problems of the first 100 skipped rows"`
	CreatedAt          laurel.Timestamp  `json:"createdAt"`
	UpdatedAt          laurel.Timestamp  `json:"updatedAt"`
	FinishedAt         *laurel.Timestamp `json:"finishedAt"`
}

// shapeImport returns an import of a rule's list as responses show it.
func shapeImport(i lists.Import) ruleImport {
	out := ruleImport{
		ID:                 i.ID,
		LoyaltyRuleID:      i.Owner.ID,
		Kind:               string(i.Kind),
		LoyaltyConditionID: i.Condition.Ptr(),
		URL:                i.URL,
		Status:             i.Status,
		RowsTotal:          i.Total,
		RowsRead:           i.Read,
		RowsKept:           i.Added,
		RowsSkipped:        i.Skipped,
		Errors:             i.Errors,
		CreatedAt:          laurel.Timestamp{Time: i.CreatedAt},
		UpdatedAt:          laurel.Timestamp{Time: i.UpdatedAt},
		FinishedAt:         laurel.Stamp(i.FinishedAt),
	}
	if i.Message != "" {
		out.Message = &i.Message
	}
	return out
}

type listImportsInput struct {
	rest.PathID
	rest.Paging
}

// listImports returns a page of the imports of a rule's lists.
func (h *handlers) listImports(ctx context.Context, in *listImportsInput) (*rest.Page[ruleImport], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if _, err := h.Rules.Rule(ctx, scope, in.ID.ID); err != nil {
		return nil, err
	}
	page, err := h.Lists.ListImports(ctx, scope, in.ID.ID, in.Page())
	return rest.ListOf(page, err, shapeImport)
}
