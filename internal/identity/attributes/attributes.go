// Package attributes owns the attributes that a website defines for its users, and their values (contract 3.7). Its
// tables are website_user_attributes and website_user_attribute_values. It does not own users (identity).
package attributes

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/record"
	"laurel.example/laurel/internal/store"
)

// Attribute is a property that a website defines for its users (contract 3.7): a row of website_user_attributes.
type Attribute struct {
	ID             laurel.ID            `db:"id" json:"id"`
	OrganizationID laurel.ID            `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID            `db:"website_id" json:"websiteId"`
	Label          string               `db:"label" json:"label" in:"required min=1 max=255" hint:"Unique in a website"`
	CreatedAt      laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
	DeletedAt      laurel.NullTimestamp `db:"deleted_at" json:"deletedAt"`
}

// Patch is what a caller writes of an attribute.
type Patch = record.Patch[Attribute]

// Bounds of one call, and of a website.
const (
	MaxItems = 100 // attributes, or values, in one call
	MaxLive  = 200 // live attributes of a website
	maxLabel = 255
	maxValue = 10_000
)

// Item is an attribute as a call writes it: one with an id gets the label, and without one the website gets an
// attribute with the label, unless it has it.
type Item struct {
	ID    *laurel.ID `json:"id,omitempty" doc:"Of an attribute that gets the label"`
	Label string     `json:"label"`
}

// Bounds returns what the properties accept, for the API's schema.
func (Item) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"label"}, NotNull: []string{"label"},
		Keywords: map[string]laurel.Keywords{"label": {"minLength": 1, "maxLength": maxLabel}},
	}
}

// Service creates, changes and reads attributes and their values.
type Service struct {
	db    *store.DB
	users *identity.Service
}

// New returns a service on the database.
func New(db *store.DB, users *identity.Service) *Service { return &Service{db: db, users: users} }

// Write creates attributes of the scope's website, or changes those that items name by their ids: all or none. It
// returns them in the order of the items. Errors: Invalid; NotFound "User attribute"; Refused "User attribute already
// exists" for a label that another attribute has, and Refused if the website has MaxLive already.
func (s *Service) Write(ctx context.Context, scope laurel.Scope, items []Item) (out []Attribute, err error) {
	if err := checkItems(items); err != nil {
		return nil, err
	}
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		out = out[:0]
		if err := lockWebsite(ctx, tx, scope); err != nil {
			return err
		}
		live, err := table.Select(ctx, tx, store.Live(scope), "id")
		if err != nil {
			return err
		}
		for _, item := range items {
			a, err := writeItem(ctx, tx, scope, &live, item)
			if err != nil {
				return err
			}
			out = append(out, a)
		}
		return nil
	})
	return out, err
}

// checkItems returns Invalid unless there are 1 to MaxItems, each with a label.
func checkItems(items []Item) error {
	var f laurel.Faults
	if n := len(items); n < 1 || n > MaxItems {
		f.Add("data", "must have between 1 and %d items", MaxItems)
		return f.Err()
	}
	for i, item := range items {
		f.Text("data."+strconv.Itoa(i)+".label", item.Label, 1, maxLabel)
	}
	return f.Err()
}

// lockWebsite lets no other transaction write attributes of the website until this one ends.
func lockWebsite(ctx context.Context, tx *store.Tx, scope laurel.Scope) error {
	return tx.AdvisoryLock(ctx, "user attributes of "+scope.WebsiteID.String())
}

// writeItem writes one item; live are the attributes of the website, which it brings up to date.
func writeItem(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, live *[]Attribute, item Item,
) (Attribute, error) {
	byLabel := slices.IndexFunc(*live, func(a Attribute) bool { return a.Label == item.Label })
	if item.ID != nil {
		i := slices.IndexFunc(*live, func(a Attribute) bool { return a.ID == *item.ID })
		switch {
		case i < 0:
			return Attribute{}, laurel.Missing("User attribute")
		case byLabel >= 0 && byLabel != i:
			return Attribute{}, errExists()
		case byLabel == i:
			return (*live)[i], nil
		}
		a := &(*live)[i]
		a.Label, a.UpdatedAt.Time = item.Label, tx.NowAfter(a.UpdatedAt.Time)
		return *a, table.Update(ctx, tx, a)
	}
	if byLabel >= 0 {
		return (*live)[byLabel], nil
	}
	if len(*live) >= MaxLive {
		return Attribute{}, laurel.Errorf(laurel.Refused, "Website has %d user attributes already", MaxLive)
	}
	a := Attribute{ID: tx.NewID(), OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, Label: item.Label}
	a.CreatedAt.Time, a.UpdatedAt.Time = tx.Now(), tx.Now()
	*live = append(*live, a)
	_, err := table.Insert(ctx, tx, &a, "")
	return a, err
}

func errExists() error { return laurel.Errorf(laurel.Refused, "User attribute already exists") }

// Update changes the properties that the input sets. Errors: NotFound "User attribute"; Invalid; Refused "User
// attribute already exists".
func (s *Service) Update(ctx context.Context, scope laurel.Scope, id laurel.ID, in Patch) (Attribute, error) {
	return s.editLive(ctx, scope, id, func(tx *store.Tx, a *Attribute) error {
		if err := in.Update(a).Err(); err != nil {
			return err
		}
		if n, err := table.Count(ctx, tx, whereSameLabel(scope, *a)); err != nil || n > 0 {
			return cmp.Or(err, errExists())
		}
		return nil
	})
}

// Delete marks an attribute as deleted. Its values are no longer shown, and its label is free. Errors: NotFound "User
// attribute".
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id laurel.ID) (Attribute, error) {
	return s.editLive(ctx, scope, id, func(tx *store.Tx, a *Attribute) error {
		a.DeletedAt.Time = tx.Now()
		return nil
	})
}

// editLive edits and saves a live attribute while no other transaction writes attributes of its website.
func (s *Service) editLive(
	ctx context.Context, scope laurel.Scope, id laurel.ID, edit func(*store.Tx, *Attribute) error,
) (a Attribute, err error) {
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if a, err = table.Get(ctx, tx, store.LiveByID(scope, id), ""); err != nil {
			return err
		}
		if err := lockWebsite(ctx, tx, scope.At(a.WebsiteID)); err != nil {
			return err
		}
		if a, err = table.Get(ctx, tx, store.LiveByID(scope, id), tx.ForUpdate()); err != nil {
			return err
		}
		return table.Edit(ctx, tx, scope, &a, edit)
	})
	return a, err
}

// Get returns a live attribute. Errors: NotFound "User attribute".
func (s *Service) Get(ctx context.Context, scope laurel.Scope, id laurel.ID) (Attribute, error) {
	return table.Get(ctx, s.db, store.LiveByID(scope, id), "")
}

// List returns live attributes, newest first. Errors: Invalid for an unknown cursor.
func (s *Service) List(
	ctx context.Context, scope laurel.Scope, page laurel.PageRequest,
) (laurel.Page[Attribute], error) {
	return table.Page(ctx, s.db, newest(store.Live(scope), store.OfTenant(scope), ""), page)
}
