package caller

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/record"
)

// The functions of this file serve the usual operations on records: they resolve the tenant, call the service, and
// respond with the record. Families use those that fit. S is the record in responses.

// Respond returns the response with a record of a scope, or err if it is not nil.
type Respond[R, S any] = func(ctx context.Context, scope laurel.Scope, r R, err error) (*rest.Response[S], error)

// Shaped responds with what shape makes of a record, which needs no reads.
func Shaped[R, S any](shape func(R) S) Respond[R, S] {
	return func(_ context.Context, _ laurel.Scope, r R, err error) (*rest.Response[S], error) {
		return rest.ResponseOf(r, err, shape)
	}
}

// RecordID is the input of an operation on one record.
type RecordID struct {
	rest.PathID
	rest.Tenant
}

// ByID returns the function of an operation that gets or deletes a record.
func ByID[R, S any](
	c *Resolver, run func(context.Context, laurel.Scope, laurel.ID) (R, error), respond Respond[R, S],
) func(context.Context, *RecordID) (*rest.Response[S], error) {
	return func(ctx context.Context, in *RecordID) (*rest.Response[S], error) {
		scope, err := c.Narrow(ctx, in.Tenant)
		if err != nil {
			return nil, err
		}
		r, err := run(ctx, scope, in.ID.ID)
		return respond(ctx, scope, r, err)
	}
}

// CreateBody is the body of a creation. The document requires what a new record needs.
type CreateBody[R any] struct {
	rest.TenantBody
	rest.RecordBody[R]
}

// Creates marks what a new record needs as required.
func (CreateBody[R]) Creates() {}

// CreateInput is the input of a creation.
type CreateInput[R any] struct {
	Body CreateBody[R]
}

// Create returns the function of an operation that creates a record of a website.
func Create[R, S any](
	c *Resolver, create func(context.Context, laurel.Scope, record.Patch[R]) (R, error), respond Respond[R, S],
) func(context.Context, *CreateInput[R]) (*rest.Response[S], error) {
	return func(ctx context.Context, in *CreateInput[R]) (*rest.Response[S], error) {
		scope, err := c.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
		if err != nil {
			return nil, err
		}
		r, err := create(ctx, scope, in.Body.Patch)
		return respond(ctx, scope, r, err)
	}
}

// UpdateBody is the body of an update.
type UpdateBody[R any] struct {
	rest.TenantBody
	rest.RecordBody[R]
}

// UpdateInput is the input of an update.
type UpdateInput[R any] struct {
	rest.PathID
	Body UpdateBody[R]
}

// Update returns the function of an operation that changes a record.
func Update[R, S any](
	c *Resolver,
	update func(context.Context, laurel.Scope, laurel.ID, record.Patch[R]) (R, error), respond Respond[R, S],
) func(context.Context, *UpdateInput[R]) (*rest.Response[S], error) {
	return func(ctx context.Context, in *UpdateInput[R]) (*rest.Response[S], error) {
		scope, err := c.Narrow(ctx, in.Body.Tenant())
		if err != nil {
			return nil, err
		}
		r, err := update(ctx, scope, in.ID.ID, in.Body.Patch)
		return respond(ctx, scope, r, err)
	}
}
