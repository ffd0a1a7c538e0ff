package dashboard_test

import (
	"regexp"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestAMemberIsAddedAndEdited(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleModerator)
		b.Get(b.Site("/members")).Shows(200, "Add member")
		b.Get(b.Site("/members/new")).Shows(200, "Wallet", "ID in your system", "Notes")
		b.Post(b.Site("/members"), "walletAddress", "", "displayName", "<i>Maren").Shows(400, "<i>Maren", "fix")
		b.Post(b.Site("/members"), "walletAddress", "maren-1", "phoneNumber", "12").Shows(400, "E.164", "maren-1")
		page := b.Post(b.Site("/members"), "walletAddress", "maren-1", "displayName", "<i>Maren", "emailAddress", "m@oduya.example")
		page.FollowsTo(b.Site("/members/")).Shows(200, "Member added", "<i>Maren", "m@oduya.example")
		b.Post(b.Site("/members"), "walletAddress", "maren-1", "displayName", "Other").Shows(400, "Already belongs to a member")
		s.User("teo-1", apptest.Object{"displayName": "Teo", "userGroupExternalIdentifier": "home"})

		edit := page.Location + "/edit"
		form := b.Get(edit).Shows(200, "Edit <i>Maren", "m@oduya.example")
		baseVersion := hidden(form, "seen")
		s.User("maren-1", apptest.Object{"internalNotes": "Theirs <b>"})
		conflict := b.Post(edit, "seen", baseVersion, "displayName", "Maren", "internalNotes", "Mine", "userGroupExternalIdentifier", "home").
			Shows(400, "Error: Edit", "Someone else changed this while you were editing", "Theirs <b>", "Mine")
		b.Get(page.Location).Shows(200, "Theirs <b>").Hides("Mine")
		b.Post(edit, "seen", hidden(conflict, "seen"), "displayName", "Maren", "internalNotes", "Mine", "emailAddress", "bad").
			Shows(400, "fix", "Mine", "bad")
		b.Post(edit, "seen", hidden(conflict, "seen"), "displayName", "Maren", "internalNotes", "Mine\r\nand more",
			"userGroupExternalIdentifier", "home").FollowsTo(page.Location).
			Shows(200, "Changes saved", "Mine\nand more", "Teo").Hides("oduya", "Theirs <b>")
		baseVersion = hidden(b.Get(edit), "seen")
		b.Post(edit, "seen", baseVersion, "displayName", "Maren", "internalNotes", "Mine\r\nand more",
			"userGroupExternalIdentifier", "").FollowsTo(page.Location).Shows(200, "Changes saved").Hides("Teo")
		baseVersion = hidden(b.Get(edit), "seen")
		b.Post(edit, "seen", baseVersion, "displayName", "Maren", "internalNotes", "Mine\nand more").FollowsTo(page.Location).
			Shows(200, "There were no changes to save")
		v := s.SignInAdmin(tenancy.RoleDeveloper)
		v.Get(edit).Shows(403, "The Developer role")
		v.Post(edit, "displayName", "X").Shows(403)
		v.Post(v.Site("/members"), "walletAddress", "x").Shows(403)
		v.Get(v.Site("/members")).Shows(200).Hides("Add member")
		b.Get(b.Site("/members/" + unknownID + "/edit")).Shows(404)
	})
}

func TestFieldsThatAreNotTouchedStayAsTheyAre(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		kept := apptest.Object{"displayName": "Maren", "location": " Porto\nPortugal ", "bio": "  One\r\ntwo\n "}
		maren := s.User("maren-1", kept)
		b := s.SignInAdmin(tenancy.RoleModerator)
		edit := b.Site("/members/" + maren + "/edit")
		form := b.Get(edit)
		// as browsers send it: controls of one line leave out the ends of lines
		fields := with(formOn(form), "location", " PortoPortugal ", "bio", "  One\r\ntwo\r\n ", "displayName", "Maren Oduya")
		b.Post(edit, fields...).FollowsTo(b.Site("/members/")).Shows(200, "Changes saved", "Maren Oduya")
		known := s.Get("/api/users?userId=" + maren).Data()[0]["userMetadata"].([]any)[0].(apptest.Object)
		if known["location"] != kept["location"] || known["bio"] != kept["bio"] || known["displayName"] != "Maren Oduya" {
			t.Errorf("%v", known)
		}
		b.Post(edit, with(formOn(b.Get(edit)), "location", "Lisbon")...).FollowsTo(b.Site("/members/")).Shows(200, "Lisbon")
	})
}

func TestAMultiplierIsGivenAndEnded(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		maren := s.User("maren-1", apptest.Object{"displayName": "Maren"})
		b := s.SignInAdmin(tenancy.RoleAdmin)
		page := b.Site("/members/" + maren)
		b.Get(page).Shows(200, "Grant multiplier")
		form := b.Get(page+"/multipliers/new").Shows(200, "Grant Maren a multiplier")
		input := []string{"key", formKey(form), "title", "Gold <b>", "currency", s.LoyaltyCurrencyID.String()}
		hiddenKey := regexp.MustCompile(`[0-9a-f-]{36}`)
		if !hiddenKey.MatchString(input[1]) {
			t.Fatal(input)
		}
		b.Post(page+"/multipliers", append(input, "multiplier", "many")...).Shows(400, "Must be a number", "many", "Gold <b>")
		b.Post(page+"/multipliers", append(input, "multiplier", "2")...).FollowsTo(page).Shows(200, "×2", "Gold <b>", "Multiplier granted")
		b.Post(page+"/multipliers", append(input, "multiplier", "2")...).Shows(400, "already exists")
		if got := s.CompletePaid(s.Free(apptest.Object{"amount": 5}), "maren-1", nil); got != "10" {
			t.Errorf("paid %s", got)
		}
		end := regexp.MustCompile(`/admin/[^"]+/multipliers/[0-9a-f-]{36}/end`).FindString(b.Get(page).Body)
		b.Get(end).Shows(200, "Revoke this multiplier?", "×2", "Gold <b>")
		other := s.User("teo-1", nil)
		b.Post(b.Site("/members/"+other+end[len(page):])).Shows(404, "Multiplier not found")
		s.SignInAdmin(tenancy.RoleViewer).Post(end).Shows(403)
		b.Post(end).FollowsTo(page).Shows(200, "Multiplier revoked").Hides("Gold <b>")
		b.Post(end).Shows(404)
		if got := s.MultiplierValues("maren-1"); len(got) != 0 {
			t.Error(got)
		}
	})
}
