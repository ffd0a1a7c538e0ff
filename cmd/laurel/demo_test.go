package main_test

import (
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/wait"
)

var (
	curlLine  = regexp.MustCompile(`(?m)^ +(curl .*)$`)
	shownKey  = regexp.MustCompile(`(organization|website|read-only|client|function) key +(lrl_\w+)`)
	shownLink = regexp.MustCompile(`/admin/link/[\w-]+`)
)

func TestDemoPrintsCommandsThatWorkAsTheyStand(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("no curl: the demo's commands cannot be tried")
	}
	dir := filepath.Join(t.TempDir(), "kept", "here")
	s := start(t, showing, nil, "demo", "--chain", "recorded", "--dir", dir, "--listen", "127.0.0.1:0")
	wait.Until(t, "the demo says how to stop it", func() bool { return strings.Contains(s.out.String(), "Ctrl-C") })
	output := s.out.String()
	if keys := shownKey.FindAllStringSubmatch(output, -1); len(keys) != 5 {
		t.Errorf("%d keys, want 5:\n%s", len(keys), output)
	}
	commands := curlLine.FindAllStringSubmatch(output, -1)
	if len(commands) != 6 {
		t.Fatalf("%d curl commands, want 6:\n%s", len(commands), output)
	}
	answers := make([]any, len(commands))
	for i, c := range commands {
		out, err := exec.Command("sh", "-c", c[1]).Output()
		if err != nil {
			t.Fatalf("%s: %v", c[1], err)
		}
		answers[i] = decode[any](t, string(out))
	}
	if answers[0].(object)["data"].(object)["status"] != "completed" {
		t.Errorf("the purchase: %v", answers[0])
	}
	if entries := answers[1].(object)["data"].([]any); len(entries) == 0 || entries[0].(object)["amount"] != 25.0 {
		t.Errorf("the newest entries do not begin with the purchase: %v", answers[1])
	}
	if board := answers[2].(object)["data"].([]any); len(board) != 5 {
		t.Errorf("the leaderboard: %v", answers[2])
	}
	if streaks := answers[3].([]any); len(streaks) != 1 || streaks[0].(object)["streakCount"].(float64) < 1 {
		t.Errorf("the streak: %v", answers[3])
	}
	if tried := answers[4].(object); tried["wouldComplete"] != false ||
		tried["missing"].(object)["progress"].(object)["have"] != 50.0 {
		t.Errorf("the simulation: %v", answers[4])
	}
	toBadges(t, answers[5])
	link := dashboardLink.FindStringSubmatch(output)
	if link == nil {
		t.Fatalf("the demo prints no link to the dashboard:\n%s", output)
	}
	if page := visit(t, link[1], ""); !strings.Contains(page, "Overview") || !strings.Contains(page, "Demo website") {
		t.Errorf("the dashboard of the demo: %s", page)
	}
	if !strings.Contains(signIn(t, link[1], output), "Demo website") {
		t.Error("the e-mail and password that are shown do not sign in")
	}
	readsMemberPage(t, s)
	site := s.caller(shownKey.FindAllStringSubmatch(output, -1)[1][2])
	people := site.get("/api/users?limit=1000").ok(t)["data"].([]any)
	members := 0
	for _, person := range people {
		if person.(object)["walletAddress"] != nil {
			members++
		}
	}
	if members != 202 { // one of the 200 members has three wallets
		t.Errorf("%d wallets, want 202", members)
	}
	connectedAccounts(t, people)
	everyState(t, site)
	earnedBadges(t, site)
	soldAndAuctioned(t, site)
	composedContent(t, site)
	onChain(t, s, site, "a recorded chain")
	if status := s.stop(syscall.SIGINT); status != 0 {
		t.Errorf("exit status %d:\n%s", status, s.out)
	}
	green(t, "sqlite:"+filepath.Join(dir, "demo.db"))
}

// connectedAccounts looks for members who have proved accounts of three platforms.
func connectedAccounts(t *testing.T, people []any) {
	t.Helper()
	all := 0
	for _, person := range people {
		metadata, _ := person.(object)["userMetadata"].([]any)
		if len(metadata) == 0 || metadata[0].(object)["codeHostUserId"] == nil {
			continue
		}
		m := metadata[0].(object)
		if m["codeHostVerifiedAt"] == nil || m["chatServerVerifiedAt"] == nil || m["forumPlatformVerifiedAt"] == nil ||
			m["codeHostUser"] == nil || m["chatServerUserId"] == nil || m["forumPlatformUser"] == nil {
			t.Errorf("accounts that nobody has proved: %v", m)
		}
		all++
	}
	if all < 10 {
		t.Errorf("%d members have accounts elsewhere", all)
	}
}

func TestDemoWithoutAFolderLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	temporary := t.TempDir()
	s := start(t, showing, []string{"TMPDIR=" + temporary}, "demo", "--listen", "127.0.0.1:0")
	if before, err := os.ReadDir(temporary); err != nil || len(before) != 1 {
		t.Fatalf("%v %v", before, err)
	}
	if status := s.stop(syscall.SIGINT); status != 0 {
		t.Errorf("exit status %d:\n%s", status, s.out)
	}
	if after, err := os.ReadDir(temporary); err != nil || len(after) != 0 {
		t.Errorf("left behind: %v %v", after, err)
	}
}

// toBadges looks at the badges of a member that has one, by a rule, and is half-way to another.
func toBadges(t *testing.T, answer any) {
	t.Helper()
	states := map[string]string{}
	for _, b := range answer.(object)["data"].([]any) {
		for _, u := range b.(object)["loyaltyBadgeUsers"].([]any) {
			text := u.(object)["status"].(string)
			for _, part := range u.(object)["progress"].([]any) {
				text += fmt.Sprintf(" %v/%v", part.(object)["current"], part.(object)["required"])
			}
			states[b.(object)["name"].(string)] = text
		}
	}
	if states["First steps"] != "inactive 1/1 0/1" || !strings.HasPrefix(states["Founding member"], "active") {
		t.Errorf("the badges of the member that is half-way: %q", states)
	}
}

// earnedBadges looks whether each badge is held, and paid for: by a rule, and by conditions that were judged.
func earnedBadges(t *testing.T, site caller) {
	t.Helper()
	held := map[string]map[any]int{}
	for _, b := range site.get("/api/loyalty/badges").ok(t)["data"].([]any) {
		name := b.(object)["name"].(string)
		held[name] = map[any]int{}
		rows := site.get("/api/loyalty/badge_users?limit=1000&loyaltyBadgeId=" + b.(object)["id"].(string)).ok(t)
		for _, u := range rows["data"].([]any) {
			held[name][u.(object)["status"]]++
		}
		if jobs := b.(object)["dataJobs"].([]any); len(jobs) != 1 || jobs[0].(object)["status"] != "complete" {
			t.Errorf("the job of %s: %v", name, jobs)
		}
	}
	if len(held) != 4 || held["Founding member"]["active"] != 6 {
		t.Errorf("badges: %v", held)
	}
	for _, name := range []string{"First steps", "Regular", "All-rounder"} {
		if held[name]["active"] < 5 || held[name]["inactive"] < 5 {
			t.Errorf("%s: %v", name, held[name])
		}
	}
	if held["Regular"]["revoked"] != 1 {
		t.Errorf("nobody lost Regular: %v", held["Regular"])
	}
}

// soldAndAuctioned looks at the store: items that were bought, are sold out or are for few, an auction that is over, one
// in its last minutes, and one that has not begun.
func soldAndAuctioned(t *testing.T, site caller) {
	t.Helper()
	left := map[any]string{}
	for _, a := range site.get("/api/minting/assets?includeHidden=true").ok(t)["data"].([]any) {
		o := a.(object)
		left[o["name"]] = fmt.Sprintf("%v of %v, allowlist %v", o["quantityMinted"], o["quantity"], o["isAllowlisted"])
	}
	for name, want := range map[string]string{
		"Enamel mug": "2 of 40, allowlist false", "Signed print": "2 of 2, allowlist false",
		"Seat at the tasting": "1 of 12, allowlist true",
	} {
		if left[name] != want {
			t.Errorf("%s: %q, want %q", name, left[name], want)
		}
	}
	all := map[any]object{}
	for _, a := range site.get("/api/auctions").ok(t)["data"].([]any) {
		all[a.(object)["name"]] = a.(object)
	}
	when := func(name, which string) time.Duration {
		at, err := time.Parse(time.RFC3339, all[name][which].(string))
		if err != nil {
			t.Fatal(err)
		}
		return time.Until(at)
	}
	if all["An evening in the workshop"]["status"] != "completed" || all["The first sketch"]["status"] != "in_progress" ||
		when("Another dinner", "startsAt") < 24*time.Hour {
		t.Errorf("auctions: %v", all)
	}
	if ends := when("The first sketch", "endsAt"); ends <= 0 || ends > 15*time.Minute {
		t.Errorf("the live auction ends in %s", ends)
	}
	statuses := func(name string) map[any]int {
		seen := map[any]int{}
		for _, b := range site.get("/api/auction_bids?auctionId=" + all[name]["id"].(string)).ok(t)["data"].([]any) {
			seen[b.(object)["status"]]++
		}
		return seen
	}
	if live := statuses("The first sketch"); live["accepted"] != 1 || live["rejected"] != 9 {
		t.Errorf("bids of the live auction: %v", live)
	}
	if ended := statuses("An evening in the workshop"); ended["fulfilled"] != 2 || ended["rejected"] != 2 {
		t.Errorf("bids of the auction that is over: %v", ended)
	}
}

// composedContent looks whether pages and token claims have something of each state.
func composedContent(t *testing.T, site caller) {
	t.Helper()
	claims := map[string]object{}
	for _, c := range site.get("/api/token_claims").ok(t)["data"].([]any) {
		claims[c.(object)["name"].(string)] = c.(object)
	}
	open := claims["First harvest"]
	if len(claims) != 2 || claims["Second harvest"]["isDraft"] != true || open["totalWalletsAllocated"] != 25.0 ||
		open["totalClaimedAmount"] != 38.5 || open["merkleRoot"] == nil {
		t.Fatalf("token claims: %v", claims)
	}
	eligible := 0
	rows := site.get("/api/token_claims/" + open["id"].(string) + "/users?limit=100").ok(t)["data"].([]any)
	for _, u := range rows {
		wallet := u.(object)["user"].(object)["walletAddress"].(string)
		path := "/api/token_claims/" + open["id"].(string) + "/eligibility?walletAddress=" + wallet
		if site.get(path).ok(t)["eligible"] == true {
			eligible++
		}
	}
	if eligible != 24 {
		t.Errorf("%d of %d wallets are eligible, want all but one", eligible, len(rows))
	}
	blocks := site.get("/api/loyalty/website_page_sections").ok(t)["data"].([]any)
	if len(blocks) != 5 || blocks[4].(object)["isHidden"] != true {
		t.Errorf("blocks: %v", blocks)
	}
	of := func(query string) int {
		return len(site.get("/api/page_sections?placement=page&pageId=home" + query).ok(t)["data"].([]any))
	}
	if of("") != 2 || of("&all=1") != 4 {
		t.Errorf("%d of %d sections of the home page are shown, want 2 of 4", of(""), of("&all=1"))
	}
}

// signIn signs in with what the demo shows, and returns the page there.
func signIn(t *testing.T, link, output string) string {
	t.Helper()
	shown := regexp.MustCompile(`(?m)^e-mail +(\S+)\npassword +(\S+)`).FindStringSubmatch(output)
	if shown == nil {
		t.Fatalf("the demo shows no e-mail and password:\n%s", output)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	base, _, _ := strings.Cut(link, "/link/")
	browser := http.Client{Jar: jar}
	page, err := browser.PostForm(base+"/sign-in", url.Values{"email": {shown[1]}, "password": {shown[2]}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = page.Body.Close() }()
	body, err := io.ReadAll(page.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// everyState asks what became of the members' quiz, poll, streaks, referrals and tutorial: each has members that are
// done and members that are not.
func everyState(t *testing.T, site caller) {
	t.Helper()
	rules := map[string]string{}
	for _, r := range site.get("/api/loyalty/rules").ok(t)["data"].([]any) {
		rules[r.(object)["type"].(string)+r.(object)["name"].(string)] = r.(object)["id"].(string)
	}
	tally := func(path string, of func(object) any) map[any]int {
		t.Helper()
		seen := map[any]int{}
		var list []any
		switch answer := decode[any](t, site.get(path).body).(type) {
		case []any:
			list = answer
		case object:
			list, _ = answer["data"].([]any)
		}
		for _, item := range list {
			seen[of(item.(object))]++
		}
		return seen
	}
	paid := func(id string) int {
		return tally("/api/loyalty/transaction_entries?limit=100&loyaltyRuleId="+id, func(object) any { return true })[true]
	}
	quiz, poll, tutorial := rules["quizQuiz of the month"], rules["pollWhat comes next?"], rules["external_ruleTutorial"]
	question := site.get("/api/loyalty/questions?loyaltyRuleIds=" + quiz).ok(t)["data"].([]any)[0].(object)["id"].(string)
	answers := tally(
		"/api/loyalty/questions_responses?limit=1000&questionsId="+question,
		func(o object) any { return o["isCorrect"] },
	)
	if done := paid(quiz); done == 0 || answers[false] == 0 || answers[true] <= done ||
		answers[true]+answers[false] >= 200 {
		t.Errorf("quiz: %v, and %d of them are paid", answers, done)
	}
	if done := paid(poll); done == 0 || done >= 100 {
		t.Errorf("poll: %d are paid", done)
	}
	now := time.Now()
	streaks := tally(
		"/api/loyalty/account_streaks?limit=1000&loyaltyRuleId="+rules["check_inDaily check-in"],
		func(o object) any {
			ends, err := time.Parse(time.RFC3339, o["expiresAt"].(string))
			if err != nil {
				t.Fatal(err)
			}
			return max(-1, int(math.Floor(ends.Sub(now).Hours()/24)))
		},
	)
	if streaks[-1] == 0 || streaks[0] == 0 || streaks[1] == 0 {
		t.Errorf("streaks that are over, that end today and that go on, by the days they have left: %v", streaks)
	}
	referred := tally(
		"/api/referral/users?limit=1000&loyaltyRuleId="+rules["referred_userBring a friend"],
		func(o object) any { return o["eligible"] },
	)
	if referred[true] == 0 || referred[false] == 0 {
		t.Errorf("referrals, eligible and not: %v", referred)
	}
	progress := tally(
		"/api/loyalty/rule_statuses?limit=1000&loyaltyRuleId="+tutorial,
		func(o object) any { return o["progress"] },
	)
	if done := paid(tutorial); progress[50.0] == 0 || progress[80.0] == 0 || done == 0 || done >= progress[100.0] {
		t.Errorf("tutorial: %v, and %d of them are paid", progress, done)
	}
}

// readsMemberPage reads the page of the demo's shop, and the member as the widget on it does.
func readsMemberPage(t *testing.T, s *process) {
	t.Helper()
	page := s.caller("").get("/demo")
	made := regexp.MustCompile(`<laurel-widget client-key="(lrl_\w+)" member-token="([^"]+)">`).FindStringSubmatch(page.body)
	if page.status != http.StatusOK || made == nil || !strings.Contains(page.body, `<script src="/widget.js" defer>`) {
		t.Fatalf("/demo is %d: %s", page.status, page.body)
	}
	if policy := page.header.Get("Content-Security-Policy"); !strings.Contains(policy, "style-src 'self' 'sha256-") {
		t.Errorf("the policy of /demo is %q", policy)
	}
	me, err := s.caller(made[1]).send(http.MethodGet, "/api/users/me", nil, "Authorization", "Bearer "+made[2])
	if err != nil || len(me.ok(t)["accounts"].([]any)) == 0 {
		t.Errorf("the member of /demo: %v %v", me, err)
	}
}
