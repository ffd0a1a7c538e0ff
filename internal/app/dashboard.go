package app

import (
	"cmp"
	"context"
	"encoding/base32"
	"net/http"
	"strings"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/api/rest"
	"laurel/internal/dashboard"
	"laurel/internal/outbound"
	"laurel/internal/pictures"
	"laurel/internal/tenancy"
)

// pages returns the dashboard, which serves the pages for admins.
func (a *App) pages() (http.Handler, error) {
	return dashboard.New(dashboard.Config{
		Admins: a.Admins, Tenancy: a.Tenancy, Identity: a.Identity, Ledger: a.Ledger, Transactions: a.Transactions,
		External: a.External, Expiry: a.Expiry, Payouts: a.Payouts, Audit: a.Audit, Rules: a.Rules, Chains: a.Chains,
		Completions: a.Completions, Replay: a.Replays, Lists: a.Lists, Content: a.Content, Reset: a.Reset,
		Schedule: a.Schedule, Engagement: a.Engagement, Report: a.Report, Figures: a.Figures, Webhooks: a.Webhooks,
		Functions: a.Functions, Messages: a.Messages, Badges: a.Badges, Awards: a.Awards, Feed: a.Feed,
		Minting: a.Minting, Auctions: a.Auctions,
		Contracts: a.Contracts, Claims: a.Claims, Pages: a.Pages, Collections: a.Collections,
		Deadline: func(d time.Duration) time.Time { return time.Now().Add(d) },
		Pictures: pictures.New(outbound.New(a.guarded), a.db.Now),
		Sealer:   a.Sealer, Version: Version(),
		Prefix: strings.TrimSuffix(a.config.Prefix, "/"), Secure: strings.HasPrefix(a.config.PublicURL, "https://"),
		ClientAddress: rest.RemoteOf, ClientNetwork: rest.NetworkOf,
		PublicURL: strings.TrimSuffix(cmp.Or(a.config.PublicURL, a.config.Address), "/"),
		RequestID: rest.RequestID, Now: a.db.Now, NewID: a.db.NewID, Logger: a.log,
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
