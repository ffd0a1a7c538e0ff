package webhooks_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// eachWithDatabase is eachDev with the server's database.
func eachWithDatabase(
	t *testing.T, f func(t *testing.T, s *apptest.Server, r *apptest.Receiver, db apptest.Database),
) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		s := apptest.OpenAtNoon(t, address, app.Config{NoRateLimits: true, Dev: true})
		f(t, s, apptest.NewReceiver(t), apptest.Database{DB: storetest.Open(t, address, s.Clock.Now), T: t})
	})
}

// history lists the events of a subscription, the newest first, as amount, status and attempts. It reads pages of a size.
func history(s *apptest.Server, path, status string, size int) (out []string) {
	s.T.Helper()
	after := ""
	for {
		page := s.Get(fmt.Sprintf("%s/events?limit=%d&status=%s%s", path, size, status, after)).OK()
		list := page["data"].([]any)
		for _, one := range list {
			e := one.(object)
			out = append(out, fmt.Sprint(e["payload"].(object)["data"].(object)["amount"], " ", state(e)))
			after = "&startingAfter=" + e["id"].(string)
		}
		if page["hasNextPage"] != true {
			return out
		}
	}
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// TestTheHistoryMergesWhatWasSimplyDeliveredWithTheRest has events in blocks, with rows of their own, and behind the
// position of their subscription.
func TestTheHistoryMergesWhatWasSimplyDeliveredWithTheRest(t *testing.T) {
	t.Parallel()
	eachWithDatabase(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver, db apptest.Database) {
		path := subscriptions + "/" + s.Subscribe(r.URL, nil, "LoyaltyTransactionEntry")["id"].(string)
		r.Mu.Lock()
		r.Say = func(c apptest.Received) (int, map[string]string, string) {
			if strings.Contains(c.Body, `"amount":3,`) {
				return 500, nil, "no"
			}
			return 200, nil, "yes"
		}
		r.Mu.Unlock()
		credit := func(amount int) { s.Transact(apptest.Points(fmt.Sprint("cust_", amount), amount)).OK() }
		for amount := 1; amount <= 5; amount++ {
			credit(amount)
		}
		s.DeliverEvents()
		credit(6)
		s.DeliverEvents()
		credit(7)
		s.ReadFeed()
		if rows, blocks := db.Count("subscription_deliveries"), db.Count("subscription_blocks"); rows != 1 || blocks != 2 {
			t.Errorf("%d rows and %d blocks", rows, blocks)
		}
		all := []string{
			"7 pending 0", "6 delivered 1", "5 delivered 1", "4 delivered 1", "3 pending 1", "2 delivered 1", "1 delivered 1",
		}
		for _, size := range []int{1, 2, 3, 7, 100} {
			same(t, fmt.Sprint("pages of ", size), history(s, path, "", size), all...)
			same(t, "delivered", history(s, path, "delivered", size), all[1], all[2], all[3], all[5], all[6])
			same(t, "pending", history(s, path, "pending", size), all[0], all[4])
			same(t, "pending or delivered", history(s, path, "pending&status=delivered", size), all...)
			same(t, "skipped or held", history(s, path, "skipped&status=held", size))
		}
		list := s.Get(path + "/events").Data()
		for i, want := range []string{"0 <nil>", "1 yes", "1 yes", "1 yes", "1 no", "1 yes", "1 yes"} {
			one := s.Get(path + "/events/" + list[i]["id"].(string)).OK()
			attempts := one["attemptList"].([]any)
			body := any(nil)
			if len(attempts) > 0 {
				body = attempts[0].(object)["body"]
			}
			if got := fmt.Sprint(len(attempts), " ", body); got != want {
				t.Errorf("%s has the attempts %s, want %s", all[i], got, want)
			}
		}
		other := s.Subscribe(r.URL, nil, "User")["id"].(string)
		s.Get(subscriptions+"/"+other+"/events/"+list[1]["id"].(string)).Refused(404, "Event not found")
		s.DeliverEvents()
		r.TakeCalls()

		again := path + "/events/" + list[5]["id"].(string)
		if got := s.Post(again+"/redeliver", nil).OK(); state(got) != "pending 1" || got["callback"] == nil {
			t.Errorf("%v", got)
		}
		s.DeliverEvents()
		if calls := r.TakeCalls(); len(calls) != 1 || calls[0].ID() != list[5]["id"] {
			t.Errorf("%d calls", len(calls))
		}
		if got := s.Get(again).OK(); state(got) != "delivered 2" || len(got["attemptList"].([]any)) != 2 {
			t.Errorf("%v", got)
		}
		all[0], all[5] = "7 delivered 1", "2 delivered 2"
		same(t, "after one was requested again", history(s, path, "", 3), all...)
		same(t, "delivered ones", history(s, path, "delivered", 3), slices.Delete(slices.Clone(all), 4, 5)...)

		period := object{"from": list[5]["triggeredAt"], "to": list[1]["triggeredAt"], "status": "delivered"}
		if got := s.Post(path+"/redeliver", period).OK(); fmt.Sprint(got["queued"]) != "3" { // 2, 4 and 5
			t.Errorf("%v", got)
		}
		s.DeliverEvents()
		if calls := r.TakeCalls(); len(calls) != 3 {
			t.Errorf("%d calls", len(calls))
		}
		all[2], all[3], all[5] = "5 delivered 2", "4 delivered 2", "2 delivered 3"
		same(t, "after some were requested again", history(s, path, "", 2), all...)
	})
}

// TestATurnThatEndsPassesNothing has a turn end while the first events of four members are sent, and others between them
// are not.
func TestATurnThatEndsPassesNothing(t *testing.T) {
	t.Parallel()
	eachWithDatabase(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver, db apptest.Database) {
		path := subscriptions + "/" + s.Subscribe(r.URL, object{"maxEventsPerDay": 14}, "LoyaltyTransactionEntry")["id"].(string)
		r.Mu.Lock()
		r.Say = func(apptest.Received) (int, map[string]string, string) {
			if r.CountCalls() <= 4 {
				s.Clock.Advance(time.Minute)
			}
			return 204, nil, ""
		}
		r.Mu.Unlock()
		for member := range 6 {
			for i := range 3 {
				s.Transact(apptest.Points(fmt.Sprint("cust_", member), 10*member+i+1)).OK()
			}
		}
		s.DeliverEvents()
		if n := db.Count("subscription_deliveries WHERE status = 'pending'"); n == 0 || r.CountCalls() > 12 {
			t.Errorf("%d events were passed, with %d calls", n, r.CountCalls())
		}
		for range 5 {
			s.DeliverEvents()
		}
		last, calls := map[int]int{}, r.TakeCalls()
		for _, c := range calls {
			var member, amount int
			amount = int(decoded(t, c.Body)["data"].(object)["amount"].(float64))
			if member = (amount - 1) / 10; last[member] >= amount {
				t.Errorf("%d is sent after %d", amount, last[member])
			}
			last[member] = amount
		}
		if len(calls) != 14 || len(history(s, path, "delivered", 100)) != 14 || len(history(s, path, "skipped", 100)) != 4 {
			t.Errorf("%d calls; %v", len(calls), history(s, path, "", 100))
		}
	})
}

// TestWhatANodeOfTheVersionBeforeLeavesIsSent has deliveries that such a node has made, events that it has written
// without a currency, and a subscription that it has released as if nothing waited.
func TestWhatANodeOfTheVersionBeforeLeavesIsSent(t *testing.T) {
	t.Parallel()
	eachWithDatabase(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver, db apptest.Database) {
		other := s.Post("/api/loyalty/currencies", object{"name": "Gems", "symbol": "G", "decimals": 0}).OK()
		main := s.Get("/api/loyalty/accounts?userId=&loyaltyCurrencyId=" + other["id"].(string)).Data()[0]["id"]
		sub := s.Subscribe(r.URL, object{"platformSubscriptions": []any{object{
			"tableNames": []any{"LoyaltyTransactionEntry"}, "mainLoyaltyAccountIds": []any{main},
		}}})["id"].(string)
		s.Subscribe("", nil, "LoyaltyTransactionEntry")
		for amount := 1; amount <= 3; amount++ {
			s.Transact(apptest.Points("cust_1", amount, object{"loyaltyCurrencyId": other["id"]})).OK()
			s.Transact(apptest.Points("cust_1", 10*amount)).OK()
		}
		s.ReadFeed()
		db.Exec("UPDATE subscription_events SET currency_id = NULL")
		db.Exec(`INSERT INTO subscription_deliveries (subscription_id, event_id, organization_id, website_id, position, status,
			attempts, tries, called, call_failed, due_at, again)
			SELECT s.id, e.id, e.organization_id, e.website_id, e.position, 'pending', 0, 0, FALSE, FALSE, e.triggered_at, ''
			FROM subscription_events e JOIN subscriptions s ON s.id = '` + sub + `'
			WHERE e.position = (SELECT MIN(position) FROM subscription_events)`)
		db.Exec("UPDATE subscription_senders SET due_at = NULL")
		defer apptest.RunWorkers(s.App.Webhooks.Run)()
		s.WaitUntil(func() bool { return len(history(s, subscriptions+"/"+sub, "delivered", 2)) == 3 })
		var got []string
		for _, c := range r.TakeCalls() {
			got = append(got, fmt.Sprint(decoded(t, c.Body)["data"].(object)["amount"]))
		}
		same(t, "calls", got, "1", "2", "3")
		same(t, "history", history(s, subscriptions+"/"+sub, "", 2), "3 delivered 1", "2 delivered 1", "1 delivered 1")
	})
}

// TestDeliveriesOfBeforePositionsAreMigrated has a subscription with deliveries in all states, and an event that waits
// for its fan-out, as the version before has written them.
func TestDeliveriesOfBeforePositionsAreMigrated(t *testing.T) {
	t.Parallel()
	eachWithDatabase(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver, db apptest.Database) {
		s.User("cust_1", nil)
		sub := s.Subscribe(r.URL, nil, "LoyaltyTransactionEntry")["id"].(string)
		idle := s.Subscribe(r.URL, nil, "User")["id"].(string)
		for amount := 1; amount <= 7; amount++ {
			s.Transact(apptest.Points("cust_1", amount)).OK()
		}
		s.ReadFeed()
		cause := func(i int) string {
			return fmt.Sprint("(SELECT position FROM subscription_events ORDER BY position LIMIT 1 OFFSET ", i, ")")
		}
		for i, columns := range []string{
			"'delivered', 1, 0, TRUE, FALSE, CAST(NULL AS BIGINT)", "'failed', 10, 10, FALSE, TRUE, NULL",
			"'skipped', 0, 0, FALSE, FALSE, NULL", "'held', 0, 0, FALSE, FALSE, NULL",
			"'pending', 2, 2, FALSE, FALSE, 0", "'pending', 0, 0, FALSE, FALSE, e.triggered_at",
		} {
			db.Exec(`INSERT INTO subscription_deliveries (subscription_id, event_id, organization_id, website_id, position, status,
				attempts, tries, called, call_failed, due_at, again)
				SELECT s.id, e.id, e.organization_id, e.website_id, e.position, ` + columns + `, ''
				FROM subscription_events e JOIN subscriptions s ON s.id = '` + sub + "' WHERE e.position = " + cause(i))
		}
		db.Exec(`INSERT INTO subscription_attempts (subscription_id, event_id, number, organization_id, website_id, begun_at,
			duration, status, body) SELECT subscription_id, event_id, 1, organization_id, website_id, 5, 7, 204, 'taken'
			FROM subscription_deliveries WHERE status = 'delivered'`)
		db.Exec(`INSERT INTO subscription_fanouts (website_id, organization_id, due_at, held)
			SELECT website_id, organization_id, 0, FALSE FROM subscription_senders WHERE subscription_id = '` + sub + "'")
		db.Exec(`INSERT INTO subscription_waiting_events (website_id, position, organization_id, event_id)
			SELECT website_id, position, organization_id, id FROM subscription_events WHERE position = ` + cause(6))
		text, err := os.ReadFile("../store/migrations/00132_positions_of_subscriptions.sql")
		if err != nil {
			t.Fatal(err)
		}
		up, down, _ := strings.Cut(string(text), "-- +goose Down")
		for _, statement := range strings.Split(down+up, ";\n") {
			if strings.TrimSpace(statement) != "" {
				db.Exec(statement)
			}
		}
		db.Exec("UPDATE subscription_events SET currency_id = NULL")
		if n := db.Count("subscription_senders WHERE subscription_id = '" + idle + "' AND woken_position > position"); n != 0 {
			t.Error("a subscription that gets none of the events is behind them")
		}
		before := []string{"7 pending 0", "6 pending 0", "5 pending 2", "4 held 0", "3 skipped 0", "2 failed 10", "1 delivered 1"}
		path := subscriptions + "/" + sub
		same(t, "as migrated", history(s, path, "", 3), before...)
		s.DeliverEvents()
		var sent []string
		for _, c := range r.TakeCalls() {
			sent = append(sent, fmt.Sprint(decoded(t, c.Body)["data"].(object)["amount"]))
		}
		slices.Sort(sent)
		same(t, "calls", sent, "5", "6", "7")
		same(t, "as delivered", history(s, path, "", 3),
			append([]string{"7 delivered 1", "6 delivered 1", "5 delivered 3"}, before[3:]...)...)
		old := s.Get(path + "/events?status=delivered").Data()[3]
		if got := s.Get(path + "/events/" + old["id"].(string)).OK()["attemptList"].([]any); len(got) != 1 ||
			got[0].(object)["body"] != "taken" {
			t.Errorf("%v", got)
		}
	})
}

func TestADeletedSubscriptionSkipsWhatWaits(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		path := subscriptions + "/" + s.Subscribe(r.URL, nil, "LoyaltyTransactionEntry")["id"].(string)
		s.Subscribe(r.URL+"/other", nil, "LoyaltyTransactionEntry")
		s.Transact(apptest.Points("cust_1", 1)).OK()
		s.ReadFeed()
		s.Remove(path)
		same(t, "at once", history(s, path, "", 1), "1 skipped 0")
		s.Transact(apptest.Points("cust_1", 2)).OK()
		s.DeliverEvents()
		same(t, "later", history(s, path, "", 1), "1 skipped 0")
		same(t, "later, pending", history(s, path, "pending", 1))
		if calls := r.TakeCalls(); len(calls) != 2 {
			t.Errorf("%d calls", len(calls))
		}
	})
}

// TestASubscriptionWithoutATargetSkipsWithoutASender has events before a subscription got a callback.
func TestASubscriptionWithoutATargetSkipsWithoutASender(t *testing.T) {
	t.Parallel()
	eachWithDatabase(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver, db apptest.Database) {
		path := subscriptions + "/" + s.Subscribe("", nil, "LoyaltyTransactionEntry")["id"].(string)
		for amount := 1; amount <= 3; amount++ {
			s.Transact(apptest.Points("cust_1", amount)).OK()
		}
		s.DeliverEvents()
		same(t, "without a target", history(s, path, "", 2), "3 skipped 0", "2 skipped 0", "1 skipped 0")
		if n := db.Count("subscription_senders WHERE position > 0 OR due_at IS NOT NULL"); n != 0 {
			t.Error("a sender has worked on them")
		}
		s.Post(path, object{"callbackUrl": r.URL}).OK()
		list := s.Get(path + "/events").Data()
		period := object{"from": list[2]["triggeredAt"], "to": list[0]["triggeredAt"]}
		if got := s.Post(path+"/redeliver", period).OK(); fmt.Sprint(got["queued"]) != "2" {
			t.Errorf("%v", got)
		}
		s.Transact(apptest.Points("cust_1", 4)).OK()
		s.DeliverEvents()
		if n := len(r.TakeCalls()); n != 3 {
			t.Errorf("%d calls", n)
		}
		same(t, "with one", history(s, path, "", 2), "4 delivered 1", "3 skipped 0", "2 delivered 1", "1 delivered 1")
		same(t, "skipped with one", history(s, path, "skipped", 2), "3 skipped 0")
	})
}

// TestAnotherPeriodIsThatOfLaterEvents changes the period of a subscription while an event waits, and after events that
// it did not get.
func TestAnotherPeriodIsThatOfLaterEvents(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		s.Subscribe("", nil, "LoyaltyTransactionEntry") // gets all
		path := subscriptions + "/" + s.Subscribe(r.URL, object{"startsAt": apptest.Noon.Add(time.Hour)},
			"LoyaltyTransactionEntry")["id"].(string)
		s.Transact(apptest.Points("cust_1", 1)).OK()
		s.DeliverEvents()
		s.Post(path, object{"startsAt": nil}).OK()
		s.Transact(apptest.Points("cust_1", 2)).OK()
		s.DeliverEvents()
		same(t, "it starts now", history(s, path, "", 1), "2 delivered 1")
		s.Transact(apptest.Points("cust_1", 3)).OK()
		s.ReadFeed()
		s.Post(path, object{"endsAt": apptest.Noon.Add(time.Microsecond)}).OK()
		s.Transact(apptest.Points("cust_1", 4)).OK()
		s.DeliverEvents()
		same(t, "it has ended", history(s, path, "", 1), "3 delivered 1", "2 delivered 1")
	})
}
