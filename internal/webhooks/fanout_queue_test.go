package webhooks_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/webhooks"
)

// wide is more subscriptions than the reader of the feed wakes itself.
const wide = 25

func ids(s *apptest.Server, n int, callback string, tables ...any) []string {
	s.T.Helper()
	out := make([]string, n)
	for i := range out {
		out[i] = s.Subscribe(callback, nil, tables...)["id"].(string)
	}
	return out
}

// deliveryStatuses lists the events of a subscription, oldest first, as type and status.
func deliveryStatuses(s *apptest.Server, id string) (out []string) {
	s.T.Helper()
	for _, e := range s.Get(subscriptions + "/" + id + "/events?limit=100").Data() {
		out = append(out, fmt.Sprint(e["type"], " ", e["status"]))
	}
	return out
}

// TestManySubscriptionsOfATenantDelayNoEventOfAnother has an organization make 80 events, each for 50
// subscriptions. The event of another organization, the last of all, is delivered before any of these is decided; then
// all are.
func TestManySubscriptionsOfATenantDelayNoEventOfAnother(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, server *apptest.Server, r *apptest.Receiver) {
		s := besides{server, server.NewProgram("Other")}
		for i := range 8 {
			website := s.Call(s.OrganizationAPIKey, http.MethodPost, "/api/websites", object{"name": fmt.Sprint("Shop ", i)}).OK()["id"]
			s.subscribe(s.OrganizationAPIKey, "", website, 50)
			for member := range 10 {
				s.join(s.OrganizationAPIKey, website, fmt.Sprint("cust_", member))
			}
		}
		s.subscribe(s.other.OrganizationAPIKey, r.URL, s.other.WebsiteID, 1)
		s.join(s.other.OrganizationAPIKey, s.other.WebsiteID, "cust_1")
		list := s.Call(s.OrganizationAPIKey, http.MethodGet, subscriptions+"?limit=100", nil).Data()
		made := func() (n int) {
			for i := 0; i < len(list); i += 10 {
				path := subscriptions + "/" + list[i]["id"].(string) + "/events?status=skipped"
				n += len(s.Call(s.OrganizationAPIKey, http.MethodGet, path, nil).Data())
			}
			return n
		}
		s.ReadFeed()
		if err := s.App.Webhooks.SendDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n, calls := made(), r.CountCalls(); n > 0 || calls != 1 {
			t.Errorf("the other organization has %d calls, behind %d events of this one", calls, n)
		}
		sendAll(s.Server, func() bool { return made() == 100 })
	})
}

// TestWideFanOutsKeepTheOrderOfEvents has entries, which many subscriptions receive, and changes of the
// same account, of which few are.
func TestWideFanOutsKeepTheOrderOfEvents(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		ids(s, wide, "", "LoyaltyTransactionEntry")
		limited := s.Subscribe("", object{"maxEventsPerDay": 7}, "LoyaltyTransactionEntry", "LoyaltyAccount")["id"].(string)
		s.Subscribe(r.URL, nil, "LoyaltyTransactionEntry", "LoyaltyAccount")
		const rounds = 40
		stop := apptest.RunWorkers(s.App.Webhooks.Run, func(ctx context.Context) { _ = s.App.Feed.Run(ctx, s.App.Webhooks.Consumer()) })
		for range rounds {
			s.Transact(apptest.Points("cust_1", 1)).OK()
			if s.Balance("cust_1") == "20" { // waiting events are fanned out, and few subscriptions get theirs at once again
				s.WaitUntil(func() bool { return r.CountCalls() == 40 })
			}
		}
		s.WaitUntil(func() bool { return r.CountCalls() == 2*rounds })
		stop()
		s.FanOut()
		balance, entries := 0, 0
		for _, c := range r.TakeCalls() {
			body := decoded(t, c.Body)
			if body["type"] == "LoyaltyTransactionEntry.created" {
				entries++
			} else {
				balance++
				if amount := body["data"].(object)["amount"]; fmt.Sprint(amount) != fmt.Sprint(balance) {
					t.Fatalf("balance %v is delivered as number %d", amount, balance)
				}
			}
			if entries-balance > 1 || balance-entries > 1 {
				t.Fatalf("%d entries and %d balances are sent", entries, balance)
			}
		}
		path := subscriptions + "/" + limited + "/events?limit=100&status=skipped"
		if n := len(s.Get(path).Data()); n != 2*rounds { // it has nobody to tell: 7 that count, and the others
			t.Errorf("%d events are skipped", n)
		}
	})
}

// sendAll fans events out and sends them until a condition holds: one round serves some of the subscriptions.
func sendAll(s *apptest.Server, isDone func() bool) {
	s.T.Helper()
	for range 20 {
		s.DeliverEvents()
		if isDone() {
			return
		}
	}
	s.T.Fatal("not all events are decided")
}

// TestAFanOutThatBreaksOffGoesOnWhereItStopped has a node die after it has woken 200 of 450 subscriptions.
func TestAFanOutThatBreaksOffGoesOnWhereItStopped(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		all := ids(s, 450, "", "LoyaltyRule")
		s.Rule("external_rule", nil)
		s.Rule("external_rule", nil)
		s.ReadFeed()
		db.Exec("UPDATE subscription_fanouts SET held = TRUE")
		db.Exec("UPDATE subscription_senders SET skip_position = (SELECT MAX(position) FROM subscription_events) " +
			"WHERE subscription_id <= '" + all[199] + "'")
		s.FanOut()
		for _, id := range all {
			if got := fmt.Sprint(deliveryStatuses(s, id)); got != "[LoyaltyRule.created skipped LoyaltyRule.created skipped]" {
				t.Fatal(got)
			}
		}
		if n := db.Count("subscription_deliveries"); n != 0 {
			t.Errorf("%d rows for events that were simply skipped", n)
		}
	})
}

func TestADisabledSubscriptionAmongManyKeepsItsEvents(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		ids(s, wide, "", "LoyaltyRule")
		path := subscriptions + "/" + s.Subscribe(r.URL, nil, "LoyaltyRule")["id"].(string)
		r.RespondWith(410)
		s.Rule("external_rule", nil)
		s.DeliverEvents()
		s.Rule("external_rule", nil)
		s.DeliverEvents()
		if n := len(s.Get(path + "/events?status=held").Data()); n != 1 || len(r.TakeCalls()) != 1 {
			t.Fatalf("%d events are held", n)
		}
		r.RespondWith(204)
		s.Rule("external_rule", nil)
		s.ReadFeed() // this one waits to be fanned out
		s.Post(path+"/enable", object{"replay": true}).OK()
		s.DeliverEvents()
		s.DeliverEvents()
		if n := len(s.Get(path + "/events?status=delivered").Data()); n != 2 || len(r.TakeCalls()) != 2 {
			t.Errorf("%d events are delivered", n)
		}
	})
}

func TestAnEventOfManyThatCannotBeDescribedIsFailedForAll(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		d := describer(s)
		all := append(ids(s, wide, "", "LoyaltyRule"), s.Subscribe(r.URL, nil, "LoyaltyRule")["id"].(string))
		bad := s.Rule("external_rule", nil)
		s.Rule("external_rule", nil)
		d.says(func(c feed.Change) (json.RawMessage, error) {
			if c.EntityID.String() == bad {
				return nil, errors.New("no such thing")
			}
			return nil, nil
		})
		s.DeliverEvents()
		if n := len(r.TakeCalls()); n != 1 {
			t.Errorf("%d calls", n)
		}
		for _, id := range all {
			if n := len(s.Get(subscriptions + "/" + id + "/events?status=failed").Data()); n != 1 {
				t.Fatalf("%d events are failed: %v", n, deliveryStatuses(s, id))
			}
		}
	})
}

// TestTwoNodesFanEachEventOutOnce has two nodes read, fan out and send side by side.
func TestTwoNodesFanEachEventOutOnce(t *testing.T) {
	t.Parallel()
	both, address := apptest.NodesWith(t, app.Config{NoRateLimits: true, Dev: true})
	r, s := apptest.NewReceiver(t), both[0]
	ids(s, 60, r.URL, "LoyaltyTransactionEntry")
	var workers []func(ctx context.Context)
	for _, node := range both {
		workers = append(workers, node.App.Webhooks.Run, func(ctx context.Context) { _ = node.App.Feed.Run(ctx, node.App.Webhooks.Consumer()) })
	}
	defer apptest.RunWorkers(workers...)()
	for i := range 20 {
		s.Transact(apptest.Points(fmt.Sprint("cust_", i), 1)).OK()
	}
	s.WaitUntil(func() bool { return r.CountCalls() >= 60*20 })
	db := apptest.OpenSQL(t, address)
	s.WaitUntil(func() bool {
		var n int
		err := db.QueryRowContext(t.Context(), `SELECT (SELECT COALESCE(SUM(delivered), 0) FROM subscription_blocks) +
			(SELECT COUNT(*) FROM subscription_deliveries WHERE status = 'delivered')`).Scan(&n)
		return err == nil && n == 60*20
	})
	calls := map[string]int{}
	for _, c := range r.TakeCalls() {
		calls[c.ID()+c.Header.Get("Laurel-Subscription-Id")]++
	}
	if len(calls) != 60*20 {
		t.Errorf("%d events were sent", len(calls))
	}
}

// rulesWithHook are the rules that subscriptions trigger. They call a hook before each answer.
type rulesWithHook struct {
	webhooks.Rules
	hook func()
}

func (r rulesWithHook) TriggeredBy(
	ctx context.Context, q store.Queryer, scope laurel.Scope, of []laurel.ID,
) ([]webhooks.TriggeredRule, error) {
	r.hook()
	return r.Rules.TriggeredBy(ctx, q, scope, of)
}

// TestAnEventThatAnOlderNodeQueuesDuringAFanOutIsSent has a node of the version before write an event, and put it into
// the queue, after the subscriptions to its table were woken and before the fan-out of the website ends.
func TestAnEventThatAnOlderNodeQueuesDuringAFanOutIsSent(t *testing.T) {
	t.Parallel()
	eachWithDatabase(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver, db apptest.Database) {
		ids(s, wide, "", "LoyaltyTransactionEntry", "LoyaltyAccount")
		s.Subscribe(r.URL, nil, "LoyaltyTransactionEntry")
		s.Transact(apptest.Points("cust_1", 5)).OK()
		s.ReadFeed()
		asked := 0
		s.App.Webhooks.Rules = rulesWithHook{s.App.Webhooks.Rules, func() {
			asked++
			if asked != 2 { // for the accounts, after the entries
				return
			}
			if err := s.App.Webhooks.SendDue(t.Context()); err != nil {
				t.Error(err)
			}
			if n := r.CountCalls(); n != 1 {
				t.Errorf("%d events were sent before the fan-out ended", n)
			}
			db.Exec(`INSERT INTO subscription_events (id, organization_id, website_id, position, table_name, type, lane,
				triggered_at, data) SELECT '01900000-0000-7000-8000-0000000000e2', organization_id, website_id,
				(SELECT MAX(position) + 1 FROM subscription_events), table_name, type, lane, triggered_at, data
				FROM subscription_events WHERE table_name = 'LoyaltyTransactionEntry'`)
			db.Exec(`INSERT INTO subscription_waiting_events (website_id, position, organization_id, event_id)
				SELECT website_id, position, organization_id, id FROM subscription_events
				WHERE id = '01900000-0000-7000-8000-0000000000e2'`)
		}}
		s.DeliverEvents()
		if n := len(r.TakeCalls()); n != 2 || asked < 2 {
			t.Errorf("%d events were sent, of 2", n)
		}
		if n := db.Count("subscription_waiting_events"); n != 0 {
			t.Errorf("%d events still wait", n)
		}
	})
}
