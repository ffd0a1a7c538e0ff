package pages

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/content/pages"
)

// websitePageSection is contract 3.30: a block of the loyalty page.
type websitePageSection struct{ pages.Block }

// shapeBlock returns a block of the loyalty page as responses show it.
func shapeBlock(b pages.Block) websitePageSection { return websitePageSection{b} }

type listBlocksInput struct{ rest.Paging }

// listBlocks returns a page of the blocks of the loyalty page. Client keys do not see hidden blocks.
func (h *handlers) listBlocks(ctx context.Context, in *listBlocksInput) (*rest.Page[websitePageSection], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Pages.Blocks(ctx, scope, scope.Role == laurel.RoleClient, in.Page())
	return rest.ListOf(page, err, shapeBlock)
}

// getBlock returns a block of the loyalty page. Client keys do not see hidden blocks.
func (h *handlers) getBlock(ctx context.Context, in *caller.RecordID) (*rest.Response[websitePageSection], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	b, err := h.Pages.Block(ctx, scope, scope.Role == laurel.RoleClient, in.ID.ID)
	return rest.ResponseOf(b, err, shapeBlock)
}

type arrangeBlocksBody struct {
	rest.TenantBody
	Blocks []pages.BlockInput `json:"websitePageSections" maxItems:"100"`
}

type arrangeBlocksInput struct {
	Body arrangeBlocksBody
}

// setLayout replaces all blocks of the loyalty page.
func (h *handlers) setLayout(ctx context.Context, in *arrangeBlocksInput) (*rest.Page[websitePageSection], error) {
	t := in.Body.Tenant()
	scope, err := h.Caller.NarrowToWebsite(ctx, t.OrganizationID.ID, t.WebsiteID.ID)
	if err != nil {
		return nil, err
	}
	blocks, err := h.Pages.SetLayout(ctx, scope, in.Body.Blocks)
	return rest.ListOf(laurel.Page[pages.Block]{Data: blocks}, err, shapeBlock)
}
