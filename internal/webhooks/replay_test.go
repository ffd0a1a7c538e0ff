package webhooks_test

import (
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// TestASubscriptionReplaysWhatItsWebsiteHasRecorded has events from before a subscription was created, of which another
// one is recorded alone.
func TestASubscriptionReplaysWhatItsWebsiteHasRecorded(t *testing.T) {
	t.Parallel()
	eachWithDatabase(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver, db apptest.Database) {
		s.Subscribe("", nil, "LoyaltyTransactionEntry")
		credit := func(amount int) { s.Transact(apptest.Points("cust_1", amount)).OK() }
		credit(1)
		s.ReadFeed()
		s.Clock.Advance(time.Hour)
		from := s.Clock.Now()
		for amount := 2; amount <= 4; amount++ {
			credit(amount)
		}
		s.ReadFeed()
		credit(5)
		s.Clock.Advance(time.Hour)
		made := s.Subscribe(r.URL, object{"replayFrom": from}, "LoyaltyTransactionEntry", "User")
		path := subscriptions + "/" + made["id"].(string)
		same(t, "at once", history(s, path, "", 2), "4 pending 0", "3 pending 0", "2 pending 0")
		if s.Get(path).OK()["replayFrom"] != made["replayFrom"] || made["replayFrom"] == nil {
			t.Errorf("%v", made)
		}
		s.DeliverEvents()
		credit(6)
		s.DeliverEvents()
		var got []string
		for _, c := range r.TakeCalls() {
			got = append(got, fmt.Sprint(decoded(t, c.Body)["data"].(object)["amount"]))
		}
		same(t, "calls", got, "2", "3", "4", "5", "6")
		if rows := db.Count("subscription_deliveries"); rows != 0 {
			t.Errorf("%d deliveries have rows", rows)
		}
		s.Post(path, object{"name": "Later", "replayFrom": from.Add(time.Hour)}).OK()
		if got := s.Get(path).OK()["replayFrom"]; got != made["replayFrom"] {
			t.Errorf("replayFrom has changed to %v", got)
		}
		late := s.Subscribe(r.URL, object{"replayFrom": from, "startsAt": from.Add(time.Minute)}, "LoyaltyTransactionEntry")["id"]
		s.DeliverEvents()
		same(t, "with a start", history(s, subscriptions+"/"+late.(string), "", 2), "6 delivered 1")
	})
}

func TestAReplayIsOfTablesAndOfTheLastThirtyDays(t *testing.T) {
	t.Parallel()
	eachDev(t, func(t *testing.T, s *apptest.Server, r *apptest.Receiver) {
		body := func(from time.Time) object {
			return object{
				"name": "Past", "websiteId": s.WebsiteID, "organizationId": s.OrganizationID, "callbackUrl": r.URL,
				"replayFrom": from, "platformSubscriptions": []any{object{"tableNames": []any{"User"}}},
			}
		}
		now := s.Clock.Now()
		s.Post(subscriptions, body(now.Add(time.Minute))).Refused(400, "replayFrom must not be in the future")
		s.Post(subscriptions, body(now.Add(-30*24*time.Hour-time.Minute))).Refused(400, "replayFrom must be at most 30 days back")
		s.Post(subscriptions, body(now.Add(-30*24*time.Hour+time.Minute))).OK()
		ofContract := body(now)
		delete(ofContract, "platformSubscriptions")
		ofContract["blockchainSubscriptions"] = []any{object{
			"chainId": 1, "contractAddress": "0x00000000000000000000000000000000000000aa",
			"blockchainSubscriptionType": "EVENT", "eventAbi": "event Done(uint256 value)",
		}}
		s.Post(subscriptions, ofContract).Refused(400, "replayFrom goes with platformSubscriptions only")
	})
}
