package catalog

import (
	"context"
	"slices"
	"time"

	"laurel"
	"laurel/internal/budget"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// maxGroupRules is how many live rules a group may have, and how many a page of groups holds at most: each is answered
// in full.
const maxGroupRules = 1000

// Group is a named section of rules (contract 3.14).
type Group struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	Name           string
	SubTitle       *string
	IsCollapsible  bool
	IsRequired     bool
	SortID         int64
	CreatedAt      time.Time
	UpdatedAt      time.Time
	DeletedAt      time.Time // zero while live
	Rules          []Rule    // live ones, in their order
	More           bool      // it has further rules, which an answer had no room for
}

// FitGroups returns the groups, from the first on, that are whole within the first n of all their rules. A group that
// has more rules than an answer has room for comes alone, with those that there is room for.
func FitGroups(groups []Group, maxRules int) []Group {
	count := 0
	for i := range groups {
		if count += len(groups[i].Rules); count <= maxRules {
			continue
		}
		if i > 0 {
			return groups[:i]
		}
		groups[0].Rules, groups[0].More = groups[0].Rules[:maxRules], true
		return groups[:1]
	}
	return groups
}

// GroupInput is what a caller sets of a group; on update an absent property keeps its value.
type GroupInput struct {
	Name          laurel.Optional[string] `json:"name,omitzero"`
	SubTitle      laurel.Optional[string] `json:"subTitle,omitzero"`
	Subtitle      laurel.Optional[string] `json:"subtitle,omitzero"` // another spelling of subTitle
	IsCollapsible laurel.Optional[bool]   `json:"isCollapsible,omitzero"`
	IsRequired    laurel.Optional[bool]   `json:"isRequired,omitzero"`
	SortID        laurel.Optional[int64]  `json:"sortId,omitzero"`
}

// apply writes the input over a group and returns every fault.
func (in GroupInput) apply(g *Group) error {
	var f laurel.Faults
	switch {
	case in.Name.Set && !in.Name.Null && in.Name.Value != "":
		g.Name = in.Name.Value
		f.Text("name", g.Name, 0, schema.MaxName)
	case in.Name.Set || g.Name == "":
		f.Add("name", "is required")
	}
	schema.OptionalText(&f, "subtitle", in.Subtitle, schema.MaxName, &g.SubTitle)
	schema.OptionalText(&f, "subTitle", in.SubTitle, schema.MaxName, &g.SubTitle)
	schema.Flags(
		&f,
		[]schema.Flag{
			{Name: "isCollapsible", In: in.IsCollapsible, To: &g.IsCollapsible},
			{Name: "isRequired", In: in.IsRequired, To: &g.IsRequired},
		},
	)
	if in.SortID.Set && in.SortID.Null {
		f.Add("sortId", "must be an integer")
	} else if in.SortID.Set {
		g.SortID = in.SortID.Value
	}
	return f.Err()
}

// CreateGroup makes a group in the scope's website. Without sortId it comes last.
func (s *Service) CreateGroup(ctx context.Context, scope laurel.Scope, in GroupInput) (Group, error) {
	g := Group{OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, Rules: []Rule{}}
	if err := in.apply(&g); err != nil {
		return Group{}, err
	}
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
		g.ID, g.CreatedAt, g.UpdatedAt = tx.NewID(), tx.Now(), tx.Now()
		if !in.SortID.Set {
			if g.SortID, err = nextSortID(ctx, tx, scope); err != nil {
				return err
			}
		}
		return insertGroup(ctx, tx, g)
	})
	return g, err
}

// UpdateGroup changes what the input names. NotFound "Loyalty rule group" outside the scope or when deleted.
func (s *Service) UpdateGroup(ctx context.Context, scope laurel.Scope, id laurel.ID, in GroupInput) (Group, error) {
	return s.changeGroup(ctx, scope, id, func(_ *store.Tx, g *Group) error { return in.apply(g) })
}

// DeleteGroup ends a group; its rules stay, without group (contract 5.17).
func (s *Service) DeleteGroup(ctx context.Context, scope laurel.Scope, id laurel.ID) (Group, error) {
	return s.changeGroup(ctx, scope, id, func(tx *store.Tx, g *Group) error {
		g.DeletedAt = tx.Now()
		return s.removeAllFromGroup(ctx, tx, scope, g.ID)
	})
}

// removeAllFromGroup takes every live rule out of the group, each with its edit. Deleted rules keep naming it and come
// back without it.
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

// removalChunk bounds the rules that are held in memory while a group is emptied.
const removalChunk = 32

func removeFromGroup(ctx context.Context, tx *store.Tx, scope laurel.Scope, ids []laurel.ID) error {
	rules, err := readLockedRules(ctx, tx, ids)
	if err != nil {
		return err
	}
	for _, before := range rules {
		after := before
		after.LoyaltyRuleGroupID = nil
		after.Version, after.UpdatedAt = before.Version+1, tx.Now()
		if err := updateRule(ctx, tx, after); err != nil {
			return err
		}
		if _, err := (ruleChange{before: before, after: after, action: EditUpdate}).writeEdit(ctx, tx, scope); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) changeGroup(
	ctx context.Context,
	scope laurel.Scope,
	id laurel.ID,
	edit func(*store.Tx, *Group) error,
) (Group, error) {
	var g Group
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
		if g, err = readGroup(ctx, tx, scope, id, tx.ForUpdate()); err != nil {
			return err
		}
		if !g.DeletedAt.IsZero() {
			return laurel.Missing("Loyalty rule group")
		}
		if err := edit(tx, &g); err != nil {
			return err
		}
		g.UpdatedAt = tx.Now()
		if err := updateGroup(ctx, tx, g); err != nil {
			return err
		}
		filled, err := fillGroups(ctx, tx, []Group{g}, GroupFilter{})
		if err == nil {
			g = filled[0]
		}
		return err
	})
	return g, err
}

// GroupFilter narrows the rules inside the groups of ListGroups.
type GroupFilter struct {
	WithoutHidden bool // drops rules with hideInUi
	ForClients    bool // what a publishable key may see of the rules: not hidden, and begun or shown before
	now           int64
}

// ListGroups returns live groups by sortId, each with its live rules. A page ends before the group whose rules would be
// too many for it.
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
	return budget.First(groups, len(filled)), err
}

// ListGroupsWithoutRules returns live groups by sortId without their rules.
func (s *Service) ListGroupsWithoutRules(
	ctx context.Context,
	scope laurel.Scope,
	page laurel.PageRequest,
) (laurel.Page[Group], error) {
	return listGroups(ctx, s.db, scope, page)
}
