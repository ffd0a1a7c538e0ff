package lots_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

const holdsPath = "/api/loyalty/holds"

// Every way in which points come back keeps the day on which they expire.
func TestPointsThatComeBackExpireWhenTheyWouldHave(t *testing.T) {
	t.Parallel()
	for name, back := range map[string]func(s *apptest.Server, hold string){
		"release": func(s *apptest.Server, hold string) { s.Post(holdsPath+"/"+hold+"/release", object{}).OK() },
		"partial capture": func(s *apptest.Server, hold string) {
			s.Post(holdsPath+"/"+hold+"/capture", object{"amount": 1}).OK()
		},
		"expiry": func(s *apptest.Server, _ string) {
			s.Clock.Advance(time.Hour)
			if err := s.App.Holds.RunDue(context.Background()); err != nil {
				s.T.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			apptest.Each(t, func(t *testing.T, s *apptest.Server) {
				s.SetPointLifetime(30, 0)
				s.Transact(apptest.Points(apptest.Alice, 50)).OK()
				s.Clock.Advance(10 * apptest.Day)
				s.Transact(apptest.Points(apptest.Alice, 50)).OK()
				s.Clock.Advance(19 * apptest.Day)
				hold := s.Post(holdsPath, object{"walletAddress": apptest.Alice, "amount": 60,
					"loyaltyCurrencyId": s.LoyaltyCurrencyID}).OK()["id"].(string)
				back(s, hold)
				list := s.Get("/api/loyalty/accounts/" + s.Account(apptest.Alice) + "/lots").Data()
				if len(list) != 2 {
					t.Errorf("points that came back made lots: %v", list)
				}
				s.AdvanceAndExpire(2 * apptest.Day)
				if got := s.Balance(apptest.Alice); got != "50" {
					t.Errorf("a day after the first lot expires the balance is %s, want 50", got)
				}
				s.AdvanceAndExpire(10 * apptest.Day)
				if got := s.Balance(apptest.Alice); got != "0" {
					t.Errorf("after the second expires the balance is %s, want 0", got)
				}
				s.Sound()
			})
		})
	}
}

// What has expired while it was held expires as it comes back, also where several wallets of a group have paid.
func TestPointsThatExpiredWhileTheyWereHeldExpireAsTheyComeBack(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.SetPointLifetime(10, 0)
		s.In(apptest.Alice, "family")
		s.In(apptest.Bob, "family")
		s.Transact(apptest.Points(apptest.Alice, 30)).OK()
		s.Transact(apptest.Points(apptest.Bob, 30)).OK()
		hold := s.Post(holdsPath, object{"walletAddress": apptest.Alice, "amount": 50,
			"loyaltyCurrencyId": s.LoyaltyCurrencyID, "expiresInSeconds": 20 * 86400}).OK()["id"].(string)
		s.AdvanceAndExpire(11 * apptest.Day)
		s.Transact(apptest.Points(apptest.Bob, 7)).OK()
		s.Post(holdsPath+"/"+hold+"/release", object{}).OK()
		s.RunExpiry()
		if got := fmt.Sprint(s.Balance(apptest.Alice), " ", s.Balance(apptest.Bob)); got != "0 7" {
			t.Errorf("the balances are %s, want 0 7", got)
		}
		s.Sound()
	})
}
