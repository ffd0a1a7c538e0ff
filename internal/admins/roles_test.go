package admins_test

import (
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/tenancy"
)

// A new role replaces all roles of its people there: a demoted admin keeps no rights on single websites.
func TestADemotionDemotes(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		everywhere := laurel.Scope{OrganizationID: h.organization}
		second, err := h.Tenancy.CreateWebsite(h.Context(),
			laurel.Scope{OrganizationID: h.organization, Role: laurel.RoleOrganization}, tenancy.CreateWebsiteInput{Name: "Two"})
		h.must(err)
		h.join("o@acme.example", tenancy.RoleSuperAdmin)
		a := h.join("a@acme.example", tenancy.RoleViewer)
		at := func(one, two laurel.Role) {
			h.Helper()
			if m := h.membership(a); m.RoleOn(h.website) != one || m.RoleOn(second.ID) != two {
				h.Errorf("%s and %s, want %s and %s", m.RoleOn(h.website), m.RoleOn(second.ID), one, two)
			}
		}
		h.must(h.SetRole(h.Context(), a.ID, everywhere.At(h.website), tenancy.RoleAdmin))
		at(tenancy.RoleAdmin, "")
		h.must(h.SetRole(h.Context(), a.ID, everywhere.At(second.ID), tenancy.RoleDeveloper))
		at(tenancy.RoleAdmin, tenancy.RoleDeveloper)
		h.must(h.SetRole(h.Context(), a.ID, everywhere.At(h.website), tenancy.RoleModerator))
		at(tenancy.RoleModerator, tenancy.RoleDeveloper)
		h.must(h.SetRole(h.Context(), a.ID, everywhere, tenancy.RoleViewer))
		at(tenancy.RoleViewer, tenancy.RoleViewer)
	})
}

func TestInvitationsEndWithTheRoleOfWhoMadeThem(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		everywhere := laurel.Scope{OrganizationID: h.organization}
		h.join("o@acme.example", tenancy.RoleSuperAdmin)
		maker := h.join("m@acme.example", tenancy.RoleSuperAdmin)
		invitation := admins.Link{
			Kind: admins.InviteLink, OrganizationID: h.organization, Role: tenancy.RoleSuperAdmin, CreatedByID: maker.ID,
			Email: "n@acme.example",
		}
		before := h.link(invitation)
		h.must(h.SetRole(h.Context(), maker.ID, everywhere, tenancy.RoleAdmin))
		after := h.link(invitation) // of a request that was under way
		account := admins.Account{Email: "n@acme.example", Password: password}
		for _, token := range []string{before, after} {
			_, err := h.JoinByLink(h.Context(), token, account)
			h.refused(err, "already used or has expired")
		}
		if _, err := h.GetByEmail(h.Context(), account.Email); laurel.CodeOf(err) != laurel.NotFound {
			h.Errorf("the account is there: %v", err)
		}
		other := h.link(admins.Link{
			Kind: admins.InviteLink, OrganizationID: h.organization, Role: tenancy.RoleViewer, Email: account.Email,
		})
		list, err := h.Invitations(h.Context(), h.organization)
		h.must(err)
		if len(list) != 2 {
			h.Fatalf("invitations: %+v", list)
		}
		rival, _ := h.newOrganization("Rival")
		for _, l := range list {
			h.refused(h.WithdrawInvitation(h.Context(), rival, l.ID), "not found")
			h.must(h.WithdrawInvitation(h.Context(), h.organization, l.ID))
			h.refused(h.WithdrawInvitation(h.Context(), h.organization, l.ID), "not found")
		}
		_, err = h.JoinByLink(h.Context(), other, account)
		h.refused(err, "already used")
	})
}

func TestADaysAdjustmentsStayBelowTheLimit(t *testing.T) {
	t.Parallel()
	each(t, func(h *house) {
		h.now = h.now.Truncate(24 * time.Hour).Add(23 * time.Hour)
		scope := laurel.Scope{OrganizationID: h.organization, WebsiteID: h.website}
		a, b := h.join("a@acme.example", tenancy.RoleModerator), h.join("b@acme.example", tenancy.RoleModerator)
		currency := h.DB.NewID()
		of := func(who admins.Admin, amount laurel.Amount) admins.Adjustment {
			return admins.Adjustment{ID: h.DB.NewID(), AdminID: who.ID, CurrencyID: currency, Amount: amount * laurel.One}
		}
		allow := func(x admins.Adjustment, ok, fresh bool) {
			h.Helper()
			got, err := h.CountAdjustment(h.Context(), scope, x)
			h.must(err)
			if got.OK != ok || got.New != fresh {
				h.Errorf("%+v", got)
			}
		}
		first := of(a, 700)
		allow(first, true, true)
		allow(first, true, false) // the same form
		changed := first
		changed.Amount++
		_, err := h.CountAdjustment(h.Context(), scope, changed)
		h.refused(err, "already submitted with other values")
		allow(of(a, 301), false, false)
		allow(of(b, 1000), true, true)
		refused := of(a, 300)
		allow(refused, true, true)
		h.must(h.UndoAdjustment(h.Context(), scope, refused))
		results := make(chan bool, 4) // of four at once, one fits
		for range cap(results) {
			go func() {
				got, err := h.CountAdjustment(h.Context(), scope, of(a, 200))
				results <- err == nil && got.OK
			}()
		}
		fitted := 0
		for range cap(results) {
			if <-results {
				fitted++
			}
		}
		if fitted != 1 {
			h.Errorf("%d fitted", fitted)
		}
		h.now = h.now.Add(time.Hour) // the next day
		allow(of(a, 1000), true, true)
		h.must(h.SetDailyAdjustment(h.Context(), scope, 1500*laurel.One))
		allow(of(a, 500), true, true)
		h.refused(h.SetDailyAdjustment(h.Context(), scope, -1), "at least 0")
		h.must(h.SetDailyAdjustment(h.Context(), scope, 0))
		allow(of(b, 1), false, false)
		h.now = h.now.Add(72 * time.Hour)
		h.must(h.DeleteExpired(h.Context()))
		allow(first, false, false) // forgotten, and nothing fits below 0
	})
}
