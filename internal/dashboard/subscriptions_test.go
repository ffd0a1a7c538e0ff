package dashboard_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

// eachWithReceiver runs the test on each engine, on a server that may call receivers of this machine.
func eachWithReceiver(t *testing.T, f func(t *testing.T, s *apptest.Server, r *apptest.Receiver)) {
	t.Helper()
	apptest.EachWith(t, app.Config{NoRateLimits: true, Dev: true}, func(t *testing.T, s *apptest.Server) {
		f(t, s, apptest.NewReceiver(t))
	})
}

// createSubscription makes a subscription to entries and returns its address in the dashboard below the website.
func createSubscription(s *apptest.Server, r *apptest.Receiver) (path, key string) {
	sub := s.Subscribe(r.URL+"/crm-hook?token=s3cret", nil, "LoyaltyTransactionEntry")
	return "/subscriptions/" + sub["id"].(string), sub["signingKey"].(string)
}

func TestASubscriptionIsMadeChangedAndDeleted(t *testing.T) {
	t.Parallel()
	eachWithReceiver(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		b.Get(b.Site("/subscriptions")).Shows(200, "No subscriptions yet", "posts events to your URL")
		page := b.Get(b.Site("/subscriptions/new")).Shows(200, "Points that a member earned or spent", "Trigger ID")
		b.Post(b.Site("/subscriptions"), "name", "CRM <x>", "callbackUrl", "ftp://crm", "maxEventsPerDay", "many").
			Shows(400, `value="CRM <x>"`, "Maximum events per day: Must be a whole number", `value="many"`)
		b.Post(b.Site("/subscriptions"), "name", "CRM <x>", "callbackUrl", "ftp://crm", "version", "v2", "triggerId", "mine").
			Shows(400, "Must be a valid url", "Choose at least one", `value="mine"`)
		b.Post(b.Site("/subscriptions"), "name", "CRM", "version", "v2", "tables", "User", "functionIds", "a, b").
			Shows(400, "Functions: There is no such function", "a b", `value="User" checked`)
		b.Post(b.Site("/subscriptions"), "name", "CRM", "version", "v2", "tables", "User", "replayFrom", "2020-01-01T10:00").
			Shows(400, "Replay from: Must be at most 30 days back", `value="2020-01-01T10:00"`)
		b.Post(b.Site("/subscriptions"), "name", "CRM", "version", "v2", "tables", "User", "replayFrom", "soon").
			Shows(400, "Replay from: Must be a date with a time", `value="soon"`)
		replay := s.Clock.Now().Add(-time.Hour)
		form := []string{
			"replayFrom", replay.Format("2006-01-02T15:04"),
			"once", match(t, page, `name="once" value="([^"]+)"`), "name", "CRM <x>", "callbackUrl", r.URL + "/crm-hook?token=s3cret",
			"version", "v2", "tables", "LoyaltyTransactionEntry", "tables", "User", "triggerId", "mine",
			"startsAt", "2026-01-01T10:00", "maxEventsPerDay", "500",
		}
		made := b.Post(b.Site("/subscriptions"), form...)
		verify := made.FollowsTo(b.Site("/subscriptions/")).Shows(200, "Subscription created", "CRM <x>", "Standard Webhooks")
		if strings.Contains(verify.Body, "<x>") {
			t.Error("the name is not escaped")
		}
		if again := b.Post(b.Site("/subscriptions"), form...); again.Location != made.Location {
			t.Errorf("made twice: %s, %s", made.Location, again.Location)
		}
		hook := strings.TrimSuffix(made.Location, "/verify")
		api := s.Get("/api/stratus/subscriptions/" + hook[strings.LastIndex(hook, "/")+1:]).OK()
		replayed := replay.Truncate(time.Minute).UTC().Format("2006-01-02T15:04:05.000Z")
		if api["name"] != "CRM <x>" || fmt.Sprint(api["maxEventsPerDay"]) != "500" || api["replayFrom"] != replayed ||
			len(api["platformSubscriptions"].([]any)) != 2 {
			t.Errorf("%v", api)
		}
		b.Get(b.Site("/subscriptions")).Shows(200, "CRM <x>", r.URL+"/crm-hook", "LoyaltyTransactionEntry", "On").Hides("s3cret")
		b.Get(b.Site("/subscriptions?state=failing")).Shows(200, "No matching")
		b.Get(b.Site("/subscriptions?state=odd")).Shows(400, "The filter state")
		rows := csvRows(b.Get(b.Site("/subscriptions/subscriptions.csv")))
		if len(rows) != 2 || rows[1][1] != "CRM <x>" || rows[1][2] != r.URL+"/crm-hook" || rows[1][5] != "on" {
			t.Errorf("%q", rows)
		}
		checkSubscriptionChanges(t, verify, hook, api)
		b.Get(hook+"/delete").Shows(200, "Type “CRM two” to confirm")
		b.Post(hook+"/delete", "name", "CRM").Shows(400, "Must be CRM two", `value="CRM"`)
		b.Post(hook+"/delete", "name", "CRM two").FollowsTo(b.Site("/subscriptions")).Shows(200, "CRM two deleted", "No subscriptions yet")
		b.Get(hook).Shows(200, "Deleted").Hides("Send test")
		b.Post(hook+"/test").Shows(404, "Subscription not found")
		b.Get(b.Site("/subscriptions/" + unknownID)).Shows(404)
	})
}

// checkSubscriptionChanges walks through the settings of the subscription.
func checkSubscriptionChanges(t *testing.T, b apptest.Page, hook string, before apptest.Object) {
	t.Helper()
	page := b.Get(hook+"/settings").Shows(200, "token=s3cret", `value="2026-01-01T10:00"`, "trigger mine")
	baseVersion := match(t, page, `name="seen" value="([^"]+)"`)
	form := []string{
		"seen", baseVersion, "callbackUrl", before["callbackUrl"].(string), "version", "v2", "startsAt", "2026-01-01T10:00",
	}
	b.Post(hook+"/settings", append(form, "name", "CRM two", "endsAt", "2025-01-01T10:00")...).
		Shows(400, "Must not be before startsAt", `value="CRM two"`)
	b.Post(hook+"/settings", append(form, "name", "CRM two")...).FollowsTo(hook+"/settings").Shows(200, "Changes saved", `value="CRM two"`)
	b.Post(hook+"/settings", append(form, "name", "CRM three")...).
		Shows(400, "Someone else changed this while you were editing", "CRM two", "CRM three")
	api := b.Server.Get("/api/stratus/subscriptions/" + hook[strings.LastIndex(hook, "/")+1:]).OK()
	if api["name"] != "CRM two" || api["maxEventsPerDay"] != nil || api["startsAt"] != before["startsAt"] {
		t.Errorf("%v", api)
	}
}

func TestASigningKeyIsShownAfterThePasswordAndRotated(t *testing.T) {
	t.Parallel()
	eachWithReceiver(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		path, key := createSubscription(s, r)
		b := s.SignInAdmin(tenancy.RoleDeveloper)
		for _, page := range []string{"", "/settings", "/verify", "/key"} {
			b.Get(b.Site(path + page)).Shows(200).Hides(key)
		}
		b.Get(b.Site(path+"/verify")).Shows(200, "hidden", "Show", "Rotate")
		b.Post(b.Site(path+"/key"), "confirm", "wrong").Shows(400, "The password is wrong").Hides(key)
		b.Post(b.Site(path+"/key"), "confirm", apptest.Password).Shows(200, key)
		b.Get(b.Site(path+"/rotate")).Shows(200, "with both the old and the new key")
		b.Post(b.Site(path+"/rotate")).FollowsTo(b.Site(path+"/verify")).Shows(200, "Signing key rotated")
		b.Post(b.Site(path+"/key"), "confirm", apptest.Password).Shows(200, "whsec_").Hides(key)
		s.SignInAdmin(tenancy.RoleSuperAdmin).Get(b.Site("/activity")).
			Shows(200, "Viewed the signing key of a subscription", "Rotated the signing key of a subscription")
		m := s.SignInAdmin(tenancy.RoleAdmin)
		m.Get(m.Site(path+"/verify")).Shows(200, "Only owners and developers can see the key").Hides("Rotate")
		m.Post(m.Site(path+"/key"), "confirm", apptest.Password).Shows(403).Hides("whsec_")
		m.Post(m.Site(path + "/rotate")).Shows(403)
	})
}

func TestEventsAreListedReadAndSentAgain(t *testing.T) {
	t.Parallel()
	eachWithReceiver(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		path, _ := createSubscription(s, r)
		b := s.SignInAdmin(tenancy.RoleAdmin)
		b.Get(b.Site(path)).Shows(200, "No events yet", "none yet")
		r.Mu.Lock()
		r.Say = func(apptest.Received) (int, map[string]string, string) { return 500, nil, "<b>maren@oduya.example</b>" }
		r.Mu.Unlock()
		s.Credit("maren@oduya.example", 5)
		s.DeliverEvents()
		list := b.Get(b.Site(path)).Shows(200, "LoyaltyTransactionEntry.created", "Pending", "500", "Failing", "Deliveries have failed since")
		b.Get(b.Site("")).Shows(200, "1 subscription is failing")
		b.Get(b.Site(path+"?status=delivered")).Shows(200, "No matching")
		b.Get(b.Site(path+"?status=odd")).Shows(400, "The filter status")
		event := regexp.MustCompile(`/admin/[^"]+/events/[0-9a-f-]{36}`).FindString(list.Body)
		b.Get(event).Shows(200, `"walletAddress": "maren@oduya.example"`, "Answered with status 500", "Response body")
		if strings.Contains(b.Get(event).Body, "<b>maren") {
			t.Error("an answer is not escaped")
		}
		b.Get(b.Site(path)).Shows(200, "Delivery attempts", "24 hours", ": delivered 0, failed 1",
			`<th scope="col">Hour (UTC)</th>`)
		r.RespondWith(204)
		b.Post(event+"/redeliver").FollowsTo(event).Shows(200, "The event is being resent")
		if err := s.App.Webhooks.SendDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		b.Get(event).Shows(200, "Delivered", "204", "500")
		b.Get(b.Site(path)).Shows(200, ": delivered 1, failed 1")
		b.Get(b.Site(path+"/redeliver")).Shows(200, "Resend events")
		b.Post(b.Site(path+"/redeliver"), "from", "soon", "to", "2026-01-15T00:00").
			Shows(400, "Must be a date with a time", "Choose at least one", `value="soon"`)
		const form = "2006-01-02T15:04"
		now := s.Clock.Now().UTC()
		day := []string{"from", now.Add(-time.Hour).Format(form), "to", now.Add(time.Hour).Format(form)}
		b.Post(b.Site(path+"/redeliver"), append(day, "status", "failed")...).FollowsTo(b.Site(path)).Shows(200, "so nothing was resent")
		b.Post(b.Site(path+"/redeliver"), append(day, "status", "delivered")...).FollowsTo(b.Site(path)).Shows(200, "1 event is being resent")
		rows := csvRows(b.Get(b.Site(path + "/events.csv?status=pending")))
		if len(rows) != 2 || rows[1][1] != "LoyaltyTransactionEntry.created" || rows[1][8] != "204" ||
			slices.ContainsFunc(rows[1], func(cell string) bool { return strings.Contains(cell, "oduya") }) {
			t.Errorf("%q", rows)
		}
		r.TakeCalls()
		b.Get(b.Site(path+"/test")).Shows(200, "LoyaltyTransactionEntry.created")
		b.Post(b.Site(path+"/test"), "type", "User.created").Shows(400, "Must be one of")
		b.Post(b.Site(path+"/test"), "type", "LoyaltyTransactionEntry.created").FollowsTo(b.Site(path+"/events/")).
			Shows(200, "Test event created", `"test": true`)
		if err := s.App.Webhooks.SendDue(t.Context()); err != nil || len(r.TakeCalls()) != 2 {
			t.Errorf("the receiver was not called twice: %v", err)
		}
		v := s.SignInAdmin(tenancy.RoleViewer)
		v.Get(event).Shows(200, "Your role can’t see the body", "Answered with status 500").Hides("oduya", "/crm-hook")
	})
}

func TestAnEventTellsWhichRuleItHasFed(t *testing.T) {
	t.Parallel()
	eachWithReceiver(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		path, _ := createSubscription(s, r)
		function := s.Post("/api/stratus/functions", apptest.Object{
			"name": "thanks", "code": `module.exports.handler = async (input, output) => {
				output.setResult([{walletAddress: "ana", amount: 3}]); return output.buildOutput(); };`,
		}).OK()["id"].(string)
		b := s.SignInAdmin(tenancy.RoleDeveloper)
		rule := s.Rule("stratus_function", apptest.Object{"functionId": function, "interval": "unlimited"})
		b.Get(b.Site("/rules/"+rule)).Shows(200, "Triggered by subscription")
		s.Post("/api/loyalty/rules/"+rule, apptest.Object{"subscriptionId": strings.TrimPrefix(path, "/subscriptions/")}).OK()
		s.Credit("maren@oduya.example", 5)
		s.DeliverEvents()
		list := b.Get(b.Site(path)).Shows(200)
		event := regexp.MustCompile(`/admin/[^"]+/events/[0-9a-f-]{36}`).FindString(list.Body)
		b.Get(event).Shows(200, "for the rule", b.Site("/rules/"+rule), b.Site("/functions/"+function), "Done", `"ana"`)
	})
}

func TestFunctionsOfASubscriptionAreChosenByName(t *testing.T) {
	t.Parallel()
	eachWithReceiver(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		path, _ := createSubscription(s, r)
		id := strings.TrimPrefix(path, "/subscriptions/")
		b := s.SignInAdmin(tenancy.RoleDeveloper)
		b.Get(b.Site("/subscriptions/new")).Shows(200, "This website has no functions yet")
		var ids []string
		for _, name := range []string{"Greets <x>", "Thanks"} {
			at := redirectPath(createFunction(b, name, greets))
			ids = append(ids, at[strings.LastIndex(at, "/")+1:])
		}
		page := b.Get(b.Site(path+"/settings")).Shows(200, "Thanks", `value="`+ids[0]+`"><span>`).Hides("Other functions, by ID")
		form := []string{
			"seen", match(t, page, `name="seen" value="([^"]+)"`), "name", "CRM", "callbackUrl", r.URL + "/crm-hook?token=s3cret",
			"version", "v2",
		}
		ticked := slices.Concat(form, []string{"functions", ids[1], "functions", ids[0]})
		saved := b.Post(b.Site(path+"/settings"), ticked...).FollowsTo(b.Site(path+"/settings")).
			Shows(200, `value="`+ids[0]+`" checked`, `value="`+ids[1]+`" checked`)
		runs := func() string { return fmt.Sprint(s.Get("/api/stratus/subscriptions/" + id).OK()["functionIds"]) }
		if got := runs(); got != fmt.Sprint([]string{ids[1], ids[0]}) {
			t.Errorf("%s", got)
		}
		b.Post(b.Site("/functions/" + ids[0] + "/delete"))
		b.Get(b.Site(path+"/settings")).Shows(200, "Other functions, by ID", ids[0])
		form[1] = match(t, saved, `name="seen" value="([^"]+)"`)
		again := slices.Concat(form, []string{"functions", ids[1], "functionIds", ids[0]}) // what is as it was is not checked again
		b.Post(b.Site(path+"/settings"), again...).FollowsTo(b.Site(path+"/settings")).Shows(200, "Changes saved")
		b.Post(b.Site(path+"/settings"), append(form, "functions", ids[1])...).FollowsTo(b.Site(path + "/settings")).Hides("Other functions, by ID")
		if got := runs(); got != fmt.Sprint([]string{ids[1]}) {
			t.Errorf("%s", got)
		}
	})
}

func TestADisabledSubscriptionIsToldAndEnabled(t *testing.T) {
	t.Parallel()
	eachWithReceiver(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		path, _ := createSubscription(s, r)
		b := s.SignInAdmin(tenancy.RoleDeveloper)
		for _, replay := range []string{"no", "yes"} {
			r.RespondWith(410)
			s.Credit("maren-1", 5)
			s.DeliverEvents()
			b.Get(b.Site("")).Shows(200, "1 subscription is disabled", path)
			b.Get(b.Site("/subscriptions?state=disabled")).Shows(200, "The endpoint answered 410 Gone", "Disabled")
			page := b.Get(b.Site(path)).Shows(200, "Nothing has been sent since", "410 Gone", "Enable and send").Hides("Send test")
			event := regexp.MustCompile(`/admin/[^"]+/events/[0-9a-f-]{36}`).FindString(page.Body)
			b.Post(event+"/redeliver").Shows(400, "The subscription is disabled")
			b.Post(b.Site(path+"/test")).Shows(400, "The subscription is disabled")
			s.Credit("maren-1", 6)
			s.DeliverEvents()
			b.Get(b.Site(path+"?status=held")).Shows(200, "Held", "LoyaltyTransactionEntry.created")
			r.RespondWith(204)
			r.TakeCalls()
			b.Post(b.Site(path+"/enable"), "replay", replay).FollowsTo(b.Site(path)).Shows(200, "Subscription enabled.", "On").Hides("Nothing has been sent since")
			if err := s.App.Webhooks.SendDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			if calls := r.TakeCalls(); (len(calls) == 1) != (replay == "yes") {
				t.Errorf("replay %s: %d calls", replay, len(calls))
			}
		}
		b.Get(b.Site("")).Shows(200).Hides("is disabled", "is failing")
	})
}

func TestSubscriptionsAreChangedByWhoMay(t *testing.T) {
	t.Parallel()
	eachWithReceiver(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		path, _ := createSubscription(s, r)
		for _, role := range []laurel.Role{tenancy.RoleViewer, tenancy.RoleModerator} {
			b := s.SignInAdmin(role)
			b.Get(b.Site("/subscriptions")).Shows(200, "CRM", r.URL).Hides("Create subscription", "/crm-hook", "s3cret")
			b.Get(b.Site(path)).Shows(200, "CRM").Hides("Send test", "Delete", "/crm-hook")
			b.Get(b.Site(path+"/settings")).Shows(200, "no limit").Hides("<textarea", "s3cret", "/crm-hook")
			b.Get(b.Site("/subscriptions/new")).Shows(403, "can’t create, change or delete subscriptions")
			for _, action := range []string{"/settings", "/delete", "/test", "/redeliver", "/enable", "/key", "/rotate"} {
				b.Post(b.Site(path+action), "confirm", apptest.Password).Shows(403)
			}
		}
		other := s.NewProgram("Other")
		o := s.SignInOwner(other.OrganizationID)
		otherSite := "/admin/" + other.WebsiteID.String()
		for _, page := range []string{"", "/settings", "/verify", "/key", "/events.csv", "/redeliver", "/events/" + unknownID} {
			o.Get(otherSite + path + page).Shows(404)
		}
		for _, action := range []string{"/settings", "/delete", "/test", "/redeliver", "/enable", "/rotate"} {
			o.Post(otherSite + path + action).Shows(404)
		}
		o.Post(otherSite+path+"/key", "confirm", apptest.Password).Shows(404)
	})
}

func TestASubscriptionShowsHowMuchOfThePastIsRead(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		sub := s.Post("/api/stratus/subscriptions", object{
			"name": "Chain", "organizationId": s.OrganizationID, "websiteId": s.WebsiteID, "callbackUrl": "https://shop.example/hook",
			"blockchainSubscriptions": []any{object{
				"chainId": 8453, "contractAddress": apptest.Wallet(7), "blockchainSubscriptionType": "EVENT", "fromBlock": "100",
				"eventAbi": `{"type": "event", "name": "Paid", "inputs": []}`,
			}},
		}).OK()
		b := s.SignInAdmin(tenancy.RoleAdmin)
		settings := b.Site("/subscriptions/" + sub["id"].(string) + "/settings")
		b.Get(settings).Shows(200, "EVENT on chain 8453").Hides("earlier blocks")
		for next, want := range map[int64]string{
			100: "Reading earlier blocks: 0 % done, 100 blocks left", 150: "50 % done, 50 blocks left",
			199: "99 % done, 1 block left",
		} {
			db.Exec("UPDATE subscription_sources SET next_block = ?, until_block = 199", next)
			b.Get(settings).Shows(200, want)
		}
		db.Exec("UPDATE subscription_sources SET next_block = 200, until_block = 199")
		b.Get(settings).Shows(200, "EVENT on chain 8453").Hides("earlier blocks")
	})
}
