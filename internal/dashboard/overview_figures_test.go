package dashboard_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/tenancy"
)

func TestTheOverviewShowsThePeriodInACurrency(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleAdmin)
		b.Get(b.Site("")).Shows(200, "No activity in the last 30 days", "Next steps", "Create a rule").Hides("Active members")
		rule := s.Free(object{"name": "Come <b>by</b>", "amount": 1234.5})
		b.Get(b.Site("")).Shows(200, "curl -X POST", rule)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Clock.Advance(31 * 24 * time.Hour)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		s.Transact(apptest.Points(apptest.Bob, 34.5, apptest.Debit)).OK()
		gems := s.Post("/api/loyalty/currencies", object{"name": "Gems <i>", "symbol": "GEM", "decimals": 0}).OK()["id"].(string)
		s.Post("/api/loyalty/transactions", object{"description": "Gems", "loyaltyCurrencyId": gems,
			"entries": []any{apptest.Points(apptest.Alice, 77)}}).OK()
		s.UpdateFigures()
		points := s.LoyaltyCurrencyID.String()
		page := b.Get(b.Site("?days=30&currency="+points)).Shows(200, "Issued", "2,469", "Spent", "34.5", "Active members",
			"Completions", "Sat 14 Feb so far: issued 2,469, spent 34.5", "Show as table", "Members hold 3,669", "Gems <i>")
		if containsRaw(page, "Gems <i>") || containsRaw(page, "<b>by</b>") {
			t.Error("a name is not escaped")
		}
		if match(t, page, `>Active members</dt><dd class="value">(\d+)`) != "2" ||
			match(t, page, `>Completions</dt><dd class="value">(\d+)`) != "2" {
			t.Error("members and completions are not 2")
		}
		if match(t, page, `<a href="([^"]+)" aria-current="true">30 days`) != b.Site("")+"/?currency="+points+"&days=30" {
			t.Log(page.Body)
		}
		b.Get(match(t, page, `<a href="([^"]+)">90 days`)).Shows(200, "3,703.5", "Wed 14 Jan: issued 1,234.5, spent 0")
		b.Get(b.Site("?currency="+gems)).Shows(200, "Sat 14 Feb so far: issued 77, spent 0", "Members hold 77")
		b.Get(b.Site("?days=x&currency=x")).Shows(200, "30 days")
		if bars := strings.Count(page.Body, `<g class="day`); bars != 30 {
			t.Errorf("30 days are %d bars", bars)
		}
		s.SignInAdmin(tenancy.RoleViewer).Get(b.Site("")).Shows(200, "Active members").Hides("Create rule")
		other := s.NewProgram("Other")
		mine := s.SignInOwner(other.OrganizationID)
		mine.Get("/admin/"+other.WebsiteID.String()).Shows(200, "No activity").Hides("2,469")
		mine.Get(b.Site("")).Shows(404)
	})
}

func TestTilesCompareWithThePeriodBefore(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(nil)
		for day := range 14 {
			for n := range 1 + day/7 {
				s.Complete(rule, object{"walletAddress": apptest.Wallet(n)}).OK()
			}
			if day < 13 {
				s.Clock.Advance(24 * time.Hour)
			}
		}
		s.UpdateFigures()
		b := s.SignInAdmin(tenancy.RoleViewer)
		b.Get(b.Site("?days=7")).Shows(200, "100%", "vs. previous 7 days", "up ")
		b.Get(b.Site("?days=30")).Shows(200, "Last 30 days").Hides("vs. previous 30 days")
	})
}

func TestARuleShowsHowItPerforms(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		b := s.SignInAdmin(tenancy.RoleViewer)
		rule := s.Rule("check_in", object{"name": "Daily <b>visit</b>", "interval": "daily", "amount": 5})
		address := b.Site("/rules/" + rule + "/performance")
		b.Get(address).Shows(200, "No completions yet", "Daily <b>visit</b>")
		for i := range 3 {
			s.Complete(rule, object{"walletAddress": apptest.Wallet(i)}).OK()
			s.Complete(rule, object{"walletAddress": apptest.Wallet(i)}).Refused(400, apptest.PaidAlready)
		}
		s.Complete(rule, object{"walletAddress": apptest.Wallet(9), "amount": 5})
		s.UpdateFigures()
		page := b.Get(address).Shows(200, "Wed 14 Jan so far: completions 3", "Already rewarded in this period", "API request",
			"Performance", "15 <small>", "Attempts in the last 30 days")
		if containsRaw(page, "<b>visit</b>") {
			t.Error("a name is not escaped")
		}
		b.Get(b.Site("/rules/"+rule)).Shows(200, address)
		list := b.Get(b.Site("/rules")).Shows(200, "in 30 days", address)
		if done := match(t, list, `performance">(\d+)<span`); done != "3" {
			t.Errorf("the list tells %s completions", done)
		}
		if paid := match(t, list, `<b>(\d+)</b> Acme points`); paid != "5" && paid != "15" {
			t.Errorf("the list tells %s", paid)
		}
		s.Clock.Advance(31 * 24 * time.Hour)
		b.Get(address).Shows(200, "No completions yet")
		b.Get(b.Site("/rules/" + apptest.UnknownID + "/performance")).Shows(404)
		other := s.SignInOwner(s.NewProgram("Other").OrganizationID)
		other.Get(address).Shows(404)
		s.NewBrowser().Get(address).FollowsTo("/admin/sign-in")
	})
}

func TestALongTimeOfFiguresFitsAPage(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(object{"amount": 1})
		for day := range 20 {
			s.Complete(rule, object{"walletAddress": apptest.Wallet(day)}).OK()
			s.Clock.Advance(24 * time.Hour)
		}
		s.UpdateFigures()
		b := s.SignInAdmin(tenancy.RoleViewer)
		for _, days := range []int{7, 30, 90} {
			page := b.Get(b.Site(fmt.Sprintf("?days=%d", days))).Shows(200)
			if bars := strings.Count(page.Body, `<g class="day`); bars != days {
				t.Errorf("%d days are %d bars", days, bars)
			}
		}
	})
}
