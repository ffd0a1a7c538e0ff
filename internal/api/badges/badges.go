package badges

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/report"
)

// loadContext loads the records that responses of badges include besides the holders: names in conditions, rules and
// data jobs.
func (h *handlers) loadContext(ctx context.Context, scope laurel.Scope, list []badges.Badge) (badgeContext, error) {
	var all []conditions.Condition
	for _, b := range list {
		all = append(all, b.Conditions...)
	}
	names, err := h.Report.NamesOf(ctx, scope, all)
	if err != nil {
		return badgeContext{}, err
	}
	rules, err := h.Report.BadgeRules(ctx, scope, list)
	if err != nil {
		return badgeContext{}, err
	}
	jobs, err := h.Report.BadgeJobsOf(ctx, scope, badgeIDs(list))
	return badgeContext{scope, names, rules, jobs}, err
}

// shaper loads the records that the responses of badges include, and returns the function that converts one badge for
// responses, with the holders that match the filter.
func (h *handlers) shaper(
	ctx context.Context,
	scope laurel.Scope,
	holderFilter report.HolderFilter,
	list []badges.Badge,
) (func(badges.Badge) badge, error) {
	related, err := h.loadContext(ctx, scope, list)
	if err != nil {
		return nil, err
	}
	viewer, err := h.Caller.Viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	holders, err := h.Report.HoldersOf(ctx, scope, badgeIDs(list), holderFilter)
	if err != nil {
		return nil, err
	}
	progress, err := h.progress(ctx, scope, holderFilter, list, holders)
	return func(b badges.Badge) badge {
		out := badge{PlainBadge: related.badge(b), LoyaltyBadgeUsers: []BadgeUser{}}
		for _, u := range holders[b.ID] {
			out.LoyaltyBadgeUsers = append(out.LoyaltyBadgeUsers, shapeUser(viewer, u, progress[u.ID]))
		}
		return out
	}, err
}

// progress returns the progress of holders, by the id of the BadgeUser. It is the stored progress, but if the filter
// names users and a server computes progress, it is computed now for those who do not have the badge.
func (h *handlers) progress(
	ctx context.Context,
	scope laurel.Scope,
	holderFilter report.HolderFilter,
	list []badges.Badge,
	holders map[laurel.ID][]report.BadgeUser,
) (map[laurel.ID][]conditions.State, error) {
	out := map[laurel.ID][]conditions.State{}
	websites := map[laurel.ID][]laurel.ID{} // users without some of the badges, by website
	added := map[laurel.ID]bool{}
	for _, rows := range holders {
		for _, u := range rows {
			out[u.ID] = u.Progress
			if u.Status == badges.Inactive && !added[u.UserID] {
				added[u.UserID] = true
				websites[u.WebsiteID] = append(websites[u.WebsiteID], u.UserID)
			}
		}
	}
	if h.Progress == nil || !holderFilter.NamesUsers() {
		return out, nil
	}
	for website, users := range websites {
		var live []badges.Badge
		for _, b := range list {
			if b.WebsiteID == website && b.DeletedAt.IsZero() {
				live = append(live, b)
			}
		}
		present, err := h.Progress(ctx, scope.At(website), live, users)
		if err != nil {
			return nil, err
		}
		for _, rows := range holders {
			for _, u := range rows {
				if states := present[u.BadgeID][u.UserID]; states != nil && u.Status == badges.Inactive {
					out[u.ID] = states
				}
			}
		}
	}
	return out, nil
}

type listBadgesInput struct {
	rest.Paging
	caller.Users
	BadgeIDs       rest.IDs  `query:"badgeIds"`
	IncludeDeleted rest.Bool `query:"includeDeleted"`
}

// list returns a page of badges with their holders: the users that the filter names or, without such a filter, the
// newest holders. The page ends early if the holders would not fit into one response.
func (h *handlers) list(ctx context.Context, in *listBadgesInput) (*rest.Page[badge], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := h.Caller.CheckUserFilter(ctx, scope, in.Users); err != nil {
		return nil, err
	}
	client := scope.Role == laurel.RoleClient
	holderFilter, err := h.Report.ResolveHolderGroups(ctx, scope, report.HolderFilter{Users: in.Filter(), Client: client})
	if err != nil {
		return nil, err
	}
	f := report.BadgeFilter{IDs: in.BadgeIDs.Values, WithDeleted: in.IncludeDeleted.Value, Client: client}
	page, err := h.Report.Badges(ctx, scope, f, in.Page())
	if err != nil {
		return nil, err
	}
	fit, err := h.Report.CountFittingBadges(ctx, scope, badgeIDs(page.Data), holderFilter)
	if err != nil {
		return nil, err
	}
	page = budget.FirstItems(page, fit)
	shape, err := h.shaper(ctx, scope, holderFilter, page.Data)
	return rest.ListOf(page, err, func(b badges.Badge) badge {
		out := shape(b)
		if in.IncludeDeleted.Value {
			out.DeletedAt = laurel.Stamp(b.DeletedAt.Time)
		}
		return out
	})
}

// badgeResponse returns the response with one badge that was written. If err is not nil, it only returns err.
func (h *handlers) badgeResponse(
	ctx context.Context,
	scope laurel.Scope,
	b badges.Badge,
	err error,
) (*rest.Response[badge], error) {
	if err != nil {
		return nil, err
	}
	shape, err := h.shaper(ctx, scope.At(b.WebsiteID), report.HolderFilter{}, []badges.Badge{b})
	return rest.ResponseOf(b, err, func(b badges.Badge) badge { return shape(b) })
}

type createBadgeBody struct {
	badges.CreateInput
	rest.TenantBody
}

func (createBadgeBody) Creates() {}

type createBadgeInput struct {
	rest.Tenant
	Body createBadgeBody
}

// create creates a badge in a website.
func (h *handlers) create(ctx context.Context, in *createBadgeInput) (*rest.Response[badge], error) {
	tenant := in.Or(in.Body.Tenant())
	scope, err := h.Caller.NarrowToWebsite(ctx, tenant.OrganizationID.ID, tenant.WebsiteID.ID)
	if err != nil {
		return nil, err
	}
	b, err := h.Badges.Create(ctx, scope, in.Body.CreateInput)
	return h.badgeResponse(ctx, scope, b, err)
}

type updateBadgeInput struct {
	rest.PathID
	rest.Tenant
	Body struct {
		badges.Input
		rest.TenantBody
	}
}

// update changes the properties of a badge that the body sets.
func (h *handlers) update(ctx context.Context, in *updateBadgeInput) (*rest.Response[badge], error) {
	scope, err := h.Caller.Narrow(ctx, in.Or(in.Body.Tenant()))
	if err != nil {
		return nil, err
	}
	b, err := h.Badges.Update(ctx, scope, in.ID.ID, in.Body.Input)
	return h.badgeResponse(ctx, scope, b, err)
}

// get returns a badge, to show what it is now.
func (h *handlers) get(ctx context.Context, in *rest.PathID) (*rest.Response[badge], error) {
	scope := rest.ScopeOf(ctx)
	found, err := h.Badges.ByIDs(ctx, scope, []laurel.ID{in.ID.ID})
	b, exists := found[in.ID.ID]
	if err == nil && !exists {
		err = laurel.Missing("Badge")
	}
	return h.badgeResponse(ctx, scope, b, err)
}
