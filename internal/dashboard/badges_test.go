package dashboard_test

import (
	"encoding/base64"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// getBadge returns a badge as the API tells it.
func getBadge(s *apptest.Server, id string) object {
	s.T.Helper()
	return s.Get(apptest.BadgesPath + "?badgeIds=" + id).Data()[0]
}

func TestABadgeIsMadeByItsForm(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		rule := s.Free(object{"name": "Visit <i>"})
		further := s.CreateBadgeWith(object{"name": "Further <b>"})
		points := s.LoyaltyCurrencyID.String()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		b.Get(b.Site("/badges")).Shows(200, "Create badge", "Further <b>")
		page := b.Get(b.Site("/badges/new")).Shows(200, "1. Completed one rule", "Visit <i>", "Add reward").Hides("Tokens")
		form := with(formOn(page), "name", "Guest <u>", "imageUrl", "https://files.example/b.png", "hideInUi", "on",
			"conditions.0.loyaltyRuleIds", rule, "conditions.0.description", "Come <s>")
		page = b.Post(b.Site("/badges"), append(form, "add", "condition", "kind", "badge")...).
			Shows(200, "2. Has a badge", "Further <b>", "Guest <u>")
		page = b.Post(b.Site("/badges"), with(formOn(page), "add", "condition", "kind", "csv")...).
			Shows(200, "3. Is on an uploaded list", "More lists")
		page = b.Post(b.Site("/badges"), with(formOn(page), "add", "file")...).Shows(200, "List 1")
		page = b.Post(b.Site("/badges"), with(formOn(page), "remove", "2")...).Hides("3. Stands")
		page = b.Post(b.Site("/badges"), with(formOn(page), "drop", "csvFiles.0")...).Shows(200).Hides("More lists")
		page = b.Post(b.Site("/badges"), with(formOn(page), "remove", "1")...).Shows(200).Hides("2. Has a badge")
		for _, kind := range []string{"points", "badge", "multiplier", "points"} {
			page = b.Post(b.Site("/badges"), with(formOn(page), "add", "reward", "reward", kind)...).Shows(200)
		}
		page = b.Post(b.Site("/badges"), with(formOn(page), "drop", "rewards.0")...).
			Shows(200, "Reward 1: Another badge", "Reward 3: Points").Hides("Reward 4")
		b.Post(b.Site("/badges"), with(formOn(page), "rewards.1.multiplier", "lots", "rewards.2.amount", "few")...).
			Shows(400, `href="#f-rewards.1.multiplier"`, "Must be a number such as 12.5", "Guest <u>", "lots")
		b.Post(b.Site("/badges"), with(formOn(page), "name", "", "conditions.0.loyaltyRuleIds", further)...).
			Shows(400, `href="#f-name"`, `href="#f-rewards.0.loyaltyBadgeId"`, `href="#f-rewards.1.multiplier"`,
				"Reward, 1, badge: Is required", "Come <s>")
		ready := with(formOn(page), "rewards.0.loyaltyBadgeId", further, "rewards.1.multiplier", "1.5",
			"rewards.1.loyaltyCurrencyIds", points, "rewards.1.isRetroactive", "on",
			"rewards.2.amount", "1,000.5", "rewards.2.loyaltyCurrencyId", points)
		b.Post(b.Site("/badges"), with(formOn(page), "conditions.0.loyaltyRuleIds", further)...).Shows(400)
		if n := len(s.Get(apptest.BadgesPath).Data()); n != 1 {
			t.Fatalf("%d badges, some of them by forms that were refused", n)
		}
		made := b.Post(b.Site("/badges?form"), ready...)
		made.FollowsTo(b.Site("/badges/")).Shows(200, "Badge created", "Guest <u>", "Completed “Visit <i>”", "Come <s>", "Hidden",
			"The “Further <b>” badge", "×1.5 multiplier for rewards in", "also applied once to the current balance", "1,000.5", "Pending")
		b.Post(b.Site("/badges?form"), ready...).FollowsTo(made.Location).Shows(200, "applied only once")
		s.RunBadgeJobs()
		id := made.Location[strings.LastIndex(made.Location, "/")+1:]
		got := getBadge(s, id)
		if got["hideInUi"] != true || len(got["rewards"].([]any)) != 3 || s.BadgeStatus(id, apptest.Alice) != "active" ||
			s.BadgeStatus(further, apptest.Alice) != "active" {
			t.Errorf("made: %v, %s", got, s.BadgeStatus(id, apptest.Alice))
		}
		b.Get(made.Location).Shows(200, "Complete", "1 member checked; 1 got the badge")
	})
}

func TestSettingsOfABadgeChangeWhatWasChanged(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		gone := s.Post(apptest.CurrenciesPath, object{"name": "Old", "symbol": "O", "decimals": 0}).OK()["id"].(string)
		list := s.Upload("list.csv", "walletAddress\n"+apptest.Alice+"\n")
		id := s.CreateBadgeWith(object{
			"name": "Regular", "conditions": []object{apptest.CSV(list)},
			"rewards": []object{s.PointsReward(5), {"rewardType": "points", "amount": 1, "loyaltyCurrencyId": gone}},
		})
		s.Remove(apptest.CurrenciesPath + "/" + gone)
		s.ReadLists()
		s.RunBadgeJobs()
		address := b.Site("/badges/" + id + "/settings")
		page := b.Get(address).Shows(200, "Conditions can’t be changed", "Is on an uploaded list", "A reward that is no longer available", "More lists")
		page.Hides("Add condition")
		b.Post(address, with(formOn(page), "name", "<b>New</b>", "hideInUi", "on")...).
			FollowsTo(b.Site("/badges/"+id)).Shows(200, "Changes saved.", "<b>New</b>", "Hidden").Hides("The lists are being imported")
		if jobs := s.BadgeJobs(id); len(jobs) != 1 {
			t.Errorf("a change of the name has it judged again: %q", jobs)
		}
		late := with(formOn(page), "description", "Mine")
		conflict := b.Post(address, late...).Shows(400, "Someone else changed this while you were editing", "<b>New</b>", "Overwrite their changes")
		b.Post(address, with(formOn(conflict))...).FollowsTo(b.Site("/badges/"+id)).Shows(200, "Mine").Hides("<b>New</b>")

		page = b.Get(address)
		b.Post(address, with(formOn(page), "rewards.0.amount", "7")...).
			Shows(400, `href="#f-rewards.1.loyaltyCurrencyId"`, "Loyalty currency not found")
		page = b.Post(address, with(formOn(page), "drop", "rewards.1")...).Shows(200)
		b.Post(address, with(formOn(page), "rewards.0.amount", "7")...).
			FollowsTo(b.Site("/badges/"+id)).Shows(200, "don’t get the new rewards", "7 ")
		more := s.Upload("more.csv", "walletAddress\n"+apptest.Bob+"\n")
		page = b.Post(address, with(formOn(b.Get(address)), "add", "file")...).Shows(200, "List 1")
		b.Post(address, with(formOn(page), "csvFiles.0.src", "nowhere")...).Shows(400, `href="#f-csvFiles.0.src"`, "Must be a valid url")
		b.Post(address, with(formOn(page), "csvFiles.0.src", more)...).
			FollowsTo(b.Site("/badges/"+id)).Shows(200, "The lists are being imported", "1 additional list")
		s.ReadLists()
		s.RunBadgeJobs()
		if s.BadgeStatus(id, apptest.Bob) != "active" || s.Balance(apptest.Bob) != "7" {
			t.Errorf("Bob of the further list: %s, %s", s.BadgeStatus(id, apptest.Bob), s.Balance(apptest.Bob))
		}
		b.Get(b.Site("/jobs?tab=imports")).Shows(200, "Condition members", b.Site("/badges/"+id))
		csvRows(b.Get(b.Site("/jobs/jobs.csv?tab=imports")))

		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(address).Shows(403, "change rules, groups, chains, badges")
		v.Post(address, late...).Shows(403)
		v.Get(b.Site("/badges/"+id)).Shows(200, "Is on an uploaded list").Hides(id+"/settings", id+"/delete", "/reward", "/revoke", list)
		del := b.Site("/badges/" + id + "/delete")
		v.Post(del).Shows(403)
		b.Get(del).Shows(200, "Delete", "2 members will lose the badge")
		b.Post(del).FollowsTo(b.Site("/badges")).Shows(200, "deleted. Members keep the points it paid.", "No badges yet")
		b.Post(del).Shows(404)
		b.Get(address).Shows(404, "Badge not found")
	})
}

func TestABadgeShowsWhoHasItAndWhoIsNear(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		rule := s.Free(object{"name": "Visit"})
		for n := range 30 {
			times := 10
			if n < 5 {
				times = n + 1
			}
			for range times {
				s.Complete(rule, object{"walletAddress": apptest.Wallet(n)}).OK()
			}
		}
		id := s.CreateBadgeWith(object{"conditions": []object{{"type": "rule", "loyaltyRuleIds": []string{rule}, "repeatCount": 10}}})
		address := b.Site("/badges/" + id)
		b.Get(address).Shows(200, "Members are being checked", "No holders yet", "Pending")
		s.RunBadgeJobs()
		page := b.Get(address).Shows(200, "Progress of members", "Holders: members 25", "10 to 19%: members 1", "0 to 9%: members 0",
			"Show as table", "Closest to earning the badge", "5 of 10", "30 members checked; 25 got the badge", "Older")
		order := []int{}
		for _, part := range []string{"5 of 10", "4 of 10", "1 of 10"} {
			order = append(order, strings.Index(page.Body, part))
		}
		if !slices.IsSorted(order) {
			t.Errorf("the nearest do not come first: %v", order)
		}
		older := regexp.MustCompile(`href="([^"]+startingAfter[^"]+)" rel="next"`).FindStringSubmatch(page.Body)
		if next := b.Get(strings.ReplaceAll(older[1], "&amp;", "&")).Shows(200); strings.Count(next.Body, ">Revoke<") != 5 {
			t.Errorf("the second page has %d members, want 5", strings.Count(next.Body, ">Revoke<"))
		}
		b.Get(address+"?tab=inactive").Shows(200, "3 of 10 · 30% of the way there", "/reward")
		b.Get(address+"?tab=revoked").Shows(200, "No revoked badges")
		b.Get(b.Site("/badges")).Shows(200, "<b>25</b>", "Complete")
		if rows := csvRows(b.Get(address + "/members.csv")); len(rows) != 31 {
			t.Errorf("%d lines of members", len(rows))
		}
		if rows := csvRows(b.Get(b.Site("/badges/badges.csv"))); len(rows) != 2 || !slices.Contains(rows[1], "Completed “Visit” 10 times") ||
			!slices.Contains(rows[1], "25") {
			t.Errorf("the file of badges: %q", rows)
		}
		other := s.NewProgram("Other")
		c := s.SignInOwner(other.OrganizationID)
		for _, path := range []string{"", "/members.csv", "/settings", "/delete", "/reward"} {
			c.Get("/admin/"+other.WebsiteID.String()+"/badges/"+id+path).Shows(404, "Badge not found")
		}
		c.Get("/admin/"+other.WebsiteID.String()+"/badges").Shows(200, "No badges yet")
	})
}

func TestBadgesAreGivenAndTakenByHand(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		rule := s.Free(object{"name": "Visit"})
		maren := s.User("maren-1", object{"displayName": "Maren <i>"})
		s.User("maren-2", object{"displayName": "Maren <i>"})
		id := s.CreateBadgeWith(object{
			"name": "Guest <b>", "conditions": []object{{"type": "rule", "loyaltyRuleIds": []string{rule}, "repeatCount": 4}},
			"rewards": []object{s.PointsReward(5)},
		})
		s.Complete(rule, object{"walletAddress": "maren-1"}).OK()
		b.Get(b.Site("/members/"+maren)).Shows(200, "Badges", "No badges yet")
		s.RunBadgeJobs()
		s.Complete(rule, object{"walletAddress": "maren-1"}).OK()
		member := b.Get(b.Site("/members/"+maren)).Shows(200, "Guest <b>", "2 of 4", `<progress value="50" max="100"`)
		give := b.Site("/badges/" + id + "/members/" + maren + "/reward")
		member.Shows(200, give)
		b.Get(b.Site("/members/"+maren+"/badges")).Shows(200, "Completed “Visit” 4 times: 2 of 4", "Not earned", give)
		if rows := csvRows(b.Get(b.Site("/members/" + maren + "/badges.csv"))); len(rows) != 2 ||
			!slices.Equal(rows[1][1:5], []string{"Guest <b>", "inactive", "50", "2 of 4"}) {
			t.Errorf("the file of the member's badges: %q", rows)
		}

		find := b.Site("/badges/" + id + "/reward")
		b.Get(find).Shows(200, "Choose a member")
		b.Get(find+"?member=nobody-here").Shows(200, "No member matches this text", "nobody-here")
		if n := len(s.Get("/api/users?walletAddress=nobody-here").Data()); n != 0 {
			t.Error("asking makes a member")
		}
		b.Get(find+"?member=maren-1").FollowsTo(give).Shows(200, "Grant Guest <b> to Maren <i>?", "5 ")
		support := s.SignInAdmin(tenancy.RoleModerator)
		support.Get(give).Shows(403)
		support.Post(give).Shows(403, "The Support role can’t adjust balances without a daily limit, reverse transactions, or grant multipliers and badges.")
		support.Get(b.Site("/members/"+maren)).Shows(200, "Guest <b>").Hides("/reward")
		b.Post(give).FollowsTo(b.Site("/members/"+maren)).Shows(200, "Maren <i> now has the “Guest <b>” badge.", "/revoke")
		if s.BadgeStatus(id, "maren-1") != "active" || s.Balance("maren-1") != "25" {
			t.Errorf("given: %s, %s", s.BadgeStatus(id, "maren-1"), s.Balance("maren-1"))
		}
		b.Get(give).Shows(200, "can’t be granted twice").Hides("Grant badge")
		take := strings.TrimSuffix(give, "reward") + "revoke"
		b.Get(take).Shows(200, "Revoke Guest <b> from Maren <i>?", "but will keep their points, tokens and other badges")
		support.Post(take).Shows(403)
		b.Post(take, "until", "earned").FollowsTo(b.Site("/members/"+maren)).Shows(200, "can earn the “Guest <b>” badge again")
		if got := s.BadgeStatus(id, "maren-1"); got != "inactive" {
			t.Errorf("taken until earned again: %s", got)
		}
		b.Get(give).Shows(200, "had this badge before", "the other rewards won’t be paid again")
		b.Post(take, "until", "good").FollowsTo(b.Site("/members/"+maren)).Shows(200, "no longer has the", "Revoked")
		b.Get(b.Site("/badges/"+id+"?tab=revoked")).Shows(200, "Maren <i>", "/reward")
		b.Get(b.Site("/members/"+maren+"/badges")).Shows(200, "Revoked")
		if got := s.BadgeStatus(id, "maren-1"); got != "revoked" || s.Balance("maren-1") != "25" {
			t.Errorf("taken for good: %s, %s", got, s.Balance("maren-1"))
		}
		b.Get(b.Site("/activity")).Shows(200, "Granted a badge to a member", "Revoked a badge from a member", give[len(b.Site("")):])

		other := s.NewProgram("Other")
		c := s.SignInOwner(other.OrganizationID)
		elsewhere := strings.Replace(give, s.WebsiteID.String(), other.WebsiteID.String(), 1)
		c.Get(elsewhere).Shows(404)
		c.Post(elsewhere).Shows(404)
		unrelated := s.User("nobody", nil)
		b.Get(b.Site("/badges/" + id + "/members/" + unrelated + "/revoke")).Shows(404)
	})
}

func TestAJobOfABadgeIsCancelled(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleDeveloper)
		rule := s.Free(nil)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		conditions := []object{{"type": "rule", "loyaltyRuleIds": []string{rule}}}
		id, other := s.CreateBadgeWith(object{"conditions": conditions}), s.CreateBadgeWith(object{"conditions": conditions})
		address := b.Site("/badges/" + id)
		page := b.Get(address).Shows(200, "Pending", `hx-trigger="every 2s"`, "Refresh", "Cancel job")
		cancel := regexp.MustCompile(`/admin/[^"]+/cancel`).FindString(page.Body)
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(address).Shows(200, "Pending").Hides("/cancel")
		v.Post(cancel).Shows(403)
		b.Post(strings.Replace(cancel, id, other, 1)).Shows(404, "Data job not found")
		b.Post(address+"/jobs/"+unknownID+"/cancel").Shows(404, "Data job not found")
		b.Post(cancel).FollowsTo(address).Shows(200, "Job cancelled. Members keep the badges it granted.", "Cancelled").Hides("hx-trigger", "/cancel")
		s.RunBadgeJobs()
		if jobs := s.BadgeJobs(id); !slices.Equal(jobs, []string{"cancelled"}) || s.BadgeStatus(id, apptest.Alice) != "" {
			t.Errorf("a cancelled job went on: %q, %s", jobs, s.BadgeStatus(id, apptest.Alice))
		}
		if s.BadgeStatus(other, apptest.Alice) != "active" {
			t.Error("the job of another badge was cancelled, too")
		}
		b.Post(cancel).FollowsTo(address).Shows(200, "Job cancelled")
		page = b.Get(b.Site("/badges/"+other)).Shows(200, "Complete")
		done := regexp.MustCompile(`id="job-([0-9a-f-]{36})"`).FindStringSubmatch(page.Body)[1]
		b.Post(b.Site("/badges/"+other+"/jobs/"+done+"/cancel")).FollowsTo(b.Site("/badges/"+other)).
			Shows(200, "The job had already ended.", "Complete")
		o := s.SignInAdmin(tenancy.RoleSuperAdmin)
		o.Get(b.Site("/activity")).Shows(200, "Cancelled a badge job", "/badges/"+id+"/jobs/")
	})
}

// dot is a picture of one point.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

func TestPicturesAndListsOfBadgesAreUploaded(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		picture, err := base64.StdEncoding.DecodeString(dot)
		if err != nil {
			t.Fatal(err)
		}
		upload := b.Site("/badges/upload")
		b.PostFile(upload, "file", "notes.png", "no picture").
			Shows(400, "Error: New badge", `href="#f-file"`, "Must be a picture (PNG, JPEG, GIF or WebP) or a CSV file")
		b.PostFile(upload, "file", "picture.exe", string(picture)).Shows(400, "Must be a picture")
		b.PostFile(upload, "file", "list.csv", "").Shows(400, `href="#f-file"`, "Must not be empty")
		b.PostFile(upload, "file", "list.csv", "one two\nthree four\n").Shows(400, "Has no good row: line 1")
		b.PostFile(upload, "file", "list.csv", "Wallet\n"+apptest.Alice+"\n").
			Shows(200, "Its first line doesn’t name a wallet column", "Some of the first rows", `line 1: "Wallet" looks like a header`)
		long := strings.Repeat("Long ago.", 600)
		typed := []string{"name", "Guest", "description", long, "hideInUi", "on", "rewards.0.rewardType", "points",
			"rewards.0.amount", "twelve"}
		b.PostFile(upload, "file", "notes.png", "no picture", typed...).
			Shows(400, "Must be a picture", `value="Guest"`, long, `value="twelve"`)
		page := b.PostFile(upload, "file", "My medal.png", string(picture), typed...).
			Shows(200, "File uploaded", `<img class="pic`, `value="Guest"`, long, `value="twelve"`)
		page = b.PostFile(upload, "file", "guests.csv", "walletAddress\n"+apptest.Alice+"\n", with(formOn(page))...).
			Shows(200, "1. Is on an uploaded list", `<img class="pic`, `value="Guest"`, `value="twelve"`)
		page = b.Post(b.Site("/badges"), with(formOn(page), "drop", "rewards.0")...).Shows(200, `value="Guest"`)
		made := b.Post(b.Site("/badges"), with(formOn(page))...)
		made.FollowsTo(b.Site("/badges/")).Shows(200, "Is on an uploaded list", `<img class="pic`)
		s.ReadLists()
		s.RunBadgeJobs()
		id := made.Location[strings.LastIndex(made.Location, "/")+1:]
		if s.BadgeStatus(id, apptest.Alice) != "active" {
			t.Errorf("the list that was uploaded: %q", s.BadgeJobs(id))
		}
		shown := regexp.MustCompile(`<img class="pic" src="([^"]+)"`).FindStringSubmatch(b.Get(made.Location).Body)
		if got := s.Fetch(shown[1]); got.Status != 200 || len(got.Body) != len(picture) {
			t.Errorf("the picture: %d, %d bytes", got.Status, len(got.Body))
		}
		settings := with(formOn(b.Get(made.Location+"/settings")), "name", "Guest of honour")
		page = b.PostFile(made.Location+"/upload", "file", "more.csv", "walletAddress\n"+apptest.Bob+"\n", settings...).
			Shows(200, "Save the form to use it", "List 1", `value="Guest of honour"`)
		if jobs := s.BadgeJobs(id); len(jobs) != 1 {
			t.Errorf("an upload alone has members judged: %q", jobs)
		}
		b.Post(made.Location+"/settings", with(formOn(page))...).FollowsTo(made.Location).
			Shows(200, "The lists are being imported", "Guest of honour")
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.PostFile(upload, "file", "a.png", string(picture)).Shows(403)
	})
}

func TestRulesGiveBadgesByTheirForm(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		gold, silver := s.CreateBadgeWith(object{"name": "Gold <b>"}), s.CreateBadgeWith(object{"name": "Silver"})
		page := b.Get(b.Site("/rules/new?type=external_rule")).Shows(200, `value="badge"`, "Gold <b>")
		form := with(formOn(page), "name", "Opening", "rewardType", "badge")
		b.Post(b.Site("/rules"), form...).Shows(400, `href="#f-loyaltyBadgeId"`)
		made := b.Post(b.Site("/rules"), append(form, "loyaltyBadgeId", gold)...)
		made.FollowsTo(b.Site("/rules/")).Shows(200, `<option value="`+gold+`" selected>Gold <b>`, "get the “Gold <b>” badge")
		id := made.Location[strings.LastIndex(made.Location, "/")+1:]
		s.Complete(id, object{"walletAddress": apptest.Alice}).OK()
		if got := s.BadgeStatus(gold, apptest.Alice); got != "active" {
			t.Errorf("the badge of the rule: %q", got)
		}
		b.Get(b.Site("/badges/"+gold)).Shows(200, "Rules that use this badge", "Opening")

		ranged := s.Rule("external_rule", object{"name": "Spend", "interval": "unlimited", "amount": 1})
		address := b.Site("/rules/" + ranged)
		page = b.Post(address, with(formOn(b.Get(address)), "add", "metadata.range")...).Shows(200, "First row, badge")
		page = b.Post(address, with(formOn(page), "metadata.range.0.startRange", "10", "metadata.range.0.endRange", "99",
			"metadata.range.0.amount", "3", "metadata.range.0.loyaltyBadgeId", silver, "metadata.rewardBadgePerRange", "on")...).
			FollowsTo(address).Shows(200, `<option value="`+silver+`" selected>Silver`)
		b.Post(address, with(formOn(page), "metadata.range.0.loyaltyBadgeId", unknownID)...).
			Shows(400, "badge", "Badge not found")
		s.Complete(ranged, object{"walletAddress": apptest.Bob, "rangeValue": 20}).OK()
		if got := s.BadgeStatus(silver, apptest.Bob); got != "active" {
			t.Errorf("the badge of the range: %q", got)
		}
		b.Get(b.Site("/rules/"+ranged+"/history")).Shows(200, "badge Silver")
		b.Get(b.Site("/rules")).Shows(200, "Badge “Gold <b>”")
		s.Remove(apptest.BadgesPath + "/" + gold)
		b.Get(b.Site("/rules/"+id)).Shows(200, "Not set up", "The rule’s badge was deleted.", "(deleted)")
		s.Complete(id, object{"walletAddress": apptest.Bob}).Refused(400, "Rule is not setup")
	})
}

func TestChainsAreMadeOfBadges(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		badge, locked := s.CreateBadgeWith(object{"name": "Key <b>"}), s.Free(object{"name": "Locked"})
		page := b.Get(b.Site("/chains/new?rule=" + locked)).Hides("by hand")
		page = b.Post(b.Site("/chains"), with(formOn(page), "name", "A", "add", "condition", "kind", "badge")...).Shows(200, "Key <b>")
		page = b.Post(b.Site("/chains"), with(formOn(page), "remove", "0")...).Shows(200)
		b.Post(b.Site("/chains"), with(formOn(page))...).Shows(400, `href="#f-loyaltyConditions.0.loyaltyBadgeIds"`)
		b.Post(b.Site("/chains"), with(formOn(page), "loyaltyConditions.0.loyaltyBadgeIds", badge)...).
			FollowsTo(b.Site("/rules/"+locked+"/chains")).Shows(200, "Has the “Key <b>” badge")
		s.Complete(locked, object{"walletAddress": apptest.Alice}).Refused(400, "Please complete other required rules to unlock this quest.")
		s.GrantBadge(badge, apptest.Alice)
		s.Complete(locked, object{"walletAddress": apptest.Alice}).OK()
	})
}
