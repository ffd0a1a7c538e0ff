package people

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report"
)

// self is the member of a token with what it has (contract 1.11).
type self struct {
	User
	Accounts  []ownAccount `json:"accounts"`
	UserGroup *ownGroup    `json:"userGroup"`
}

// ownAccount is an account of the member.
type ownAccount struct {
	LoyaltyCurrencyID laurel.ID     `json:"loyaltyCurrencyId"`
	Amount            laurel.Amount `json:"amount"`
	Rank              rank          `json:"rank"`
}

// ownGroup is the group of the member (contract 3.6).
type ownGroup struct {
	ID                 laurel.ID          `json:"id"`
	ExternalIdentifier *string            `json:"externalIdentifier"`
	Users              []caller.ShortUser `json:"users" doc:"In order of joining"`
}

// rank is a number, null or "5000+".
type rank struct{ ledger.Rank }

// Schema returns the schema of the three forms.
func (rank) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: huma.TypeInteger}, {Type: huma.TypeString}, {Type: "null"}}}
}

// maxOwnAccounts is how many accounts of the member are shown.
const maxOwnAccounts = 1000

// getSelf returns the member of the request's token with its metadata, accounts and group.
func (h *handlers) getSelf(ctx context.Context, in *rest.Tenant) (*rest.Response[self], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.OrganizationID.ID, in.WebsiteID.ID)
	if err != nil {
		return nil, err
	}
	member, err := rest.MemberOf(ctx)
	if err != nil {
		return nil, err
	}
	filter := report.UserListFilter{Users: report.UserFilter{IDs: []laurel.ID{member}}, AllMembers: true}
	page, err := h.pageOfUsers(ctx, scope, filter, laurel.PageRequest{Limit: 1}, true)
	if err != nil {
		return nil, err
	}
	if len(page.Body.Data) == 0 {
		return nil, laurel.Missing("User")
	}
	out := self{User: page.Body.Data[0]}
	if out.Accounts, err = h.ownAccounts(ctx, scope, out.User); err != nil {
		return nil, err
	}
	out.UserGroup, err = h.ownGroup(ctx, scope, member)
	return rest.ResponseOf(out, err, func(s self) self { return s })
}

// ownAccounts reads the accounts of the member, with balances of external ledgers where they respond.
func (h *handlers) ownAccounts(ctx context.Context, scope laurel.Scope, of User) ([]ownAccount, error) {
	visibility := laurel.Visibility{User: of.ID}
	filter := report.AccountFilter{Users: report.UserFilter{IDs: []laurel.ID{of.ID}}, Visibility: visibility}
	page, err := h.Report.Accounts(ctx, scope, filter, laurel.PageRequest{Limit: maxOwnAccounts})
	if err != nil {
		return nil, err
	}
	holder := func(a report.Account) external.Holder {
		h := external.Holder{CurrencyID: a.CurrencyID}
		if of.WalletAddress != nil {
			h.Wallet = *of.WalletAddress
		}
		return h
	}
	var holders []external.Holder
	for _, a := range page.Data {
		holders = append(holders, holder(a))
	}
	balances, err := h.External.Balances(ctx, scope, holders)
	if err != nil {
		return nil, err
	}
	out := make([]ownAccount, 0, len(page.Data))
	for _, a := range page.Data {
		own := ownAccount{LoyaltyCurrencyID: a.CurrencyID, Amount: a.Amount}
		if b := balances[holder(a)]; b.IsExternal {
			own.Amount = b.Amount
		}
		if own.Rank.Rank, err = h.Ledger.Rank(ctx, scope, visibility, a.ID, a.CurrencyID); err != nil {
			return nil, err
		}
		out = append(out, own)
	}
	return out, nil
}

// ownGroup returns the group of the member, nil without one. Its wallets are shown as to any other member.
func (h *handlers) ownGroup(ctx context.Context, scope laurel.Scope, member laurel.ID) (*ownGroup, error) {
	g, err := h.Identity.GroupOf(ctx, scope, member)
	if err != nil || g == nil {
		return nil, err
	}
	viewer, err := h.Caller.Viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	out := &ownGroup{ID: g.ID, ExternalIdentifier: g.ExternalIdentifier}
	for _, u := range g.Users {
		out.Users = append(out.Users, caller.ShortUserOf(viewer, u.ID, u.Wallet))
	}
	return out, nil
}
