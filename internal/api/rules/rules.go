package rules

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
)

// ruleBody is a rule in a response (contract 3.12).
type ruleBody struct {
	ID             laurel.ID `json:"id"`
	OrganizationID laurel.ID `json:"organizationId"`
	WebsiteID      laurel.ID `json:"websiteId"`
	schema.Properties
	LoyaltyBadge     *shortBadge       `json:"loyaltyBadge"`
	LoyaltyRuleChain []ruleChain       `json:"loyaltyRuleChain"`
	CreatedAt        laurel.Timestamp  `json:"createdAt"`
	UpdatedAt        laurel.Timestamp  `json:"updatedAt"`
	DeletedAt        *laurel.Timestamp `json:"deletedAt"`
}

// SchemaParts types the metadata by the type of the rule.
func (ruleBody) SchemaParts() rest.SchemaParts {
	return rest.SchemaParts{
		Keywords:   laurel.Keywords{"allOf": []laurel.Keywords{schema.ComponentRef(schema.RuleByType)}},
		Components: schema.MetadataComponents(),
	}
}

type shortBadge struct {
	ID          laurel.ID `json:"id"`
	Name        string    `json:"name"`
	Description string    `json:"description"`
	ImageURL    string    `json:"imageUrl"`
}

// countFittingRules returns how many of the rules, from the first on, fit into one response with their chains.
func (h *handlers) countFittingRules(ctx context.Context, scope laurel.Scope, list []catalog.Rule) (int, error) {
	var chained []laurel.ID
	var indexes []int // of the rules in chained
	for i, r := range list {
		if r.HasChains {
			chained, indexes = append(chained, r.ID), append(indexes, i)
		}
	}
	if len(chained) == 0 {
		return len(list), nil
	}
	fit, err := h.Report.CountFittingRules(ctx, scope, chained)
	if err != nil || fit == len(chained) {
		return len(list), err
	}
	return indexes[fit], nil // the page ends before the first rule whose chains do not fit
}

// ruleShaper loads the chains and badges of rules, and returns the function that converts one rule for responses, with
// what the key may see of it.
func (h *handlers) ruleShaper(
	ctx context.Context,
	scope laurel.Scope,
	list ...catalog.Rule,
) (func(catalog.Rule) ruleBody, error) {
	var chained, badgeIDs []laurel.ID
	for _, r := range list {
		if r.HasChains {
			chained = append(chained, r.ID)
		}
		if r.LoyaltyBadgeID != nil {
			badgeIDs = append(badgeIDs, *r.LoyaltyBadgeID)
		}
	}
	liveBadges, err := h.Badges.ByIDs(ctx, scope, badgeIDs)
	if err != nil {
		return nil, err
	}
	chains, err := h.loadChains(ctx, scope, chained)
	return func(r catalog.Rule) ruleBody {
		p := r.Properties
		p.Metadata = h.visibleMetadata(scope, r.ID, p.Metadata)
		if !scope.HasSecretKey() {
			p.UserAllotmentCSVURL, p.CustomRewardsCSVURL, p.CustomRewardsAPIURL = nil, nil, nil
		}
		badge := shapeGrantedBadge(p.LoyaltyBadgeID, liveBadges)
		if badge == nil {
			p.LoyaltyBadgeID = nil // the badge is deleted (contract 5.17)
		}
		return ruleBody{
			LoyaltyBadge:     badge,
			ID:               r.ID,
			OrganizationID:   r.OrganizationID,
			WebsiteID:        r.WebsiteID,
			Properties:       p,
			LoyaltyRuleChain: append([]ruleChain{}, chains[r.ID]...),
			CreatedAt:        laurel.Timestamp{Time: r.CreatedAt},
			UpdatedAt:        laurel.Timestamp{Time: r.UpdatedAt},
			DeletedAt:        laurel.Stamp(r.DeletedAt),
		}
	}, err
}

// shapeGrantedBadge returns the badge that a rule grants; nil if it grants none or the badge is deleted.
func shapeGrantedBadge(id *laurel.ID, live map[laurel.ID]badges.Badge) *shortBadge {
	if id == nil {
		return nil
	}
	b, ok := live[*id]
	if !ok {
		return nil
	}
	return &shortBadge{ID: b.ID, Name: b.Name, Description: b.Description, ImageURL: b.ImageURL}
}

// ruleResponse returns the response with one rule that was written. If err is not nil, it only returns err.
func (h *handlers) ruleResponse(
	ctx context.Context,
	scope laurel.Scope,
	r catalog.Rule,
	err error,
) (*rest.Response[ruleBody], error) {
	if err != nil {
		return nil, err
	}
	shape, err := h.ruleShaper(ctx, scope, r)
	return rest.ResponseOf(r, err, shape)
}

type listRulesInput struct {
	rest.Paging100
	LoyaltyRuleGroupID rest.IDs     `query:"loyaltyRuleGroupId" doc:"Rules of these groups; several share one cursor"`
	LoyaltyRuleID      rest.IDs     `query:"loyaltyRuleId"`
	AllotedToUserID    rest.IDs     `query:"allotedToUserId" doc:"Rules whose allotment list has one of the users"`
	AllotedUserGroupID rest.ID      `query:"allotedUserGroupId"`
	CollectionAddress  rest.Address `query:"collectionAddress"`
	IncludeDeleted     rest.Bool    `query:"includeDeleted"`
	IsActive           rest.Bool    `query:"isActive" doc:"true: started and not ended; false: the rest"`
	IsSpecial          rest.Bool    `query:"isSpecial" doc:"true: only honeypots, which are left out otherwise"`
}

// listRules returns a page of rules. The page ends early if the chains of the rules would not fit into one response.
func (h *handlers) listRules(ctx context.Context, in *listRulesInput) (*rest.Page[ruleBody], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	ids, isEmpty, err := h.restrictByLists(ctx, scope, in)
	if err != nil {
		return nil, err
	}
	if isEmpty {
		return &rest.Page[ruleBody]{Body: rest.List[ruleBody]{Data: []ruleBody{}}}, nil
	}
	f := catalog.Filter{
		GroupIDs:          in.LoyaltyRuleGroupID.Values,
		RuleIDs:           ids,
		CollectionAddress: in.CollectionAddress.Text,
		WithDeleted:       in.IncludeDeleted.Value,
		Active:            in.IsActive.Ptr(),
		OnlySpecial:       in.IsSpecial.Value,
		ForClients:        scope.Role == laurel.RoleClient,
	}
	page, err := h.Rules.List(ctx, scope, f, in.Page())
	if err != nil {
		return nil, err
	}
	fit, err := h.countFittingRules(ctx, scope, page.Data)
	if err != nil {
		return nil, err
	}
	page = budget.FirstItems(page, fit)
	shape, err := h.ruleShaper(ctx, scope, page.Data...)
	return rest.ListOf(page, err, shape)
}

type writeRuleBody struct {
	schema.Input
	rest.TenantBody
}

type createRuleBody writeRuleBody

func (createRuleBody) Creates() {}

// SchemaParts types the metadata by the type of the rule. Updates have no type: they may set metadata of any.
func (createRuleBody) SchemaParts() rest.SchemaParts {
	return rest.SchemaParts{
		Keywords: laurel.Keywords{"allOf": []laurel.Keywords{schema.ComponentRef(schema.RuleByType)}},
		Properties: map[string]laurel.Keywords{"metadata": {
			"oneOf":       []laurel.Keywords{schema.ComponentRef(schema.CommonMetadata), {"type": "null"}},
			"description": schema.Input{}.Bounds().Keywords["metadata"]["description"],
		}},
	}
}

type createRuleInput struct {
	Body createRuleBody
}

// createRule creates a rule in a website.
func (h *handlers) createRule(ctx context.Context, in *createRuleInput) (*rest.Response[ruleBody], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	r, err := h.Rules.Create(ctx, scope, in.Body.Input)
	return h.ruleResponse(ctx, scope, r, err)
}

type updateRuleInput struct {
	rest.PathID
	Body writeRuleBody
}

// updateRule changes the properties of a rule that the body sets.
func (h *handlers) updateRule(ctx context.Context, in *updateRuleInput) (*rest.Response[ruleBody], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	r, err := h.Rules.Update(ctx, scope, in.ID.ID, in.Body.Input)
	return h.ruleResponse(ctx, scope, r, err)
}

// getRule returns a rule, to show what it is now.
func (h *handlers) getRule(ctx context.Context, in *rest.PathID) (*rest.Response[ruleBody], error) {
	scope := rest.ScopeOf(ctx)
	r, err := h.Rules.Rule(ctx, scope, in.ID.ID)
	return h.ruleResponse(ctx, scope, r, err)
}

type deleteRuleInput struct {
	rest.PathID
	rest.Tenant
	DebitLoyaltyPoints rest.Bool `query:"debitLoyaltyPoints" doc:"true: each user is debited by what the rule paid, at most down to 0"`
}

type deletedBody struct {
	ID        laurel.ID        `json:"id"`
	DeletedAt laurel.Timestamp `json:"deletedAt"`
}

// deleteRule deletes a rule. With debitLoyaltyPoints it also takes back what the rule paid, in the background if that
// is much.
func (h *handlers) deleteRule(ctx context.Context, in *deleteRuleInput) (*rest.Response[deletedBody], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	var r catalog.Rule
	if in.DebitLoyaltyPoints.Value {
		r, err = h.Reset.DeleteRule(ctx, scope, in.ID.ID)
	} else {
		r, err = h.Rules.Delete(ctx, scope, in.ID.ID, catalog.Deletion{})
	}
	return rest.ResponseOf(r, err, func(r catalog.Rule) deletedBody {
		return deletedBody{ID: r.ID, DeletedAt: laurel.Timestamp{Time: r.DeletedAt}}
	})
}
