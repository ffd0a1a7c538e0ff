package holds_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

type object = apptest.Object

// hold takes 100 points of alice, unless the changes say otherwise.
func hold(s *apptest.Server, changes ...object) apptest.Response {
	s.T.Helper()
	body := object{"walletAddress": apptest.Alice, "loyaltyCurrencyId": s.LoyaltyCurrencyID, "amount": 100}
	return s.Post("/api/loyalty/holds", apptest.Over(body, changes...))
}

func capture(s *apptest.Server, id any, body object) apptest.Response {
	return s.Post("/api/loyalty/holds/"+id.(string)+"/capture", body)
}

func release(s *apptest.Server, id any) apptest.Response {
	return s.Post("/api/loyalty/holds/"+id.(string)+"/release", object{})
}

// expire has the holds expire that are due.
func expire(s *apptest.Server) {
	s.T.Helper()
	if err := s.App.Holds.RunDue(context.Background()); err != nil {
		s.T.Fatal(err)
	}
}

// balances are those of wallets.
func balances(s *apptest.Server, wallets ...string) string {
	s.T.Helper()
	var out []string
	for _, w := range wallets {
		out = append(out, s.Balance(w))
	}
	return strings.Join(out, " ")
}

// lasts is for how long a new hold holds.
func lasts(h object) time.Duration {
	from, _ := time.Parse(time.RFC3339, h["createdAt"].(string))
	to, _ := time.Parse(time.RFC3339, h["expiresAt"].(string))
	return to.Sub(from)
}

func is(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

func TestHeldPointsAreTakenAtOnceAndCapturedOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Credit(apptest.Alice, 150)
		made := hold(s, object{"description": "Order A-1", "metadata": object{"orderId": "A-1"}, "expiresInSeconds": 60}).OK()
		for field, want := range (object{"userId": s.UserOf(apptest.Alice), "amount": json.Number("100"), "capturedAmount": json.Number("0"),
			"status": "held", "description": "Order A-1"}) {
			if made[field] != want {
				t.Errorf("%s is %v, want %v", field, made[field], want)
			}
		}
		if made["metadata"].(object)["orderId"] != "A-1" || lasts(made) != time.Minute {
			t.Errorf("metadata %v, for %s", made["metadata"], lasts(made))
		}
		is(t, "held", balances(s, apptest.Alice), "50")
		entry := s.Get("/api/loyalty/transaction_entries?loyaltyTransactionId=" + made["loyaltyTransactionId"].(string)).Data()[0]
		if entry["type"] != "order" || entry["direction"] != "debit" || entry["metadata"].(object)["loyaltyHoldId"] != made["id"] {
			t.Errorf("entry %v", entry)
		}
		capture(s, made["id"], object{"amount": 101}).Refused(400, "amount must be at most 100")
		capture(s, made["id"], object{"amount": 0}).Refused(400, "amount must be greater than 0")
		done := capture(s, made["id"], object{"amount": "70.5"}).OK()
		if done["status"] != "captured" || done["capturedAmount"] != json.Number("70.5") || done["amount"] != json.Number("100") {
			t.Errorf("captured %v", done)
		}
		is(t, "captured", balances(s, apptest.Alice), "79.5")
		for _, again := range []apptest.Response{capture(s, made["id"], object{}), release(s, made["id"])} {
			again.Refused(400, "Hold is already final")
		}
		back := s.Get("/api/loyalty/transaction_entries?limit=1").Data()[0]
		if back["type"] != "order" || back["direction"] != "credit" || back["loyaltyTransactionId"] == made["loyaltyTransactionId"] {
			t.Errorf("what went back: %v", back)
		}
		second := hold(s, object{"amount": 79.5}).OK()
		capture(s, second["id"], object{}).OK()
		is(t, "captured whole", balances(s, apptest.Alice), "0")
		s.Sound()
	})
}

func TestReleasedAndExpiredPointsGoBackOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Credit(apptest.Alice, 100)
		first := hold(s).OK()
		if first["description"] != nil || len(first["metadata"].(object)) != 0 || lasts(first) != time.Hour {
			t.Errorf("defaults: %v", first)
		}
		hold(s, object{"amount": 1}).Refused(400, "Insufficient balance")
		if got := release(s, first["id"]).OK(); got["status"] != "released" || got["capturedAmount"] != json.Number("0") {
			t.Errorf("released %v", got)
		}
		is(t, "released", balances(s, apptest.Alice), "100")
		second := hold(s).OK()["id"]
		s.Clock.Advance(time.Hour - time.Second)
		expire(s)
		is(t, "not yet expired", balances(s, apptest.Alice), "0")
		s.Clock.Advance(time.Second)
		capture(s, second, object{}).Refused(400, "Hold is already final") // nothing may take what is about to go back
		for range 3 {
			expire(s)
			s.Clock.Advance(2 * time.Minute)
		}
		is(t, "expired", balances(s, apptest.Alice), "100")
		got := s.Get("/api/loyalty/holds/" + second.(string)).OK()
		if got["status"] != "expired" {
			t.Errorf("after its end: %v", got)
		}
		release(s, second).Refused(400, "Hold is already final")
		s.Sound()
	})
}

func TestAGroupPaysTogetherAndIsPaidBackInReverse(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Credit(apptest.Alice, 100)
		s.Credit(apptest.Bob, 300)
		s.In(apptest.Alice, "family")
		s.In(apptest.Bob, "family")
		made := hold(s, object{"amount": 350}).OK()["id"]
		is(t, "held", balances(s, apptest.Alice, apptest.Bob), "0 50")
		s.In(apptest.Bob, nil) // a member who has left is paid back all the same
		capture(s, made, object{"amount": 90}).OK()
		is(t, "captured", balances(s, apptest.Alice, apptest.Bob), "10 300")
		hold(s, object{"amount": 20}).Refused(400, "Insufficient balance")
		s.Sound()
	})
}

func TestBlockedMembersReserveNothingNewAndGetBackWhatIsHeld(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Credit(apptest.Alice, 100)
		made := hold(s, object{"amount": 60}).OK()["id"]
		s.User(apptest.Alice, object{"isBlocked": true})
		hold(s, object{"amount": 1}).Refused(400, "Access restricted. Your account is blocked.")
		release(s, made).OK()
		is(t, "released", balances(s, apptest.Alice), "100")
		s.Sound()
	})
}

func TestHoldsOfADeletedCurrencyEndAsOthersDo(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Credit(apptest.Alice, 300)
		var ids []any
		for range 3 {
			ids = append(ids, hold(s).OK()["id"])
		}
		s.Remove("/api/loyalty/currencies/" + s.LoyaltyCurrencyID.String())
		hold(s, object{"amount": 1}).Refused(400, "Loyalty currency not found")
		release(s, ids[0]).OK()
		capture(s, ids[1], object{"amount": 30}).OK()
		s.Clock.Advance(time.Hour)
		expire(s)
		account := s.Get("/api/loyalty/accounts?walletAddress=" + apptest.Alice + "&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).Data()[0]
		if account["amount"] != json.Number("270") {
			t.Errorf("after all ends: %v", account)
		}
		s.Sound()
	})
}

func TestAKeyReservesOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Credit(apptest.Alice, 1000)
		keyed := object{"idempotencyKey": "A-1"}
		apptest.CheckOutcomes(t, apptest.CallConcurrently(8, func(int) apptest.Response { return hold(s, keyed) }), 8, "")
		is(t, "held", balances(s, apptest.Alice), "900")
		first := hold(s, keyed).OK()
		hold(s, keyed, object{"amount": 99}).Refused(400, "Idempotency key already used")
		s.Transact(apptest.Points(apptest.Alice, 1, object{"idempotencyKey": "A-1"})).Refused(400, "Idempotency key already used")
		s.Transact(apptest.Points(apptest.Alice, 100, object{"idempotencyKey": "A-2"})).OK()
		hold(s, object{"idempotencyKey": "A-2"}).Refused(400, "Idempotency key already used")
		capture(s, first["id"], object{}).OK()
		if again := hold(s, keyed).OK(); again["id"] != first["id"] || again["status"] != "captured" {
			t.Errorf("repeated: %v", again)
		}
		is(t, "after all", balances(s, apptest.Alice), "1000")
		s.Sound()
	})
}

func TestBadHoldsAreRefusedAndTakeNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Credit(apptest.Alice, 500)
		for _, c := range []struct {
			change  object
			path    string
			message string
		}{
			{object{"walletAddress": nil}, "userId", "userId or walletAddress is required"},
			{object{"loyaltyCurrencyId": nil}, "loyaltyCurrencyId", "loyaltyCurrencyId is required"},
			{object{"amount": nil}, "amount", "amount is required"},
			{object{"amount": 0}, "amount", "amount must be greater than 0"},
			{object{"amount": -1}, "amount", "amount must be greater than 0"},
			{object{"amount": "0.0000001"}, "amount", "amount must have at most 6 decimal places"},
			{object{"expiresInSeconds": 59}, "expiresInSeconds", "expiresInSeconds must be between 60 and 2592000"},
			{object{"expiresInSeconds": 2592001}, "expiresInSeconds", "expiresInSeconds must be between 60 and 2592000"},
			{object{"description": strings.Repeat("x", 1001)}, "description", "description must be at most 1000 characters"},
			{object{"idempotencyKey": ""}, "idempotencyKey", "idempotencyKey is required"},
			{object{"idempotencyKey": strings.Repeat("x", 256)}, "idempotencyKey", "idempotencyKey must be at most 255 characters"},
			{object{"metadata": []any{}}, "metadata", "metadata must be an object"},
			{object{"metadata": object{"a": strings.Repeat("x", 17000)}}, "metadata", "metadata must be at most 16384 bytes"},
		} {
			faults, listed := hold(s, c.change).Refused(400, c.message)["errors"].([]any)
			if !listed || faults[0].(object)["path"] != c.path {
				t.Errorf("%v: %v", c.change, faults)
			}
		}
		hold(s, object{"loyaltyCurrencyId": apptest.UnknownID}).Refused(400, "Loyalty currency not found")
		hold(s, object{"walletAddress": nil, "userId": apptest.UnknownID}).Refused(404, "User not found")
		hold(s, object{"walletAddress": "cust_new"}).Refused(400, "Insufficient balance")
		for _, path := range []string{"/capture", "/release"} {
			s.Post("/api/loyalty/holds/"+apptest.UnknownID+path, object{}).Refused(404, "Hold not found")
		}
		s.Get("/api/loyalty/holds/"+apptest.UnknownID).Refused(404, "Hold not found")
		is(t, "untouched", balances(s, apptest.Alice), "500")
		if n := s.Count("/api/users?walletAddress=cust_new") + s.Count("/api/loyalty/holds"); n != 0 {
			t.Errorf("%d things are left of refused holds", n)
		}
	})
}

func TestHoldsAreListed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Credit(apptest.Alice, 500)
		s.Credit(apptest.Bob, 500)
		s.In(apptest.Alice, "family")
		s.In(apptest.Carol, "family")
		first := hold(s).OK()["id"].(string)
		second := hold(s, object{"walletAddress": apptest.Bob}).OK()["id"].(string)
		third := hold(s).OK()["id"].(string)
		release(s, third).OK()
		currency := s.LoyaltyCurrencyID.String()
		for query, want := range map[string]string{
			"": third + " " + second + " " + first, "?limit=1": third, "?startingAfter=" + third: second + " " + first,
			"?status=held": second + " " + first, "?status=released&status=captured": third, "?status=expired": "",
			"?walletAddress=" + apptest.Alice: third + " " + first, "?userId=" + s.UserOf(apptest.Bob): second,
			"?userGroupExternalIdentifier=family&status=held": first, "?loyaltyCurrencyId=" + apptest.UnknownID: "",
			"?loyaltyCurrencyId=" + currency + "&limit=2": third + " " + second,
		} {
			var ids []string
			for _, one := range s.Get("/api/loyalty/holds" + query).Data() {
				ids = append(ids, one["id"].(string))
			}
			is(t, query, strings.Join(ids, " "), want)
		}
		s.Get("/api/loyalty/holds?status=open").Refused(400, "status must be one of: held, captured, released, expired")
		s.Get("/api/loyalty/holds?startingAfter="+apptest.UnknownID).Refused(400, "startingAfter not found")
	})
}

func TestNodesThatExpireTheSameHoldsGiveBackOnce(t *testing.T) {
	t.Parallel()
	nodes := apptest.Nodes(t)
	s := nodes[0]
	s.Credit(apptest.Alice, 500)
	for range 5 {
		hold(s).OK()
	}
	for _, node := range nodes {
		node.Clock.Advance(time.Hour)
	}
	var all sync.WaitGroup
	for _, node := range slices.Concat(nodes, nodes) {
		all.Go(func() { expire(node) })
	}
	all.Wait()
	is(t, "expired", balances(s, apptest.Alice), "500")
	if n := s.Count("/api/loyalty/holds?status=expired"); n != 5 {
		t.Errorf("%d expired", n)
	}
	s.Sound()
}

// What ends a hold comes once, whatever comes at the same moment.
func TestOfCapturesAndReleasesAtOnceOneCounts(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Credit(apptest.Alice, 100)
		made := hold(s).OK()["id"]
		answers := apptest.CallConcurrently(12, func(i int) apptest.Response {
			if i%2 == 0 {
				return release(s, made)
			}
			return capture(s, made, object{"amount": 30})
		})
		apptest.CheckOutcomes(t, answers, 1, "Hold is already final")
		want := map[any]string{"released": "100", "captured": "70"}[s.Get("/api/loyalty/holds/" + made.(string)).OK()["status"]]
		is(t, "left", balances(s, apptest.Alice), want)
		s.Sound()
	})
}

func TestAMemberReadsItsOwnHoldsAlone(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Credit(apptest.Alice, 500)
		s.Credit(apptest.Bob, 500)
		own := hold(s).OK()["id"].(string)
		other := hold(s, object{"walletAddress": apptest.Bob}).OK()["id"].(string)
		token := []string{"Authorization", "Bearer " + s.Token(apptest.Alice)}
		read := func(path string, headers ...string) apptest.Response {
			return s.Call(s.ClientAPIKey, "GET", "/api/loyalty/holds"+path, nil, headers...)
		}
		if got := read("?walletAddress="+apptest.Alice, token...).Data(); len(got) != 1 || got[0]["id"] != own {
			t.Errorf("listed %v", got)
		}
		read("/"+own, token...).OK()
		read("/"+other, token...).Refused(404, "Hold not found")
		read("/"+own).Refused(403, apptest.TokenMissing)
		read("?walletAddress="+apptest.Bob, token...).Refused(403, "Member token does not belong to this user")
		if got := read("", token...).Data(); len(got) != 1 || got[0]["id"] != own {
			t.Errorf("by its token alone a member lists %v", got)
		}
		refusal := read("").Refused(400, "userId or walletAddress is required")
		if faults, _ := refusal["errors"].([]any); len(faults) != 1 || faults[0].(object)["path"] != "userId" {
			t.Errorf("a request that names nobody is refused with %v", refusal)
		}
	})
}

func TestBalancesGoToNoExternalLedgerWhilePointsAreHeld(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, outside string) {
		hold(s, object{"loyaltyCurrencyId": outside}).Refused(400, "Balances of this currency are kept outside")
		s.Credit(apptest.Alice, 500)
		made := hold(s).OK()["id"]
		address := "/api/loyalty/currencies/" + s.LoyaltyCurrencyID.String()
		s.Post(address, b.CurrencyBody()).Refused(400, "apiPostUrl cannot be set while points are held")
		release(s, made).OK()
		s.Post(address, b.CurrencyBody()).OK()
	})
}

func TestEventsTellOfHolds(t *testing.T) {
	t.Parallel()
	apptest.EachWith(t, app.Config{NoRateLimits: true, Dev: true}, func(t *testing.T, s *apptest.Server) {
		r := apptest.NewReceiver(t)
		s.Subscribe(r.URL, nil, "LoyaltyHold")
		s.Credit(apptest.Alice, 500)
		made := hold(s).OK()
		capture(s, made["id"], object{"amount": 40}).OK()
		s.DeliverEvents()
		var received []string
		for _, call := range r.TakeCalls() {
			var event struct {
				Type string
				Data object
			}
			if err := json.Unmarshal([]byte(call.Body), &event); err != nil {
				t.Fatal(err)
			}
			received = append(received, event.Type+" "+event.Data["status"].(string)+" "+apptest.Spaced(event.Data["capturedAmount"]))
			if event.Data["id"] != made["id"] || event.Data["loyaltyTransactionId"] != made["loyaltyTransactionId"] {
				t.Errorf("got %v", event.Data)
			}
		}
		is(t, "events", strings.Join(received, "; "), "LoyaltyHold.created held 0; LoyaltyHold.updated captured 40")
	})
}
