package reversals_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// order posts points for a member with a key of their own, and returns the id of the transaction.
func order(s *apptest.Server, wallet string, amount any, key string, more ...object) string {
	s.T.Helper()
	entry := apptest.Points(wallet, amount, append(more, object{"idempotencyKey": key})...)
	return s.Post("/api/loyalty/transactions", object{
		"description": "Order " + key, "type": "order", "loyaltyCurrencyId": s.LoyaltyCurrencyID, "entries": []object{entry},
	}).OK()["id"].(string)
}

func reverse(s *apptest.Server, id string, body object) apptest.Response {
	s.T.Helper()
	return s.Post("/api/loyalty/transactions/"+id+"/reverse", body)
}

// only returns the one entry of a transaction.
func only(s *apptest.Server, transaction object) object {
	s.T.Helper()
	entries := transaction["entries"].([]any)
	if len(entries) != 1 {
		s.T.Fatalf("%d entries, want 1: %v", len(entries), transaction)
	}
	return entries[0].(object)
}

func receivable(s *apptest.Server, wallet string) any {
	s.T.Helper()
	return s.Get("/api/loyalty/accounts?walletAddress=" + wallet).Data()[0]["receivable"]
}

func checkBalance(s *apptest.Server, wallet, want string) {
	s.T.Helper()
	if got := s.Balance(wallet); got != want {
		s.T.Errorf("the balance is %s, want %s", got, want)
	}
}

func TestReversalOfACreditDebitsIt(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := order(s, apptest.Alice, 20, "A-1")
		got := reverse(s, id, object{}).OK()
		entry := only(s, got)
		metadata := entry["metadata"].(object)
		if got["type"] != "order" || got["description"] != "Order A-1" || entry["direction"] != "debit" ||
			entry["amount"] != json.Number("20") || metadata["reversalOf"] != id {
			t.Errorf("the reversal is %v", got)
		}
		checkBalance(s, apptest.Alice, "0")
		reverse(s, id, object{}).Refused(400, "Transaction was already reversed")
		reverse(s, got["id"].(string), object{}).
			Refused(400, "Transaction cannot be reversed: it is a reversal itself")
		s.Sound()
	})
}

func TestReversalOfADebitCreditsIt(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Alice, 50)).OK()
		id := order(s, apptest.Alice, 30, "A-1", apptest.Debit)
		if entry := only(s, reverse(s, id, object{"amount": 12}).OK()); entry["direction"] != "credit" ||
			entry["amount"] != json.Number("12") {
			t.Errorf("the reversal of a part is %v", entry)
		}
		checkBalance(s, apptest.Alice, "32")
		reverse(s, id, object{}).OK()
		checkBalance(s, apptest.Alice, "50")
		s.Sound()
	})
}

// Points that come back expire when they would have.
func TestReversedPaymentsReturnToTheirLots(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetPointLifetime(30, 0)
		s.Transact(apptest.Points(apptest.Alice, 50)).OK()
		s.Clock.Advance(20 * apptest.Day)
		id := order(s, apptest.Alice, 30, "A-1", apptest.Debit)
		reverse(s, id, object{}).OK()
		checkBalance(s, apptest.Alice, "50")
		s.AdvanceAndExpire(11 * apptest.Day)
		checkBalance(s, apptest.Alice, "0")
		s.Sound()
	})
}

func TestPartsOfATransactionAreReversedUntilNothingIsLeft(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := order(s, apptest.Alice, 20, "A-1")
		reverse(s, id, object{"amount": 7.5}).OK()
		reverse(s, id, object{"amount": 13}).Refused(400, "Transaction was already reversed")
		reverse(s, id, object{"amount": 0}).Refused(400, "amount must be greater than 0")
		reverse(s, id, object{"amount": 2.5}).OK()
		checkBalance(s, apptest.Alice, "10")
		reverse(s, id, object{}).OK()
		checkBalance(s, apptest.Alice, "0")
		reverse(s, id, object{"amount": 1}).Refused(400, "Transaction was already reversed")
		both := s.Transact(apptest.Points(apptest.Alice, 4), apptest.Points(apptest.Bob, 5)).OK()["id"].(string)
		reverse(s, both, object{"amount": 1}).Refused(400, "amount is only for transactions with one entry")
		reverse(s, both, object{}).OK()
		checkBalance(s, apptest.Bob, "0")
		s.Sound()
	})
}

func TestTheSameKeyReversesOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := order(s, apptest.Alice, 20, "A-1")
		byKey := object{"of": object{"idempotencyKey": "A-1"}, "amount": 5, "idempotencyKey": "refund-1"}
		ids := make([]string, 6)
		var group sync.WaitGroup
		for i := range ids {
			group.Go(func() {
				if i%2 == 0 {
					ids[i], _ = s.Post("/api/loyalty/transactions/reverse", byKey).JSON()["id"].(string)
				} else {
					ids[i], _ = reverse(s, id, object{"amount": 5, "idempotencyKey": "refund-1"}).JSON()["id"].(string)
				}
			})
		}
		group.Wait()
		for _, got := range ids {
			if got == "" || got != ids[0] {
				t.Errorf("the reversals are %v", ids)
			}
		}
		checkBalance(s, apptest.Alice, "15")
		reverse(s, id, object{"amount": 6, "idempotencyKey": "refund-1"}).Refused(400, "Idempotency key already used")
		reverse(s, id, object{"amount": 5, "idempotencyKey": "A-1"}).Refused(400, "Idempotency key already used")
		s.Post("/api/loyalty/transactions/reverse", object{"of": object{"idempotencyKey": "none"}}).
			Refused(404, "Transaction not found")
		s.Sound()
	})
}

// Many callers who reverse at once take back no more than there was.
func TestReversalsAtOnceTakeNoMoreThanThereWas(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Alice, 100)).OK()
		id := order(s, apptest.Alice, 20, "A-1")
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() { reverse(s, id, object{"amount": 7}) })
		}
		group.Wait()
		checkBalance(s, apptest.Alice, "106")
		s.Sound()
	})
}

func TestWhatTheBalanceDoesNotCoverStaysOrIsOwed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		within := order(s, apptest.Alice, 20, "A-1")
		owed := order(s, apptest.Bob, 20, "A-2")
		for _, wallet := range []string{apptest.Alice, apptest.Bob} {
			s.Transact(apptest.Points(wallet, 15, apptest.Debit)).OK()
		}
		if entry := only(s, reverse(s, within, object{}).OK()); entry["amount"] != json.Number("5") {
			t.Errorf("within the balance: %v", entry)
		}
		reverse(s, within, object{}).Refused(400, "Transaction was already reversed")
		entry := only(s, reverse(s, owed, object{"policy": "reverse"}).OK())
		if entry["amount"] != json.Number("5") || entry["metadata"].(object)["receivable"] != json.Number("15") {
			t.Errorf("with the rest owed: %v", entry)
		}
		if a, b := receivable(s, apptest.Alice), receivable(s, apptest.Bob); a != nil || b != json.Number("15") {
			t.Errorf("owed: %v and %v", a, b)
		}
		reverse(s, owed, object{"policy": "all"}).
			Refused(400, "policy must be one of: reverse_within_balance, reverse")
		for _, wallet := range []string{apptest.Alice, apptest.Bob} {
			s.Transact(apptest.Points(wallet, 40)).OK()
		}
		checkBalance(s, apptest.Alice, "40")
		checkBalance(s, apptest.Bob, "25")
		s.Sound()
	})
}

// A later credit that paid a debt gives back only what it gave itself.
func TestAReversalLeavesWhatWasOwedPaid(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		first := order(s, apptest.Alice, 20, "A-1")
		s.Transact(apptest.Points(apptest.Alice, 20, apptest.Debit)).OK()
		reverse(s, first, object{"policy": "reverse"}).OK()
		second := order(s, apptest.Alice, 50, "A-2")
		checkBalance(s, apptest.Alice, "30")
		reverse(s, second, object{}).OK()
		checkBalance(s, apptest.Alice, "0")
		if got := receivable(s, apptest.Alice); got != nil {
			t.Errorf("owed: %v", got)
		}
		s.Sound()
	})
}

func TestARewardIsReversedAndItsWindowStaysClosedUnlessReopened(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(object{"amount": 20, "interval": "daily"})
		body := func(wallet string) object { return object{"walletAddress": wallet} }
		for _, reopens := range []bool{false, true} {
			wallet := map[bool]string{false: apptest.Alice, true: apptest.Bob}[reopens]
			s.Complete(rule, body(wallet)).OK()
			paid := s.Get("/api/loyalty/transaction_entries?walletAddress=" + wallet).Data()[0]
			id := paid["loyaltyTransactionId"].(string)
			entry := only(s, reverse(s, id, object{"reopen": reopens}).OK())
			if entry["amount"] != json.Number("20") {
				t.Errorf("reopens %v: %v", reopens, entry)
			}
			checkBalance(s, wallet, "0")
			again := s.Complete(rule, body(wallet))
			if reopens {
				again.OK()
				checkBalance(s, wallet, "20")
			} else if again.Status == 200 {
				t.Error("the window has paid again")
			}
		}
		reverse(s, order(s, apptest.Alice, 1, "A-1"), object{"reopen": true}).
			Refused(400, "reopen is only for rewards of rules")
		s.Sound()
	})
}

// A rule that is deleted and takes back what it has paid leaves out what was reversed before, and the other way round.
func TestPointsOfADeletedRuleAreTakenBackOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Alice, 100), apptest.Points(apptest.Bob, 100)).OK()
		rule := s.Free(object{"amount": 20})
		var ids []string
		for _, wallet := range []string{apptest.Alice, apptest.Bob} {
			s.Complete(rule, object{"walletAddress": wallet}).OK()
			paid := s.Get("/api/loyalty/transaction_entries?walletAddress=" + wallet).Data()[0]
			ids = append(ids, paid["loyaltyTransactionId"].(string))
		}
		reverse(s, ids[0], object{}).OK()
		s.DeleteRuleAndDebit(rule).OK()
		reverse(s, ids[1], object{})
		checkBalance(s, apptest.Alice, "100")
		checkBalance(s, apptest.Bob, "100")
		s.Sound()
	})
}

func TestHeldPointsAreCancelled(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetPointLifetime(0, 2)
		rule := s.Free(object{"amount": 20})
		pay := func(wallet string) string {
			s.Complete(rule, object{"walletAddress": wallet}).OK()
			paid := s.Get("/api/loyalty/transaction_entries?walletAddress=" + wallet).Data()[0]
			return paid["loyaltyTransactionId"].(string)
		}
		held, released := pay(apptest.Alice), pay(apptest.Bob)
		reverse(s, held, object{"amount": 5}).
			Refused(400, "amount is not for points that are still held: they are reversed as a whole")
		reverse(s, held, object{}).OK()
		s.AdvanceAndExpire(3 * time.Hour)
		checkBalance(s, apptest.Alice, "0")
		checkBalance(s, apptest.Bob, "20")
		credit := s.Get("/api/loyalty/transaction_entries?walletAddress=" + apptest.Bob).Data()[0]
		reverse(s, credit["loyaltyTransactionId"].(string), object{}).
			Refused(400, "Transaction cannot be reversed: reverse the one that granted its points")
		reverse(s, released, object{"amount": 5}).OK()
		checkBalance(s, apptest.Bob, "15")
		s.Sound()
	})
}

func TestOnlyCapturedHoldsAreReversed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Alice, 100)).OK()
		hold := s.Post("/api/loyalty/holds", object{
			"walletAddress": apptest.Alice, "loyaltyCurrencyId": s.LoyaltyCurrencyID, "amount": 60,
		}).OK()
		id := hold["loyaltyTransactionId"].(string)
		reverse(s, id, object{}).Refused(400, "Transaction cannot be reversed: capture or release its hold first")
		released := s.Post("/api/loyalty/holds", object{
			"walletAddress": apptest.Alice, "loyaltyCurrencyId": s.LoyaltyCurrencyID, "amount": 1,
		}).OK()
		s.Post("/api/loyalty/holds/"+released["id"].(string)+"/release", object{}).OK()
		reverse(s, released["loyaltyTransactionId"].(string), object{}).
			Refused(400, "Transaction cannot be reversed: its hold has given the points back")
		s.Post("/api/loyalty/holds/"+hold["id"].(string)+"/capture", object{"amount": 40}).OK()
		checkBalance(s, apptest.Alice, "60")
		reverse(s, id, object{"amount": 41}).Refused(400, "Transaction was already reversed")
		reverse(s, id, object{"amount": 15}).OK()
		checkBalance(s, apptest.Alice, "75")
		reverse(s, id, object{}).OK()
		checkBalance(s, apptest.Alice, "100")
		s.Sound()
	})
}

// A badge by points goes when the points go, with its reward and the badge that it gave, and no other badge does.
func TestBadgesAreRecheckedIfAskedFor(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		further := s.CreateBadge(s.PointsReward(2))
		tier := s.CreateBadgeWith(object{
			"conditions": []object{{"type": "points", "amount": 100, "loyaltyCurrencyIds": []any{s.LoyaltyCurrencyID}}},
			"rewards":    []object{s.PointsReward(10), {"rewardType": "badge", "loyaltyBadgeId": further}},
		})
		byHand := s.CreateBadgeWith(object{
			"conditions": []object{{"type": "points", "amount": 1000, "loyaltyCurrencyIds": []any{s.LoyaltyCurrencyID}}},
		})
		s.GrantBadge(byHand, apptest.Alice)
		small, big := order(s, apptest.Alice, 5, "A-0"), order(s, apptest.Alice, 100, "A-1")
		s.GrantEarnedBadges()
		checkBalance(s, apptest.Alice, "117")
		statuses := func() string {
			return fmt.Sprint(s.BadgeStatus(tier, apptest.Alice), " ", s.BadgeStatus(further, apptest.Alice), " ",
				s.BadgeStatus(byHand, apptest.Alice))
		}
		reverse(s, small, object{"recheckBadges": true}).OK()
		if got := statuses(); got != "active active active" {
			t.Errorf("badges that are still earned: %s", got)
		}
		again := object{"recheckBadges": true, "idempotencyKey": "refund"}
		for range 2 { // the second finds the first
			reverse(s, big, again).OK()
		}
		if got := statuses(); got != "revoked revoked active" {
			t.Errorf("after the reversal: %s", got)
		}
		checkBalance(s, apptest.Alice, "0")
		s.Sound()
	})
}

// What a reversal left to the member stays there when the rule is deleted and takes back what it has paid.
func TestWhatAReversalLeftIsNotTakenWithTheRule(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(object{"amount": 20})
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		id := s.Get("/api/loyalty/transaction_entries?walletAddress=" + apptest.Alice).Data()[0]["loyaltyTransactionId"].(string)
		s.Transact(apptest.Points(apptest.Alice, 15, apptest.Debit)).OK()
		reverse(s, id, object{}).OK()
		s.Transact(apptest.Points(apptest.Alice, 100)).OK()
		s.DeleteRuleAndDebit(rule).OK()
		checkBalance(s, apptest.Alice, "100")
		s.Sound()
	})
}

// Points that a reset took, or that have expired, are not taken again.
func TestWhatIsGoneIsNotReversed(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		reset := order(s, apptest.Alice, 20, "A-1")
		reverse(s, reset, object{"amount": 5}).OK()
		s.Reset("balances").OK()
		s.Transact(apptest.Points(apptest.Alice, 100)).OK()
		reverse(s, reset, object{}).Refused(400, "Transaction was already reversed")
		checkBalance(s, apptest.Alice, "100")

		s.SetPointLifetime(30, 0)
		expired := order(s, apptest.Bob, 20, "A-2")
		s.AdvanceAndExpire(31 * apptest.Day)
		s.Transact(apptest.Points(apptest.Bob, 50)).OK()
		reverse(s, expired, object{}).OK()
		checkBalance(s, apptest.Bob, "50")
		s.Sound()
	})
}

// A rule is deleted while its payments are reversed: the points are taken once.
func TestADeletedRuleAndReversalsAtOnceTakeOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(object{"amount": 20})
		var wallets, ids []string
		for i := range 12 {
			wallet := apptest.Wallet(i + 1)
			s.Transact(apptest.Points(wallet, 100)).OK()
			s.Complete(rule, object{"walletAddress": wallet}).OK()
			paid := s.Get("/api/loyalty/transaction_entries?walletAddress=" + wallet).Data()[0]
			wallets, ids = append(wallets, wallet), append(ids, paid["loyaltyTransactionId"].(string))
		}
		var group sync.WaitGroup
		for _, id := range ids {
			group.Go(func() { reverse(s, id, object{}) })
		}
		s.DeleteRuleAndDebit(rule).OK()
		group.Wait()
		for _, wallet := range wallets {
			checkBalance(s, wallet, "100")
		}
		s.Sound()
	})
}

// Two parts that are reversed reopen the rule once: a completion that stands keeps its badge.
func TestPartsReopenARuleOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(object{"amount": 20, "interval": "daily"})
		badge := s.CreateBadgeWith(object{"conditions": []object{{"type": "rule", "loyaltyRuleIds": []string{rule}}}})
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		id := s.Get("/api/loyalty/transaction_entries?walletAddress=" + apptest.Alice).Data()[0]["loyaltyTransactionId"].(string)
		s.Clock.Advance(apptest.Day)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.GrantEarnedBadges()
		for range 2 {
			reverse(s, id, object{"amount": 10, "reopen": true, "recheckBadges": true}).OK()
		}
		if got := s.BadgeStatus(badge, apptest.Alice); got != "active" {
			t.Errorf("the badge is %s", got)
		}
	})
}

// Metadata of a caller's own that uses the words of the service means nothing to it.
func TestMetadataOfCallersIsTheirOwn(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		own := order(s, apptest.Alice, 20, "A-1", object{"metadata": object{"reason": "Receivable", "note": "mine"}})
		reverse(s, own, object{}).OK()
		checkBalance(s, apptest.Alice, "0")
		s.SetPointLifetime(30, 0)
		s.Clock.Advance(40 * apptest.Day)
		order(s, apptest.Bob, 20, "A-2", object{"metadata": object{"reversalOf": own}})
		s.AdvanceAndExpire(apptest.Day)
		checkBalance(s, apptest.Bob, "20")
		s.Sound()
	})
}

// A long line of badges, each the condition of the next, falls as a whole; one that was granted by hand again stays.
func TestARecheckFollowsBadgesToTheEnd(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		first := s.CreateBadgeWith(object{
			"conditions": []object{{"type": "points", "amount": 10, "loyaltyCurrencyIds": []any{s.LoyaltyCurrencyID}}},
		})
		last := first
		for range 13 {
			last = s.CreateBadgeWith(object{"conditions": []object{{"type": "badge", "loyaltyBadgeIds": []string{last}}}})
		}
		id := order(s, apptest.Alice, 10, "A-1")
		for range 14 { // each grant is the condition of the next
			s.GrantEarnedBadges()
		}
		reverse(s, id, object{"recheckBadges": true}).OK()
		for _, badge := range []string{first, last} {
			if got := s.BadgeStatus(badge, apptest.Alice); got != "revoked" {
				t.Errorf("the badge is %s", got)
			}
		}
		s.GrantBadge(first, apptest.Alice)
		reverse(s, order(s, apptest.Alice, 1, "A-2"), object{"recheckBadges": true}).OK()
		if got := s.BadgeStatus(first, apptest.Alice); got != "active" {
			t.Errorf("the badge by hand is %s", got)
		}
	})
}

func TestAReversalIsOfItsTenant(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		id := order(s, apptest.Alice, 20, "A-1")
		other := s.Call(s.OrganizationAPIKey, "POST", "/api/websites", object{"name": "Second"}).OK()["id"].(string)
		key := s.Call(s.OrganizationAPIKey, "POST", "/api/api_keys", object{
			"websiteId": other, "roleType": "WEBSITE_API_KEY", "name": "Second",
		}).OK()["key"].(string)
		s.Call(key, "POST", "/api/loyalty/transactions/"+id+"/reverse", object{}).Refused(404, "Transaction not found")
		s.Call(key, "POST", "/api/loyalty/transactions/reverse", object{"of": object{"idempotencyKey": "A-1"}}).
			Refused(404, "Transaction not found")
		checkBalance(s, apptest.Alice, "20")
	})
}

// Secret keys see how much is missing, and browsers do not.
func TestInsufficientBalanceSaysWhatThereIs(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Alice, 7.5)).OK()
		refused := s.Transact(apptest.Points(apptest.Alice, 10, apptest.Debit)).Refused(400, "Insufficient balance")
		if refused["have"] != json.Number("7.5") || refused["need"] != json.Number("10") {
			t.Errorf("the refusal is %v", refused)
		}
		contract := s.Post("/api/minting/contracts",
			object{"name": "Posters", "contractKind": "OFFCHAIN", "isListed": true}).OK()["id"]
		asset := s.Post("/api/minting/assets", object{
			"mintingContractId": contract, "name": "Poster", "price": 8, "quantity": 9, "isListed": true,
			"loyaltyCurrencyId": s.LoyaltyCurrencyID,
		}).OK()["id"]
		body := object{"assetId": asset, "contractId": contract, "walletAddress": apptest.Alice}
		token := "Bearer " + s.Token(apptest.Alice)
		refused = s.Call(s.ClientAPIKey, "POST", "/api/minting/contracts/mint", body, "Authorization", token).
			Refused(400, "Insufficient balance")
		if _, shown := refused["have"]; shown {
			t.Errorf("a browser reads %v", refused)
		}
	})
}
