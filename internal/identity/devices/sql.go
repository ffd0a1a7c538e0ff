package devices

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var table = store.NewRecords[Device]("user_devices", "Device")

// onConflict leaves a device out that the member has already.
const onConflict = "ON CONFLICT (website_id, user_id, ip_address, COALESCE(device_identifier, '')) DO NOTHING"

// byID returns the condition for the device of the scope with an id.
func byID(scope laurel.Scope, id laurel.ID) *store.Where {
	return store.OfTenant(scope).With("id = ?", id)
}

// countOf counts the devices of a member in the scope.
func countOf(ctx context.Context, tx *store.Tx, scope laurel.Scope, user laurel.ID) (int, error) {
	return table.Count(ctx, tx, store.OfTenant(scope).With("user_id = ?", user))
}

// readEqual sets d to the stored device of the same member, address and identifier.
func readEqual(ctx context.Context, tx *store.Tx, d *Device) error {
	w := (&store.Where{}).With("website_id = ?", d.WebsiteID).With("user_id = ?", d.UserID).
		With("ip_address = ?", d.Address).With("COALESCE(device_identifier, '') = ?", string(d.Identifier))
	stored, err := table.Get(ctx, tx, w, "")
	if err == nil {
		*d = stored
	}
	return err
}
