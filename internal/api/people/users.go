package people

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/api/caller"
	"laurel/internal/api/rest"
	"laurel/internal/budget"
	"laurel/internal/identity"
	"laurel/internal/report"
)

// user is contract 3.4.
type user struct {
	ID                    laurel.ID           `json:"id"`
	WalletAddress         *string             `json:"walletAddress"`
	WalletType            *string             `json:"walletType"`
	IsPlatformSuperAdmin  bool                `json:"isPlatformSuperAdmin"`
	TemporaryLoyaltyUser  bool                `json:"temporaryLoyaltyUser"`
	Notifications         *bool               `json:"notifications"`
	DelegationsFrom       *[]laurel.Object    `json:"delegationsFrom,omitempty"`
	Referrers             []referrer          `json:"referrers"`
	UserMetadata          []identity.Metadata `json:"userMetadata"`
	WebsiteUserAttributes []laurel.Object     `json:"websiteUserAttributes"`
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
func (h *handlers) listUsers(ctx context.Context, in *listUsersInput) (*rest.Page[user], error) {
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
	viewer, err := h.Caller.Viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	page, err := h.Report.Users(
		ctx,
		scope,
		report.UserListFilter{Users: in.Filter(), Identifiers: in.identifiers(scope)},
		in.Page(),
	)
	if err != nil {
		return nil, err
	}
	ids := make([]laurel.ID, len(page.Data))
	for i, u := range page.Data {
		ids[i] = u.ID
	}
	fit, err := h.Identity.CountFittingMetadata(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	page, ids = budget.FirstItems(page, fit), ids[:fit]
	metadata, err := h.Identity.MetadataOf(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	referrers, err := h.Report.Referrers(ctx, scope, ids)
	return rest.ListOf(page, err, func(u report.User) user {
		out := shapeUser(viewer, u, metadata[u.ID], in.IncludeDelegation.Value)
		out.Referrers = shapeReferrers(viewer, u, referrers[u.ID])
		return out
	})
}

// shapeUser returns a user as responses show it to the viewer, without the referrers. It hides the wallets in metadata
// itself that the viewer may not see. With delegation it adds an empty list of delegations.
func shapeUser(v identity.Viewer, u report.User, metadata []identity.Metadata, delegation bool) user {
	if metadata == nil {
		metadata = []identity.Metadata{}
	}
	for i := range metadata {
		metadata[i].User.Wallet = v.Wallet(u.ID, metadata[i].User.Wallet)
	}
	out := user{
		ID:                    u.ID,
		WalletAddress:         v.Wallet(u.ID, u.Wallet),
		WalletType:            u.WalletType,
		IsPlatformSuperAdmin:  u.SuperAdmin,
		TemporaryLoyaltyUser:  u.Temporary,
		Notifications:         u.Notifications,
		UserMetadata:          metadata,
		WebsiteUserAttributes: []laurel.Object{},
		CreatedAt:             laurel.Timestamp{Time: u.CreatedAt()},
		UpdatedAt:             laurel.Timestamp{Time: u.UpdatedAt()},
	}
	if delegation {
		out.DelegationsFrom = &[]laurel.Object{}
	}
	return out
}

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
