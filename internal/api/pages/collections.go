package pages

import (
	"context"

	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/content/collections"
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
