package dashboard_test

import (
	"regexp"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestAKeyIsShownOnceAndRevoked(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		b.Get(b.Site("/keys/new")).Shows(200, "New API key", "For your server")
		form := []string{"roleType", "WEBSITE_API_KEY", "name", "Shop <server>", "confirm"}
		b.Post(b.Site("/keys"), append(form, "wrong password")...).Shows(400, "The password is wrong", "Shop <server>")
		b.Post(b.Site("/keys"), "roleType", "WEBSITE_API_KEY", "name", "", "expiresAt", "soon").
			Shows(400, "Must be a date with a time")
		made := b.Post(b.Site("/keys"), append(form, apptest.Password)...).Shows(200, "This key is shown only")
		key := regexp.MustCompile(`lrl_\w{51}`).FindString(made.Body)
		s.Call(key, "GET", "/api/loyalty/currencies", nil).OK()
		list := b.Get(b.Site("/keys")).Shows(200, "Shop <server>", key[:12], "Active").Hides(key)
		revoke := regexp.MustCompile(`/admin/[^"]+/revoke`).FindString(list.Body)
		b.Get(revoke).Shows(200, "Revoke Shop <server>?")
		b.Post(revoke).FollowsTo(b.Site("/keys")).Shows(200, "Key revoked", "Revoked")
		s.Call(key, "GET", "/api/loyalty/currencies", nil).Refused(403, "Invalid API key")
		s.SignInAdmin(tenancy.RoleAdmin).Get(b.Site("/keys")).Shows(200, "Shop <server>").Hides("Create key")
		s.SignInAdmin(tenancy.RoleAdmin).Post(b.Site("/keys"), append(form, apptest.Password)...).Shows(403,
			"can’t create or revoke API keys")
		s.SignInAdmin(tenancy.RoleViewer).Get(b.Site("/keys")).Shows(403, "The Viewer role")
	})
}
