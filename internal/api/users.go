package api

import (
	"context"
	"time"

	"laurel"
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
	DelegationsFrom       *[]Object           `json:"delegationsFrom,omitempty"`
	Referrers             []referrer          `json:"referrers"`
	UserMetadata          []identity.Metadata `json:"userMetadata"`
	WebsiteUserAttributes []Object            `json:"websiteUserAttributes"`
	CreatedAt             laurel.Timestamp    `json:"createdAt"`
	UpdatedAt             laurel.Timestamp    `json:"updatedAt"`
}

type listUsersInput struct {
	List
	Users
	Address             Strings `query:"address" doc:"The same as walletAddress"`
	ExternalIdentifier  string  `query:"externalIdentifier"`
	EmailAddress        string  `query:"emailAddress" doc:"Secret keys only"`
	PhoneNumber         string  `query:"phoneNumber" doc:"Secret keys only"`
	MicroblogUser       string  `query:"microblogUser"`
	ChatServerUser      string  `query:"chatServerUser"`
	MessengerUserID     string  `query:"messengerUserId"`
	MessengerUsername   string  `query:"messengerUsername"`
	ShortVideoUser      string  `query:"shortVideoUser"`
	ForumPlatformUser   string  `query:"forumPlatformUser"`
	ForumPlatformUserID string  `query:"forumPlatformUserId"`
	GameStoreUserID     string  `query:"gameStoreUserId"`
	GameStoreUsername   string  `query:"gameStoreUsername"`
	CodeHostUser        string  `query:"codeHostUser"`
	IncludeDelegation   Bool    `query:"includeDelegation"`
}

// identifiers are the metadata fields that the list is filtered by. E-mail and phone are not looked up for keys that
// may not see them: the filter would tell what the answer hides.
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
	if scope.Secret() {
		all["emailAddress"], all["phoneNumber"] = in.EmailAddress, in.PhoneNumber
	}
	for name, value := range all {
		if value == "" {
			delete(all, name)
		}
	}
	return all
}

func (a *API) listUsers(ctx context.Context, in *listUsersInput) (*answer[list[user]], error) {
	scope, err := a.narrow(ctx, in.Tenant)
	if err != nil {
		return nil, err
	}
	in.WalletAddress.Values = append(in.WalletAddress.Values, in.Address.Values...)
	if err := a.privateTo(ctx, scope, in.Users); err != nil {
		return nil, err
	}
	if !scope.Secret() && (in.EmailAddress != "" || in.PhoneNumber != "") {
		return nil, errKeyKind
	}
	viewer, err := a.viewer(ctx, scope)
	if err != nil {
		return nil, err
	}
	page, err := a.cfg.Report.Users(
		ctx,
		scope,
		report.UserListFilter{Users: in.filter(), Identifiers: in.identifiers(scope)},
		in.page(),
	)
	if err != nil {
		return nil, err
	}
	ids := make([]laurel.ID, len(page.Data))
	for i, u := range page.Data {
		ids[i] = u.ID
	}
	fit, err := a.cfg.Identity.MetadataFitting(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	page, ids = budget.First(page, fit), ids[:fit]
	metadata, err := a.cfg.Identity.MetadataOf(ctx, scope, ids)
	if err != nil {
		return nil, err
	}
	referrers, err := a.cfg.Report.Referrers(ctx, scope, ids)
	return listOf(page, err, func(u report.User) user {
		out := shapeUser(viewer, u, metadata[u.ID], in.IncludeDelegation.Value)
		out.Referrers = shapeReferrers(viewer, u, referrers[u.ID])
		return out
	})
}

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
		WebsiteUserAttributes: []Object{},
		CreatedAt:             laurel.Timestamp{Time: u.CreatedAt()},
		UpdatedAt:             laurel.Timestamp{Time: u.UpdatedAt()},
	}
	if delegation {
		out.DelegationsFrom = &[]Object{}
	}
	return out
}

type writeMetadataInput struct {
	Body struct {
		Named
		TenantBody
		identity.MetadataInput
	}
}

func (a *API) writeMetadata(ctx context.Context, in *writeMetadataInput) (*answer[identity.Metadata], error) {
	scope, err := a.narrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	call := in.Body.MetadataInput
	call.Ref = in.Body.ref()
	m, err := a.cfg.Identity.WriteMetadata(ctx, scope, call)
	return answerOf(m, err, func(m identity.Metadata) identity.Metadata { return m })
}

type issueTokenInput struct {
	Body issueTokenInputBody
}

type issueTokenInputBody struct {
	Named
	TenantBody
	ExpiresInSeconds laurel.Optional[int64] `json:"expiresInSeconds,omitzero" doc:"Default 3600"`
}

// Bounds returns what the properties accept.
func (issueTokenInputBody) Bounds() laurel.Bounds {
	return laurel.Bounds{Keywords: map[string]laurel.Keywords{
		"expiresInSeconds": {
			"minimum": int(identity.MinTokenLife.Seconds()),
			"maximum": int(identity.MaxTokenLife.Seconds()),
		},
	}}
}

func (a *API) issueToken(ctx context.Context, in *issueTokenInput) (*answer[identity.Token], error) {
	scope, err := a.narrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	ttl := identity.DefaultTokenLife
	if seconds := in.Body.ExpiresInSeconds.Ptr(); seconds != nil {
		// Far out of range stays out of range without overflowing.
		ttl = time.Duration(min(max(*seconds, 0), int64(2*identity.MaxTokenLife.Seconds()))) * time.Second
		ttl = max(ttl, time.Nanosecond)
	}
	t, err := a.cfg.Identity.IssueToken(ctx, scope, in.Body.ref(), ttl)
	return answerOf(t, err, func(t identity.Token) identity.Token { return t })
}

type revokeTokensInput struct {
	Body struct {
		TenantBody
		UserID laurel.ID `json:"userId"`
	}
}

type success struct {
	Message string `json:"message"`
}

func (a *API) revokeTokens(ctx context.Context, in *revokeTokensInput) (*answer[success], error) {
	scope, err := a.narrowToWebsite(ctx, in.Body.OrganizationID, in.Body.WebsiteID)
	if err != nil {
		return nil, err
	}
	err = a.cfg.Identity.RevokeTokens(ctx, scope, in.Body.UserID)
	return answerOf(success{Message: "Success"}, err, func(s success) success { return s })
}
