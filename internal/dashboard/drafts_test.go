package dashboard_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// signIn signs an admin in with the password of tests.
func signIn(b *apptest.Browser, email string, to ...string) apptest.Page {
	fields := []string{"email", email, "password", apptest.Password}
	if len(to) > 0 {
		fields = append(fields, "to", to[0])
	}
	return b.Post("/admin/sign-in", fields...)
}

func TestAFormThatWasSentSignedOutIsShownAgain(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		other := s.SignInAdmin(tenancy.RoleSuperAdmin)
		form := []string{
			"name", `Kiosk "<b>server`, "roleType", "WEBSITE_READ_ONLY_API_KEY", "allowedOrigins", "https://a.example\nhttps://b.example",
			"confirm", "my own password", "strange", "an <i>extra",
		}
		send := func() string {
			t.Helper()
			b.Post("/admin/sign-out")
			p := b.Post(b.Site("/keys"), form...)
			if p.Status != 303 || !strings.HasPrefix(p.Location, "/admin/sign-in?to=") {
				t.Fatalf("%d to %s", p.Status, p.Location)
			}
			return hidden(b.Get(p.Location).Shows(200, "Sign in"), "to")
		}
		const marked = "Not saved yet"
		page := signIn(b, b.Email, send()).FollowsTo(b.Site("/keys/new")).Shows(200, marked, `Kiosk "<b>server`,
			"https://a.example\nhttps://b.example", "an <i>extra", "strange", `value="WEBSITE_READ_ONLY_API_KEY" checked=""`)
		page.Hides("my own password")
		if strings.Contains(page.Body, "<b>server") || strings.Contains(page.Body, "<i>extra") {
			t.Error("what was typed is not escaped")
		}
		b.Get(b.Site("/keys")).Shows(200).Hides("Kiosk", marked)
		b.Get(b.Site("/keys/new")).Shows(200, marked)
		again := hidden(b.Get(b.Site("/keys/new")), "keptForm")
		refused := b.Post(b.Site("/keys"), "keptForm", again, "name", "").Shows(400).Hides(marked)
		b.Get(b.Site("/keys/new")).Shows(200, marked, "Kiosk")
		b.Post(b.Site("/keys"), "keptForm", hidden(refused, "keptForm"), "name", "Kiosk", "roleType",
			"WEBSITE_READ_ONLY_API_KEY", "allowedOrigins", "https://a.example", "confirm", apptest.Password).
			Shows(200, "This key is shown only")
		b.Get(b.Site("/keys/new")).Shows(200).Hides(marked, "Kiosk")

		signIn(b, other.Email, send()).FollowsTo(b.Site("/keys/new")).Shows(200).Hides(marked, "Kiosk")

		send() // under the other's name now
		signIn(other, other.Email)
		other.Get(other.Site("/keys/new")).Shows(200).Hides(marked)
		s.Clock.Advance(16 * time.Minute)
		signIn(b, other.Email)
		b.Get(b.Site("/keys/new")).Shows(200).Hides(marked)
		if err := s.App.Admins.DeleteExpired(context.Background()); err != nil {
			t.Fatal(err)
		}
		s.Clock.Advance(31 * 24 * time.Hour)
		if err := s.App.Admins.DeleteExpired(context.Background()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestWhatIsKeptHasBounds(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		b.Post("/admin/sign-out")
		for range 7 {
			b.Post(b.Site("/groups"), "name", "Early")
		}
		b.Post(b.Site("/groups"), "name", strings.Repeat("x", 65<<10)).FollowsTo("/admin/sign-in").Shows(200)
		b.Post("/admin/account/profile", "name", "Other").FollowsTo("/admin/sign-in")
		signIn(b, b.Email).FollowsTo("/admin").Hides("Not saved yet")
		b.Get(b.Site("/groups")).Shows(200, "Not saved yet", `value="Early"`).Hides("xxx")
		stranger := s.NewBrowser()
		p := stranger.Post(stranger.Site("/groups"), "name", "Nobody")
		if p.Location != "/admin/sign-in" {
			t.Errorf("a stranger's form leads to %s", p.Location)
		}
	})
}

func TestEachKeptFormIsForgottenByItself(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		b.Post("/admin/sign-out")
		b.Post(b.Site("/groups"), "name", "First typed")
		b.Post(b.Site("/groups"), "name", "Second typed")
		signIn(b, b.Email)
		page := b.Get(b.Site("/groups")).Shows(200, "Second typed")
		b.Post("/admin/sign-out") // once more, before it is sent
		b.Post(b.Site("/groups"), "keptForm", hidden(page, "keptForm"), "name", "Second typed")
		signIn(b, b.Email)
		page = b.Get(b.Site("/groups")).Shows(200, "Not saved yet", "Second typed")
		b.Post(b.Site("/groups"), "name", "Another").FollowsTo(b.Site("/groups")).Shows(200, "Second typed")
		b.Post(b.Site("/groups"), "keptForm", hidden(page, "keptForm"), "name", "Second").FollowsTo(b.Site("/groups"))
		page = b.Get(b.Site("/groups")).Shows(200, "Not saved yet", "First typed").Hides("Second typed")
		b.Post(b.Site("/groups"), "keptForm", hidden(page, "keptForm"), "name", "First").FollowsTo(b.Site("/groups"))
		b.Get(b.Site("/groups")).Shows(200).Hides("Not saved yet", "First typed")
	})
}

func TestSecretsAndFilesAreNotKept(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		rule := s.Rule("bonus", object{"name": "Bonus"})
		path := b.Site("/rules/" + rule)
		for _, metadata := range []string{
			`{"customRewardsApiKey":"S3CRET","open":"yes"}`, `{"custom\u0052ewardsApiKey":"S3CRET","open":"yes"}`,
			`{"open":"yes","hook":{"url":"https://u:S3CRET@h.example"},"deep":[{"authToken":"S3CRET"}]}`,
			`{"customRewardsApiKey":"S3CRET"`,
		} {
			b.Post("/admin/sign-out")
			b.Post(path, "name", "Typed", "metadata", metadata, "metadata.customRewardsApiUrl", "https://u:S3CRET@h.example/",
				"metadata.customRewardsApiKey", "S3CRET")
			signIn(b, b.Email)
			page := b.Get(path).Shows(200, "Not saved yet", "Typed").Hides("S3CRET", "h.example")
			if whole := strings.HasSuffix(metadata, "}"); whole != strings.Contains(page.Body, "&#34;open&#34;") {
				t.Errorf("of %s: %v", metadata, !whole)
			}
		}
		b.Post("/admin/sign-out")
		lists := b.Site("/rules/" + s.Rule("points_airdrop", nil) + "/lists")
		p := b.PostFile(lists+"/upload", "file", "m.csv", "a", "kind", "allotment")
		signIn(b, b.Email, hidden(b.Get(p.Location), "to")).FollowsTo("/admin").Hides("Not saved yet")
		b.Get(lists).Shows(200).Hides("Not saved yet")
	})
}
