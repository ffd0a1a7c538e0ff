package webhooks_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

type object = apptest.Object

const subscriptions = "/api/stratus/subscriptions"

// eachDev runs the test on each engine, on a server that may call receivers of this machine.
func eachDev(t *testing.T, f func(t *testing.T, s *apptest.Server, r *apptest.Receiver)) {
	t.Helper()
	apptest.EachWith(t, app.Config{NoRateLimits: true, Dev: true}, func(t *testing.T, s *apptest.Server) {
		f(t, s, apptest.NewReceiver(t))
	})
}

func decoded(t *testing.T, text string) object {
	t.Helper()
	var out object
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return out
}

func TestACompletionIsToldAndItsSignatureVerifies(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		rule := s.Rule("external_rule", object{"loyaltyCurrencyId": s.LoyaltyCurrencyID, "amount": 10})
		s.Complete(rule, object{"walletAddress": "before"}).OK() // of before the subscription
		sub := s.Subscribe(r.URL, object{"platformSubscriptions": []any{
			object{"tableNames": []any{"LoyaltyTransactionEntry", "LoyaltyAccount"}, "triggerId": "points"},
			object{"tableNames": []any{"LoyaltyRuleStatus", "User"}},
		}}, "")
		s.Complete(rule, object{"walletAddress": "cust_1001"}).OK()
		s.DeliverEvents()
		calls := r.TakeCalls()
		types := map[string]object{}
		verifier, err := standard.NewWebhook(sub["signingKey"].(string))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range calls {
			// the clock of the test stands at noon of another day: the tolerance is the receiver's
			if err := verifier.VerifyIgnoringTimestamp([]byte(c.Body), c.Header); err != nil {
				t.Errorf("%v: %s", err, c.Body)
			}
			body := decoded(t, c.Body)
			if body["id"] != c.ID() || len(body) != 4 {
				t.Errorf("%s", c.Body)
			}
			types[body["type"].(string)] = body["data"].(object)
			if c.Header.Get("Laurel-Subscription-Id") != sub["id"] {
				t.Errorf("%v", c.Header)
			}
			trigger := ""
			if strings.HasPrefix(body["type"].(string), "LoyaltyTransaction") || strings.HasPrefix(body["type"].(string), "LoyaltyAccount") {
				trigger = "points"
			}
			if c.Header.Get("Laurel-Trigger-Id") != trigger {
				t.Errorf("%s: trigger %q", body["type"], c.Header.Get("Laurel-Trigger-Id"))
			}
		}
		want := []string{"LoyaltyAccount.created", "LoyaltyRuleStatus.completed", "LoyaltyTransactionEntry.created", "User.created"}
		var got []string
		for name := range types {
			got = append(got, name)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
		listed := s.Get("/api/loyalty/transaction_entries?walletAddress=cust_1001").Data()[0]
		entry := types["LoyaltyTransactionEntry.created"]
		for _, name := range []string{"id", "loyaltyAccountId", "amount", "loyaltyTransactionId", "createdAt"} {
			if fmt.Sprint(entry[name]) != fmt.Sprint(listed[name]) {
				t.Errorf("%s: sent %v, listed %v", name, entry[name], listed[name])
			}
		}
		if a := types["LoyaltyAccount.created"]; fmt.Sprint(a["amount"]) != "10" || a["user"].(object)["walletAddress"] != "cust_1001" {
			t.Errorf("%v", a)
		}
		status := types["LoyaltyRuleStatus.completed"]
		if status["loyaltyRule"].(object)["id"] != rule || status["user"].(object)["walletAddress"] != "cust_1001" || status["fulfilledAt"] == nil {
			t.Errorf("%v", status)
		}
		s.DeliverEvents()
		if again := r.TakeCalls(); len(again) > 0 {
			t.Errorf("sent again: %v", again)
		}
		events := s.Get(subscriptions + "/" + sub["id"].(string) + "/events").Data()
		if len(events) != len(calls) {
			t.Fatalf("%d events, %d calls", len(events), len(calls))
		}
		for _, e := range events {
			if e["status"] != "delivered" || fmt.Sprint(e["attempts"]) != "1" || e["nextAttemptAt"] != nil ||
				fmt.Sprint(e["callback"].(object)["response"].(object)["status"]) != "204" || e["payload"].(object)["id"] != e["id"] {
				t.Errorf("%v", e)
			}
		}
	})
}

// event returns the newest event of a subscription.
func event(s *apptest.Server, sub object) object {
	s.T.Helper()
	events := s.Get(subscriptions + "/" + sub["id"].(string) + "/events?limit=1").Data()
	if len(events) == 0 {
		s.T.Fatal("no events")
	}
	return events[0]
}

func state(e object) string {
	return fmt.Sprint(e["status"], " ", e["attempts"])
}

func TestFailedAttemptsAreRetriedAsTheScheduleSays(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		sub := s.Subscribe(r.URL, nil, "LoyaltyTransactionEntry")
		r.RespondWith(500)
		s.Transact(apptest.Points("cust_1", 5)).OK()
		s.DeliverEvents()
		first := r.TakeCalls()
		if len(first) != 1 || state(event(s, sub)) != "pending 1" {
			t.Fatalf("%d calls, %v", len(first), event(s, sub))
		}
		for i, pause := range []time.Duration{
			5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 14 * time.Hour,
			20 * time.Hour, 24 * time.Hour,
		} {
			s.AdvanceAndExpire(pause * 89 / 100)
			s.DeliverEvents()
			if calls := r.TakeCalls(); len(calls) > 0 {
				t.Fatalf("attempt %d before its time", i+2)
			}
			s.AdvanceAndExpire(pause * 22 / 100)
			s.DeliverEvents()
			calls := r.TakeCalls()
			if len(calls) != 1 || calls[0].ID() != first[0].ID() || calls[0].Body != first[0].Body {
				t.Fatalf("attempt %d: %d calls", i+2, len(calls))
			}
		}
		if got := event(s, sub); state(got) != "failed 10" || got["nextAttemptAt"] != nil {
			t.Errorf("%v", got)
		}
		if got := s.Get(subscriptions + "/" + sub["id"].(string)).OK(); fmt.Sprint(got["consecutiveFailures"]) != "10" || got["disabled"] != false {
			t.Errorf("%v", got)
		}
		r.RespondWith(200)
		path := subscriptions + "/" + sub["id"].(string) + "/events/" + first[0].ID()
		if got := s.Post(path+"/redeliver", nil).OK(); state(got) != "pending 10" || got["id"] != first[0].ID() {
			t.Errorf("%v", got)
		}
		s.DeliverEvents()
		if calls := r.TakeCalls(); len(calls) != 1 || calls[0].ID() != first[0].ID() {
			t.Errorf("%v", calls)
		}
		shown := s.Get(path).OK()
		if state(shown) != "delivered 11" || len(shown["attemptList"].([]any)) != 11 {
			t.Errorf("%v", shown)
		}
		if got := s.Get(subscriptions + "/" + sub["id"].(string)).OK(); fmt.Sprint(got["consecutiveFailures"]) != "0" {
			t.Errorf("%v", got)
		}
	})
}

func TestReceiversAskForTimeOrAreGone(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		sub := s.Subscribe(r.URL, nil, "LoyaltyTransactionEntry")
		watcher := apptest.NewReceiver(t)
		s.Subscribe(watcher.URL, object{"name": "Watcher"}, "Subscription")
		id := sub["id"].(string)
		r.Mu.Lock()
		r.Say = func(apptest.Received) (int, map[string]string, string) {
			return 503, map[string]string{"Retry-After": "600"}, strings.Repeat("é", 2000)
		}
		r.Mu.Unlock()
		s.Transact(apptest.Points("cust_1", 5)).OK()
		s.DeliverEvents()
		r.TakeCalls()
		got := event(s, sub)
		body := got["callback"].(object)["response"].(object)["body"].(string)
		if len([]rune(body)) != 1024 {
			t.Errorf("%d characters of the body are kept", len([]rune(body)))
		}
		s.AdvanceAndExpire(9 * time.Minute)
		s.DeliverEvents()
		if calls := r.TakeCalls(); len(calls) > 0 {
			t.Fatal("Retry-After was not honoured")
		}
		r.RespondWith(410)
		s.AdvanceAndExpire(2 * time.Minute)
		s.DeliverEvents()
		if got := event(s, sub); state(got) != "failed 2" {
			t.Errorf("%v", got)
		}
		off := s.Get(subscriptions + "/" + id).OK()
		if off["disabled"] != true || off["disabledReason"] != "The endpoint answered 410 Gone" || off["disabledAt"] == nil {
			t.Fatalf("%v", off)
		}
		r.RespondWith(204)
		r.TakeCalls()
		s.Transact(apptest.Points("cust_1", 7)).OK()
		s.DeliverEvents()
		if calls := r.TakeCalls(); len(calls) > 0 || event(s, sub)["status"] != "held" {
			t.Fatalf("%d calls, %v", len(calls), event(s, sub))
		}
		calls := watcher.TakeCalls()
		if len(calls) != 1 || decoded(t, calls[0].Body)["type"] != "Subscription.disabled" ||
			decoded(t, calls[0].Body)["data"].(object)["id"] != id {
			t.Errorf("%v", calls)
		}
		s.Post(subscriptions+"/"+id+"/test", nil).Refused(400, "The subscription is disabled. Enable it first")
		on := s.Post(subscriptions+"/"+id+"/enable", nil).OK()
		if on["disabled"] != false || fmt.Sprint(on["consecutiveFailures"]) != "0" {
			t.Errorf("%v", on)
		}
		s.DeliverEvents()
		if calls := r.TakeCalls(); len(calls) != 1 || state(event(s, sub)) != "delivered 1" {
			t.Errorf("%d calls, %v", len(calls), event(s, sub))
		}
		if calls := watcher.TakeCalls(); len(calls) != 1 || decoded(t, calls[0].Body)["type"] != "Subscription.enabled" {
			t.Errorf("%v", calls)
		}
	})
}

func TestASubscriptionIsDisabledAfterFiveDaysOfFailures(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		sub := s.Subscribe(r.URL, nil, "LoyaltyTransactionEntry")
		id := sub["id"].(string)
		r.RespondWith(500)
		s.Transact(apptest.Points("cust_1", 5)).OK()
		s.DeliverEvents()
		s.AdvanceAndExpire(6 * 24 * time.Hour)
		s.DeliverEvents() // long enough, but only two attempts
		if got := s.Get(subscriptions + "/" + id).OK(); got["disabled"] != false {
			t.Fatalf("%v", got)
		}
		for i := range 18 {
			s.Transact(apptest.Points(fmt.Sprintf("cust_%d", i), 5)).OK()
		}
		s.DeliverEvents()
		got := s.Get(subscriptions + "/" + id).OK()
		if got["disabled"] != true || got["disabledReason"] != "Every delivery failed for 5 days" {
			t.Fatalf("%v", got)
		}
		r.RespondWith(200)
		s.Transact(apptest.Points("cust_1", 6)).OK()
		s.DeliverEvents()
		s.Post(subscriptions+"/"+id+"/enable", object{"replay": false}).OK()
		r.TakeCalls()
		s.DeliverEvents()
		if calls := r.TakeCalls(); len(calls) > 0 || event(s, sub)["status"] != "skipped" {
			t.Errorf("%d calls, %v", len(calls), event(s, sub))
		}
	})
}

func TestBoundsOfASubscription(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		bounded := s.Subscribe(r.URL, object{"maxEventsPerDay": 2}, "LoyaltyTransactionEntry")
		later := s.Subscribe(r.URL, object{"startsAt": apptest.Noon.Add(time.Hour), "endsAt": apptest.Noon.Add(2 * time.Hour)},
			"LoyaltyTransactionEntry")
		other := s.Post("/api/loyalty/currencies", object{"name": "Gems", "symbol": "G", "decimals": 0}).OK()
		s.Post(subscriptions, object{
			"name": "Gems", "organizationId": s.OrganizationID, "websiteId": s.WebsiteID,
			"platformSubscriptions": []any{object{"tableNames": []any{"LoyaltyAccount"},
				"mainLoyaltyAccountIds": []any{s.WebsiteID}}},
		}).Refused(400, "Account not found")
		main := s.Get("/api/loyalty/accounts?userId=&loyaltyCurrencyId=" + other["id"].(string)).Data()[0]["id"]
		gems := s.Post(subscriptions, object{
			"name": "Gems", "organizationId": s.OrganizationID, "websiteId": s.WebsiteID,
			"platformSubscriptions": []any{object{"tableNames": []any{"LoyaltyAccount", "LoyaltyTransactionEntry"},
				"mainLoyaltyAccountIds": []any{main}}},
		}).OK()
		for i := range 3 {
			s.Transact(apptest.Points("cust_1", i+1)).OK()
		}
		s.DeliverEvents()
		count := func(sub object, status string) int {
			return len(s.Get(subscriptions + "/" + sub["id"].(string) + "/events?status=" + status).Data())
		}
		if d, k := count(bounded, "delivered"), count(bounded, "skipped"); d != 2 || k != 1 {
			t.Errorf("%d delivered, %d skipped", d, k)
		}
		if n := len(s.Get(subscriptions + "/" + later["id"].(string) + "/events").Data()); n != 0 {
			t.Errorf("%d events before startsAt", n)
		}
		if n := len(s.Get(subscriptions + "/" + gems["id"].(string) + "/events").Data()); n != 0 {
			t.Errorf("%d events of another currency", n)
		}
		s.Transact(apptest.Points("cust_1", 4, object{"loyaltyCurrencyId": other["id"]})).OK()
		s.AdvanceAndExpire(time.Hour + time.Minute)
		s.Transact(apptest.Points("cust_1", 4)).OK()
		s.AdvanceAndExpire(time.Hour)
		s.Transact(apptest.Points("cust_1", 5)).OK()
		s.DeliverEvents()
		if n := len(s.Get(subscriptions + "/" + later["id"].(string) + "/events").Data()); n != 1 {
			t.Errorf("%d events within the period", n)
		}
		if n := count(gems, "skipped"); n != 2 { // without a callback they are only recorded
			t.Errorf("%d events are recorded", n)
		}
		s.AdvanceAndExpire(24 * time.Hour)
		s.Transact(apptest.Points("cust_1", 6)).OK()
		s.DeliverEvents()
		if d := count(bounded, "delivered"); d != 3 {
			t.Errorf("%d delivered on the next day", d)
		}
		r.TakeCalls()
		path := subscriptions + "/" + bounded["id"].(string) + "/redeliver"
		s.Post(path, nil).Refused(400, "from is required")
		s.Post(path, object{"from": apptest.Noon.Add(-31 * 24 * time.Hour), "to": apptest.Noon}).
			Refused(400, "from must be at most 30 days back")
		from := object{"from": apptest.Noon, "to": apptest.Noon.Add(48 * time.Hour), "status": "skipped"}
		if got := s.Post(path, from).OK(); fmt.Sprint(got["queued"]) != "4" {
			t.Errorf("%v", got)
		}
		s.DeliverEvents()
		if calls := r.TakeCalls(); len(calls) != 4 || count(bounded, "skipped") != 0 {
			t.Errorf("%d calls", len(calls))
		}
	})
}

func TestKeysAreRotatedWithADayOfGrace(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		sub := s.Subscribe(r.URL, nil, "User")
		path := subscriptions + "/" + sub["id"].(string)
		keys := []string{sub["signingKey"].(string)}
		for range 3 {
			keys = append(keys, s.Post(path+"/rotate_key", nil).OK()["signingKey"].(string))
		}
		signatures := func() (n int, verify func(key string) bool) {
			s.Post(path+"/test", object{"type": "User.created"}).OK()
			s.DeliverEvents()
			calls := r.TakeCalls()
			if len(calls) != 1 || decoded(t, calls[0].Body)["data"].(object)["test"] != true {
				t.Fatalf("%v", calls)
			}
			return len(strings.Fields(calls[0].Header.Get("Webhook-Signature"))), func(key string) bool {
				v, err := standard.NewWebhook(key)
				return err == nil && v.VerifyIgnoringTimestamp([]byte(calls[0].Body), calls[0].Header) == nil
			}
		}
		n, verifies := signatures()
		if n != 3 || verifies(keys[0]) || !verifies(keys[1]) || !verifies(keys[3]) {
			t.Errorf("%d signatures", n)
		}
		s.AdvanceAndExpire(25 * time.Hour)
		if n, verifies := signatures(); n != 1 || !verifies(keys[3]) {
			t.Errorf("%d signatures a day later", n)
		}
		s.Post(path+"/test", object{"type": "LoyaltyRule.created"}).Refused(400, "type must be one of: User.created, User.updated")
	})
}

func TestV1SendsBatches(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		sub := s.Subscribe(r.URL, object{"version": "v1"}, "LoyaltyTransactionEntry")
		for i := range 130 {
			s.Transact(apptest.Points("cust_1", i+1)).OK()
		}
		s.DeliverEvents()
		s.AdvanceAndExpire(2 * time.Second)
		s.DeliverEvents()
		var items []object
		for _, c := range r.TakeCalls() {
			var batch []object
			if err := json.Unmarshal([]byte(c.Body), &batch); err != nil {
				t.Fatal(err)
			}
			if len(batch) > 100 || c.Header.Get("X-Signature") == "" || c.Header.Get("Webhook-Signature") != "" {
				t.Errorf("%d items, %v", len(batch), c.Header)
			}
			items = append(items, batch...)
		}
		if len(items) != 130 {
			t.Fatalf("%d items", len(items))
		}
		for i, item := range items {
			about := item["_event"].(object)
			if fmt.Sprint(item["amount"]) != fmt.Sprint(i+1) || about["subscriptionId"] != sub["id"] ||
				about["type"] != "LoyaltyTransactionEntry.created" {
				t.Fatalf("item %d: %v", i, item)
			}
		}
	})
}

func TestARequestOfV1IsOneAttemptAndFunctionsAreTriedByThemselves(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		function := s.Post("/api/stratus/functions", object{
			"name": "fails", "code": "module.exports.handler = async (input, output) => { throw new Error('no'); " +
				"output.setResult(1); return output.buildOutput(); };",
		}).OK()["id"].(string)
		sub := s.Subscribe(r.URL, object{"version": "v1", "functionIds": []any{function}}, "LoyaltyTransactionEntry")
		for i := range 3 {
			s.Transact(apptest.Points("cust_1", i+1)).OK()
		}
		failures := func() string {
			return fmt.Sprint(s.Get(subscriptions + "/" + sub["id"].(string)).OK()["consecutiveFailures"])
		}
		r.RespondWith(500)
		s.FanOut()
		s.AdvanceAndExpire(2 * time.Second)
		s.DeliverEvents()
		if calls := len(r.TakeCalls()); calls != 1 || failures() != "1" {
			t.Errorf("%d calls and %s failures of three events", calls, failures())
		}
		r.RespondWith(204)
		for _, pause := range []time.Duration{6 * time.Second, 6 * time.Minute, 40 * time.Minute} {
			s.AdvanceAndExpire(pause)
			s.DeliverEvents()
		}
		runs := func() int { return len(s.Get("/api/stratus/functions/" + function + "/runs?limit=100").Data()) }
		if calls := len(r.TakeCalls()); calls != 1 || failures() != "0" || runs() != 12 {
			t.Errorf("%d calls, %s failures, %d runs", calls, failures(), runs())
		}
		first := event(s, sub)
		s.Post(subscriptions+"/"+sub["id"].(string)+"/events/"+first["id"].(string)+"/redeliver", nil).OK()
		s.AdvanceAndExpire(2 * time.Second)
		s.DeliverEvents()
		if calls := len(r.TakeCalls()); calls != 1 || runs() != 13 {
			t.Errorf("sent again: %d calls, %d runs", calls, runs())
		}
	})
}

func TestSubscriptionsAreCheckedAndBelongToTheirWebsite(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		body := func(more object) object {
			out := object{"name": "CRM", "organizationId": s.OrganizationID, "websiteId": s.WebsiteID}
			for k, v := range more {
				out[k] = v
			}
			return out
		}
		tables := []any{object{"tableNames": []any{"User"}}}
		chain := object{"chainId": 1, "contractAddress": "0x00000000000000000000000000000000000000Aa",
			"blockchainSubscriptionType": "EVENT", "eventAbi": "event Transfer(address indexed from, address indexed to, uint256 value)"}
		with := func(name string, value any) object {
			out := object{}
			for k, v := range chain {
				out[k] = v
			}
			out[name] = value
			return object{"blockchainSubscriptions": []any{out}}
		}
		const groups = "Exactly one of blockchainSubscriptions and platformSubscriptions is required"
		for _, c := range []struct {
			body    object
			message string
		}{
			{object{}, groups},
			{object{"platformSubscriptions": []any{}}, groups},
			{object{"platformSubscriptions": tables, "blockchainSubscriptions": []any{chain}}, groups},
			{object{"platformSubscriptions": tables, "name": ""}, "name is required"},
			{object{"platformSubscriptions": tables, "callbackUrl": "x"}, "callbackUrl must be a valid url"},
			{object{"platformSubscriptions": tables, "callbackUrl": "http://shop.example"}, "callbackUrl must use https"},
			{object{"platformSubscriptions": tables, "callbackUrl": "https://a:b@shop.example"}, "callbackUrl must not contain credentials"},
			{object{"platformSubscriptions": tables, "callbackUrl": "https://10.0.0.1"}, "callbackUrl must not point to a private address"},
			{object{"platformSubscriptions": tables, "callbackUrl": "https://[::ffff:127.0.0.1]/"}, "callbackUrl must not point to a private address"},
			{object{"platformSubscriptions": tables, "functionIds": []any{"x"}}, "Function not found"},
			{object{"platformSubscriptions": tables, "maxEventsPerDay": 0}, "maxEventsPerDay must be between 1 and 1000000000"},
			{object{"platformSubscriptions": tables, "version": "v3"}, "version must be one of: v1, v2"},
			{object{"platformSubscriptions": tables, "finality": "instant"}, "finality goes with blockchainSubscriptions only"},
			{object{"platformSubscriptions": tables, "startsAt": "2026-01-02T00:00:00Z", "endsAt": "2026-01-01T00:00:00Z"},
				"endsAt must not be before startsAt"},
			{object{"platformSubscriptions": []any{object{"tableNames": []any{"User"}, "triggerId": "a\nb"}}},
				"triggerId must not contain control characters"},
			{object{"platformSubscriptions": tables, "functionIds": []any{s.WebsiteID, strings.ToUpper(s.WebsiteID.String())}},
				"functionIds.1 is named twice"},
			{with("chainId", 4711), "chainId 4711 is not configured"},
			{with("eventAbi", ""), "eventAbi is required"},
			{with("eventAbi", "Transfer"), `"message":"eventAbi is invalid"`},
			{with("eventAbi", "event Paid(address indexed by, (uint7 units)[] parts)"), `{"path":` +
				`"blockchainSubscriptions.0.eventAbi.inputs.1.components.0.type","code":"invalid","message":` +
				`"blockchainSubscriptions.0.eventAbi.inputs.1.components.0.type must be a type of the ABI, such as uint256"}`},
			{with("eventAbi", `{"type":"event","name":"Paid","inputs":[{"type":"address"},{"name":"x"}]}`),
				"blockchainSubscriptions.0.eventAbi.inputs.1.type is required"},
			{with("blockchainSubscriptionType", "FUNCTION"), "functionAbi is required"},
		} {
			got := s.Post(subscriptions, body(c.body))
			if got.Status != http.StatusBadRequest || !strings.Contains(got.Body, c.message) {
				t.Errorf("%v: %d %s, want %s", c.body, got.Status, got.Body, c.message)
			}
		}
		if n := len(s.Get(subscriptions).Data()); n != 0 {
			t.Errorf("%d were made", n)
		}
		made := s.Post(subscriptions, body(with("triggerId", "t"))).OK()
		source := made["blockchainSubscriptions"].([]any)[0].(object)
		if source["eventSelector"] != "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef" ||
			source["createdAtBlock"] != "0" || source["functionAbi"] != "" || made["finality"] != "confirmed" || made["callbackUrl"] != "" {
			t.Errorf("%v", made)
		}
		sub := s.Subscribe("https://crm.example/hooks", nil, "User", "LoyaltyRule")
		if n := len(sub["platformSubscriptions"].([]any)); n != 2 || sub["version"] != "v2" || sub["deletedAt"] != nil {
			t.Errorf("%v", sub)
		}
		for query, want := range map[string]int{
			"": 2, "?type=platform": 1, "?type=blockchain": 1, "?table=User": 1, "?table=LoyaltyBadge": 0, "?chainId=1": 1,
			"?contractAddress=0x00000000000000000000000000000000000000aA": 1, "?disabled=true": 0, "?disabled=false": 2, "?name=cr": 2,
			"?name=%25": 0,
		} {
			if got := s.Get(subscriptions + query).Data(); len(got) != want {
				t.Errorf("%s: %d, want %d", query, len(got), want)
			}
		}
		path := subscriptions + "/" + sub["id"].(string)
		if got := s.Post(path, object{"name": "New", "metadata": object{"a": 1}, "callbackUrl": ""}).OK(); got["name"] != "New" ||
			got["callbackUrl"] != "" || got["metadata"].(object)["a"] == nil || got["signingKey"] != sub["signingKey"] {
			t.Errorf("%v", got)
		}
		if got := s.Call(s.WebsiteAPIKey, "DELETE", path, nil).OK(); got["deletedAt"] == nil {
			t.Errorf("%v", got)
		}
		if got := s.Get(path).OK(); got["deletedAt"] == nil {
			t.Errorf("%v", got)
		}
		s.Post(path, object{"name": "x"}).Refused(404, "Subscription not found")
		s.Get(path + "/events").OK()
	})
}

func TestFunctionsRunOnEventsBesideTheCallback(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		function := func(name, body string) any {
			return s.Post("/api/stratus/functions", object{
				"name": name, "code": "module.exports.handler = async (input, output) => { " + body + "; return output.buildOutput(); };",
			}).OK()["id"]
		}
		sums := function("sums", "output.setResult({amount: input.event.data.amount, of: input.subscriptionId, kind: input.trigger})")
		fails := function("fails", "throw new Error('no'); output.setResult(1)")
		gives := function("gives up", "output.fail('never')")
		sub := s.Subscribe(r.URL, object{"functionIds": []any{sums}}, "LoyaltyTransactionEntry")
		broken := s.Subscribe("", object{"name": "Broken", "functionIds": []any{fails, gives}}, "LoyaltyTransactionEntry")
		s.Transact(apptest.Points("cust_1", 5)).OK()
		s.DeliverEvents()
		if calls := r.TakeCalls(); len(calls) != 1 {
			t.Fatalf("%d calls", len(calls))
		}
		got := event(s, sub)
		run := got["functionRun"].(object)
		output := run["output"].(object)
		if got["status"] != "delivered" || run["status"] != "succeeded" || fmt.Sprint(output["amount"]) != "5" ||
			output["of"] != sub["id"] || output["kind"] != "subscription" || run["id"] != sums {
			t.Errorf("%v", got)
		}
		if got := event(s, broken); state(got) != "pending 1" || got["callback"] != nil {
			t.Errorf("%v", got)
		}
		for _, pause := range []time.Duration{6 * time.Second, 6 * time.Minute, 40 * time.Minute} {
			s.AdvanceAndExpire(pause)
			s.DeliverEvents()
		}
		got = event(s, broken)
		runs := got["functionRuns"].([]any)
		if state(got) != "failed 4" || runs[0].(object)["status"] != "failed" || runs[1].(object)["status"] != "failed" {
			t.Errorf("%v", got)
		}
		count := func(id any) int { return len(s.Get("/api/stratus/functions/" + id.(string) + "/runs").Data()) }
		if a, b, c := count(sums), count(fails), count(gives); a != 1 || b != 4 || c != 1 {
			t.Errorf("%d, %d and %d runs", a, b, c)
		}
	})
}

func TestReceiversThatMisbehaveHoldUpNobody(t *testing.T) {
	t.Parallel()
	config := app.Config{NoRateLimits: true, Dev: true, Webhooks: app.WebhookPolicy{CallTimeout: 2 * time.Second}}
	apptest.EachWith(t, config, func(t *testing.T, s *apptest.Server) {
		good := apptest.NewReceiver(t)
		evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			switch r.URL.Path {
			case "/hangs":
				<-r.Context().Done()
			case "/slowly":
				w.WriteHeader(http.StatusOK)
				for r.Context().Err() == nil {
					_, _ = io.WriteString(w, ".")
					_ = http.NewResponseController(w).Flush()
					time.Sleep(50 * time.Millisecond)
				}
			case "/resets":
				panic(http.ErrAbortHandler)
			case "/redirects":
				http.Redirect(w, r, good.URL+"/private", http.StatusTemporaryRedirect)
			case "/much":
				_, _ = w.Write(bytes.Repeat([]byte("x"), 10<<20))
			case "/nul":
				_, _ = io.WriteString(w, "a\x00\xffb")
			}
		}))
		t.Cleanup(evil.Close)
		subs := map[string]object{}
		for _, path := range []string{"/hangs", "/slowly", "/resets", "/redirects", "/much", "/nul"} {
			subs[path] = s.Subscribe(evil.URL+path, object{"name": path}, "LoyaltyTransactionEntry")
		}
		gone := s.Subscribe("http://127.0.0.1:1/", object{"name": "nobody"}, "LoyaltyTransactionEntry")
		named := s.Subscribe("http://receiver.invalid/", object{"name": "no such name"}, "LoyaltyTransactionEntry")
		s.Subscribe(good.URL, nil, "LoyaltyTransactionEntry")
		s.Transact(apptest.Points("cust_1", 5)).OK()
		s.DeliverEvents()
		if calls := good.TakeCalls(); len(calls) != 1 {
			t.Errorf("%d calls of the good one: a redirect was followed, or it got no event", len(calls))
		}
		for path, want := range map[string]string{
			"/hangs": "pending <nil> no answer in time", "/slowly": "pending <nil> no answer in time",
			"/resets": "pending <nil> the connection broke off", "/redirects": "pending 307 answered with status 307",
			"/much": "delivered 200 <nil>", "/nul": "delivered 200 <nil>",
		} {
			e := event(s, subs[path])
			r := e["callback"].(object)["response"].(object)
			if got := fmt.Sprintf("%v %v %v", e["status"], r["status"], r["error"]); got != want {
				t.Errorf("%s: %s, want %s", path, got, want)
			}
		}
		for name, sub := range map[string]object{"nobody": gone, "no such name": named} {
			r := event(s, sub)["callback"].(object)["response"].(object)
			if text := fmt.Sprint(r["error"]); text != "no connection" {
				t.Errorf("%s: %s", name, text)
			}
		}
	})
}
