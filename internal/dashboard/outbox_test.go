package dashboard_test

import (
	"context"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestTheOutboxShowsMessagesThatNoGatewaySends(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleDeveloper)
		b.Get(b.Site("/outbox")).Shows(200, "No messages", `href="`+b.Site("/outbox")+`"`)
		s.Post("/api/phone_verifications", object{"walletAddress": apptest.Alice, "phoneNumber": "+15555550123"}).OK()
		b.Get(b.Site("/outbox")).Shows(200, "SMS", "+15555550123", "is your code for Acme site", "10 minutes")
		rival := s.NewProgram("Rival")
		s.Call(rival.WebsiteAPIKey, "POST", "/api/phone_verifications",
			object{"walletAddress": apptest.Alice, "phoneNumber": "+15555550199"}).OK()
		b.Get(b.Site("/outbox")).Shows(200, "+15555550123").Hides("+15555550199")
		for _, role := range []string{"Moderator", "Viewer"} {
			other := map[string]*apptest.Browser{
				"Moderator": s.SignInAdmin(tenancy.RoleModerator), "Viewer": s.SignInAdmin(tenancy.RoleViewer),
			}[role]
			other.Get(b.Site("/outbox")).Shows(403).Hides("+15555550123")
		}
		s.Clock.Advance(25 * time.Hour)
		if err := s.App.Messages.DeleteOld(context.Background()); err != nil {
			t.Fatal(err)
		}
		s.SignInAdmin(tenancy.RoleDeveloper).Get(b.Site("/outbox")).Shows(200, "No messages")
	})
}

func TestWithoutAnOutboxTheMenuHasNone(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{NoRateLimits: true}, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		b.Get(b.Site("/keys")).Shows(200).Hides(b.Site("/outbox"))
		b.Get(b.Site("/outbox")).Shows(200, "only in development")
	})
}
