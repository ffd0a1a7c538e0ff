package points

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/attributes"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report"
)

// account is contract 3.9.
type account struct {
	ID                laurel.ID        `json:"id"`
	OrganizationID    laurel.ID        `json:"organizationId"`
	WebsiteID         laurel.ID        `json:"websiteId"`
	LoyaltyCurrencyID laurel.ID        `json:"loyaltyCurrencyId"`
	UserID            *laurel.ID       `json:"userId"`
	User              *accountUser     `json:"user"`
	Amount            laurel.Amount    `json:"amount"`
	AmountFrom        string           `json:"amountFrom,omitempty" enum:"outside,mirror" doc:"For currencies of external ledgers: outside if the amount was read there, mirror if it is this ledger's copy"`
	Receivable        laurel.Amount    `json:"receivable,omitempty" doc:"What the account owes of points that were taken back. It is taken from later credits. Absent if it owes nothing; only of the member itself with client keys"`
	LockVersion       int64            `json:"lockVersion"`
	CreatedAt         laurel.Timestamp `json:"createdAt"`
	UpdatedAt         laurel.Timestamp `json:"updatedAt"`
}

type accountUser struct {
	ID                         laurel.ID        `json:"id"`
	WalletAddress              *string          `json:"walletAddress"`
	UserMetadata               []accountProfile `json:"userMetadata"`
	WebsiteUserAttributeValues []attributeValue `json:"websiteUserAttributeValues"`
}

// attributeValue is the value of an attribute of the user.
type attributeValue struct {
	Value     string         `json:"value"`
	Attribute shortAttribute `json:"websiteUserAttribute"`
}

// shortAttribute is an attribute in the record of an account.
type shortAttribute struct {
	ID    laurel.ID `json:"id"`
	Label string    `json:"label"`
}

// accountProfile has the metadata of a user that leaderboards show.
type accountProfile struct {
	ChatServerUser        *string `json:"chatServerUser"`
	DisplayName           *string `json:"displayName"`
	LogoURL               *string `json:"logoUrl"`
	MicroblogUser         *string `json:"microblogUser"`
	WalletGroupIdentifier *string `json:"walletGroupIdentifier"`
}

type listAccountsInput struct {
	rest.Paging
	caller.Users
	LoyaltyCurrencyID     rest.ID   `query:"loyaltyCurrencyId"`
	ExternalIdentifier    string    `query:"externalIdentifier"`
	WalletGroupIdentifier string    `query:"walletGroupIdentifier"`
	SortDir               string    `query:"sortDir" enum:"asc,desc" doc:"Default desc"`
	IsRanked              rest.Bool `query:"isRanked" doc:"Only accounts that have a rank, or that have none: those of blocked members. Secret keys only; through others a list that names no user shows ranked accounts alone"`
	AsOf
}

// listAccounts returns a page of accounts by balance. With asOf the balances are those at a past moment. Without it,
// balances that an external ledger keeps are read from that ledger.
func (h *handlers) listAccounts(ctx context.Context, in *listAccountsInput) (*rest.Page[account], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	if err := h.Caller.CheckUserFilter(ctx, scope, in.Users, in.ExternalIdentifier); err != nil {
		return nil, err
	}
	viewer, err := h.Caller.Viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	visibility := laurel.Visibility{All: scope.HasSecretKey(), User: viewer.User()}
	f := report.AccountFilter{
		Users:        in.Filter(),
		MainAccounts: in.UserID.Null,
		CurrencyID:   in.LoyaltyCurrencyID.ID,
		Ascending:    in.SortDir == "asc",
		Visibility:   visibility,
	}
	f.Users.ExternalIdentifier, f.Users.WalletGroupIdentifier = in.ExternalIdentifier, in.WalletGroupIdentifier
	if err := restrictToRanked(scope, in.IsRanked, &f); err != nil {
		return nil, err
	}
	request := in.Page()
	if f.At = in.Moment.Time; !f.At.IsZero() && f.IsLeaderboard() {
		if err := h.restrictToLeaders(ctx, scope, &f, &request); err != nil {
			return nil, err
		}
	}
	page, err := h.Report.Accounts(ctx, scope, f, request)
	if err != nil {
		return nil, err
	}
	page, values, err := h.readAttributes(ctx, scope, page)
	if err != nil {
		return nil, err
	}
	users := usersOfAccounts(page.Data)
	sources, owed := map[laurel.ID]string(nil), map[laurel.ID]laurel.Amount(nil)
	if in.Moment.IsZero() {
		if owed, err = h.receivables(ctx, scope, visibility, page.Data); err != nil {
			return nil, err
		}
		if sources, err = h.applyExternalBalances(ctx, scope, page.Data); err != nil {
			return nil, err
		}
	}
	profiles, err := h.Identity.Cards(ctx, scope, users)
	return rest.ListOf(page, err, func(r report.Account) account {
		out := shapeAccount(viewer, r, profiles[r.UserID])
		out.AmountFrom, out.Receivable = sources[r.ID], owed[r.ID]
		if out.User != nil {
			out.User.addValues(r.WebsiteID, values[r.UserID])
		}
		return out
	})
}

// usersOfAccounts returns the users of accounts; main accounts have none.
func usersOfAccounts(list []report.Account) (users []laurel.ID) {
	for _, a := range list {
		if !a.UserID.IsZero() {
			users = append(users, a.UserID)
		}
	}
	return users
}

// readAttributes reads the attributes of the users of a page of accounts. It returns the page without the accounts that
// no longer fit into a response with them. Client keys see no attributes (contract 1.2).
func (h *handlers) readAttributes(
	ctx context.Context, scope laurel.Scope, page laurel.Page[report.Account],
) (laurel.Page[report.Account], map[laurel.ID][]attributes.Labeled, error) {
	if scope.Role == laurel.RoleClient {
		return page, nil, nil
	}
	sizes, err := h.Attributes.SizesOf(ctx, scope, usersOfAccounts(page.Data))
	if err != nil || len(sizes) == 0 {
		return page, nil, err
	}
	all := make([]laurel.ID, len(page.Data))
	for i, a := range page.Data {
		all[i] = a.UserID
	}
	page = budget.FirstItems(page, budget.CountFitting(all, sizes))
	values, err := h.Attributes.OfUsers(ctx, scope, usersOfAccounts(page.Data))
	return page, values, err
}

// addValues adds the values of the user in the account's website.
func (u *accountUser) addValues(website laurel.ID, list []attributes.Labeled) {
	for _, a := range list {
		for _, v := range a.Values {
			if v.WebsiteID == website {
				value := attributeValue{v.Value, shortAttribute{a.ID, a.Label}}
				u.WebsiteUserAttributeValues = append(u.WebsiteUserAttributeValues, value)
			}
		}
	}
}

// restrictToLeaders restricts the filter f of a leaderboard at a past moment to the accounts of the requested page, if
// rank snapshots reach down to that page. f then matches these accounts only, in the order of the page, so
// startingAfter is removed from the request. Otherwise it changes nothing.
func (h *handlers) restrictToLeaders(
	ctx context.Context, scope laurel.Scope, f *report.AccountFilter, request *laurel.PageRequest,
) error {
	at := ledger.Moment{Time: f.At, Visibility: f.Visibility, Ranked: f.Ranked}
	ids, hasRanks, err := h.Ledger.LeadersAt(ctx, scope, f.CurrencyID, at, *request)
	if err == nil && hasRanks {
		f.IDs, request.StartingAfter = ids, laurel.ID{}
	}
	return err
}

// restrictToRanked makes the filter f leave out unranked accounts for read-only and client keys, which may not ask for
// them. Lists of main accounts or of named users keep them. For secret keys isRanked alone decides.
func restrictToRanked(scope laurel.Scope, ranked rest.Bool, f *report.AccountFilter) error {
	if scope.Role != laurel.RoleReadOnly && scope.Role != laurel.RoleClient {
		f.Ranked = ranked.Ptr()
		return nil
	}
	if ranked.Set && !ranked.Value {
		var faults laurel.Faults
		faults.Add("isRanked", "can be false through secret keys only")
		return faults.Err()
	}
	if !f.MainAccounts && !f.Users.NamesUsers() {
		isRanked := true
		f.Ranked = &isRanked
	}
	return nil
}

// receivables returns what those of the accounts owe that the reader may know of, by id.
func (h *handlers) receivables(
	ctx context.Context, scope laurel.Scope, visibility laurel.Visibility, accounts []report.Account,
) (map[laurel.ID]laurel.Amount, error) {
	var ids []laurel.ID
	for _, a := range accounts {
		if !a.UserID.IsZero() && (visibility.All || a.UserID == visibility.User) {
			ids = append(ids, a.ID)
		}
	}
	return h.Ledger.Receivables(ctx, scope, ids)
}

// shapeAccount returns an account as responses show it to the viewer, with those profiles of its user that are of the
// account's website. A main account has no user.
func shapeAccount(v identity.Viewer, r report.Account, profiles []identity.Card) account {
	out := account{
		ID:                r.ID,
		OrganizationID:    r.OrganizationID,
		WebsiteID:         r.WebsiteID,
		LoyaltyCurrencyID: r.CurrencyID,
		UserID:            r.UserID.Ptr(),
		Amount:            r.Amount,
		LockVersion:       r.LockVersion,
		CreatedAt:         r.CreatedAt,
		UpdatedAt:         r.UpdatedAt,
	}
	if r.UserID.IsZero() {
		return out
	}
	out.User = &accountUser{
		ID:                         r.UserID,
		WalletAddress:              v.Wallet(r.UserID, r.Wallet),
		UserMetadata:               []accountProfile{},
		WebsiteUserAttributeValues: []attributeValue{},
	}
	for _, m := range profiles {
		if m.WebsiteID == r.WebsiteID {
			out.User.UserMetadata = append(
				out.User.UserMetadata,
				accountProfile{ChatServerUser: m.ChatServerUser, DisplayName: m.DisplayName,
					LogoURL: m.LogoURL, MicroblogUser: m.MicroblogUser, WalletGroupIdentifier: m.WalletGroupIdentifier},
			)
		}
	}
	return out
}
