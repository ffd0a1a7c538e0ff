package dashboard_test

import (
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// formKey is the hidden key of a form.
func formKey(p apptest.Page) string {
	return regexp.MustCompile(`name="key" id="f-key" value="([\w-]+)"`).FindStringSubmatch(p.Body)[1]
}

func TestMembersAreListedAndFound(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleModerator)
		b.Get(b.Site("/members")).Shows(200, "No members yet", "curl ")
		s.Clock.Advance(time.Second)
		maren := s.User("maren-1", apptest.Object{
			"displayName": "Maren <b>", "emailAddress": "maren@oduya.example", "externalIdentifier": "C-10482",
		})
		teo := s.User("teo-1", apptest.Object{"displayName": "Teodor", "isBlocked": true})
		s.Credit("maren-1", 1234)
		list := b.Get(b.Site("/members")).Shows(200, "Maren <b>", "1,234", "Teodor", "Blocked", "/members/"+maren)
		if strings.Contains(list.Body, "Maren <b>") {
			t.Error("the name is not escaped")
		}
		b.Get(b.Site("/members?state=blocked")).Shows(200, "Teodor").Hides("Maren")
		for _, q := range []string{"maren-1", "MAREN@oduya.example", "c-10482", maren} {
			b.Get(b.Site("/members?q="+q)).Shows(200, "Maren").Hides("Teodor")
			b.Get(b.Site("/search?q="+q)).FollowsTo(b.Site("/members/"+maren)).Shows(200, "Maren", "maren@oduya.example")
		}
		b.Get(b.Site("/members?q=nobody")).Shows(200, "No member matches", "nobody")
		b.Get(b.Site("/search?q=<nobody>")).Shows(200, "Nothing matches “<nobody>”")
		rule := s.Rule("external_rule", apptest.Object{"name": "Weekly visit", "interval": "unlimited"})
		for _, q := range []string{"weekly", rule} {
			if p := b.Get(b.Site("/search?q=" + q)); p.Location != b.Site("/rules/"+rule) {
				t.Errorf("%s leads to %q", q, p.Location)
			}
		}
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(v.Site("/members?q=maren@oduya.example")).Shows(200, "No member matches")
		v.Get(v.Site("/members/"+maren)).Shows(200, "Maren", "C-10482").Hides("maren@oduya.example", "Adjust balance")
		s.User("mail@wallet.example", nil)
		v.Get(v.Site("/members")).Shows(200, "Teodor").Hides("mail@wallet.example")
		v.Get(v.Site("/search?q=mail@wallet.example")).Shows(200, "Nothing matches")
		b.Get(b.Site("/members?q=mail@wallet.example")).Shows(200, "mail@wallet.example")
		other := s.NewProgram("Other")
		far := apptest.Object{"walletAddress": "far-1"}
		there := s.Call(other.WebsiteAPIKey, "POST", apptest.MetadatasPath, far).OK()["userId"].(string)
		for _, id := range []string{there, teo[:35] + "x", "nobody"} {
			for _, page := range []string{"", "/entries.csv", "/adjust", "/block"} {
				b.Get(b.Site("/members/"+id+page)).Shows(404, "Member not found")
			}
			b.Post(b.Site("/members/"+id+"/adjust"), "amount", "5").Shows(404)
			b.Post(b.Site("/members/"+id+"/block"), "do", "block").Shows(404)
		}
		if p := b.Get(b.Site("/search?q=" + there)); p.Status != 200 {
			t.Errorf("another website's member leads to %q", p.Location)
		}
		b.Get(b.Site("/referrals?user="+there)).Shows(200, "No referrals yet").Hides("far-1")
		b.Get("/admin/"+other.WebsiteID.String()+"/members").Shows(404, "Website not found")
	})
}

func TestAMembersPageShowsEverything(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetPointLifetime(30, 0)
		maren := s.User("maren-1", apptest.Object{"displayName": "Maren", "userGroupExternalIdentifier": "home"})
		s.User("mate-1", apptest.Object{"displayName": "Mate", "userGroupExternalIdentifier": "home"})
		rule := s.Free(apptest.Object{"name": "Weekly <i>visit</i>", "amount": 5})
		s.CompletePaid(rule, "maren-1", nil)
		s.Clock.Advance(49 * time.Hour)
		s.Credit("maren-1", 100)
		s.Transact(apptest.Object{"walletAddress": "maren-1", "amount": 40, "direction": "debit"}).OK()
		s.GrantMultiplier("maren-1", 2, apptest.Object{"title": "Gold"})
		half := s.Rule("external_rule", apptest.Object{"name": "Half way", "trackProgress": true})
		s.Progress(half, "maren-1", apptest.Object{"progress": 50}).OK()
		streak := s.CreateStreakRule(nil)
		s.Complete(streak, apptest.Object{"walletAddress": "maren-1"}).OK()
		friend := s.Rule("referred_user", apptest.Object{"amount": 7, "name": "Bring a friend"})
		s.Refer(s.ReferralCode(friend, "maren-1"), s.User("new-1", apptest.Object{"displayName": "Newcomer"})).OK()
		b := s.SignInAdmin(tenancy.RoleAdmin)
		page := b.Get(b.Site("/members/"+maren)).Shows(200, "Maren", "Weekly <i>visit</i>", "+100", "−40",
			"Gold", "×2", "Half way", "50 of 100", "Mate", "Newcomer", "Streaks", "Points by expiry", "Expiring next",
			"Show as table", "balance 5, change +5", `role="img"`)
		if strings.Contains(page.Body, "<i>visit") || !strings.Contains(page.Body, `<path class="l1" d="M0 `) {
			t.Error(page.Body)
		}
		v := s.SignInAdmin(tenancy.RoleViewer) // it would see what hidden bids hold
		v.Get(v.Site("/members/"+maren)).Shows(200, "Maren").Hides("Points by expiry", "Expiring next")
		for _, days := range []string{"30", "90", "all"} {
			b.Get(b.Site("/members/"+maren+"?days="+days)).Shows(200, "change +5")
		}
		b.Get(b.Site("/members/"+maren+"?type=order")).Shows(200, "No matching entries")
		b.Get(b.Site("/members/"+maren+"?rule="+rule)).Shows(200, "+5").Hides("<b>+100", "<b>−40")
		b.Get(b.Site("/members/"+maren+"?rule=x")).Shows(400, "The filter rule is not a valid ID")
		file := b.Get(b.Site("/members/"+maren+"/entries.csv?direction=debit")).Shows(200, `"time","transaction"`, `"debit","40",`)
		if file.Header.Get("Content-Type") != "text/csv; charset=utf-8" || strings.Count(file.Body, "\n") != 2 {
			t.Error(file.Body)
		}
		b.Get(b.Site("/referrals")).Shows(200, "Newcomer", "Maren", "Bring a friend")
		b.Get(b.Site("/referrals?user="+maren)).Shows(200, "Referred by Maren", "Newcomer")
	})
}

func TestABalanceIsAdjustedOncePerForm(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		maren := s.User("maren-1", apptest.Object{"displayName": "Maren"})
		b := s.SignInAdmin(tenancy.RoleAdmin)
		address := b.Site("/members/" + maren + "/adjust")
		form := []string{"direction", "credit", "currency", s.LoyaltyCurrencyID.String(), "key", formKey(b.Get(address))}
		b.Post(address, append(form, "amount", "many", "reason", "Parcel <late>")...).
			Shows(400, "1 problem to fix", "Parcel <late>", "many")
		b.Post(address, append(form, "amount", "5", "reason", "")...).Shows(400, "Is required, because")
		b.Post(address, "direction", "up", "amount", "-5", "reason", "x").
			Shows(400, "one of the options", "greater than 0", "a currency of this website", "reload the page")
		sent := append(slices.Clone(form), "amount", "1,500", "reason", "=Parcel came late")
		for range 2 {
			b.Post(address, sent...).FollowsTo(b.Site("/members/"+maren)).
				Shows(200, "1,500 ", "added to Maren", "=Parcel came late", "Adjustment", "By Ines")
		}
		if got := s.Balance("maren-1"); got != "1500" {
			t.Error(got)
		}
		b.Post(address, append(form, "amount", "7", "reason", "Other")...).Shows(400, "already submitted with other values")
		form[1], form[5] = "debit", formKey(b.Get(address))
		b.Post(address, append(form, "amount", "2000", "reason", "Taken")...).Shows(400, "Maren has less than 2,000")
		b.Post(address, append(form, "amount", "500", "reason", "Taken back")...).FollowsTo(b.Site("/members/"+maren)).
			Shows(200, "removed from Maren")
		list := b.Get(b.Site("/ledger")).Shows(200, "Taken back", "Maren", "−")
		one := regexp.MustCompile(`/admin/[^"]+/ledger/[0-9a-f-]{36}`).FindString(list.Body)
		b.Get(one).Shows(200, "Taken back", "Main account", "Adjusted by", "Ines "+string(tenancy.RoleAdmin))
		b.Get(b.Site("/search?q=" + one[len(one)-36:])).FollowsTo(one)
		b.Get(b.Site("/ledger/entries.csv")).Shows(200, "'=Parcel came late")
		b.Get(b.Site("/ledger?direction=credit")).Shows(200, "Parcel came late").Hides("Taken back")
		b.Get(b.Site("/ledger?from=2026-01-14&to=2026-01-14")).Shows(200, "Taken back")
		b.Get(b.Site("/ledger?to=2026-01-13")).Shows(200, "No matching entries")
		b.Get(b.Site("/ledger/"+maren)).Shows(404, "Transaction not found")
		v := s.SignInAdmin(tenancy.RoleDeveloper)
		v.Post(address, sent...).Shows(403, "can’t adjust balances")
		s.Sound()
	})
}

func TestSupportAdjustsUpToALimitADay(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		maren := s.User("maren-1", apptest.Object{"displayName": "Maren"})
		b, other := s.SignInAdmin(tenancy.RoleModerator), s.SignInAdmin(tenancy.RoleModerator)
		address := b.Site("/members/" + maren + "/adjust")
		post := func(b *apptest.Browser, direction, amount, key string) apptest.Page {
			if key == "" {
				key = formKey(b.Get(address).Shows(200, "at most 1,000"))
			}
			return b.Post(address, "direction", direction, "currency", s.LoyaltyCurrencyID.String(), "key", key,
				"amount", amount, "reason", "Why")
		}
		key := formKey(b.Get(address))
		for range 2 { // sent twice, it counts once
			post(b, "credit", "700", key).FollowsTo(b.Site("/members/"+maren)).Shows(200, "700 ")
		}
		post(b, "debit", "301", "").Shows(400, "at most 1,000", "You have 300", "Why")
		post(b, "debit", "300", "").FollowsTo(b.Site("/members/" + maren))
		post(b, "credit", "0.000001", "").Shows(400, "You have 0")
		post(other, "credit", "1000", "").FollowsTo(b.Site("/members/" + maren))
		s.Clock.Advance(12 * time.Hour)
		post(b, "credit", "1000", "").FollowsTo(b.Site("/members/" + maren))
		if got := s.Balance("maren-1"); got != "2400" {
			t.Error(got)
		}
	})
}

func TestAMemberIsBlockedWithAReason(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		maren := s.User("maren-1", apptest.Object{"displayName": "Maren", "internalNotes": "Old note"})
		b := s.SignInAdmin(tenancy.RoleModerator)
		address, page := b.Site("/members/"+maren+"/block"), b.Site("/members/"+maren)
		baseVersion := hidden(b.Get(address).Shows(200, "Block Maren?", "Several accounts"), "seen")
		b.Post(address, "seen", baseVersion, "do", "block", "reason", "whim", "note", "Seen <twice>").
			Shows(400, "one of the options", "Seen <twice>")
		b.Post(address, "seen", baseVersion, "do", "block", "reason", "abuse_manipulation", "note", "Seen twice").FollowsTo(page).
			Shows(200, "Maren is blocked", "Abuse or manipulation", "Old note", "Seen twice", "Unblock")
		known := s.Get("/api/users?userId=" + maren).Data()[0]["userMetadata"].([]any)[0].(apptest.Object)
		if known["isBlocked"] != true || known["blockStatusReason"] != "abuse_manipulation" {
			t.Error(known)
		}
		late := b.Post(address, "seen", baseVersion, "do", "block", "reason", "other", "note", "Mine too").
			Shows(400, "Someone else changed this while you were editing", "Abuse or manipulation", "Mine too", "Overwrite their changes")
		if v := hidden(late, "do"); v != "block" {
			t.Errorf("the form would %s", v)
		}
		b.Get(page).Shows(200, "Abuse or manipulation").Hides("Mine too")
		b.Post(address, "seen", hidden(late, "seen"), "do", "block", "reason", "other", "note", "Mine too").FollowsTo(page).
			Shows(200, "Another reason", "Old note", "Seen twice", "Mine too")
		baseVersion = hidden(b.Get(address).Shows(200, "Unblock Maren?"), "seen")
		b.Post(address, "seen", baseVersion, "do", "unblock", "reason", "issue_resolved").FollowsTo(page).
			Shows(200, "can earn rewards again", "Resolved")
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(address).Shows(403, "can’t adjust balances and block members")
		v.Post(address, "do", "block", "reason", "other").Shows(403, "can’t adjust balances and block members")
	})
}

func TestLeadersAreRankedNowAndBefore(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleViewer)
		b.Get(b.Site("/leaderboard")).Shows(200, "No one has")
		for wallet, amount := range map[string]int{"anna": 30, "ben": 30, "carl": 20, "dora": 50} {
			s.Credit(wallet, amount)
		}
		s.User("dora", apptest.Object{"isBlocked": true})
		before := s.Clock.Now().Add(time.Hour).Format("2006-01-02T15:04")
		s.Clock.Advance(2 * time.Hour)
		s.Credit("carl", 100)
		ranks := func(p apptest.Page) (out []string) {
			rows := regexp.MustCompile(`(?s)<td class="num">(.*?)</td>.*?members/[^>]*>(\w+)<`)
			for _, m := range rows.FindAllStringSubmatch(p.Body, -1) {
				out = append(out, regexp.MustCompile(`<[^>]*>`).ReplaceAllString(m[1], "")+" "+m[2])
			}
			return out
		}
		now := strings.Join(ranks(b.Get(b.Site("/leaderboard")).Shows(200, "120")), ", ")
		if !regexp.MustCompile(`^1 carl, {2}Blocked dora, 2 (anna, 2 ben|ben, 2 anna)$`).MatchString(now) {
			t.Error(now)
		}
		then := strings.Join(ranks(b.Get(b.Site("/leaderboard?at="+before)).Shows(200, "The members with the highest balances on")), ", ")
		if !regexp.MustCompile(`^ Blocked dora, 1 (anna, 1 ben|ben, 1 anna), 3 carl$`).MatchString(then) {
			t.Error(then)
		}
		b.Get(b.Site("/leaderboard?at=2030-01-01T00:00")).Shows(400, "Error: Leaderboard", "2030-01-01T00:00")
		b.Get(b.Site("/leaderboard?at=soon")).Shows(400, "Choose a date with a time")
	})
}

func TestLongListsHavePages(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var entries []apptest.Object
		for i := range 55 {
			amount := 10
			switch {
			case i < 3:
				amount = 20
			case i == 54:
				amount = 5
			}
			entries = append(entries, apptest.Object{"walletAddress": fmt.Sprintf("wallet-%02d", i), "amount": amount})
		}
		s.Transact(entries...).OK()
		s.Clock.Advance(3 * time.Hour)
		b := s.SignInAdmin(tenancy.RoleViewer)
		next := regexp.MustCompile(`href="([^"]+startingAfter=[^"]+)" rel="next"`)
		for address, thing := range map[string]*regexp.Regexp{
			"/members":                         regexp.MustCompile(`class="sub mono" title="wallet-\d\d"`),
			"/ledger?type=api_key":             regexp.MustCompile(`class="r plus"`),
			"/leaderboard":                     regexp.MustCompile(`<td class="num"><b>(4|55)</b>`),
			"/leaderboard?at=2026-01-14T13:00": regexp.MustCompile(`<td class="num"><b>(4|55)</b>`),
		} {
			first := b.Get(b.Site(address)).Shows(200, "Older")
			more := next.FindStringSubmatch(first.Body)
			if more == nil {
				t.Fatalf("%s has no second page: %s", address, first.Body)
			}
			second := b.Get(html.UnescapeString(more[1])).Shows(200, "Newest")
			if n := len(thing.FindAllString(second.Body, -1)); n != 5 || next.MatchString(second.Body) {
				t.Errorf("%s: %d on the second page: %s", address, n, second.Body)
			}
			if strings.HasPrefix(address, "/leaderboard") {
				second.Shows(200, "<b>55</b>", "<b>4</b>")
			}
		}
		file := b.Get(b.Site("/ledger/entries.csv?type=api_key"))
		if n := strings.Count(file.Shows(200).Body, "\n"); n != 56 {
			t.Errorf("%d lines", n)
		}
	})
}
