package dashboard_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/tenancy"
)

// connectAccount connects an account as a flow does that a member has ended.
func connectAccount(s *apptest.Server, user, platform, id, name string) {
	s.T.Helper()
	account := identity.VerifiedAccount{Platform: platform, ID: id, Name: name}
	ref := identity.Ref{Wallet: user}
	if _, err := s.App.Identity.ConnectAccount(s.T.Context(), s.WebsiteScope(), ref, account); err != nil {
		s.T.Fatal(err)
	}
}

func TestAccountsOfAMemberAreShownAndUnlinked(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		maren := s.User(apptest.Alice, object{"displayName": "Maren"})
		s.User(apptest.Bob, object{"gameStoreUsername": "typed-by-hand"})
		connectAccount(s, apptest.Alice, "code_host", "9001", "<b>maren")
		connectAccount(s, apptest.Alice, identity.Email, "maren@mail.example", "")
		b, viewer := s.SignInAdmin(tenancy.RoleModerator), s.SignInAdmin(tenancy.RoleViewer)
		page := b.Site("/members/" + maren)
		at := page + "/accounts/code_host/unlink"
		b.Get(page).Shows(200, "Linked accounts", "Code host", "<b>maren", "9001", "Verified", "maren@mail.example", at,
			`Since <time datetime="20`).Hides(`<time datetime=""`)
		viewer.Get(page).Shows(200, "<b>maren").Hides("maren@mail.example", "/accounts/")
		viewer.Get(at).Shows(403)
		viewer.Post(at).Shows(403)
		b.Get(page+"/accounts/forum_platform/unlink").Shows(404, "Account not found")
		b.Get(page+"/accounts/nothing/unlink").Shows(404, "Account not found")

		question := b.Get(at).Shows(200, "Unlink this account?", "<b>maren")
		connectAccount(s, apptest.Alice, "code_host", "9002", "maren2")
		again := b.Post(at, "version", hidden(question, "version")).Shows(400, "has changed meanwhile", "maren2")
		b.Get(page).Shows(200, "maren2")
		b.Post(at, "version", hidden(again, "version")).FollowsTo(page).Shows(200, "Code host account unlinked").Hides("maren2")
		b.Post(at, "version", hidden(again, "version")).Shows(404)
		email := page + "/accounts/email/unlink"
		b.Post(email, "version", hidden(b.Get(email), "version")).FollowsTo(page).Hides("maren@mail.example")
		s.SignInAdmin(tenancy.RoleSuperAdmin).Get(b.Site("/activity")).Shows(200, "Unlinked an account of a member")
		connectAccount(s, apptest.Bob, "code_host", "9001", "bob") // it is free again

		other := s.NewProgram("Other")
		s.SignInOwner(other.OrganizationID).Get("/admin/" + other.WebsiteID.String() + "/members/" + maren).Shows(404)
	})
}

func TestAttributesOfAMemberAreEdited(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		maren := s.User(apptest.Alice, object{"displayName": "Maren"})
		b := s.SignInAdmin(tenancy.RoleModerator)
		page := b.Site("/members/" + maren)
		b.Get(page+"/attributes").Shows(200, "This website has no attributes")
		defined := s.Post("/api/website_user_attributes", object{"data": []object{{"label": "Shirt <b>"}, {"label": "Diet"}}}).Data()
		shirt, diet := defined[0]["id"].(string), defined[1]["id"].(string)
		b.Get(page).Shows(200, "Attributes", "No values yet", page+"/attributes")
		opened := hidden(b.Get(page+"/attributes").Shows(200, "Shirt <b>", "Diet"), "seen")
		b.Post(page+"/attributes", "seen", opened, shirt, "XXL", diet, "").FollowsTo(page).Shows(200, "Attributes saved", "XXL")
		stale := b.Post(page+"/attributes", "seen", opened, shirt, "M", diet, "vegan").
			Shows(400, "Someone else changed this while you were editing", "XXL", "vegan")
		b.Get(page).Shows(200, "XXL").Hides("vegan")
		b.Post(page+"/attributes", "seen", hidden(stale, "seen"), shirt, "M", diet, "vegan").FollowsTo(page).
			Shows(200, "Attributes saved", "vegan").Hides("XXL")
		opened = hidden(b.Get(page+"/attributes"), "seen")
		b.Post(page+"/attributes", "seen", opened, shirt, "M", diet, "vegan").FollowsTo(page).Shows(200, "There were no changes to save")
		viewer := s.SignInAdmin(tenancy.RoleViewer)
		viewer.Get(page).Shows(200, "vegan").Hides("/attributes")
		viewer.Post(page+"/attributes", shirt, "S").Shows(403)

		// a form with more values than a call of the API may have is saved as a whole or not at all
		labels := make([]object, 99)
		for i := range labels {
			labels[i] = object{"label": fmt.Sprint("More ", i)}
		}
		s.Post("/api/website_user_attributes", object{"data": labels}).OK()
		form := b.Get(page+"/attributes").Shows(200, "More 98")
		names := regexp.MustCompile(`name="([0-9a-f-]{36})"`).FindAllStringSubmatch(form.Body, -1)
		if len(names) != 101 {
			t.Fatalf("the form has %d attributes", len(names))
		}
		fields := []string{"seen", hidden(form, "seen")}
		for i, name := range names {
			fields = append(fields, name[1], fmt.Sprint("typed ", i))
		}
		last := len(fields) - 1
		fields[last] = strings.Repeat("x", 10_001)
		b.Post(page+"/attributes", fields...).Shows(400, "Must be at most 10000 characters")
		b.Get(page).Shows(200, "vegan").Hides("typed 0")
		fields[last] = "typed at last"
		b.Post(page+"/attributes", fields...).FollowsTo(page).Shows(200, "typed 0", "typed at last")
	})
}

func TestAMemberShowsToWhomItsWalletDelegates(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		hot, cold := s.User(apptest.Alice, object{"displayName": "Hot"}), s.User(apptest.Bob, object{"displayName": "Cold"})
		s.Post("/api/users/delegations", object{"userId": hot, "delegatorWalletAddress": apptest.Bob}).OK()
		b := s.SignInAdmin(tenancy.RoleModerator)
		b.Get(b.Site("/members/"+cold)).Shows(200, "Delegates to", "/members/"+hot)
		b.Get(b.Site("/members/"+hot)).Shows(200, "Delegations", apptest.Bob).Hides("Delegates to")
	})
}
