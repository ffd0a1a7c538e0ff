package attributes

import (
	"context"
	"slices"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

// Value is the value of an attribute for a user (contract 3.7): a row of website_user_attribute_values.
type Value struct {
	ID             laurel.ID        `db:"id" json:"id"`
	OrganizationID laurel.ID        `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID        `db:"website_id" json:"websiteId"`
	UserID         laurel.ID        `db:"user_id" json:"userId" update:"no"`
	AttributeID    laurel.ID        `db:"website_user_attribute_id" json:"websiteUserAttributeId" update:"no"`
	Value          string           `db:"value" json:"value"`
	CreatedAt      laurel.Timestamp `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp `db:"updated_at" json:"updatedAt"`
}

// ValueItem is a value as a call writes it.
type ValueItem struct {
	UserID      laurel.ID  `json:"userId"`
	AttributeID laurel.ID  `json:"websiteUserAttributeId"`
	Value       string     `json:"value"`
	ID          *laurel.ID `json:"id,omitempty" doc:"Of the value that the user has of the attribute"`
	// Before is the value that the user must still have, "" without one; nil: any. Forms set it.
	Before *string `json:"-"`
}

// Bounds returns what the properties accept, for the API's schema.
func (ValueItem) Bounds() laurel.Bounds {
	all := []string{"userId", "websiteUserAttributeId", "value"}
	return laurel.Bounds{
		Required: all, NotNull: all, Keywords: map[string]laurel.Keywords{"value": {"maxLength": maxValue}},
	}
}

// valueKey names the one value of a user for an attribute.
type valueKey struct{ attribute, user laurel.ID }

func (v Value) key() valueKey      { return valueKey{v.AttributeID, v.UserID} }
func (in ValueItem) key() valueKey { return valueKey{in.AttributeID, in.UserID} }

// WriteValues sets values of users: all or none. A user has one value of an attribute, so that one that is written
// again is replaced. Users become members of the scope's website. It returns the values in the order of the items.
// Errors: Invalid; NotFound "User", "User attribute", or "User attribute value" for the id of another value;
// laurel.ErrChanged for a value that is no longer the one before.
func (s *Service) WriteValues(ctx context.Context, scope laurel.Scope, items []ValueItem) ([]Value, error) {
	return s.write(ctx, scope, items, MaxItems)
}

// WriteForm is WriteValues for the form of a user, which may have a value of every attribute of the website.
func (s *Service) WriteForm(ctx context.Context, scope laurel.Scope, items []ValueItem) error {
	_, err := s.write(ctx, scope, items, MaxLive)
	return err
}

// write writes 1 to maxItems values.
func (s *Service) write(
	ctx context.Context, scope laurel.Scope, items []ValueItem, maxItems int,
) (out []Value, err error) {
	if err := checkValues(items, maxItems); err != nil {
		return nil, err
	}
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		refs := make([]identity.Ref, len(items))
		for i, in := range items {
			refs[i].UserID = in.UserID
		}
		if _, err := s.users.Enroll(ctx, tx, scope, refs); err != nil {
			return err
		}
		if err := requireLive(ctx, tx, scope, items); err != nil {
			return err
		}
		written, err := writeValues(ctx, tx, scope, items)
		out = out[:0]
		for _, in := range items {
			out = append(out, written[in.key()])
		}
		return err
	})
	return out, err
}

// checkValues returns Invalid unless there are 1 to maxItems, each with a value.
func checkValues(items []ValueItem, maxItems int) error {
	var f laurel.Faults
	if n := len(items); n < 1 || n > maxItems {
		f.Add("data", "must have between 1 and %d items", maxItems)
		return f.Err()
	}
	for i, in := range items {
		f.Text("data."+strconv.Itoa(i)+".value", in.Value, 0, maxValue)
	}
	return f.Err()
}

// requireLive locks the attributes of the items against deletion. Errors: NotFound "User attribute".
func requireLive(ctx context.Context, tx *store.Tx, scope laurel.Scope, items []ValueItem) error {
	ids := make([]laurel.ID, len(items))
	for i, in := range items {
		ids[i] = in.AttributeID
	}
	slices.SortFunc(ids, laurel.ID.Compare)
	ids = slices.Compact(ids)
	live, err := lockLive(ctx, tx, scope, ids)
	if err == nil && len(live) < len(ids) {
		err = laurel.Missing("User attribute")
	}
	return err
}

// writeValues inserts or replaces the values, and returns them. Of several for the same user and attribute the last one
// counts. It returns store.ErrRerun if another transaction has inserted one meanwhile.
func writeValues(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, items []ValueItem,
) (map[valueKey]Value, error) {
	stored, err := lockValues(ctx, tx, items)
	if err != nil {
		return nil, err
	}
	byKey := make(map[valueKey]Value, len(items))
	before := map[valueKey]Value{}
	for _, v := range stored {
		byKey[v.key()], before[v.key()] = v, v
	}
	var created []*Value
	for _, in := range items {
		v, exists := byKey[in.key()]
		if in.ID != nil && (!exists || v.ID != *in.ID) {
			return nil, laurel.Missing("User attribute value")
		}
		if in.Before != nil && *in.Before != v.Value {
			return nil, laurel.ErrChanged
		}
		if !exists {
			v = Value{ID: tx.NewID(), OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID,
				UserID: in.UserID, AttributeID: in.AttributeID}
			v.CreatedAt.Time, v.UpdatedAt.Time = tx.Now(), tx.Now()
		}
		v.Value = in.Value
		byKey[in.key()] = v
	}
	for key, v := range byKey {
		old, exists := before[key]
		switch {
		case !exists:
			created = append(created, &v)
		case old.Value != v.Value:
			v.UpdatedAt.Time = tx.NowAfter(v.UpdatedAt.Time)
			if err := values.Update(ctx, tx, &v); err != nil {
				return nil, err
			}
			byKey[key] = v
		}
	}
	slices.SortFunc(created, func(a, b *Value) int { return a.ID.Compare(b.ID) })
	inserted, err := values.InsertAll(ctx, tx, created, store.IgnoreConflicts)
	if err == nil && int(inserted) < len(created) {
		err = store.ErrRerun
	}
	return byKey, err
}

// GetValue returns a value of a live attribute. Errors: NotFound "User attribute value".
func (s *Service) GetValue(ctx context.Context, scope laurel.Scope, id laurel.ID) (Value, error) {
	return shownValues.Get(ctx, s.db, whereShownByID(scope, id), "")
}

// ListValues returns the values of users for live attributes, newest first. Errors: Invalid for an unknown cursor.
func (s *Service) ListValues(
	ctx context.Context, scope laurel.Scope, users []laurel.ID, page laurel.PageRequest,
) (laurel.Page[Value], error) {
	return shownValues.Page(ctx, s.db, valuesOf(scope, users), page)
}

// Labeled is an attribute with values of a user.
type Labeled struct {
	ID     laurel.ID
	Label  string
	Values []Value
}

// OfUsers returns the attributes of which the users have values, by user, each with the values in the scope.
func (s *Service) OfUsers(
	ctx context.Context, scope laurel.Scope, users []laurel.ID,
) (map[laurel.ID][]Labeled, error) {
	if len(users) == 0 {
		return nil, nil
	}
	rows, err := selectLabeled(ctx, s.db, scope, users)
	out := map[laurel.ID][]Labeled{}
	for _, r := range rows {
		out[r.UserID] = append(out[r.UserID], Labeled{r.AttributeID, r.Label, []Value{r.Value}})
	}
	return out, err
}

// SizesOf returns how many bytes the values of each user have in the scope. Users without values are left out.
func (s *Service) SizesOf(ctx context.Context, scope laurel.Scope, users []laurel.ID) ([]budget.ByteSize, error) {
	if len(users) == 0 {
		return nil, nil
	}
	return selectSizes(ctx, s.db, scope, users)
}
