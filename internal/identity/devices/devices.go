// Package devices owns the devices and addresses from which members were seen (contract 4.6). Its table is
// user_devices. It decides nothing about members.
package devices

import (
	"context"
	"net/netip"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/store"
)

// Device is an address from which a member was seen, with the device if it is known: a row of user_devices.
type Device struct {
	ID             laurel.ID        `db:"id" json:"id"`
	OrganizationID laurel.ID        `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID        `db:"website_id" json:"websiteId"`
	UserID         laurel.ID        `db:"user_id" json:"userId" update:"no"`
	Address        string           `db:"ip_address" json:"ipAddress"`
	Identifier     laurel.NullText  `db:"device_identifier" json:"deviceIdentifier"`
	Source         string           `db:"source" json:"source" enum:"api"`
	CreatedAt      laurel.Timestamp `db:"created_at" json:"createdAt"`
}

const (
	// MaxPerMember is how many devices of a member are stored.
	MaxPerMember  = 1000
	maxIdentifier = 1000
	sourceAPI     = "api"
)

// Input is a device as a caller reports it.
type Input struct {
	User       identity.Ref
	Address    string
	Identifier string // "": unknown
}

// Bounds returns what the properties accept, for the API's schema.
func (Input) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"ipAddress"}, NotNull: []string{"ipAddress"},
		Keywords: map[string]laurel.Keywords{"deviceIdentifier": {"maxLength": maxIdentifier}},
	}
}

// Service stores and reads devices.
type Service struct {
	db    *store.DB
	users *identity.Service
}

// New returns a service on the database.
func New(db *store.DB, users *identity.Service) *Service { return &Service{db: db, users: users} }

// Record stores a device of a user. One that is stored already is returned as it is. Errors: Invalid; NotFound "User";
// Refused if the member has MaxPerMember already.
func (s *Service) Record(ctx context.Context, scope laurel.Scope, in Input) (d Device, err error) {
	var f laurel.Faults
	in.User.Validate(&f)
	address, errAddress := netip.ParseAddr(in.Address)
	if errAddress != nil {
		f.Add("ipAddress", "must be an IP address")
	}
	f.Text("deviceIdentifier", in.Identifier, 0, maxIdentifier)
	if err := f.Err(); err != nil {
		return Device{}, err
	}
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		members, err := s.users.Enroll(ctx, tx, scope, []identity.Ref{in.User})
		if err != nil {
			return err
		}
		d = Device{
			ID: tx.NewID(), OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, UserID: members[0],
			Address: address.Unmap().WithZone("").String(), Identifier: laurel.NullText(in.Identifier), Source: sourceAPI,
			CreatedAt: laurel.Timestamp{Time: tx.Now()},
		}
		inserted, err := table.Insert(ctx, tx, &d, onConflict)
		switch {
		case err != nil:
			return err
		case !inserted:
			return readEqual(ctx, tx, &d)
		}
		n, err := countOf(ctx, tx, scope, d.UserID)
		if err == nil && n > MaxPerMember {
			err = laurel.Errorf(laurel.Refused, "User has %d devices already", MaxPerMember)
		}
		return err
	})
	return d, err
}

// Get returns a device. Errors: NotFound "Device".
func (s *Service) Get(ctx context.Context, scope laurel.Scope, id laurel.ID) (Device, error) {
	return table.Get(ctx, s.db, byID(scope, id), "")
}

// List returns devices, newest first; of the users if there are any. Errors: Invalid for an unknown cursor.
func (s *Service) List(
	ctx context.Context, scope laurel.Scope, users []laurel.ID, page laurel.PageRequest,
) (laurel.Page[Device], error) {
	w := store.OfTenant(scope)
	store.In(w, "user_id", users)
	return table.Page(ctx, s.db, store.List{
		Where: w, Cursors: store.OfTenant(scope), Order: []string{"created_at", "id"}, Newest: true,
	}, page)
}
