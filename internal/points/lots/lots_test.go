package lots_test

import (
	"encoding/json"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestPointsExpireWhatIsOldestIsSpentFirst(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetPointLifetime(30, 0)
		s.Transact(apptest.Points(apptest.Alice, 100)).OK()
		s.AdvanceAndExpire(10 * apptest.Day)
		s.Transact(apptest.Points(apptest.Alice, 50)).OK()
		s.Transact(apptest.Points(apptest.Alice, 30, apptest.Debit)).OK()
		s.CheckLots(apptest.Alice, "120", "open 100 70", "open 50 50")
		s.AdvanceAndExpire(20*apptest.Day - time.Minute)
		s.CheckLots(apptest.Alice, "120", "open 100 70", "open 50 50")
		s.AdvanceAndExpire(time.Minute)
		s.CheckLots(apptest.Alice, "50", "expired 100 0", "open 50 50")
		s.RunExpiry()
		entry := s.Get("/api/loyalty/transaction_entries?limit=1&loyaltyAccountId=" + s.Account(apptest.Alice)).Data()[0]
		lot := s.Get("/api/loyalty/accounts/" + s.Account(apptest.Alice) + "/lots?state=expired").Data()[0]
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
		s.Transact(apptest.Points(apptest.Alice, 50, apptest.Debit)).OK()
		s.CheckLots(apptest.Alice, "0", "expired 100 0", "spent 50 0")
		s.AdvanceAndExpire(100 * apptest.Day)
		s.CheckLots(apptest.Alice, "0", "expired 100 0", "spent 50 0")
	})
}

func TestBalancesOfBeforeBecomeOneLotThatBeginsWithTheSetting(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Alice, 60)).OK()
		s.Transact(apptest.Points(apptest.Bob, 7)).OK()
		s.Clock.Advance(365 * apptest.Day)
		s.Transact(apptest.Points(apptest.Alice, 40)).OK()
		s.Clock.Advance(apptest.Day)
		s.SetPointLifetime(10, 0)
		s.Clock.Advance(apptest.Day)
		s.Transact(apptest.Points(apptest.Alice, 5)).OK()
		s.Transact(apptest.Points(apptest.Alice, 1, apptest.Debit)).OK()
		s.CheckLots(apptest.Alice, "104", "open 100 99", "open 5 5")
		s.AdvanceAndExpire(9 * apptest.Day)
		s.CheckLots(apptest.Alice, "5", "expired 100 0", "open 5 5")
		s.CheckLots(apptest.Bob, "0", "expired 7 0")
		// Off: nothing expires. On again: what is there counts anew.
		s.SetPointLifetime(0, 0)
		s.Transact(apptest.Points(apptest.Alice, 3)).OK()
		s.AdvanceAndExpire(100 * apptest.Day)
		s.CheckLots(apptest.Alice, "8", "expired 100 0", "open 5 5")
		s.SetPointLifetime(2, 0)
		s.AdvanceAndExpire(apptest.Day)
		s.CheckLots(apptest.Alice, "8", "expired 100 0", "closed 5 5", "open 8 8")
		s.AdvanceAndExpire(apptest.Day)
		s.CheckLots(apptest.Alice, "0", "expired 100 0", "closed 5 5", "expired 8 0")
		s.CheckLots(apptest.Bob, "0", "expired 7 0")
	})
}

func TestPointsKeepTheTermOnWhichTheyWereGiven(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetPointLifetime(100, 0)
		s.Transact(apptest.Points(apptest.Alice, 10)).OK()
		s.SetPointLifetime(5, 0)
		s.Transact(apptest.Points(apptest.Alice, 20)).OK()
		s.AdvanceAndExpire(5 * apptest.Day)
		s.CheckLots(apptest.Alice, "10", "open 10 10", "expired 20 0")
		s.Transact(apptest.Points(apptest.Alice, 4, apptest.Debit)).OK()
		s.AdvanceAndExpire(95 * apptest.Day)
		s.CheckLots(apptest.Alice, "0", "expired 10 0", "expired 20 0")
	})
}

func TestRewardsWaitUntilTheyAreReleased(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetPointLifetime(0, 48)
		rule := s.Rule("external_rule", object{"interval": "unlimited"})
		done := s.Complete(rule, object{"walletAddress": apptest.Alice, "idempotencyKey": "a", "amount": 25}).OK()
		if done["data"].(object)["status"] != "completed" {
			t.Errorf("the completion: %v", done)
		}
		s.Transact(apptest.Points(apptest.Alice, 5)).OK() // what callers post does not wait
		s.CheckLots(apptest.Alice, "5", "pending 25 25")
		s.Get("/api/loyalty/accounts/"+s.Account(apptest.Alice)+"/lots?state=maybe").
			Refused(400, "state must be one of: pending, released, cancelled, open, spent, expired, closed")
		s.Transact(apptest.Points(apptest.Alice, 6, apptest.Debit)).Refused(400, "Insufficient balance")
		zero := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).Data()[0]
		meta := zero["metadata"].(object)
		if zero["amount"] != json.Number("0") || meta["reason"] != "waiting" || meta["waitingAmount"] != json.Number("25") ||
			meta["waitsUntil"] == nil {
			t.Errorf("the entry of held points: %v", zero)
		}
		s.AdvanceAndExpire(48*time.Hour - time.Minute)
		s.CheckLots(apptest.Alice, "5", "pending 25 25")
		s.AdvanceAndExpire(time.Minute)
		s.CheckLots(apptest.Alice, "30", "released 25 0")
		given := s.Get("/api/loyalty/transaction_entries?limit=1&loyaltyRuleId=" + rule).Data()[0]
		if given["amount"] != json.Number("25") || given["type"] != "loyalty_rule" ||
			given["metadata"].(object)["lotId"] != meta["lotId"] ||
			given["metadata"].(object)["reason"] != "released" {
			t.Errorf("the entry of the release: %v", given)
		}
		// It is no second completion.
		daily := s.Rule("check_in", object{"interval": "daily"})
		s.Complete(daily, object{"walletAddress": apptest.Alice}).OK()
		waits := s.Get("/api/loyalty/accounts/" + s.Account(apptest.Alice) + "/lots?state=pending&limit=1").Data()[0]
		s.Post("/api/loyalty/lots/"+waits["id"].(string)+"/release", nil).OK()
		if n := s.Count(
			"/api/loyalty/transaction_entries?walletAddress=" + apptest.Alice + "&userCompletedLoyaltyRuleId=" + daily,
		); n != 1 {
			t.Errorf("%d entries close the window", n)
		}
		s.Transact(apptest.Points(apptest.Alice, 10, apptest.Debit)).OK()
		// The same key again is the same completion.
		s.Complete(rule, object{"walletAddress": apptest.Alice, "idempotencyKey": "a", "amount": 25}).OK()
		s.AdvanceAndExpire(100 * time.Hour)
		s.CheckLots(apptest.Alice, "30", "released 25 0", "released 10 0")
	})
}

func TestWhatWaitsIsReleasedOrCancelledOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetPointLifetime(10, 48)
		rule := s.Rule("external_rule", object{"interval": "unlimited"})
		for range 2 {
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		}
		list := s.Get("/api/loyalty/accounts/" + s.Account(apptest.Alice) + "/lots?state=pending").Data()
		first, second := "/api/loyalty/lots/"+list[1]["id"].(string), "/api/loyalty/lots/"+list[0]["id"].(string)
		s.Clock.Advance(apptest.Day)
		released := s.Post(first+"/release", nil).OK()
		if released["state"] != "released" || released["loyaltyTransactionEntryId"] == nil {
			t.Errorf("released: %v", released)
		}
		s.Post(first+"/release", nil).Refused(400, "Lot is not pending")
		s.Post(first+"/cancel", nil).Refused(400, "Lot is not pending")
		cancelled := s.Post(second+"/cancel", object{"reason": "Returned"}).OK()
		if cancelled["state"] != "cancelled" || cancelled["reason"] != "Returned" ||
			cancelled["remaining"] != json.Number("0") ||
			cancelled["endedAt"] == nil {
			t.Errorf("cancelled: %v", cancelled)
		}
		s.Post(second+"/cancel", nil).Refused(400, "Lot is not pending")
		s.Post(second+"/release", nil).Refused(400, "Lot is not pending")
		s.Post("/api/loyalty/lots/"+apptest.SecondUnknownID+"/release", nil).Refused(404, "Lot not found")
		s.Post("/api/loyalty/lots/"+apptest.SecondUnknownID+"/cancel", nil).Refused(404, "Lot not found")
		s.Get("/api/loyalty/accounts/"+apptest.SecondUnknownID+"/lots").Refused(404, "Account not found")
		// A released lot lives from its release on.
		s.CheckLots(apptest.Alice, "10", "open 10 10", "cancelled 10 0")
		s.AdvanceAndExpire(9*apptest.Day + time.Hour)
		s.CheckLots(apptest.Alice, "10", "open 10 10", "cancelled 10 0")
		s.AdvanceAndExpire(apptest.Day)
		s.CheckLots(apptest.Alice, "0", "expired 10 0", "cancelled 10 0")
	})
}

func TestLotSettingsAreChecked(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		own := apptest.CurrenciesPath + "/" + s.LoyaltyCurrencyID.String()
		for body, message := range map[string]string{
			`{"pointsExpireAfterDays":0}`:     "pointsExpireAfterDays must be between 1 and 36500",
			`{"pointsExpireAfterDays":36501}`: "pointsExpireAfterDays must be between 1 and 36500",
			`{"pointsWaitHours":-1}`:          "pointsWaitHours must be between 1 and 87600",
			`{"pointsWaitHours":1.5}`:         "pointsWaitHours must be an integer",
		} {
			s.Post(own, body).Refused(400, message)
		}
		made := s.Post(apptest.CurrenciesPath, object{"name": "Gold", "symbol": "G", "decimals": 0, "pointsExpireAfterDays": 365, "pointsWaitHours": 24}).
			OK()
		if made["pointsExpireAfterDays"] != json.Number("365") || made["pointsWaitHours"] != json.Number("24") {
			t.Errorf("made: %v", made)
		}
		if kept := s.Post(apptest.CurrenciesPath+"/"+made["id"].(string), object{"name": "Golden"}).
			OK(); kept["pointsExpireAfterDays"] != json.Number(
			"365",
		) {
			t.Errorf("kept: %v", kept)
		}
		if off := s.Post(apptest.CurrenciesPath+"/"+made["id"].(string), object{"pointsExpireAfterDays": nil}).
			OK(); off["pointsExpireAfterDays"] != nil {
			t.Errorf("off: %v", off)
		}
	})
}
