package app

import (
	"cmp"
	"context"
	"encoding/base32"
	"net/http"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/api/rest"
	"laurel.example/laurel/internal/dashboard"
	"laurel.example/laurel/internal/dashboard/account"
	"laurel.example/laurel/internal/dashboard/content"
	"laurel.example/laurel/internal/dashboard/integrate"
	"laurel.example/laurel/internal/dashboard/ledger"
	"laurel.example/laurel/internal/dashboard/members"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/rules"
	"laurel.example/laurel/internal/dashboard/settings"
	"laurel.example/laurel/internal/dashboard/store"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/pictures"
	"laurel.example/laurel/internal/rules/completionjobs"
	"laurel.example/laurel/internal/tenancy"
)

// assetPath returns the path of a file of the dashboard.
func (a *App) assetPath(name string) string {
	return strings.TrimSuffix(a.config.Prefix, "/") + web.AssetPath(name)
}

// pages returns the dashboard, which serves the pages for admins.
func (a *App) pages() (http.Handler, error) {
	return dashboard.New(dashboard.Config{
		Config: web.Config{
			Admins: a.Admins, SSO: a.newSSO(), Tenancy: a.Tenancy, Version: Version(),
			HasNetworks: len(a.Networks.Clients()) > 0,
			Pictures:    pictures.New(outbound.New(a.guarded), a.db.Now),
			Prefix:      strings.TrimSuffix(a.config.Prefix, "/"), Secure: strings.HasPrefix(a.config.PublicURL, "https://"),
			ClientAddress: rest.RemoteOf, ClientNetwork: rest.NetworkOf, RequestID: rest.RequestID, NameRoute: rest.NameRoute,
			PublicURL: strings.TrimSuffix(cmp.Or(a.config.PublicURL, a.config.Address), "/"),
			Deadline:  func(d time.Duration) time.Time { return time.Now().Add(d) },
			Now:       a.db.Now, NewID: a.db.NewID, Logger: a.log,
		},
		Parts: parts.Services{
			Identity: a.Identity, Ledger: a.Ledger, Rules: a.Rules, Lists: a.Lists, Badges: a.Badges, Awards: a.Awards,
			Content: a.Content, Report: a.Report, Figures: a.Figures,
		},
		Overview: dashboard.Services{Feed: a.Feed, Payouts: a.Payouts, Webhooks: a.Webhooks},
		Rules: rules.Services{
			Engagement: a.Engagement, Chains: a.Chains, Completions: a.Completions, Replay: a.Replays, Reset: a.Reset,
			Schedule: a.Schedule, Serves: a.verifiers.Serves,
		},
		Members: members.Services{
			Attributes: a.Attributes, Delegations: a.Delegations, Devices: a.Devices, Engagement: a.Engagement,
			Expiry: a.Expiry, External: a.External, Imports: a.MemberImports, Transactions: a.Transactions,
		},
		Store: store.Services{
			Auctions: a.Auctions, Claims: a.Claims, Contracts: a.Contracts, Minting: a.Minting,
		},
		Content: content.Services{Collections: a.Collections, Pages: a.Pages},
		Ledger: ledger.Services{
			Audit: a.Audit, Sealer: a.Sealer, CompletionJobs: completionjobs.NewService(a.db),
			External: a.External, Payouts: a.Payouts, Reset: a.Reset, Reversals: a.Reversals,
			Schedule: a.Schedule,
		},
		Integrate: integrate.Services{
			Flows: a.Flows, Functions: a.Functions, Messages: a.Messages, Networks: a.Networks, Platforms: a.PlatformClient,
			Reader: a.Reader, Usage: a.Usage, Webhooks: a.Webhooks,
		},
		Settings: settings.Services{Ledger: a.Ledger},
		Account:  account.Services{Ledger: a.Ledger},
	})
}

// SetupLink returns the path of a link that creates the first admin and works once; "" if an admin exists.
func (a *App) SetupLink(ctx context.Context) (string, error) {
	if hasAdmins, err := a.Admins.HasAdmins(ctx); err != nil || hasAdmins {
		return "", err
	}
	return a.adminLink(ctx, admins.Link{Kind: admins.SetupLink})
}

// AdminInvite returns the path of a link that grants a role to the owner of an e-mail address, on a website or, with a
// zero website, on all of the organization. It works once, for seven days. Errors: Invalid; NotFound "Website".
func (a *App) AdminInvite(
	ctx context.Context,
	organization, website laurel.ID,
	role laurel.Role,
	email string,
) (string, error) {
	return a.adminLink(ctx, admins.Link{
		Kind: admins.InviteLink, OrganizationID: organization, WebsiteID: website, Role: role, Email: email,
	})
}

// RecoveryLink returns the path of a link with which an admin who is locked out sets a new password. It works once, for
// an hour. Errors: NotFound "Admin".
func (a *App) RecoveryLink(ctx context.Context, email string) (string, error) {
	admin, err := a.Admins.GetByEmail(ctx, email)
	if err != nil {
		return "", err
	}
	return a.adminLink(ctx, admins.Link{Kind: admins.RecoverLink, AdminID: admin.ID})
}

// SignInLink returns the path of a link that signs in as an owner of the organization and works once. It creates the
// owner if no admin has the e-mail address, with a random password that is not shown.
func (a *App) SignInLink(ctx context.Context, organization laurel.ID, email, name string) (string, error) {
	admin, err := a.Admins.FindOrCreateOwner(ctx, organization, email, name)
	if err != nil {
		return "", err
	}
	return a.adminLink(ctx, admins.Link{Kind: admins.SignInLink, AdminID: admin.ID})
}

// ResetPassword sets a random password for an admin and returns it: 26 letters and digits. It ends every session of the
// admin and removes the second factor. Errors: NotFound "Admin".
func (a *App) ResetPassword(ctx context.Context, email string) (string, error) {
	admin, err := a.Admins.GetByEmail(ctx, email)
	if err != nil {
		return "", err
	}
	token, _, err := a.Admins.NewLink(ctx, admins.Link{Kind: admins.RecoverLink, AdminID: admin.ID})
	if err != nil {
		return "", err
	}
	random := make([]byte, 16)
	a.db.Random(random)
	password := strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(random))
	_, err = a.Admins.ResetPassword(ctx, token, password)
	return password, err
}

// adminLink creates a link for an admin and returns its path.
func (a *App) adminLink(ctx context.Context, in admins.Link) (string, error) {
	token, _, err := a.Admins.NewLink(ctx, in)
	return rest.PagesAt + "/link/" + token, err
}

// The roles of people, as the command line names them.
const (
	RoleOwner     = tenancy.RoleSuperAdmin
	RoleManager   = tenancy.RoleAdmin
	RoleSupport   = tenancy.RoleModerator
	RoleDeveloper = tenancy.RoleDeveloper
	RoleViewer    = tenancy.RoleViewer
)
