package dashboard_test

import (
	"encoding/csv"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// csvRows reads a file that a page sent.
func csvRows(p apptest.Page) [][]string {
	p.T.Helper()
	if p.Status != 200 || !strings.HasPrefix(p.Header.Get("Content-Type"), "text/csv") ||
		!strings.HasPrefix(p.Header.Get("Content-Disposition"), "attachment") {
		p.T.Fatalf("no file: %d %v %s", p.Status, p.Header, p.Body)
	}
	text, marked := strings.CutPrefix(p.Body, "\xef\xbb\xbf")
	if !marked || !quotedCells.MatchString(text) {
		p.T.Errorf("no byte order mark, or cells without quotes: %.300q", p.Body)
	}
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		p.T.Fatal(err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if strings.ContainsAny(cell[:min(len(cell), 1)], "=+-@\t\r\n") {
				p.T.Errorf("%q is a formula", cell)
			}
		}
	}
	return rows
}

var quotedCells = regexp.MustCompile(`^("([^"]|"")*"(,"([^"]|"")*")*\r\n)+$`)

func TestListsAreFiles(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleSuperAdmin)
		s.SetPointLifetime(30, 0)
		maren := s.User("maren-1", apptest.Object{"displayName": "=Maren, the \"first\""})
		s.Credit("maren-1", 5)
		rule := s.Rule("external_rule", apptest.Object{"name": "@Weekly", "interval": "unlimited"})
		s.Rule("external_rule", apptest.Object{"name": "Done", "endTime": "2020-01-01T00:00:00Z"})
		s.GrantMultiplier("maren-1", 2, apptest.Object{"title": "Gold"})
		s.Complete(s.CreateStreakRule(nil), apptest.Object{"walletAddress": "maren-1"}).OK()
		for path, cell := range map[string]string{
			"/rules/rules.csv": "'@Weekly", "/groups/groups.csv": "", "/chains/chains.csv": "", "/keys/keys.csv": "Server",
			"/currencies/currencies.csv": "25", "/referrals/referrals.csv": "", "/leaderboard/members.csv": maren,
			"/activity/activity.csv": "", "/team/team.csv": b.Email, "/members/members.csv": `'=Maren, the "first"`,
			"/ledger/entries.csv": maren, "/jobs/jobs.csv": "", "/jobs/jobs.csv?tab=clearings": "",
			"/jobs/jobs.csv?tab=imports": "", "/jobs/jobs.csv?tab=payouts": "", "/jobs/jobs.csv?tab=posts": "",
			"/members/" + maren + "/lots.csv": "open", "/members/" + maren + "/streaks.csv": "1",
			"/members/" + maren + "/progress.csv": "completed", "/members/" + maren + "/multipliers.csv": "Gold",
		} {
			rows := csvRows(b.Get(b.Site(path)))
			if cell == "" {
				continue
			}
			if !slices.ContainsFunc(rows[1:], func(row []string) bool { return slices.Contains(row, cell) }) {
				t.Errorf("%s has no cell %q: %q", path, cell, rows)
			}
		}
		page := b.Get(b.Site("/rules?state=ended")).Shows(200, "Done", "/rules/rules.csv?state=ended")
		if rows := csvRows(page.Get(b.Site("/rules/rules.csv?state=ended"))); len(rows) != 2 || rows[1][1] != "Done" {
			t.Errorf("the filter is lost: %q", rows)
		}
		b.Get(b.Site("/rules/rules.csv?group=x")).Shows(404)
		b.Get(b.Site("/leaderboard/members.csv?at=soon")).Shows(400, "at")
		b.Get(b.Site("/members/"+rule+"/lots.csv")).Shows(404, "Member not found")
		keys := b.Get(b.Site("/keys/keys.csv")).Hides(s.WebsiteAPIKey).Shows(200, s.WebsiteAPIKey[:12])
		keys.Get(b.Site("/keys")).Shows(200, "Export CSV")
		v := s.SignInAdmin(tenancy.RoleViewer)
		for _, path := range []string{"/keys/keys.csv", "/activity/activity.csv", "/team/team.csv", "/jobs/jobs.csv"} {
			v.Get(v.Site(path)).Shows(403, "The Viewer role")
		}
	})
}

func TestALongListIsOneFile(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for i := range 6 {
			var entries []apptest.Object
			for j := range 100 {
				wallet := fmt.Sprintf("wallet-%03d", i*100+j)
				entries = append(entries, apptest.Object{"walletAddress": wallet, "amount": 1 + j%7})
			}
			s.Transact(entries...).OK()
		}
		b := s.SignInAdmin(tenancy.RoleViewer)
		for path, column := range map[string]int{"/members/members.csv": 0, "/leaderboard/members.csv": 1, "/ledger/entries.csv": 2} {
			listed := map[string]bool{}
			for _, row := range csvRows(b.Get(b.Site(path)))[1:] {
				listed[row[column]] = true
			}
			if len(listed) != 600 {
				t.Errorf("%s has %d of 600", path, len(listed))
			}
		}
	})
}

func TestContactsAreHiddenWhereverTheyStand(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		maren := s.User("maren-1", apptest.Object{
			"externalIdentifier": "maren@oduya.example", "internalNotes": "Calls from Lisbon", "phoneNumber": "+351123",
		})
		named := s.User("teo-1", apptest.Object{"displayName": "teo@oduya.example", "codeHostUser": "@teo"})
		accounts := apptest.Object{}
		for platform, names := range map[string][2]string{
			"microblog": {"microblogUserId", "microblogUser"}, "chat_server": {"chatServerUserId", "chatServerUser"},
			"messenger": {"messengerUserId", "messengerUsername"}, "short_video": {"shortVideoUserId", "shortVideoUser"},
			"game_store":     {"gameStoreUserId", "gameStoreUsername"},
			"forum_platform": {"forumPlatformUserId", "forumPlatformUser"}, "code_host": {"codeHostUserId", "codeHostUser"},
			"game_launcher":  {"gameLauncherAccountId", "gameLauncherUsername"},
			"video_platform": {"videoPlatformChannelId"}, "web_account": {"webAccountUserId", "webAccountUser"},
		} {
			for i, name := range names {
				if name != "" {
					accounts[name] = platform + []string{".id", ".name"}[i] + "@oduya.example"
				}
			}
		}
		connected := s.User("anouk-1", accounts)
		for _, platform := range []string{"live_stream", "photo_platform"} { // which secret keys do not write
			accounts[platform] = platform + ".id@oduya.example"
			connectAccount(s, "anouk-1", platform, platform+".id@oduya.example", "")
		}
		s.Transact(apptest.Object{
			"walletAddress": "maren-1", "amount": 5, "metadata": apptest.Object{"shipTo": "Rua 1"},
		}).OK()
		v, b := s.SignInAdmin(tenancy.RoleViewer), s.SignInAdmin(tenancy.RoleModerator)
		entry := csvRows(b.Get(b.Site("/ledger/entries.csv")))[1][1]
		secret := []string{"oduya", "Lisbon", "+351123", "Rua 1"}
		for _, path := range []string{
			"/members", "/members/" + maren, "/members/" + named, "/members/" + connected, "/ledger",
			"/ledger/" + entry, "/leaderboard", "/",
			"/members/members.csv", "/ledger/entries.csv", "/leaderboard/members.csv", "/referrals/referrals.csv",
		} {
			p := v.Get(v.Site(strings.TrimSuffix(path, "/")))
			p.Shows(200).Hides(secret...)
		}
		for _, q := range []string{"maren@oduya.example", "teo@oduya.example"} {
			v.Get(v.Site("/members?q="+q)).Shows(200, "No member matches")
			v.Get(v.Site("/search?q="+q)).Shows(200, "Nothing matches")
			if rows := csvRows(v.Get(v.Site("/members/members.csv?q=" + q))); len(rows) != 1 {
				t.Errorf("a search for %s found %q", q, rows)
			}
		}
		b.Get(b.Site("/members/"+maren)).Shows(200, "maren@oduya.example", "Calls from Lisbon", "+351123")
		b.Get(b.Site("/ledger/"+entry)).Shows(200, "Rua 1")
		for _, address := range accounts { // those that could not be written would hide nothing
			b.Get(b.Site("/members/"+connected)).Shows(200, fmt.Sprint(address))
		}
		v.Get(v.Site("/members/"+named)).Shows(200, "@teo")
	})
}
