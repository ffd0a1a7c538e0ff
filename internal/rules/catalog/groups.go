package catalog

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/record"
	"laurel.example/laurel/internal/store"
)

// maxGroupRules bounds the live rules of a group, and the rules of all groups of a page: responses contain whole rules.
const maxGroupRules = 1000

// Group is a named section of rules (contract 3.14): a row of loyalty_rule_groups, with its rules.
type Group struct {
	ID             laurel.ID            `db:"id" json:"id"`
	OrganizationID laurel.ID            `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID            `db:"website_id" json:"websiteId"`
	Name           string               `db:"name" json:"name" in:"required min=1 max=1000"`
	SubTitle       *string              `db:"sub_title" json:"subTitle" in:"max=1000"`
	IsCollapsible  bool                 `db:"is_collapsible" json:"isCollapsible" in:"notnull"`
	IsRequired     bool                 `db:"is_required" json:"isRequired" in:"notnull"`
	SortID         int64                `db:"sort_id" json:"sortId" in:"notnull"`
	CreatedAt      laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
	DeletedAt      laurel.NullTimestamp `db:"deleted_at" json:"deletedAt"`
	Rules          []Rule               `json:"-"` // the live rules, in their order
	HasMoreRules   bool                 `json:"-"` // the group has further rules, for which the page has no room
}

// FitGroups returns the first groups that together have at most maxRules rules. If already the first group has more, it
// is returned alone, with its first maxRules rules and HasMoreRules set. FitGroups changes groups.
func FitGroups(groups []Group, maxRules int) []Group {
	count := 0
	for i := range groups {
		if count += len(groups[i].Rules); count <= maxRules {
			continue
		}
		if i > 0 {
			return groups[:i]
		}
		groups[0].Rules, groups[0].HasMoreRules = groups[0].Rules[:maxRules], true
		return groups[:1]
	}
	return groups
}

// GroupInput is a group with another spelling of subTitle, which callers may write instead.
type GroupInput struct {
	Group
	Subtitle *string `json:"subtitle" in:"max=1000" hint:"Another spelling of subTitle"`
}

// GroupPatch is what a caller writes of a group.
type GroupPatch = record.Patch[GroupInput]

// applyGroup sets the properties of a patch on a group by apply, which creates or updates. The error is Invalid with
// every fault. If both spellings of subTitle were sent, subTitle wins.
func applyGroup(in GroupPatch, apply func(*GroupInput) laurel.Faults, g *Group) error {
	written := GroupInput{Group: *g}
	f := apply(&written)
	if in.Has("subtitle") && !in.Has("subTitle") {
		written.SubTitle = written.Subtitle
	}
	*g = written.Group
	return f.Err()
}

// CreateGroup creates a group in the scope's website. Without sortId the group comes last. Errors: Invalid with all
// faults.
func (s *Service) CreateGroup(ctx context.Context, scope laurel.Scope, in GroupPatch) (Group, error) {
	g := Group{OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID}
	if err := applyGroup(in, in.Create, &g); err != nil {
		return Group{}, err
	}
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
		g.ID, g.CreatedAt.Time, g.UpdatedAt.Time = tx.NewID(), tx.Now(), tx.Now()
		if !in.Has("sortId") {
			if g.SortID, err = nextSortID(ctx, tx, scope); err != nil {
				return err
			}
		}
		_, err = groupTable.Insert(ctx, tx, &g, "")
		return err
	})
	return g, err
}

// UpdateGroup changes the properties that the input sets. It returns NotFound "Loyalty rule group" for a group that is
// deleted or outside the scope.
func (s *Service) UpdateGroup(ctx context.Context, scope laurel.Scope, id laurel.ID, in GroupPatch) (Group, error) {
	return s.changeGroup(ctx, scope, id, func(_ *store.Tx, g *Group) error { return applyGroup(in, in.Update, g) })
}

// DeleteGroup deletes a group. Its rules stay and belong to no group (contract 5.17).
func (s *Service) DeleteGroup(ctx context.Context, scope laurel.Scope, id laurel.ID) (Group, error) {
	return s.changeGroup(ctx, scope, id, func(tx *store.Tx, g *Group) error {
		g.DeletedAt.Time = tx.Now()
		return s.removeAllFromGroup(ctx, tx, scope, g.ID)
	})
}

// removeAllFromGroup takes every live rule out of a group and records an edit for each. Deleted rules keep the group's
// id; if one is undeleted, it comes back without a group.
func (s *Service) removeAllFromGroup(ctx context.Context, tx *store.Tx, scope laurel.Scope, group laurel.ID) error {
	ids, err := lockGroupRules(ctx, tx, group)
	if err != nil {
		return err
	}
	for chunk := range slices.Chunk(ids, removalChunk) {
		if err := removeFromGroup(ctx, tx, scope, chunk); err != nil {
			return err
		}
	}
	return nil
}

// removalChunk bounds the rules that removeAllFromGroup holds in memory at a time.
const removalChunk = 32

// removeFromGroup takes some rules, which are locked, out of their group and records an edit for each.
func removeFromGroup(ctx context.Context, tx *store.Tx, scope laurel.Scope, ids []laurel.ID) error {
	rules, err := readLockedRules(ctx, tx, ids)
	if err != nil {
		return err
	}
	for _, before := range rules {
		after := before
		after.LoyaltyRuleGroupID = nil
		after.Version, after.UpdatedAt = before.Version+1, tx.NowAfter(before.UpdatedAt)
		if err := updateRule(ctx, tx, after); err != nil {
			return err
		}
		if _, err := (ruleChange{before: before, after: after, action: EditUpdate}).writeEdit(ctx, tx, scope); err != nil {
			return err
		}
	}
	return nil
}

// changeGroup locks a live group, applies edit to it, saves it, and returns it with its rules. It returns NotFound
// "Loyalty rule group" for a group that is deleted or outside the scope.
func (s *Service) changeGroup(
	ctx context.Context,
	scope laurel.Scope,
	id laurel.ID,
	edit func(*store.Tx, *Group) error,
) (Group, error) {
	return groupTable.EditLive(ctx, s.db, scope, id, func(tx *store.Tx, g *Group) (err error) {
		if err := edit(tx, g); err != nil {
			return err
		}
		*g, err = fillGroup(ctx, tx, *g)
		return err
	})
}

// GroupFilter selects the rules that ListGroups returns with their groups.
type GroupFilter struct {
	WithoutHidden bool // leaves out rules with hideInUi
	ForClients    bool // only rules that client keys may see: not hidden, and started or shown before their start
	now           int64
}

// ListGroups returns live groups ordered by sortId, each with its live rules that the filter selects. A page ends
// before the group whose rules would no longer fit (see fillGroups).
func (s *Service) ListGroups(
	ctx context.Context,
	scope laurel.Scope,
	f GroupFilter,
	page laurel.PageRequest,
) (laurel.Page[Group], error) {
	groups, err := listGroups(ctx, s.db, scope, page)
	if err != nil {
		return laurel.Page[Group]{}, err
	}
	f.now = store.Micros(s.db.Now())
	filled, err := fillGroups(ctx, s.db, groups.Data, f)
	return budget.FirstItems(groups, len(filled)), err
}

// ListGroupsWithoutRules returns live groups ordered by sortId, without their rules.
func (s *Service) ListGroupsWithoutRules(
	ctx context.Context,
	scope laurel.Scope,
	page laurel.PageRequest,
) (laurel.Page[Group], error) {
	return listGroups(ctx, s.db, scope, page)
}
