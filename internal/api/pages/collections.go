package pages

import (
	"context"

	"laurel/internal/api/rest"
	"laurel/internal/content/collections"
)

// websiteCollection is contract 3.3.
type websiteCollection struct{ collections.Collection }

// shapeCollection returns a collection as responses show it.
func shapeCollection(c collections.Collection) websiteCollection { return websiteCollection{c} }

type listCollectionsInput struct {
	WebsiteID      rest.ID        `query:"websiteId" required:"true"`
	OrganizationID rest.ID        `query:"organizationId"`
	Limit          rest.Limit1000 `query:"limit"`
	StartingAfter  rest.ID        `query:"startingAfter"`
}

// listCollections returns a page of the collections of a website.
func (h *handlers) listCollections(
	ctx context.Context, in *listCollectionsInput,
) (*rest.Page[websiteCollection], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.OrganizationID.ID, in.WebsiteID.ID)
	if err != nil {
		return nil, err
	}
	page, err := h.Collections.List(ctx, scope, rest.PageRequest(in.Limit.Or(), in.StartingAfter))
	return rest.ListOf(page, err, shapeCollection)
}

// byIDInput has the id of one record.
type byIDInput struct {
	rest.PathID
	rest.Tenant
}

// getCollection returns a collection.
func (h *handlers) getCollection(ctx context.Context, in *byIDInput) (*rest.Response[websiteCollection], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	c, err := h.Collections.Get(ctx, scope, in.ID.ID)
	return rest.ResponseOf(c, err, shapeCollection)
}

type createCollectionBody struct {
	rest.TenantBody
	collections.Input
}

// Creates marks the properties that a new collection needs as required.
func (createCollectionBody) Creates() {}

type createCollectionInput struct {
	Body createCollectionBody
}

// createCollection adds a collection to a website.
func (h *handlers) createCollection(
	ctx context.Context, in *createCollectionInput,
) (*rest.Response[websiteCollection], error) {
	t := in.Body.Tenant()
	scope, err := h.Caller.NarrowToWebsite(ctx, t.OrganizationID.ID, t.WebsiteID.ID)
	if err != nil {
		return nil, err
	}
	c, err := h.Collections.Create(ctx, scope, in.Body.Input)
	return rest.ResponseOf(c, err, shapeCollection)
}

type updateCollectionBody struct {
	rest.TenantBody
	collections.Input
}

type updateCollectionInput struct {
	rest.PathID
	Body updateCollectionBody
}

// updateCollection changes the properties of a collection that the body sets.
func (h *handlers) updateCollection(
	ctx context.Context, in *updateCollectionInput,
) (*rest.Response[websiteCollection], error) {
	scope, err := h.Caller.Narrow(ctx, in.Body.Tenant())
	if err != nil {
		return nil, err
	}
	c, err := h.Collections.Update(ctx, scope, in.ID.ID, in.Body.Input)
	return rest.ResponseOf(c, err, shapeCollection)
}

// deleteCollection deletes a collection and returns it.
func (h *handlers) deleteCollection(ctx context.Context, in *byIDInput) (*rest.Response[websiteCollection], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	c, err := h.Collections.Delete(ctx, scope, in.ID.ID)
	return rest.ResponseOf(c, err, shapeCollection)
}
