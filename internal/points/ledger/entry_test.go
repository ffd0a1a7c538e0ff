package ledger_test

import (
	"context"
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestEntriesTellTheirTransactionRuleAndRunningAmounts(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule(
			"external_rule",
			object{
				"name":        "Buy",
				"description": "Buy a thing",
				"interval":    "unlimited",
				"metadata":    object{"link": "https://shop.example", "customRewardsApiKey": "hidden"},
			},
		)
		done := s.Complete(rule, object{"walletAddress": apptest.Alice, "amount": 2.5}).OK()["data"].(object)
		s.Transact(apptest.Points(apptest.Alice, 1, apptest.Debit, object{"metadata": object{"orderId": "A-1"}})).OK()
		entries := s.Get(apptest.EntriesPath + "?sortDir=asc&walletAddress=" + apptest.Alice).Data()
		if len(entries) != 2 {
			t.Fatalf("entries: %v", entries)
		}
		for field, want := range (object{"direction": "credit", "type": "loyalty_rule", "amount": json.Number("2.5"), "loyaltyTransactionId": done["loyaltyTransactionId"],
			"loyaltyAccountLockVersion": json.Number("1"), "loyaltyAccountStartAmount": json.Number("0"), "loyaltyAccountEndAmount": json.Number("2.5"), "idempotencyKey": nil,
			"organizationId": s.OrganizationID.String(), "websiteId": s.WebsiteID.String(), "loyaltyCurrencyId": s.LoyaltyCurrencyID.String(), "updatedAt": entries[0]["createdAt"]}) {
			if got, there := entries[0][field]; !there || got != want {
				t.Errorf("%s is %v, want %v", field, got, want)
			}
		}
		transaction := entries[0]["loyaltyTransaction"].(object)
		named := transaction["loyaltyRule"].(object)
		_, grouped := named["loyaltyRuleGroupItem"]
		if transaction["type"] != "loyalty_rule" || named["id"] != rule || named["name"] != "Buy" ||
			named["type"] != "external_rule" ||
			named["description"] != "Buy a thing" ||
			named["metadata"].(object)["customRewardsApiKey"] != "hidden" ||
			grouped {
			t.Errorf("transaction: %v", transaction)
		}
		account := entries[0]["loyaltyAccount"].(object)
		if account["id"] != entries[0]["loyaltyAccountId"] || account["user"].(object)["walletAddress"] != apptest.Alice {
			t.Errorf("account: %v", account)
		}
		second := entries[1]
		_, ruled := second["loyaltyTransaction"].(object)["loyaltyRule"]
		if second["direction"] != "debit" || second["amount"] != json.Number("1") ||
			second["loyaltyAccountStartAmount"] != json.Number("2.5") ||
			second["loyaltyAccountEndAmount"] != json.Number("1.5") ||
			second["loyaltyAccountLockVersion"] != json.Number("2") ||
			second["metadata"].(object)["orderId"] != "A-1" ||
			ruled {
			t.Errorf("second entry: %v", second)
		}
		read := s.Call(s.ReadOnlyAPIKey, "GET", apptest.EntriesPath+"?loyaltyRuleId="+rule, nil).Data()
		if _, shown := read[0]["loyaltyTransaction"].(object)["loyaltyRule"].(object)["metadata"].(object)["customRewardsApiKey"]; shown {
			t.Errorf("a read-only key sees the rule's secret: %v", read)
		}
	})
}

func TestMainAccountEntriesAreListedOnRequestOnly(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		posted := s.Transact(apptest.Points(apptest.Wallet(1), 5), apptest.Points(apptest.Wallet(2), 7)).OK()
		s.Transact(apptest.Points(apptest.Wallet(1), 2, apptest.Debit)).OK()
		main := s.Get("/api/loyalty/accounts?userId=").Data()[0]
		if n := s.Count(apptest.EntriesPath); n != 3 {
			t.Errorf("%d user entries, want 3", n)
		}
		for _, query := range []string{"userId=", "loyaltyAccountId=" + main["id"].(string), "userId=&loyaltyAccountId=" + main["id"].(string)} {
			got := s.Get(apptest.EntriesPath + "?" + query).Data()
			if len(got) != 2 || got[0]["direction"] != "credit" || got[0]["amount"] != json.Number("2") ||
				got[1]["direction"] != "debit" ||
				got[1]["amount"] != json.Number("12") {
				t.Fatalf("%s: %v", query, got)
			}
			for _, field := range []string{"loyaltyAccountLockVersion", "loyaltyAccountStartAmount", "loyaltyAccountEndAmount"} {
				if v, there := got[0][field]; !there || v != nil {
					t.Errorf("%s of a main account's entry is %v", field, v)
				}
			}
			if user, there := got[0]["loyaltyAccount"].(object)["user"]; !there || user != nil ||
				got[1]["loyaltyTransactionId"] != posted["id"] {
				t.Errorf("main account's entry: %v", got)
			}
		}
		if got := s.Get(apptest.EntriesPath + "?userId=&walletAddress=" + apptest.Wallet(1)).Data(); len(got) != 0 {
			t.Errorf("main account of a wallet: %v", got)
		}
	})
}

func TestClosedWindowsAreListedUntilTheyOpenAgain(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		at := func(text string) time.Time {
			v, err := time.Parse(time.RFC3339, text)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		start := at("2026-01-28T12:20:00Z") // a Wednesday, four days before the month ends
		for interval, opens := range map[string]string{"hourly": "2026-01-28T13:00:00Z", "daily": "2026-01-29T00:00:00Z", "weekly": "2026-02-01T00:00:00Z",
			"monthly": "2026-02-01T00:00:00Z", "custom": "2026-01-28T12:22:00Z", "once": "", "unlimited": "now"} {
			s.Clock.Set(start)
			member := "a member of " + interval // its own account: time never falls within one
			properties := object{"interval": interval}
			if interval == "custom" {
				properties["metadata"] = object{"customIntervalSeconds": 120}
			}
			rule, other := s.Rule("external_rule", properties), s.Rule("external_rule", properties)
			s.Clock.Set(start) // writing the rules took time
			query := apptest.EntriesPath + "?userCompletedLoyaltyRuleId=" + rule + "&walletAddress="
			if n := s.Count(query + url.QueryEscape(member)); n != 0 {
				t.Errorf("%s: closed before it was paid", interval)
			}
			s.Complete(rule, object{"walletAddress": member}).OK()
			closed := s.Get(query + url.QueryEscape(member)).Data()
			if want := map[bool]int{true: 0, false: 1}[interval == "unlimited"]; len(closed) != want {
				t.Errorf("%s: %d closed entries after the payment, want %d", interval, len(closed), want)
			}
			if n := s.Count(query + apptest.Wallet(2)); n != 0 {
				t.Errorf("%s: closed for another wallet", interval)
			}
			if n := s.Count(
				apptest.EntriesPath + "?userCompletedLoyaltyRuleId=" + other + "," + rule + "&walletAddress=" + url.QueryEscape(
					member,
				),
			); n != len(closed) {
				t.Errorf("%s: %d closed entries of two rules, want %d", interval, n, len(closed))
			}
			if interval == "unlimited" {
				continue
			}
			last, first := start.AddDate(5, 0, 0), time.Time{}
			if opens != "" {
				last, first = at(opens).Add(-10*time.Second), at(opens).Add(time.Second)
			}
			s.Clock.Set(last)
			if n := s.Count(query + url.QueryEscape(member)); n != 1 {
				t.Errorf("%s: opened too early", interval)
			}
			s.Complete(rule, object{"walletAddress": member}).Refused(400, "You have already been rewarded")
			if first.IsZero() {
				continue
			}
			s.Clock.Set(first)
			if n := s.Count(query + url.QueryEscape(member)); n != 0 {
				t.Errorf("%s: still closed", interval)
			}
			s.Complete(rule, object{"walletAddress": member}).OK()
			if n := s.Count(query + url.QueryEscape(member)); n != 1 {
				t.Errorf("%s: not closed again by the second payment", interval)
			}
		}
	})
}

func TestKeyedCompletionsCloseNoWindow(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("external_rule", object{"interval": "once"})
		s.Complete(rule, object{"walletAddress": apptest.Alice, "idempotencyKey": "order-1"}).OK()
		if n := s.Count(
			apptest.EntriesPath + "?userCompletedLoyaltyRuleId=" + rule + "&walletAddress=" + apptest.Alice,
		); n != 0 {
			t.Fatalf("%d entries close the window", n)
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		if n := s.Count(
			apptest.EntriesPath + "?userCompletedLoyaltyRuleId=" + rule + "&walletAddress=" + apptest.Alice,
		); n != 1 {
			t.Fatalf("%d entries close the window, want 1", n)
		}
	})
}

// TestAWindowThatWasPaidUnderAnotherIntervalIsListed demands that the list and the completion agree on what is closed.
func TestAWindowThatWasPaidUnderAnotherIntervalIsListed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, c := range []struct {
			first, then string
			after       time.Duration // between the payment and the question
			closed      bool
		}{{"daily", "once", 24 * time.Hour, true}, {"unlimited", "once", time.Hour, true}, {"custom", "daily", time.Hour, true}, {"hourly", "daily", time.Hour, true},
			{"hourly", "daily", 12 * time.Hour, false}, {"once", "monthly", 24 * time.Hour, true}, {"once", "hourly", time.Hour, false}, {"daily", "unlimited", 0, false}} {
			name := "from " + c.first + " to " + c.then
			s.Clock.Set(apptest.Noon)
			rule := s.Rule("external_rule", object{"interval": c.first, "metadata": object{"customIntervalSeconds": 60}})
			who := object{"walletAddress": name}
			s.Complete(rule, who).OK()
			s.Complete(rule, object{"walletAddress": name, "idempotencyKey": name + c.after.String()}).OK() // closes none
			s.Post("/api/loyalty/rules/"+rule, object{"interval": c.then}).OK()
			s.Clock.Set(apptest.Noon.Add(c.after))
			list := s.Get(
				apptest.EntriesPath + "?userCompletedLoyaltyRuleId=" + rule + "&walletAddress=" + url.QueryEscape(name),
			).Data()
			if len(list) > 1 || (len(list) == 1) != c.closed || len(list) == 1 && list[0]["idempotencyKey"] != nil {
				t.Errorf("%s, %s later: %v", name, c.after, list)
			}
			if got := s.Complete(rule, who); (got.Status != 200) != c.closed {
				t.Errorf("%s, %s later: %d %s", name, c.after, got.Status, got.Body)
			}
		}
	})
}

func TestWindowsOfAGroupAreClosedForAllOfIt(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for n := 1; n <= 2; n++ {
			s.Post(
				"/api/users/metadatas",
				object{"walletAddress": apptest.Wallet(n), "userGroupExternalIdentifier": "family"},
			).OK()
		}
		rule := s.Rule("external_rule", object{"interval": "daily"})
		s.Complete(rule, object{"walletAddress": apptest.Wallet(1)}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Wallet(2)}).Refused(400, "You have already been rewarded")
		if n := s.Count(
			apptest.EntriesPath + "?userCompletedLoyaltyRuleId=" + rule + "&walletAddress=" + apptest.Wallet(1),
		); n != 1 {
			t.Errorf("%d entries close the window of who was paid", n)
		}
	})
}

func TestEntriesOfDeletedCurrenciesStayListed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		gold := s.Post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		s.Transact(apptest.Points(apptest.Alice, 5, object{"loyaltyCurrencyId": gold}), apptest.Points(apptest.Alice, 6)).OK()
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/currencies/"+gold, nil).OK()
		if all, own := s.Count(apptest.EntriesPath), s.Count(
			apptest.EntriesPath+"?loyaltyCurrencyId="+s.LoyaltyCurrencyID.String(),
		); all != 2 ||
			own != 1 {
			t.Fatalf("%d entries, %d of the live currency", all, own)
		}
		if err := s.App.Ledger.FoldMainAccounts(context.Background()); err != nil {
			t.Fatal(err)
		}
		s.Sound()
	})
}
