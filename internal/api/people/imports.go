package people

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/memberimports"
)

// memberImport is the data job of an import of members (contract 1.11, 3.21).
type memberImport struct {
	ID        laurel.ID        `json:"id"`
	Status    string           `json:"status" enum:"pending,processing,complete,failed,cancelled"`
	Message   string           `json:"message,omitempty" doc:"How far it is, what was imported, or which rows are bad"`
	CreatedAt laurel.Timestamp `json:"createdAt"`
	UpdatedAt laurel.Timestamp `json:"updatedAt"`
}

// shapeMemberImport returns an import as responses show it.
func shapeMemberImport(i memberimports.Import) memberImport {
	return memberImport{
		ID: i.ID, Status: i.Status, Message: i.Message, CreatedAt: laurel.Timestamp{Time: i.CreatedAt},
		UpdatedAt: laurel.Timestamp{Time: i.UpdatedAt},
	}
}

// importMembersBody names a file of members.
type importMembersBody struct {
	rest.TenantBody
	CSVURL            laurel.Optional[string]    `json:"csvUrl,omitzero" doc:"The address of the file"`
	AssetURL          laurel.Optional[string]    `json:"assetUrl,omitzero" doc:"The url of a file that was uploaded for the website, in place of csvUrl"`
	LoyaltyCurrencyID laurel.Optional[laurel.ID] `json:"loyaltyCurrencyId,omitzero"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (importMembersBody) Bounds() laurel.Bounds { return memberimports.Input{}.Bounds() }

type importMembersInput struct {
	Body importMembersBody
}

// importMembers starts the import of a file of members.
func (h *handlers) importMembers(ctx context.Context, in *importMembersInput) (*rest.Response[memberImport], error) {
	b := in.Body
	scope, err := h.Caller.NarrowToWebsite(ctx, b.OrganizationID, b.WebsiteID)
	if err != nil {
		return nil, err
	}
	currency := b.LoyaltyCurrencyID.Value
	if b.LoyaltyCurrencyID.Set && !b.LoyaltyCurrencyID.Null && currency.IsZero() {
		currency = rest.UnmatchedID // the nil UUID is no currency
	}
	i, err := h.Imports.Create(ctx, scope, memberimports.Input{
		CSVURL: b.CSVURL.Value, AssetURL: b.AssetURL.Value, CurrencyID: currency,
	})
	return rest.ResponseOf(i, err, shapeMemberImport)
}

type listMemberImportsInput struct{ rest.Paging }

// listMemberImports returns a page of imports of members.
func (h *handlers) listMemberImports(
	ctx context.Context, in *listMemberImportsInput,
) (*rest.Page[memberImport], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Imports.List(ctx, scope, in.Page())
	return rest.ListOf(page, err, shapeMemberImport)
}

// importOperations adds the operations on imports of members.
func (h *handlers) importOperations(o *Operations) {
	o.ImportMembers = rest.Handle(h.importMembers,
		rest.Note("The first row of the file names its columns: walletAddress, and any of externalIdentifier, displayName, emailAddress, phoneNumber, joinedAt and "+
			"balance. A data job checks all rows, at most 1,000,000 and 50 MiB; if one is bad, nothing is imported. An empty field keeps what is stored. "+
			"A balance is credited once per member and import, and counts as neither issued nor a completion."),
		rest.Example(`{"csvUrl":"https://files.example/members.csv","loyaltyCurrencyId":`+rest.ExampleID+`}`),
	)
	o.ListMemberImports = rest.Handle(h.listMemberImports, rest.Note("Newest first, with what came of each."))
	o.GetMemberImport = rest.Handle(caller.ByID(h.Caller, h.Imports.Get, caller.Shaped(shapeMemberImport)),
		rest.Note("The import as the list shows it."),
	)
}
