package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

const day = 24 * time.Hour

// living makes the program's currency let points live for some days and wait for some hours; 0: not.
func (s *server) living(days, hours int) {
	s.t.Helper()
	orNull := func(n int) any {
		if n == 0 {
			return nil
		}
		return n
	}
	s.post(currenciesPath+"/"+s.LoyaltyCurrencyID.String(), object{"pointsExpireAfterDays": orNull(days), "pointsWaitHours": orNull(hours)}).
		ok()
}

// account returns the id of a wallet's account in the program's currency.
func (s *server) account(wallet string) string {
	s.t.Helper()
	return s.get("/api/loyalty/accounts?walletAddress=" + wallet + "&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).data()[0]["id"].(string)
}

// lots returns the lots of a wallet's account, oldest first, as "state amount remaining".
func (s *server) lots(wallet string) []string {
	s.t.Helper()
	list := s.get("/api/loyalty/accounts/" + s.account(wallet) + "/lots").data()
	out := make([]string, len(list))
	for i, l := range list {
		out[len(list)-1-i] = fmt.Sprintf("%s %s %s", l["state"], l["amount"], l["remaining"])
	}
	return out
}

// pass lets time go by and carries out what is due.
func (s *server) pass(d time.Duration) {
	s.t.Helper()
	s.clock.advance(d)
	s.due()
}

func (s *server) due() {
	s.t.Helper()
	if err := s.app.Expiry.RunDue(context.Background()); err != nil {
		s.t.Fatal(err)
	}
}

// is fails unless the wallet has these lots and this balance, and the ledger is sound.
func (s *server) is(wallet, balance string, lots ...string) {
	s.t.Helper()
	if got := s.balance(wallet); got != balance {
		s.t.Fatalf("the balance is %s, want %s", got, balance)
	}
	if got := s.lots(wallet); fmt.Sprint(got) != fmt.Sprint(lots) {
		s.t.Fatalf("the lots are %q, want %q", got, lots)
	}
	s.sound()
}

func TestPointsExpireWhatIsOldestIsSpentFirst(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.living(30, 0)
		s.transact(points(alice, 100)).ok()
		s.pass(10 * day)
		s.transact(points(alice, 50)).ok()
		s.transact(points(alice, 30, debit)).ok()
		s.is(alice, "120", "open 100 70", "open 50 50")
		s.pass(20*day - time.Minute)
		s.is(alice, "120", "open 100 70", "open 50 50")
		s.pass(time.Minute)
		s.is(alice, "50", "expired 100 0", "open 50 50")
		s.due()
		entry := s.get("/api/loyalty/transaction_entries?limit=1&loyaltyAccountId=" + s.account(alice)).data()[0]
		lot := s.get("/api/loyalty/accounts/" + s.account(alice) + "/lots?state=expired").data()[0]
		meta := entry["metadata"].(object)
		if entry["direction"] != "debit" || entry["amount"] != json.Number("70") || entry["type"] != "api_key" ||
			meta["lotId"] != lot["id"] ||
			meta["reason"] != "expired" {
			t.Errorf("the entry of the expiry: %v", entry)
		}
		if lot["expiryEntryId"] != entry["id"] || lot["endedAt"] == nil || lot["loyaltyTransactionEntryId"] == nil {
			t.Errorf("the lot: %v", lot)
		}
		if about := entry["loyaltyTransaction"].(object); about["description"] != "Points expired" {
			t.Errorf("the transaction: %v", about)
		}
		s.transact(points(alice, 50, debit)).ok()
		s.is(alice, "0", "expired 100 0", "spent 50 0")
		s.pass(100 * day)
		s.is(alice, "0", "expired 100 0", "spent 50 0")
	})
}

func TestBalancesOfBeforeBecomeOneLotThatBeginsWithTheSetting(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.transact(points(alice, 60)).ok()
		s.transact(points(bob, 7)).ok()
		s.clock.advance(365 * day)
		s.transact(points(alice, 40)).ok()
		s.clock.advance(day)
		s.living(10, 0)
		s.clock.advance(day)
		s.transact(points(alice, 5)).ok()
		s.transact(points(alice, 1, debit)).ok()
		s.is(alice, "104", "open 100 99", "open 5 5")
		s.pass(9 * day)
		s.is(alice, "5", "expired 100 0", "open 5 5")
		s.is(bob, "0", "expired 7 0")
		// Off: nothing expires. On again: what is there counts anew.
		s.living(0, 0)
		s.transact(points(alice, 3)).ok()
		s.pass(100 * day)
		s.is(alice, "8", "expired 100 0", "open 5 5")
		s.living(2, 0)
		s.pass(day)
		s.is(alice, "8", "expired 100 0", "closed 5 5", "open 8 8")
		s.pass(day)
		s.is(alice, "0", "expired 100 0", "closed 5 5", "expired 8 0")
		s.is(bob, "0", "expired 7 0")
	})
}

func TestPointsKeepTheTermOnWhichTheyWereGiven(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.living(100, 0)
		s.transact(points(alice, 10)).ok()
		s.living(5, 0)
		s.transact(points(alice, 20)).ok()
		s.pass(5 * day)
		s.is(alice, "10", "open 10 10", "expired 20 0")
		s.transact(points(alice, 4, debit)).ok()
		s.pass(95 * day)
		s.is(alice, "0", "expired 10 0", "expired 20 0")
	})
}

func TestRewardsWaitUntilTheyAreReleased(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.living(0, 48)
		rule := s.rule("external_rule", object{"interval": "unlimited"})
		done := s.complete(rule, object{"walletAddress": alice, "idempotencyKey": "a", "amount": 25}).ok()
		if done["data"].(object)["status"] != "completed" {
			t.Errorf("the completion: %v", done)
		}
		s.transact(points(alice, 5)).ok() // what callers post does not wait
		s.is(alice, "5", "pending 25 25")
		s.get("/api/loyalty/accounts/"+s.account(alice)+"/lots?state=maybe").
			refused(400, "state must be one of: pending, released, cancelled, open, spent, expired, closed")
		s.transact(points(alice, 6, debit)).refused(400, "Insufficient balance")
		zero := s.get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).data()[0]
		meta := zero["metadata"].(object)
		if zero["amount"] != json.Number("0") || meta["reason"] != "waiting" || meta["waitingAmount"] != json.Number("25") ||
			meta["waitsUntil"] == nil {
			t.Errorf("the entry of what waits: %v", zero)
		}
		s.pass(48*time.Hour - time.Minute)
		s.is(alice, "5", "pending 25 25")
		s.pass(time.Minute)
		s.is(alice, "30", "released 25 0")
		given := s.get("/api/loyalty/transaction_entries?limit=1&loyaltyRuleId=" + rule).data()[0]
		if given["amount"] != json.Number("25") || given["type"] != "loyalty_rule" ||
			given["metadata"].(object)["lotId"] != meta["lotId"] ||
			given["metadata"].(object)["reason"] != "released" {
			t.Errorf("the entry of the release: %v", given)
		}
		// It is no second completion.
		daily := s.rule("check_in", object{"interval": "daily"})
		s.complete(daily, object{"walletAddress": alice}).ok()
		waits := s.get("/api/loyalty/accounts/" + s.account(alice) + "/lots?state=pending&limit=1").data()[0]
		s.post("/api/loyalty/lots/"+waits["id"].(string)+"/release", nil).ok()
		if n := s.count(
			"/api/loyalty/transaction_entries?walletAddress=" + alice + "&userCompletedLoyaltyRuleId=" + daily,
		); n != 1 {
			t.Errorf("%d entries close the window", n)
		}
		s.transact(points(alice, 10, debit)).ok()
		// The same key again is the same completion.
		s.complete(rule, object{"walletAddress": alice, "idempotencyKey": "a", "amount": 25}).ok()
		s.pass(100 * time.Hour)
		s.is(alice, "30", "released 25 0", "released 10 0")
	})
}

func TestWhatWaitsIsReleasedOrCancelledOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.living(10, 48)
		rule := s.rule("external_rule", object{"interval": "unlimited"})
		for range 2 {
			s.complete(rule, object{"walletAddress": alice}).ok()
		}
		list := s.get("/api/loyalty/accounts/" + s.account(alice) + "/lots?state=pending").data()
		first, second := "/api/loyalty/lots/"+list[1]["id"].(string), "/api/loyalty/lots/"+list[0]["id"].(string)
		s.clock.advance(day)
		released := s.post(first+"/release", nil).ok()
		if released["state"] != "released" || released["loyaltyTransactionEntryId"] == nil {
			t.Errorf("released: %v", released)
		}
		s.post(first+"/release", nil).refused(400, "Lot is not pending")
		s.post(first+"/cancel", nil).refused(400, "Lot is not pending")
		cancelled := s.post(second+"/cancel", object{"reason": "Returned"}).ok()
		if cancelled["state"] != "cancelled" || cancelled["reason"] != "Returned" ||
			cancelled["remaining"] != json.Number("0") ||
			cancelled["endedAt"] == nil {
			t.Errorf("cancelled: %v", cancelled)
		}
		s.post(second+"/cancel", nil).refused(400, "Lot is not pending")
		s.post(second+"/release", nil).refused(400, "Lot is not pending")
		s.post("/api/loyalty/lots/"+nobody+"/release", nil).refused(404, "Lot not found")
		s.post("/api/loyalty/lots/"+nobody+"/cancel", nil).refused(404, "Lot not found")
		s.get("/api/loyalty/accounts/"+nobody+"/lots").refused(404, "Account not found")
		// A released lot lives from its release on.
		s.is(alice, "10", "open 10 10", "cancelled 10 0")
		s.pass(9*day + time.Hour)
		s.is(alice, "10", "open 10 10", "cancelled 10 0")
		s.pass(day)
		s.is(alice, "0", "expired 10 0", "cancelled 10 0")
	})
}

func TestLotSettingsAreChecked(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		own := currenciesPath + "/" + s.LoyaltyCurrencyID.String()
		for body, message := range map[string]string{
			`{"pointsExpireAfterDays":0}`:     "pointsExpireAfterDays must be between 1 and 36500",
			`{"pointsExpireAfterDays":36501}`: "pointsExpireAfterDays must be between 1 and 36500",
			`{"pointsWaitHours":-1}`:          "pointsWaitHours must be between 1 and 87600",
			`{"pointsWaitHours":1.5}`:         "pointsWaitHours must be an integer",
		} {
			s.post(own, body).refused(400, message)
		}
		made := s.post(currenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0, "pointsExpireAfterDays": 365, "pointsWaitHours": 24}).
			ok()
		if made["pointsExpireAfterDays"] != json.Number("365") || made["pointsWaitHours"] != json.Number("24") {
			t.Errorf("made: %v", made)
		}
		if kept := s.post(currenciesPath+"/"+made["id"].(string), object{"name": "Golden"}).
			ok(); kept["pointsExpireAfterDays"] != json.Number(
			"365",
		) {
			t.Errorf("kept: %v", kept)
		}
		if off := s.post(currenciesPath+"/"+made["id"].(string), object{"pointsExpireAfterDays": nil}).
			ok(); off["pointsExpireAfterDays"] != nil {
			t.Errorf("off: %v", off)
		}
	})
}
