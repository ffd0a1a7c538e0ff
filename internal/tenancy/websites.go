package tenancy

import (
	"context"
	"fmt"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/record"
	"laurel.example/laurel/internal/store"
)

const maxAdminWallets = 2

// Website is a website, the home of a loyalty program (contract 3.2, without the lists that other packages own): a row
// of websites.
type Website struct {
	ID                    laurel.ID `db:"id" json:"id"`
	OrganizationID        laurel.ID `db:"organization_id" json:"organizationId"`
	Name                  string    `db:"name" json:"name" in:"required min=1 max=1000"`
	HomeURL               *string   `db:"home_url" json:"homeUrl" in:"websiteurl"`
	ChatServerURL         *string   `db:"chat_server_url" json:"chatServerUrl" in:"websiteurl"`
	MessengerURL          *string   `db:"messenger_url" json:"messengerUrl" in:"websiteurl"`
	MicroblogUsername     *string   `db:"microblog_username" json:"microblogUsername" in:"max=1000"`
	PhotoPlatformUsername *string   `db:"photo_platform_username" json:"photoPlatformUsername" in:"max=1000"`
	// TrustClientUsers lets client keys name users without a member token, bids and mints excepted (contract 1.2).
	TrustClientUsers bool                 `db:"trust_client_users" json:"trustClientUsers" in:"notnull"`
	TermsSignedAt    laurel.NullTimestamp `db:"terms_signed_at" json:"termsSignedAt"`
	CreatedAt        laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt        laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
}

// CreateWebsiteInput is a new website (contract 3.2). A nil text is absent.
type CreateWebsiteInput struct {
	Name                  string
	HomeURL               *string
	ChatServerURL         *string
	MessengerURL          *string
	MicroblogUsername     *string
	PhotoPlatformUsername *string
	TrustClientUsers      bool
	AdminWalletAddresses  []string // at most 2; each becomes a WEBSITE_SUPER_ADMIN
}

// Validate returns nil or an Invalid error that names every fault.
func (in CreateWebsiteInput) Validate() error {
	var f laurel.Faults
	f.Text("name", in.Name, 1, maxName)
	checkURL(&f, "homeUrl", in.HomeURL)
	checkURL(&f, "chatServerUrl", in.ChatServerURL)
	checkURL(&f, "messengerUrl", in.MessengerURL)
	if in.MicroblogUsername != nil {
		f.Text("microblogUsername", *in.MicroblogUsername, 0, maxName)
	}
	if in.PhotoPlatformUsername != nil {
		f.Text("photoPlatformUsername", *in.PhotoPlatformUsername, 0, maxName)
	}
	if len(in.AdminWalletAddresses) > maxAdminWallets {
		f.Add("adminWalletAddress", "must have at most %d items", maxAdminWallets)
	}
	for i, wallet := range in.AdminWalletAddresses {
		f.Identifier(fmt.Sprintf("adminWalletAddress.%d", i), wallet)
	}
	return f.Err()
}

// CreateWebsite creates a website of the scope's organization, and makes the users of the wallets its super admins
// (contract 4.7). Errors: Forbidden unless the caller has an organization key; Invalid; Refused if the organization has
// as many websites as it may.
func (s *Service) CreateWebsite(ctx context.Context, scope laurel.Scope, in CreateWebsiteInput) (Website, error) {
	if scope.Role != laurel.RoleOrganization {
		return Website{}, errNotAllowed()
	}
	if err := in.Validate(); err != nil {
		return Website{}, err
	}
	var site Website
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := s.checkWebsiteLimit(ctx, tx, scope.OrganizationID); err != nil {
			return err
		}
		site = Website{
			ID:                    tx.NewID(),
			OrganizationID:        scope.OrganizationID,
			Name:                  in.Name,
			HomeURL:               in.HomeURL,
			ChatServerURL:         in.ChatServerURL,
			MessengerURL:          in.MessengerURL,
			MicroblogUsername:     in.MicroblogUsername,
			PhotoPlatformUsername: in.PhotoPlatformUsername,
			TrustClientUsers:      in.TrustClientUsers,
			CreatedAt:             laurel.Timestamp{Time: tx.Now()},
			UpdatedAt:             laurel.Timestamp{Time: tx.Now()},
		}
		if _, err := websites.Insert(ctx, tx, &site, ""); err != nil {
			return err
		}
		return s.addAdmins(ctx, tx, scope.At(site.ID), in.AdminWalletAddresses)
	})
	if err != nil {
		return Website{}, err
	}
	s.onlyWebsites.invalidate(cacheID(scope.OrganizationID)) // it may have been the only website before
	return site, nil
}

// checkWebsiteLimit returns Refused if the organization has as many websites as it may (contract 1.9). With a limit, no
// other transaction can add a website to the organization until this one ends.
func (s *Service) checkWebsiteLimit(ctx context.Context, tx *store.Tx, organization laurel.ID) error {
	if s.maxWebsites <= 0 {
		return nil
	}
	if err := tx.AdvisoryLock(ctx, "websites of "+organization.String()); err != nil {
		return err
	}
	n, err := countWebsites(ctx, tx, organization)
	if err != nil {
		return err
	}
	return laurel.Caps{Organization: s.maxWebsites}.Check("websites", 0, n)
}

// WebsitePatch changes a website (contract 4.7).
type WebsitePatch = record.Patch[Website]

var _ = record.Define("websiteurl", record.Bound[string]{
	Check:    func(f *laurel.Faults, path, text string) { checkURL(f, path, &text) },
	Keywords: laurel.Keywords{"format": "uri", "maxLength": maxURL},
})

// ChangeWebsite changes those properties of a website that the input contains, and returns the website. Errors:
// NotFound "Website", Invalid.
func (s *Service) ChangeWebsite(
	ctx context.Context, scope laurel.Scope, id laurel.ID, in WebsitePatch,
) (site Website, err error) {
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if site, err = websites.Get(ctx, tx, whereWebsite(scope, id), tx.ForUpdate()); err != nil {
			return err
		}
		return websites.Edit(ctx, tx, scope, &site, func(_ *store.Tx, site *Website) error { return in.Update(site).Err() })
	})
	return site, err
}

// SignTerms records when the terms of a website were signed; the zero time means now. Errors: NotFound "Website";
// Refused for a time in the future.
func (s *Service) SignTerms(ctx context.Context, scope laurel.Scope, id laurel.ID, at time.Time) (Website, error) {
	var site Website
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
		if at.IsZero() {
			at = tx.Now()
		}
		if at.After(tx.Now()) {
			return laurel.Errorf(laurel.Refused, "Terms cannot be signed in the future")
		}
		if site, err = websites.Get(ctx, tx, whereWebsite(scope, id), tx.ForUpdate()); err != nil {
			return err
		}
		site.TermsSignedAt.Time, site.UpdatedAt.Time = at, tx.NowAfter(site.UpdatedAt.Time)
		return websites.Update(ctx, tx, &site)
	})
	return site, err
}

// addAdmins makes the users of the wallets super admins of the scope's website.
func (s *Service) addAdmins(ctx context.Context, tx *store.Tx, scope laurel.Scope, wallets []string) error {
	for _, wallet := range wallets {
		user, err := s.users.FindOrCreateWallet(ctx, tx, scope, wallet)
		if err != nil {
			return err
		}
		if err := insertRole(ctx, tx, scope, user, RoleSuperAdmin); err != nil {
			return err
		}
	}
	return nil
}

// WebsiteFilter limits a list of websites.
type WebsiteFilter struct {
	Name string      // a part of the name, A-Z in any case; empty: every website
	IDs  []laurel.ID // nil: every website
}

// ListWebsites returns a page of the organization's websites that the filter selects, newest first; if the scope is one
// website, no others (contract 4.7). Errors: Invalid for a name that is too long, and for a cursor that is no website
// of the scope.
func (s *Service) ListWebsites(
	ctx context.Context,
	scope laurel.Scope,
	filter WebsiteFilter,
	page laurel.PageRequest,
) (laurel.Page[Website], error) {
	var f laurel.Faults
	f.Text("name", filter.Name, 0, maxName)
	if err := f.Err(); err != nil {
		return laurel.Page[Website]{}, err
	}
	return listWebsites(ctx, s.db, scope, filter, page)
}

// Website returns a website of the scope. Errors: NotFound "Website".
func (s *Service) Website(ctx context.Context, scope laurel.Scope, id laurel.ID) (Website, error) {
	return websites.Get(ctx, s.db, whereWebsite(scope, id), "")
}
