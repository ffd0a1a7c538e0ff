package lots_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// expiringOf returns when points of a wallet's account expire, and how many, soonest first.
func expiringOf(s *apptest.Server, wallet, query string) (moments, amounts []string) {
	s.T.Helper()
	for _, item := range s.Get("/api/loyalty/accounts/" + s.Account(wallet) + "/expiring?" + query).Data() {
		moments = append(moments, item["expiresAt"].(string))
		amounts = append(amounts, fmt.Sprint(item["amount"]))
	}
	return moments, amounts
}

// afterMoment returns the moment of a response that is a millisecond later.
func afterMoment(t *testing.T, moment string) string {
	t.Helper()
	at, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		t.Fatal(err)
	}
	return at.Add(time.Millisecond).Format("2006-01-02T15:04:05.000Z")
}

func TestPointsThatWillExpireAreSummedByTheirMoment(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		wants := func(query string, want ...string) []string {
			t.Helper()
			moments, amounts := expiringOf(s, apptest.Alice, query)
			if !slices.Equal(amounts, want) || !slices.IsSorted(moments) {
				t.Fatalf("?%s lists %q at %q, want %q", query, amounts, moments, want)
			}
			return moments
		}
		s.Transact(apptest.Points(apptest.Alice, 7)).OK()
		wants("") // points of the currency do not expire
		s.SetPointLifetime(30, 48)
		s.Clock.Advance(time.Hour)
		s.Transact(apptest.Points(apptest.Alice, 100), apptest.Points(apptest.Alice, 11)).OK()
		wants("", "7", "111") // nothing else has applied these entries
		// Debits take from the oldest, and held points are not among them.
		rule := s.Rule("external_rule", object{"interval": "unlimited"})
		s.Complete(rule, object{"walletAddress": apptest.Alice, "idempotencyKey": "a", "amount": 25}).OK()
		s.Transact(apptest.Points(apptest.Alice, 9, apptest.Debit)).OK()
		wants("", "109")
		s.AdvanceAndExpire(49 * time.Hour)
		at := wants("", "109", "25")
		open := s.Get("/api/loyalty/accounts/" + s.Account(apptest.Alice) + "/lots?state=open").Data()
		if len(open) != 3 || open[2]["expiresAt"] != at[0] || open[0]["expiresAt"] != at[1] {
			t.Errorf("the lots expire at other moments: %v, not %v", open, at)
		}
		// before and after are exclusive, and pages go on with after.
		wants("before=" + at[0])
		wants("before="+afterMoment(t, at[0]), "109")
		wants("after="+at[0], "25")
		wants("after=" + at[0] + "&before=" + at[1])
		wants("after=" + at[1])
		path := "/api/loyalty/accounts/" + s.Account(apptest.Alice) + "/expiring"
		if page := s.Get(path + "?limit=1").OK(); page["hasNextPage"] != true || len(page["data"].([]any)) != 1 {
			t.Errorf("the first page: %v", page)
		}
		if page := s.Get(path + "?limit=1&after=" + at[0]).OK(); page["hasNextPage"] != false {
			t.Errorf("the last page: %v", page)
		}
		s.Get(path+"?before=soon").Refused(400, "before must be an ISO 8601 date-time")
		s.Get(path+"?limit=0").Refused(400, "limit must be between 1 and 1000")
		s.AdvanceAndExpire(28 * apptest.Day)
		wants("", "25")
		// Without a term points have no end, and a later one begins anew. In a deleted currency nothing expires.
		s.SetPointLifetime(0, 0)
		wants("")
		s.SetPointLifetime(5, 0)
		if again := wants("", "25"); again[0] == at[1] {
			t.Error("the former end still counts")
		}
		s.Call(s.WebsiteAPIKey, "DELETE", apptest.CurrenciesPath+"/"+s.LoyaltyCurrencyID.String(), nil).OK()
		wants("")
		s.Sound()
	})
}

func TestMembersAloneSeeWhenTheirPointsExpire(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetPointLifetime(30, 0)
		s.Transact(apptest.Points(apptest.Alice, 3), apptest.Points(apptest.Bob, 4)).OK()
		path := "/api/loyalty/accounts/" + s.Account(apptest.Alice) + "/expiring"
		for _, trusts := range []bool{false, true} { // hidden bids would show in the account of another member
			s.Post("/api/websites/"+s.WebsiteID.String(), object{"trustClientUsers": trusts}).OK()
			own := s.Call(s.ClientAPIKey, "GET", path, nil, "Authorization", "Bearer "+s.Token(apptest.Alice))
			if list := own.Data(); len(list) != 1 || fmt.Sprint(list[0]["amount"]) != "3" {
				t.Errorf("its own: %s", own.Body)
			}
			s.Call(s.ClientAPIKey, "GET", path, nil).Refused(403, "Member token is required")
			s.Call(s.ClientAPIKey, "GET", path, nil, "Authorization", "Bearer "+s.Token(apptest.Bob)).
				Refused(404, "Account not found")
		}
		for _, key := range []string{s.ReadOnlyAPIKey, s.WebsiteAPIKey, s.OrganizationAPIKey} {
			if list := s.Call(key, "GET", path, nil).Data(); len(list) != 1 {
				t.Errorf("through another key: %v", list)
			}
		}
		main := s.Get("/api/loyalty/accounts?userId=&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).Data()[0]["id"].(string)
		if list := s.Get("/api/loyalty/accounts/" + main + "/expiring").Data(); len(list) != 0 {
			t.Errorf("the main account: %v", list)
		}
		s.Get("/api/loyalty/accounts/"+apptest.UnknownID+"/expiring").Refused(404, "Account not found")
		other := s.NewProgram("Other")
		s.Call(other.WebsiteAPIKey, "GET", path, nil).Refused(404, "Account not found")
	})
}
