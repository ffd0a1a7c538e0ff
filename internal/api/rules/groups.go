package rules

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/rules/catalog"
)

// ruleGroup is contract 3.14.
type ruleGroup struct {
	ID               laurel.ID            `json:"id"`
	OrganizationID   laurel.ID            `json:"organizationId"`
	WebsiteID        laurel.ID            `json:"websiteId"`
	Name             string               `json:"name"`
	SubTitle         *string              `json:"subTitle"`
	IsCollapsible    bool                 `json:"isCollapsible"`
	IsRequired       bool                 `json:"isRequired"`
	SortID           int64                `json:"sortId"`
	LoyaltyGroupItem []groupItem          `json:"loyaltyGroupItems"`
	HasMoreItems     bool                 `json:"hasMoreItems,omitempty" doc:"true: the group has further rules that did not fit into the response. The list of rules, filtered by the group, has them all"`
	CreatedAt        laurel.Timestamp     `json:"createdAt"`
	UpdatedAt        laurel.Timestamp     `json:"updatedAt"`
	DeletedAt        laurel.NullTimestamp `json:"deletedAt"`
}

// groupItem is a rule of a group. Its id is that of the rule, since a rule is in one group at most.
type groupItem struct {
	ID          laurel.ID `json:"id"`
	SortID      int       `json:"sortId"`
	LoyaltyRule ruleBody  `json:"loyaltyRule"`
}

// fittingGroups returns the groups, from the first on, that fit into one response with their rules and the chains of
// these.
func (h *handlers) fittingGroups(
	ctx context.Context,
	scope laurel.Scope,
	list []catalog.Group,
) ([]catalog.Group, error) {
	fit, err := h.countFittingRules(ctx, scope, rulesOfGroups(list))
	return catalog.FitGroups(list, fit), err
}

// rulesOfGroups returns the rules of all groups, in their order.
func rulesOfGroups(list []catalog.Group) (rules []catalog.Rule) {
	for _, g := range list {
		rules = append(rules, g.Rules...)
	}
	return rules
}

// groupShaper loads the records that the responses of groups include, and returns the function that converts one group
// for responses, with its rules.
func (h *handlers) groupShaper(
	ctx context.Context,
	scope laurel.Scope,
	list ...catalog.Group,
) (func(catalog.Group) ruleGroup, error) {
	shape, err := h.ruleShaper(ctx, scope, rulesOfGroups(list)...)
	return func(g catalog.Group) ruleGroup {
		out := ruleGroup{
			ID:               g.ID,
			OrganizationID:   g.OrganizationID,
			WebsiteID:        g.WebsiteID,
			Name:             g.Name,
			SubTitle:         g.SubTitle,
			IsCollapsible:    g.IsCollapsible,
			IsRequired:       g.IsRequired,
			SortID:           g.SortID,
			LoyaltyGroupItem: []groupItem{},
			HasMoreItems:     g.HasMoreRules,
			CreatedAt:        g.CreatedAt,
			UpdatedAt:        g.UpdatedAt,
			DeletedAt:        g.DeletedAt,
		}
		for i, r := range g.Rules {
			out.LoyaltyGroupItem = append(out.LoyaltyGroupItem, groupItem{ID: r.ID, SortID: i, LoyaltyRule: shape(r)})
		}
		return out
	}, err
}

// groupResponse returns the response with one group that was written and as many of its rules as fit. If err is not
// nil, it only returns err.
func (h *handlers) groupResponse(
	ctx context.Context,
	scope laurel.Scope,
	g catalog.Group,
	err error,
) (*rest.Response[ruleGroup], error) {
	if err != nil {
		return nil, err
	}
	fitting, err := h.fittingGroups(ctx, scope, []catalog.Group{g})
	if err != nil {
		return nil, err
	}
	shape, err := h.groupShaper(ctx, scope, fitting...)
	return rest.ResponseOf(fitting[0], err, shape)
}

type listGroupsInput struct {
	rest.Paging
	ExcludeHidden rest.Bool `query:"excludeHidden" doc:"true drops rules with hideInUi"`
}

// listGroups returns a page of rule groups with their rules. The page ends early if the rules would not fit into one
// response.
func (h *handlers) listGroups(ctx context.Context, in *listGroupsInput) (*rest.Page[ruleGroup], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Rules.ListGroups(
		ctx,
		scope,
		catalog.GroupFilter{WithoutHidden: in.ExcludeHidden.Value, ForClients: scope.Role == laurel.RoleClient},
		in.Page(),
	)
	if err != nil {
		return nil, err
	}
	fitting, err := h.fittingGroups(ctx, scope, page.Data)
	if err != nil {
		return nil, err
	}
	page = budget.FirstItems(page, len(fitting))
	shape, err := h.groupShaper(ctx, scope, page.Data...)
	return rest.ListOf(page, err, shape)
}

type writeGroupBody struct {
	rest.RecordBody[catalog.GroupInput]
	rest.TenantBody
}

type createGroupBody writeGroupBody

func (createGroupBody) Creates() {}

type createGroupInput struct {
	Body createGroupBody
}

// createGroup creates a rule group in a website.
func (h *handlers) createGroup(ctx context.Context, in *createGroupInput) (*rest.Response[ruleGroup], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	g, err := h.Rules.CreateGroup(ctx, scope, in.Body.Patch)
	return h.groupResponse(ctx, scope, g, err)
}

type updateGroupInput struct {
	rest.PathID
	Body writeGroupBody
}

// updateGroup changes the properties of a rule group that the body sets.
func (h *handlers) updateGroup(ctx context.Context, in *updateGroupInput) (*rest.Response[ruleGroup], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	g, err := h.Rules.UpdateGroup(ctx, scope, in.ID.ID, in.Body.Patch)
	return h.groupResponse(ctx, scope, g, err)
}
