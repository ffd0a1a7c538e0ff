package ledger_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/points/ledger"
)

// history is what an independent observer wrote down: each change with the time that the server gave it.
type history struct {
	apptest.Ranking
	wallets int
	first   int // number of the first wallet
	changes []balanceChange
}

type balanceChange struct {
	at     time.Time
	wallet int
	after  int64
}

// at returns the balance of each wallet that had an account at a moment.
func (h *history) at(m time.Time) map[int]int64 {
	out := map[int]int64{}
	for _, c := range h.changes {
		if !c.at.After(m) {
			out[c.wallet] = c.after
		}
	}
	return out
}

// post gives or takes points and notes what the entries list then says.
func (h *history) post(rt *rapid.T, n int, points int64, direction string) {
	body := object{
		"walletAddress": apptest.Wallet(n),
		"amount":        json.Number(laurel.Amount(points).String()),
		"direction":     direction,
	}
	got := h.Transact(body)
	if got.Status != 200 {
		if got.JSON()["message"] != "Insufficient balance" {
			rt.Fatalf("%d %s", got.Status, got.Body)
		}
		return
	}
	e := h.Get(
		apptest.EntriesPath + "?limit=1&sortBy=loyaltyAccountLockVersion&sortDir=desc&walletAddress=" + apptest.Wallet(n),
	).Data()[0]
	at, err := time.Parse(time.RFC3339Nano, e["createdAt"].(string))
	if err != nil {
		rt.Fatal(err)
	}
	before := h.at(h.Clock.Now())[n]
	if direction == "debit" {
		points = -points
	}
	h.changes = append(h.changes, balanceChange{at, n, before + points})
}

// rankAt is the rank that the changes give a wallet at a moment.
func (h *history) rankAt(n int, m time.Time, blocked map[int]bool) string {
	then := h.at(m)
	if then[n] == 0 || blocked[n] {
		return "null"
	}
	place := 1
	for other, amount := range then {
		if amount > then[n] && !blocked[other] {
			place++
		}
	}
	return fmt.Sprint(place)
}

func TestThePastIsWhatASmallHistorySays(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		round := 0
		rapid.Check(t, func(rt *rapid.T) {
			round++
			p := s.NewProgram(fmt.Sprintf("Round %d", round)) // an empty ranking
			own := *s
			own.Program = p
			h := &history{
				Ranking: apptest.Ranking{Server: &own, Known: map[int]string{}},
				first:   round * 100,
				wallets: rapid.IntRange(1, 8).Draw(rt, "wallets"),
			}
			start := s.Clock.Now()
			blocked := map[int]bool{}
			member := rapid.IntRange(h.first, h.first+h.wallets-1)
			size := ledger.SnapshotSize{
				Entries:  rapid.IntRange(1, 5).Draw(rt, "entries"),
				Accounts: rapid.IntRange(1, 6).Draw(rt, "accounts"),
			}
			for range rapid.IntRange(1, 40).Draw(rt, "steps") {
				switch rapid.IntRange(0, 9).Draw(rt, "step") {
				case 0:
					n := member.Draw(rt, "who")
					blocked[n] = !blocked[n]
					block(h.Ranking, n, blocked[n])
				case 1, 2:
					if err := s.App.Ledger.SnapshotRanks(context.Background(), size); err != nil {
						rt.Fatal(err)
					}
				case 3, 4, 5:
					h.post(rt, member.Draw(rt, "who"), rapid.Int64Range(1, 4).Draw(rt, "debit")*1_000_000, "debit")
				default:
					h.post(rt, member.Draw(rt, "who"), rapid.Int64Range(1, 4).Draw(rt, "credit")*1_000_000, "credit")
				}
				s.Clock.Advance(time.Duration(rapid.IntRange(0, 20).Draw(rt, "seconds")) * time.Second)
			}
			s.Clock.Advance(apptest.Settling)
			moments := []time.Time{start}
			for _, c := range h.changes {
				moments = append(moments, c.at, c.at.Add(-time.Microsecond), c.at.Add(time.Second))
			}
			chosen := rapid.SliceOfN(rapid.SampledFrom(moments), 3, 3).Draw(rt, "moments")
			for range 2 { // with the snapshots that came to be, and with all that are due: an answer stays the same
				for _, m := range chosen {
					h.compare(rt, m, blocked)
				}
				if err := s.App.Ledger.SnapshotRanks(context.Background(), size); err != nil {
					rt.Fatal(err)
				}
			}
		})
		s.Sound()
	})
}

func (h *history) compare(rt *rapid.T, m time.Time, blocked map[int]bool) {
	then := h.at(m)
	asked := map[int]bool{}
	for _, c := range h.changes {
		if asked[c.wallet] {
			continue
		}
		asked[c.wallet] = true
		if got, want := h.rankThen(c.wallet, m), h.rankAt(c.wallet, m, blocked); got != want {
			rt.Fatalf("wallet %d has rank %s at %s, want %s of %v, blocked %v", c.wallet, got, m, want, then, blocked)
		}
		list := h.Get("/api/loyalty/accounts?walletAddress=" + apptest.Wallet(c.wallet) + "&" + apptest.AsOf(m)).Data()
		if _, there := then[c.wallet]; there != (len(list) == 1) ||
			there && laurelAmount(h.T, list[0]["amount"].(json.Number).String()) != then[c.wallet] {
			rt.Fatalf("wallet %d at %s: %v, want %d", c.wallet, m, list, then[c.wallet])
		}
	}
	for _, query := range []string{"", "&loyaltyCurrencyId=" + h.LoyaltyCurrencyID.String(), "&sortDir=asc"} {
		for _, limit := range []int{1, 2, 100} {
			h.compareList(rt, m, then, fmt.Sprintf("limit=%d%s", limit, query))
		}
	}
	var sum int64
	for _, amount := range then {
		sum += amount
	}
	if main := h.Get("/api/loyalty/accounts?userId=&" + apptest.AsOf(m)).Data()[0]["amount"].(json.Number); laurelAmount(
		h.T,
		main.String(),
	) != -sum {
		rt.Fatalf("the main account has %s at %s, want minus %d millionths", main, m, sum)
	}
}

// snapshots lets time pass and takes those that are due.
func (h *history) snapshots(size ledger.SnapshotSize) {
	h.T.Helper()
	h.Clock.Advance(apptest.Settling)
	if err := h.App.Ledger.SnapshotRanks(context.Background(), size); err != nil {
		h.T.Fatal(err)
	}
}

func (h *history) rankThen(n int, m time.Time) string {
	h.T.Helper()
	got := h.Get(path(h.Ranking, h.Account(n), h.LoyaltyCurrencyID.String()) + "&" + apptest.AsOf(m))
	if got.Status != 200 {
		h.T.Fatalf("%d %s", got.Status, got.Body)
	}
	return strings.TrimSuffix(strings.TrimPrefix(got.Body, `{"rank":`), "}")
}

// compareList pages through the list of a moment.
func (h *history) compareList(rt *rapid.T, m time.Time, then map[int]int64, query string) {
	var got, want []string
	for after := ""; ; {
		page := h.Get("/api/loyalty/accounts?" + apptest.AsOf(m) + "&" + query + after)
		list := page.Data()
		for _, a := range list {
			got = append(got, fmt.Sprintf("%020d %s", laurelAmount(h.T, a["amount"].(json.Number).String()), a["id"]))
		}
		if page.JSON()["hasNextPage"] == false {
			break
		}
		after = "&startingAfter=" + list[len(list)-1]["id"].(string)
	}
	for n, amount := range then {
		want = append(want, fmt.Sprintf("%020d %s", amount, h.Account(n)))
	}
	slices.SortFunc(want, func(a, b string) int {
		if strings.Contains(query, "asc") {
			return cmp.Compare(a, b)
		}
		return cmp.Compare(b, a)
	})
	if !slices.Equal(got, want) {
		rt.Fatalf("%s at %s:\n%v\nwant\n%v", query, m, got, want)
	}
}

func TestAMomentThatIsNotSettledIsRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		r := apptest.Ranking{Server: s, Known: map[int]string{}}
		s.Transact(apptest.Points(apptest.Wallet(1), 5)).OK()
		rank, list := path(r, r.Account(1), s.LoyaltyCurrencyID.String()), "/api/loyalty/accounts?limit=5"
		for _, path := range []string{rank, list, list + "&userId=", list + "&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()} {
			for _, ago := range []time.Duration{-time.Hour, 0, 14 * time.Second} {
				s.Get(path+"&"+apptest.AsOf(s.Clock.Now().Add(-ago))).Refused(400, "asOf must not be later than what is settled")
			}
			s.Get(path + "&" + apptest.AsOf(s.Clock.Now().Add(-20*time.Second))).OK()
			s.Get(path+"&asOf=yesterday").Refused(400, "asOf must be an ISO 8601 date-time")
			for _, early := range []string{"0001-01-02T00:00:00Z", "1969-12-31", "1970-01-01"} {
				got := s.Get(path + "&asOf=" + early).OK()
				if list, ok := got["data"].([]any); ok && len(list) != 0 || got["rank"] != nil {
					t.Errorf("%s at %s: %v", path, early, got)
				}
			}
		}
	})
}

func TestThePastOfAnotherWebsiteIsNotTold(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		r := apptest.Ranking{Server: s, Known: map[int]string{}}
		s.Transact(apptest.Points(apptest.Wallet(1), 5)).OK()
		account := r.Account(1)
		other := *s
		other.Program = s.NewProgram("Other")
		s.Clock.Advance(apptest.Settling)
		then := "&" + apptest.AsOf(s.Clock.Now().Add(-30*time.Second))
		for _, size := range []int{1, 100} { // without a snapshot, and with one
			foreign := apptest.Ranking{Server: &other, Known: nil}
			foreign.Get(path(foreign, account, s.LoyaltyCurrencyID.String())+then).Refused(404, "Account not found")
			if list := other.Get("/api/loyalty/accounts?loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String() + then).
				Data(); len(list) != 0 {
				t.Errorf("another website's accounts: %v", list)
			}
			other.Get("/api/loyalty/accounts?loyaltyCurrencyId="+other.LoyaltyCurrencyID.String()+"&startingAfter="+account+then).
				Refused(400, "startingAfter not found")
			if got := s.Get(path(r, account, other.LoyaltyCurrencyID.String()) + then); got.Body != `{"rank":null}` {
				t.Errorf("rank in another website's currency: %s", got.Body)
			}
			if err := s.App.Ledger.SnapshotRanks(
				context.Background(),
				ledger.SnapshotSize{Entries: 1, Accounts: size},
			); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestRanksOfThePastBeyond5000(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		r := apptest.Ranking{Server: s, Known: map[int]string{}}
		const members = 5010 // wallet n has 10,000 - n points
		for first := 1; first <= members; first += 100 {
			var entries []object
			for n := first; n < first+100 && n <= members; n++ {
				entries = append(entries, apptest.Points(apptest.Wallet(n), 10_000-n))
			}
			s.Transact(entries...).OK()
		}
		full := s.Clock.Now()
		s.Clock.Advance(apptest.Settling)
		for n := 1; n <= 5; n++ {
			s.Transact(apptest.Points(apptest.Wallet(n), 9_000, apptest.Debit)).OK()
		}
		spent := s.Clock.Now()
		s.Clock.Advance(apptest.Settling)
		block(r, 6, true)
		// No snapshot; one at the credits that does not reach down to 5000; one at the debits that does.
		for _, size := range []ledger.SnapshotSize{{Entries: 1_000_000}, {Entries: members, Accounts: 3_000}, {Entries: 5, Accounts: 5_005}} {
			if err := s.App.Ledger.SnapshotRanks(context.Background(), size); err != nil {
				t.Fatal(err)
			}
			for _, want := range []struct {
				at   time.Time
				n    int
				rank string
			}{{full, 1, "1"}, {full, 6, "null"}, {full, 7, "6"}, {full, 5001, "5000"}, {full, 5002, `"5000+"`}, {full, members, `"5000+"`},
				{spent, 7, "1"}, {spent, 5000, "4994"}, {spent, 5006, "5000"}, {spent, 5007, `"5000+"`}} {
				if got := (&history{Ranking: r}).rankThen(want.n, want.at); got != want.rank {
					t.Errorf("snapshots of %v: wallet %d has rank %s, want %s", size, want.n, got, want.rank)
				}
			}
		}
	})
}

func TestASnapshotWhoseAccountsFellIsMadeFromThePresent(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		h := &history{Ranking: apptest.Ranking{Server: s, Known: map[int]string{}}}
		for n, amount := range []int{10, 9, 8, 6, 5, 3} {
			s.Transact(apptest.Points(apptest.Wallet(n+1), amount)).OK()
		}
		block(h.Ranking, 5, true)
		h.snapshots(ledger.SnapshotSize{Entries: 6, Accounts: 2})
		s.Transact(apptest.Points(apptest.Wallet(1), 9, apptest.Debit)).OK()
		s.Transact(apptest.Points(apptest.Wallet(2), 8, apptest.Debit)).OK()
		s.Transact(apptest.Points(apptest.Wallet(4), 1)).OK()
		fallen := s.Clock.Now() // 1, 1, 8, 7, 5, 3: nobody is above the floor of before, which was 8
		s.Transact(apptest.Points(apptest.Wallet(3), 7, apptest.Debit)).OK()
		s.Transact(apptest.Points(apptest.Wallet(2), 1)).OK()
		between := s.Clock.Now() // 1, 2, 1, 7, 5, 3
		s.Transact(apptest.Points(apptest.Wallet(3), 1)).OK()
		h.snapshots(ledger.SnapshotSize{Entries: 3, Accounts: 2})
		block(h.Ranking, 5, false)
		for n, want := range []string{"5", "5", "1", "2", "3", "4"} {
			if got := h.rankThen(n+1, fallen); got != want {
				t.Errorf("wallet %d had rank %s, want %s", n+1, got, want)
			}
		}
		// The entries since tell of lower balances than of those that stand in neither.
		page := s.Get("/api/loyalty/accounts?limit=1&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String() + "&startingAfter=" + h.Account(4) + "&" + apptest.AsOf(between)).
			Data()
		if len(page) != 1 || page[0]["id"] != h.Account(5) {
			t.Errorf("after the first comes %v", page)
		}
	})
}

func TestASnapshotFromThePresentKnowsNothingBelowThoseWhoRoseSince(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		h := &history{Ranking: apptest.Ranking{Server: s, Known: map[int]string{}}}
		for n, amount := range []int{10, 9, 8, 7, 5, 3} {
			s.Transact(apptest.Points(apptest.Wallet(n+1), amount)).OK()
		}
		h.snapshots(ledger.SnapshotSize{Entries: 6, Accounts: 2})
		s.Transact(apptest.Points(apptest.Wallet(1), 9, apptest.Debit)).OK()
		s.Transact(apptest.Points(apptest.Wallet(2), 8, apptest.Debit)).OK()
		fallen := s.Clock.Now() // 1, 1, 8, 7, 5, 3
		s.Transact(apptest.Points(apptest.Wallet(1), 30)).OK()
		s.Transact(apptest.Points(apptest.Wallet(2), 29)).OK()
		h.snapshots(ledger.SnapshotSize{Entries: 2, Accounts: 2})
		for n, want := range []string{"5", "5", "1", "2", "3", "4"} {
			if got := h.rankThen(n+1, fallen); got != want {
				t.Errorf("wallet %d had rank %s, want %s", n+1, got, want)
			}
		}
	})
}

func TestAClockThatStepsBackLeavesNoSnapshotThatMissesEntries(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		h := &history{Ranking: apptest.Ranking{Server: s, Known: map[int]string{}}}
		size := ledger.SnapshotSize{Entries: 2, Accounts: 4}
		s.Transact(apptest.Points(apptest.Wallet(1), 5)).OK()
		s.Transact(apptest.Points(apptest.Wallet(2), 4)).OK()
		late := s.Clock.Now()
		h.snapshots(size)
		s.Clock.Set(late.Add(-time.Hour))
		s.Transact(apptest.Points(apptest.Wallet(3), 9)).OK() // dated before the snapshot, which does not hold it
		early := s.Clock.Now()
		h.snapshots(size)
		for range 2 { // without and with the snapshot made anew
			s.Clock.Set(late.Add(apptest.Settling))
			for n, want := range map[int]string{1: "2", 2: "3", 3: "1"} {
				if got := h.rankThen(n, late); got != want {
					t.Errorf("wallet %d had rank %s, want %s", n, got, want)
				}
			}
			if got := h.rankThen(3, early); got != "1" || h.rankThen(1, early) != "null" {
				t.Errorf("early, wallet 3 had rank %s and wallet 1 %s", got, h.rankThen(1, early))
			}
			h.snapshots(size)
		}
	})
}
