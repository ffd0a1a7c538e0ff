package people

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/api/caller"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/budget"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/identity/attributes"
	"laurel.example/laurel/internal/report"
)

// User is contract 3.4.
type User struct {
	ID                    laurel.ID           `json:"id"`
	WalletAddress         *string             `json:"walletAddress"`
	WalletType            *string             `json:"walletType"`
	IsPlatformSuperAdmin  bool                `json:"isPlatformSuperAdmin"`
	TemporaryLoyaltyUser  bool                `json:"temporaryLoyaltyUser"`
	Notifications         *bool               `json:"notifications"`
	DelegationsFrom       *[]delegator        `json:"delegationsFrom,omitempty"`
	Referrers             []referrer          `json:"referrers"`
	UserMetadata          []identity.Metadata `json:"userMetadata"`
	WebsiteUserAttributes []labeledAttribute  `json:"websiteUserAttributes"`
	CreatedAt             laurel.Timestamp    `json:"createdAt"`
	UpdatedAt             laurel.Timestamp    `json:"updatedAt"`
}

type listUsersInput struct {
	rest.Paging
	caller.Users
	Address             rest.Addresses `query:"address" doc:"The same as walletAddress"`
	ExternalIdentifier  string         `query:"externalIdentifier"`
	EmailAddress        string         `query:"emailAddress" doc:"Secret keys only"`
	PhoneNumber         string         `query:"phoneNumber" doc:"Secret keys only"`
	MicroblogUser       string         `query:"microblogUser"`
	ChatServerUser      string         `query:"chatServerUser"`
	MessengerUserID     string         `query:"messengerUserId"`
	MessengerUsername   string         `query:"messengerUsername"`
	ShortVideoUser      string         `query:"shortVideoUser"`
	ForumPlatformUser   string         `query:"forumPlatformUser"`
	ForumPlatformUserID string         `query:"forumPlatformUserId"`
	GameStoreUserID     string         `query:"gameStoreUserId"`
	GameStoreUsername   string         `query:"gameStoreUsername"`
	CodeHostUser        string         `query:"codeHostUser"`
	IncludeDelegation   rest.Bool      `query:"includeDelegation"`
}

// identifiers returns the metadata fields that the list is filtered by. E-mail and phone are ignored for keys that may
// not see them, since the filter would reveal what the response hides.
func (in *listUsersInput) identifiers(scope laurel.Scope) map[string]string {
	all := map[string]string{
		"externalIdentifier":  in.ExternalIdentifier,
		"microblogUser":       in.MicroblogUser,
		"chatServerUser":      in.ChatServerUser,
		"messengerUserId":     in.MessengerUserID,
		"messengerUsername":   in.MessengerUsername,
		"shortVideoUser":      in.ShortVideoUser,
		"forumPlatformUser":   in.ForumPlatformUser,
		"forumPlatformUserId": in.ForumPlatformUserID,
		"gameStoreUserId":     in.GameStoreUserID,
		"gameStoreUsername":   in.GameStoreUsername,
		"codeHostUser":        in.CodeHostUser,
	}
	if scope.HasSecretKey() {
		all["emailAddress"], all["phoneNumber"] = in.EmailAddress, in.PhoneNumber
	}
	for name, value := range all {
		if value == "" {
			delete(all, name)
		}
	}
	return all
}

// listUsers returns a page of users with their metadata and referrers. The page ends early if the metadata would not
// fit into one response. A client key gets one user: the one that it names and may act for, or the member of its token.
// Only secret keys may filter by e-mail and phone.
func (h *handlers) listUsers(ctx context.Context, in *listUsersInput) (*rest.Page[User], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	in.WalletAddress.Values = append(in.WalletAddress.Values, in.Address.Values...) // two names of one parameter
	if err := h.Caller.RestrictToOwn(ctx, scope, &in.Users); err != nil {
		return nil, err
	}
	if !scope.HasSecretKey() && (in.EmailAddress != "" || in.PhoneNumber != "") {
		return nil, rest.ErrKeyKind
	}
	filter := report.UserListFilter{Users: in.Filter(), Identifiers: in.identifiers(scope)}
	return h.pageOfUsers(ctx, scope, filter, in.Page(), in.IncludeDelegation.Value)
}

// pageOfUsers returns a page of users with what their record shows.
func (h *handlers) pageOfUsers(
	ctx context.Context, scope laurel.Scope, filter report.UserListFilter, request laurel.PageRequest, delegation bool,
) (*rest.Page[User], error) {
	viewer, err := h.Caller.Viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	page, err := h.Report.Users(ctx, scope, filter, request)
	if err != nil {
		return nil, err
	}
	ids := make([]laurel.ID, len(page.Data))
	for i, u := range page.Data {
		ids[i] = u.ID
	}
	sizes, err := h.Attributes.SizesOf(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	fit, err := h.Identity.CountFittingMetadata(ctx, scope, ids, sizes)
	if err != nil {
		return nil, err
	}
	page, ids = budget.FirstItems(page, fit), ids[:fit]
	labeled, err := h.visibleAttributes(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	metadata, err := h.Identity.MetadataOf(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	delegators := map[laurel.ID][]string{}
	if delegation {
		if delegators, err = h.Delegations.DelegatorsOf(ctx, scope, ids); err != nil {
			return nil, err
		}
	}
	referrers, err := h.Report.Referrers(ctx, scope, ids)
	return rest.ListOf(page, err, func(u report.User) User {
		out := shapeUser(viewer, u, metadata[u.ID])
		out.Referrers = shapeReferrers(viewer, u, referrers[u.ID])
		out.WebsiteUserAttributes = shapeLabeled(labeled[u.ID])
		if delegation {
			out.DelegationsFrom = shapeDelegators(delegators[u.ID])
		}
		return out
	})
}

// visibleAttributes reads the attributes of users that the caller sees: client keys see none (contract 1.2).
func (h *handlers) visibleAttributes(
	ctx context.Context, scope laurel.Scope, users []laurel.ID,
) (map[laurel.ID][]attributes.Labeled, error) {
	if scope.Role == laurel.RoleClient {
		return nil, nil
	}
	return h.Attributes.OfUsers(ctx, scope, users)
}

// shapeUser returns a user as responses show it to the viewer, without the referrers, attributes and delegations. It
// hides the wallets in metadata itself that the viewer may not see.
func shapeUser(v identity.Viewer, u report.User, metadata []identity.Metadata) User {
	if metadata == nil {
		metadata = []identity.Metadata{}
	}
	for i := range metadata {
		metadata[i].User.Wallet = v.Wallet(u.ID, metadata[i].User.Wallet)
	}
	out := User{
		ID:                    u.ID,
		WalletAddress:         v.Wallet(u.ID, u.Wallet),
		WalletType:            u.WalletType,
		IsPlatformSuperAdmin:  u.SuperAdmin,
		TemporaryLoyaltyUser:  u.Temporary,
		Notifications:         u.Notifications,
		UserMetadata:          metadata,
		WebsiteUserAttributes: []labeledAttribute{},
		CreatedAt:             laurel.Timestamp{Time: u.CreatedAt()},
		UpdatedAt:             laurel.Timestamp{Time: u.UpdatedAt()},
	}
	return out
}

type getUserInput struct {
	rest.PathID
	rest.Tenant
	IncludeDelegation rest.Bool `query:"includeDelegation"`
}

// getUser returns a user as the list shows it.
func (h *handlers) getUser(ctx context.Context, in *getUserInput) (*rest.Response[User], error) {
	list := &listUsersInput{Paging: rest.Paging{Tenant: in.Tenant}, IncludeDelegation: in.IncludeDelegation}
	list.UserID.Values = []laurel.ID{in.ID.ID}
	page, err := h.listUsers(ctx, list)
	if err == nil && len(page.Body.Data) == 0 {
		err = laurel.Missing("User")
	}
	return rest.ResponseOf(page, err, func(p *rest.Page[User]) User { return p.Body.Data[0] })
}

// userCount is how many users a website has.
type userCount struct {
	TotalCount int64 `json:"totalCount"`
}

// countUsers returns how many users the list of users has.
func (h *handlers) countUsers(ctx context.Context, in *rest.Tenant) (*rest.Response[userCount], error) {
	scope, err := h.Caller.Narrow(ctx, *in)
	if err != nil {
		return nil, err
	}
	n, err := h.Report.CountUsers(ctx, scope)
	return rest.ResponseOf(n, err, func(n int64) userCount { return userCount{n} })
}

type listMetadataInput struct {
	rest.Paging
	UserID             rest.IDs       `query:"userId"`
	WalletAddress      rest.Addresses `query:"walletAddress"`
	ExternalIdentifier string         `query:"externalIdentifier"`
	UserSearch         string         `query:"userSearch" doc:"Part of a wallet, display name, user name, external identifier or, for secret keys, e-mail address"`
}

// listMetadata returns a page of the metadata of users.
func (h *handlers) listMetadata(
	ctx context.Context, in *listMetadataInput,
) (*rest.Page[identity.Metadata], error) {
	scope, err := h.Caller.Narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	page, err := h.Identity.ListMetadata(ctx, scope, identity.MetadataFilter{
		UserIDs: in.UserID.Values, Wallets: in.WalletAddress.Values,
		ExternalIdentifier: in.ExternalIdentifier, Search: in.UserSearch,
	}, in.Page())
	return rest.ListOf(page, err, shapeMetadata)
}

// shapeMetadata returns metadata as responses show it.
func shapeMetadata(m identity.Metadata) identity.Metadata { return m }

type writeMetadataInput struct {
	Body struct {
		caller.NamedUser
		rest.TenantBody
		identity.MetadataInput
	}
}

// writeMetadata creates or changes the metadata of the user that the body names.
func (h *handlers) writeMetadata(
	ctx context.Context,
	in *writeMetadataInput,
) (*rest.Response[identity.Metadata], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	input := in.Body.MetadataInput
	input.Ref = in.Body.NamedUser.Ref()
	m, err := h.Identity.WriteMetadata(ctx, scope, input)
	return rest.ResponseOf(m, err, func(m identity.Metadata) identity.Metadata { return m })
}

// currentMetadata returns the metadata of the user that the body names, to show what it is now; nil if there is none.
func (h *handlers) currentMetadata(
	ctx context.Context, in *writeMetadataInput,
) (*rest.Response[*identity.Metadata], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	member, err := h.Identity.Person(ctx, scope, in.Body.NamedUser.Ref())
	if err != nil {
		return nil, err
	}
	found, err := h.Identity.MetadataOf(ctx, scope, []laurel.ID{member.UserID})
	return rest.ResponseOf(found[member.UserID], err, func(list []identity.Metadata) *identity.Metadata {
		if len(list) == 0 {
			return nil
		}
		return &list[0]
	})
}

type issueTokenInput struct {
	Body issueTokenInputBody
}

type issueTokenInputBody struct {
	caller.NamedUser
	rest.TenantBody
	ExpiresInSeconds laurel.Optional[int64] `json:"expiresInSeconds,omitzero" doc:"Default 3600"`
}

// Bounds returns the limits of the properties, which the OpenAPI document shows.
func (issueTokenInputBody) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{
		"expiresInSeconds": {
			"minimum": int(identity.MinTokenLife.Seconds()),
			"maximum": int(identity.MaxTokenLife.Seconds()),
		},
	}}
}

// issueToken issues a member token for the user that the body names.
func (h *handlers) issueToken(ctx context.Context, in *issueTokenInput) (*rest.Response[identity.Token], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	ttl := identity.DefaultTokenLife
	if seconds := in.Body.ExpiresInSeconds.Ptr(); seconds != nil {
		// IssueToken refuses a lifetime out of range. A value far out of range is replaced by one that is out of range
		// too, so that the product cannot overflow. A ttl of 0 would mean the default, so 0 seconds become 1 ns.
		ttl = time.Duration(min(max(*seconds, 0), int64(2*identity.MaxTokenLife.Seconds()))) * time.Second
		ttl = max(ttl, time.Nanosecond)
	}
	t, err := h.Identity.IssueToken(ctx, scope, in.Body.Ref(), ttl)
	return rest.ResponseOf(t, err, func(t identity.Token) identity.Token { return t })
}

type revokeTokensInput struct {
	Body struct {
		rest.TenantBody
		UserID laurel.ID `json:"userId"`
	}
}

type success struct {
	Message string `json:"message"`
}

// revokeTokens revokes all member tokens of a user that were issued before.
func (h *handlers) revokeTokens(ctx context.Context, in *revokeTokensInput) (*rest.Response[success], error) {
	scope, err := h.Caller.NarrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	err = h.Identity.RevokeTokens(ctx, scope, in.Body.UserID)
	return rest.ResponseOf(success{Message: "Success"}, err, func(s success) success { return s })
}
