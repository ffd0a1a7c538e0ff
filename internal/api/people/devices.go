package people

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/identity/devices"
)

// device is a device of a member.
type device struct{ devices.Device }

// shapeDevice returns a device as responses show it.
func shapeDevice(d devices.Device) device { return device{d} }

// deviceBody is a device that is reported.
type deviceBody struct {
	rest.TenantBody
	caller.NamedUser
	IPAddress        string                  `json:"ipAddress"`
	DeviceIdentifier laurel.Optional[string] `json:"deviceIdentifier,omitzero"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (deviceBody) Bounds() laurel.Bounds { return devices.Input{}.Bounds() }

type recordDeviceInput struct {
	Body deviceBody
}

// recordDevice stores a device of the user that the body names.
func (h *handlers) recordDevice(ctx context.Context, in *recordDeviceInput) (*rest.Response[device], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	user, err := h.Caller.ActingUser(ctx, scope, in.Body.Ref())
	if err != nil {
		return nil, err
	}
	d, err := h.Devices.Record(ctx, scope, devices.Input{
		User: user, Address: in.Body.IPAddress, Identifier: in.Body.DeviceIdentifier.Value,
	})
	return rest.ResponseOf(d, err, shapeDevice)
}

type listDevicesInput struct {
	rest.Paging
	UserID rest.IDs `query:"userId"`
}

// listDevices returns a page of devices.
func (h *handlers) listDevices(ctx context.Context, in *listDevicesInput) (*rest.Page[device], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Devices.List(ctx, scope, in.UserID.Values, in.Page())
	return rest.ListOf(page, err, shapeDevice)
}
