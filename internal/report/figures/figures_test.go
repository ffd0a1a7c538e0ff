package figures_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/report/figures"
	"laurel.example/laurel/internal/store"
)

type object = apptest.Object

var always = context.Background()

// whole writes an amount in units.
func whole(units int64) laurel.Amount { return laurel.Amount(units) * laurel.One }

// must returns the result of a read, and fails the test where there is none.
func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// world is what the figures must tell, added up beside the service.
type world struct {
	issued, spent map[int]int64
	done          map[int]int64
	paid          map[string]int64
	active        map[int]map[string]bool
}

func (w *world) meet(day int, wallet string) {
	if w.active[day] == nil {
		w.active[day] = map[string]bool{}
	}
	w.active[day][wallet] = true
}

// within counts those who were active in so many days up to one.
func (w *world) within(day, days int) int64 {
	met := map[string]bool{}
	for d := day - days + 1; d <= day; d++ {
		maps.Copy(met, w.active[d])
	}
	return int64(len(met))
}

// TestFiguresAreTheSumsOfWhatHappened walks through 40 days of completions, gifts, debits and transfers, with the
// reader of the feed stopped and started in between.
func TestFiguresAreTheSumsOfWhatHappened(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		const days = 40
		w := &world{map[int]int64{}, map[int]int64{}, map[int]int64{}, map[string]int64{}, map[int]map[string]bool{}}
		rules := []string{s.Free(object{"amount": 10}), s.Free(object{"amount": 3}), s.Free(object{"amount": 0})}
		pays := map[string]int64{rules[0]: 10, rules[1]: 3}
		chance := rand.New(rand.NewPCG(50, 39)) //nolint:gosec // the same walk every time
		for day := range days {
			for range chance.IntN(7) {
				s.Clock.Advance(time.Minute)
				wallet, other, amount := apptest.Wallet(chance.IntN(12)), apptest.Wallet(20+chance.IntN(3)), int64(1+chance.IntN(50))
				switch chance.IntN(4) {
				case 0, 1:
					rule := rules[chance.IntN(len(rules))]
					s.Complete(rule, object{"walletAddress": wallet}).OK()
					w.done[day]++
					w.paid[rule] += pays[rule]
					w.issued[day] += pays[rule]
					w.meet(day, wallet)
				case 2: // the other gets something, and pays a part of it
					s.Transact(apptest.Points(other, amount+5), apptest.Points(other, amount, apptest.Debit)).OK()
					w.issued[day] += 5
					w.meet(day, other)
				default: // a gift that is partly handed on, and partly spent
					s.Transact(apptest.Points(wallet, amount+2)).OK()
					s.Transact(apptest.Points(wallet, amount+2, apptest.Debit), apptest.Points(other, amount)).OK()
					w.issued[day] += amount + 2
					w.spent[day] += 2
					w.meet(day, wallet)
					w.meet(day, other)
				}
			}
			if chance.IntN(3) == 0 {
				s.UpdateFigures()
			}
			s.Clock.Set(apptest.Noon.AddDate(0, 0, day+1))
		}
		s.UpdateFigures()
		s.UpdateFigures()
		check(t, s, w, days)
		var fromEntries, fromFigures int64
		ask := func(into *int64, query string) {
			t.Helper()
			if err := db.Get(always, into, query); err != nil {
				t.Fatal(err)
			}
		}
		ask(&fromEntries, `SELECT CAST(SUM(CASE direction WHEN 'debit' THEN amount ELSE -amount END) AS BIGINT)
			FROM loyalty_transaction_entries WHERE user_id IS NULL`)
		ask(&fromFigures, `SELECT CAST(SUM(CASE name WHEN 'issued' THEN value ELSE -value END) AS BIGINT)
			FROM daily_figures WHERE name IN ('issued', 'spent')`)
		if fromEntries != fromFigures {
			t.Errorf("figures come to %d, entries to %d", fromFigures, fromEntries)
		}
		s.Sound()
		for _, rule := range rules {
			id := idOf(t, rule)
			sums, err := s.App.Figures.SumRules(always, s.WebsiteScope(), []laurel.ID{id}, figures.Until(s.Clock.Now(), 90))
			if got := sums[id].Paid[s.LoyaltyCurrencyID]; err != nil || got != whole(w.paid[rule]) {
				t.Errorf("a rule paid %s, want %d: %v", got, w.paid[rule], err)
			}
		}
	})
}

func idOf(t *testing.T, text string) laurel.ID {
	t.Helper()
	id, err := laurel.ParseID(text)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// check compares every figure of the website with the world.
func check(t *testing.T, s *apptest.Server, w *world, days int) {
	t.Helper()
	span := figures.Until(apptest.Noon.AddDate(0, 0, days-1), days)
	flows := must(s.App.Figures.Flows(always, s.WebsiteScope(), laurel.Visibility{All: true}, s.LoyaltyCurrencyID, span))(t)
	done := must(s.App.Figures.Completions(always, s.WebsiteScope(), laurel.ID{}, span))(t)
	active := must(s.App.Figures.CountActiveMembers(always, s.WebsiteScope(), span))(t)
	for day := range days {
		want := fmt.Sprint(whole(w.issued[day]), whole(w.spent[day]), w.done[day], w.within(day, 1))
		if got := fmt.Sprint(flows[day].Issued, flows[day].Spent, done[day], active[day]); got != want {
			t.Errorf("day %d: issued, spent, completions, active are %s, want %s", day, got, want)
		}
		for _, n := range figures.Spans {
			until := figures.Until(apptest.Noon.AddDate(0, 0, day), n)
			if got := must(s.App.Figures.CountDistinctMembers(always, s.WebsiteScope(), until))(t); got != w.within(day, n) {
				t.Errorf("day %d: %d members in %d days, want %d", day, got, n, w.within(day, n))
			}
		}
	}
	if first := must(s.App.Figures.FirstDay(always, s.WebsiteScope()))(t); first.After(apptest.Noon.AddDate(0, 0, days)) {
		t.Errorf("figures begin on %v", first)
	}
}

// TestAReaderThatStopsHalfWayCountsNothingTwice stops the reader after its effects are written and before they are
// committed.
func TestAReaderThatStopsHalfWayCountsNothingTwice(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(nil)
		for i := range 9 {
			s.Complete(rule, object{"walletAddress": apptest.Wallet(i % 4)}).OK()
		}
		whole, failed := s.App.Figures.Consumer(), make(chan struct{}, 100)
		broken := whole
		broken.Batch = 4
		times := 0
		broken.Prepare = func(ctx context.Context, q store.Queryer, changes []feed.Change) (feed.Write, error) {
			write, err := whole.Prepare(ctx, q, changes)
			return func(ctx context.Context, tx *store.Tx) error {
				if err := write(ctx, tx); err != nil {
					return err
				}
				times++
				if times%2 == 0 {
					failed <- struct{}{}
					return fmt.Errorf("the reader stops here")
				}
				return nil
			}, err
		}
		stop := apptest.RunWorkers(func(ctx context.Context) { _ = s.App.Feed.Run(ctx, broken) })
		<-failed
		stop()
		s.UpdateFigures()
		today := figures.Until(s.Clock.Now(), 1)
		flows := must(s.App.Figures.Flows(always, s.WebsiteScope(), laurel.Visibility{All: true}, s.LoyaltyCurrencyID, today))(t)
		done := must(s.App.Figures.Completions(always, s.WebsiteScope(), idOf(t, rule), today))(t)
		if members := must(s.App.Figures.CountActiveMembers(always, s.WebsiteScope(), today))(t); members[0] != 4 || done[0] != 9 ||
			flows[0].Issued != 90*laurel.One {
			t.Errorf("%d members, %d completions, %s issued", members[0], done[0], flows[0].Issued)
		}
	})
}

func TestRefusalsAreCountedByReason(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		daily := s.Rule("check_in", object{"interval": "daily"})
		ended := s.Rule("check_in", object{"endTime": s.Clock.Now().Add(-time.Hour).Format(time.RFC3339)})
		alice := object{"walletAddress": apptest.Alice}
		s.Complete(daily, alice).OK()
		for range 3 {
			s.Complete(daily, alice).Refused(400, apptest.PaidAlready)
		}
		s.Complete(daily, object{"walletAddress": apptest.Alice, "amount": 5})
		s.Complete(daily, object{"walletAddress": apptest.Alice, "verifyOnly": true}).Refused(400, apptest.PaidAlready)
		s.Simulate(daily, alice).OK()
		s.Complete(ended, alice).Refused(400, "Loyalty rule has expired")
		s.Complete(apptest.UnknownID, alice).Refused(404, "Loyalty rule not found")
		s.UpdateFigures()
		today := figures.Until(s.Clock.Now(), 1)
		for rule, want := range map[string][]figures.Refusal{
			daily: {{Reason: "window", Count: 3}, {Reason: "overrides", Count: 1}},
			ended: {{Reason: "time", Count: 1}},
		} {
			if got := must(s.App.Figures.Refusals(always, s.WebsiteScope(), idOf(t, rule), today))(t); !slices.Equal(got, want) {
				t.Errorf("refusals are %v, want %v", got, want)
			}
		}
		before := must(s.App.Figures.Refusals(always, s.WebsiteScope(), idOf(t, daily), today.Before()))(t)
		if len(before) != 0 {
			t.Errorf("yesterday has %v", before)
		}
	})
}

func TestFiguresBelongToOneTenant(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Rule("check_in", object{"interval": "daily"})
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, apptest.PaidAlready)
		s.UpdateFigures()
		other := s.NewProgram("Other")
		today := figures.Until(s.Clock.Now(), 7)
		for _, scope := range []laurel.Scope{
			{OrganizationID: other.OrganizationID, WebsiteID: other.WebsiteID, Role: laurel.RoleWebsite},
			{OrganizationID: other.OrganizationID, WebsiteID: s.WebsiteID, Role: laurel.RoleWebsite},
		} {
			flows := must(s.App.Figures.Flows(always, scope, laurel.Visibility{All: true}, s.LoyaltyCurrencyID, today))(t)
			done := must(s.App.Figures.Completions(always, scope, idOf(t, rule), today))(t)
			refusals := must(s.App.Figures.Refusals(always, scope, idOf(t, rule), today))(t)
			sums := must(s.App.Figures.SumRules(always, scope, []laurel.ID{idOf(t, rule)}, today))(t)
			members := must(s.App.Figures.CountDistinctMembers(always, scope, today))(t)
			since := must(s.App.Figures.FirstDay(always, scope))(t)
			if flows[6].Issued != 0 || done[6] != 0 || len(refusals)+len(sums) != 0 || members != 0 || !since.IsZero() {
				t.Errorf("another tenant sees %v %v %v %v %d", flows, done, refusals, sums, members)
			}
		}
	})
}

func TestWhatExpiresOrIsResetMakesNobodyActive(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		s.SetPointLifetime(5, 0)
		s.Transact(apptest.Points(apptest.Alice, 10)).OK()
		s.AdvanceAndExpire(6 * 24 * time.Hour)
		s.UpdateFigures()
		span := figures.Until(s.Clock.Now(), 7)
		flows := must(s.App.Figures.Flows(always, s.WebsiteScope(), laurel.Visibility{All: true}, s.LoyaltyCurrencyID, span))(t)
		active := must(s.App.Figures.CountActiveMembers(always, s.WebsiteScope(), span))(t)
		if flows[0].Issued != whole(10) || flows[6].Expired != whole(10) || flows[6].Spent != 0 || active[0] != 1 || active[6] != 0 {
			t.Errorf("flows %v, active %v", flows, active)
		}
		if err := s.App.Figures.DeleteOldDays(always); err != nil || db.Count("member_days") != 1 {
			t.Errorf("a day that counts is gone: %v", err)
		}
		s.Clock.Advance(100 * 24 * time.Hour)
		if err := s.App.Figures.DeleteOldDays(always); err != nil || db.Count("member_days") != 0 {
			t.Errorf("a day of long ago is kept: %v", err)
		}
	})
}

// TestAFigureStopsAtWhatItsColumnHolds: a sum beyond it must not stop the reader for everybody.
func TestAFigureStopsAtWhatItsColumnHolds(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		most := "8999999999999"
		for range 2 {
			for range 2 {
				s.Transact(apptest.Points(apptest.Alice, apptest.JSONNumber(most))).OK()
				s.Transact(apptest.Points(apptest.Alice, apptest.JSONNumber(most), apptest.Debit)).OK()
			}
			s.UpdateFigures()
		}
		flows := must(s.App.Figures.Flows(always, s.WebsiteScope(), laurel.Visibility{All: true}, s.LoyaltyCurrencyID, figures.Until(s.Clock.Now(), 1)))(t)
		if flows[0].Issued != laurel.MaxAmount || flows[0].Spent != laurel.MaxAmount {
			t.Errorf("flows are %v", flows)
		}
	})
}

// TestRefusalsAreWrittenWhenTheServerStops also holds that what waits in memory has a bound.
func TestRefusalsAreWrittenWhenTheServerStops(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		rule := idOf(t, s.Free(nil))
		stop := apptest.RunWorkers(s.App.Refusals.Run)
		for i := range 10_100 {
			s.App.Refusals.Count(s.WebsiteScope(), rule, fmt.Sprint("reason ", i))
		}
		s.App.Refusals.Count(s.WebsiteScope(), rule, "reason 7")
		stop()
		if n := db.Count("daily_figures WHERE name = 'refused'"); n != 10_000 {
			t.Errorf("%d reasons are kept", n)
		}
		got := must(s.App.Figures.Refusals(always, s.WebsiteScope(), rule, figures.Until(s.Clock.Now(), 1)))(t)
		if len(got) == 0 || got[0] != (figures.Refusal{Reason: "reason 7", Count: 2}) {
			t.Errorf("the first reason is %v", got[:min(len(got), 1)])
		}
	})
}
