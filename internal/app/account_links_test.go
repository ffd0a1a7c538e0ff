package app_test

import (
	"context"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/identity"
)

// accountLink lets a holder connect an account and a user prove the same one. It returns the user's account link.
func accountLink(s *apptest.Server, holder string, user identity.Ref) (link string) {
	s.T.Helper()
	account := identity.VerifiedAccount{Platform: "code_host", ID: "id of " + holder, Name: "octo"}
	for _, ref := range []identity.Ref{{Wallet: holder}, user} {
		var err error
		link, err = s.App.Identity.ConnectAccount(context.Background(), s.WebsiteScope(), ref, account)
		if err != nil {
			s.T.Fatal(err)
		}
	}
	return link
}

func TestAnAccountMovesToWhoProvedItByVerify(t *testing.T) {
	t.Parallel()
	const path = "/api/users/verify"
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		link := accountLink(s, apptest.Alice, identity.Ref{Wallet: apptest.Bob})
		bob := s.Token(apptest.Bob)
		s.Post(path, object{"walletAddress": apptest.Bob}).Refused(400, "accountLinkData is required")
		s.Post(path, object{"accountLinkData": link, "walletAddress": apptest.Alice}).
			Refused(400, "Account link belongs to another user")
		s.Post(path, object{"accountLinkData": link + "x"}).Refused(400, "Invalid account link")
		s.Call(s.ClientAPIKey, "POST", path, object{"accountLinkData": link}).Refused(403, "Member token is required")
		s.Call(s.ClientAPIKey, "POST", path, object{"accountLinkData": link, "walletAddress": apptest.Bob}).
			Refused(403, "Member token is required")
		s.Call(s.ClientAPIKey, "POST", path, object{"accountLinkData": link, "walletAddress": apptest.Alice},
			"Authorization", "Bearer "+bob).Refused(403, "Member token does not belong to this user")
		s.Call(s.ReadOnlyAPIKey, "POST", path, object{"accountLinkData": link}).Refused(403, "API key is read-only")
		// A member token alone names the user.
		got := s.Call(s.ClientAPIKey, "POST", path, object{"accountLinkData": link}, "Authorization", "Bearer "+bob).OK()
		if got["message"] != "Success" {
			t.Errorf("answered %v", got)
		}
		s.Post(path, object{"accountLinkData": link}).Refused(400, "Invalid account link")
		for wallet, want := range map[string]any{apptest.Alice: nil, apptest.Bob: "id of " + apptest.Alice} {
			profile := listedProfile(s.Get("/api/users?walletAddress=" + wallet))
			if profile["codeHostUserId"] != want || (profile["codeHostVerifiedAt"] == nil) != (want == nil) {
				t.Errorf("%s has %v, verified %v", wallet, profile["codeHostUserId"], profile["codeHostVerifiedAt"])
			}
		}
	})
}
