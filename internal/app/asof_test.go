package app_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"laurel"
	"laurel/internal/points/ledger"
)

const settling = time.Minute // well beyond what the server waits for a moment to settle

func asOf(at time.Time) string { return "asOf=" + url.QueryEscape(at.Format(time.RFC3339Nano)) }

// history is what an independent observer wrote down: each change with the time that the server gave it.
type history struct {
	ranking
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
		"walletAddress": wallet(n),
		"amount":        json.Number(laurel.Amount(points).String()),
		"direction":     direction,
	}
	got := h.transact(body)
	if got.status != 200 {
		if got.json()["message"] != "Insufficient balance" {
			rt.Fatalf("%d %s", got.status, got.body)
		}
		return
	}
	e := h.get(entriesPath + "?limit=1&sortBy=loyaltyAccountLockVersion&sortDir=desc&walletAddress=" + wallet(n)).data()[0]
	at, err := time.Parse(time.RFC3339Nano, e["createdAt"].(string))
	if err != nil {
		rt.Fatal(err)
	}
	before := h.at(h.clock.Now())[n]
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
	each(t, func(t *testing.T, s *server) {
		round := 0
		rapid.Check(t, func(rt *rapid.T) {
			round++
			p := s.program(fmt.Sprintf("Round %d", round)) // an empty ranking
			own := *s
			own.Program = p
			h := &history{
				ranking: ranking{&own, map[int]string{}},
				first:   round * 100,
				wallets: rapid.IntRange(1, 8).Draw(rt, "wallets"),
			}
			start := s.clock.Now()
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
					h.block(n, blocked[n])
				case 1, 2:
					if err := s.app.Ledger.SnapshotRanks(context.Background(), size); err != nil {
						rt.Fatal(err)
					}
				case 3, 4, 5:
					h.post(rt, member.Draw(rt, "who"), rapid.Int64Range(1, 4).Draw(rt, "debit")*1_000_000, "debit")
				default:
					h.post(rt, member.Draw(rt, "who"), rapid.Int64Range(1, 4).Draw(rt, "credit")*1_000_000, "credit")
				}
				s.clock.advance(time.Duration(rapid.IntRange(0, 20).Draw(rt, "seconds")) * time.Second)
			}
			s.clock.advance(settling)
			moments := []time.Time{start}
			for _, c := range h.changes {
				moments = append(moments, c.at, c.at.Add(-time.Microsecond), c.at.Add(time.Second))
			}
			chosen := rapid.SliceOfN(rapid.SampledFrom(moments), 3, 3).Draw(rt, "moments")
			for range 2 { // with the snapshots that came to be, and with all that are due: an answer stays the same
				for _, m := range chosen {
					h.compare(rt, m, blocked)
				}
				if err := s.app.Ledger.SnapshotRanks(context.Background(), size); err != nil {
					rt.Fatal(err)
				}
			}
		})
		s.sound()
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
		list := h.get("/api/loyalty/accounts?walletAddress=" + wallet(c.wallet) + "&" + asOf(m)).data()
		if _, there := then[c.wallet]; there != (len(list) == 1) ||
			there && laurelAmount(h.t, list[0]["amount"].(json.Number).String()) != then[c.wallet] {
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
	if main := h.get("/api/loyalty/accounts?userId=&" + asOf(m)).data()[0]["amount"].(json.Number); laurelAmount(
		h.t,
		main.String(),
	) != -sum {
		rt.Fatalf("the main account has %s at %s, want minus %d millionths", main, m, sum)
	}
}

// snapshots lets time pass and takes those that are due.
func (h *history) snapshots(size ledger.SnapshotSize) {
	h.t.Helper()
	h.clock.advance(settling)
	if err := h.app.Ledger.SnapshotRanks(context.Background(), size); err != nil {
		h.t.Fatal(err)
	}
}

func (h *history) rankThen(n int, m time.Time) string {
	h.t.Helper()
	got := h.get(h.path(h.account(n), h.LoyaltyCurrencyID.String()) + "&" + asOf(m))
	if got.status != 200 {
		h.t.Fatalf("%d %s", got.status, got.body)
	}
	return strings.TrimSuffix(strings.TrimPrefix(got.body, `{"rank":`), "}")
}

// compareList pages through the list of a moment.
func (h *history) compareList(rt *rapid.T, m time.Time, then map[int]int64, query string) {
	var got, want []string
	for after := ""; ; {
		page := h.get("/api/loyalty/accounts?" + asOf(m) + "&" + query + after)
		list := page.data()
		for _, a := range list {
			got = append(got, fmt.Sprintf("%020d %s", laurelAmount(h.t, a["amount"].(json.Number).String()), a["id"]))
		}
		if page.json()["hasNextPage"] == false {
			break
		}
		after = "&startingAfter=" + list[len(list)-1]["id"].(string)
	}
	for n, amount := range then {
		want = append(want, fmt.Sprintf("%020d %s", amount, h.account(n)))
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
	each(t, func(t *testing.T, s *server) {
		r := ranking{s, map[int]string{}}
		s.transact(points(wallet(1), 5)).ok()
		rank, list := r.path(r.account(1), s.LoyaltyCurrencyID.String()), "/api/loyalty/accounts?limit=5"
		for _, path := range []string{rank, list, list + "&userId=", list + "&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()} {
			for _, ago := range []time.Duration{-time.Hour, 0, 14 * time.Second} {
				s.get(path+"&"+asOf(s.clock.Now().Add(-ago))).refused(400, "asOf must not be later than what is settled")
			}
			s.get(path + "&" + asOf(s.clock.Now().Add(-20*time.Second))).ok()
			s.get(path+"&asOf=yesterday").refused(400, "asOf must be an ISO 8601 date-time")
			for _, early := range []string{"0001-01-01T00:00:00Z", "1969-12-31"} {
				got := s.get(path + "&asOf=" + early).ok()
				if list, ok := got["data"].([]any); ok && len(list) != 0 || got["rank"] != nil {
					t.Errorf("%s at %s: %v", path, early, got)
				}
			}
		}
	})
}

func TestThePastOfAnotherWebsiteIsNotTold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		r := ranking{s, map[int]string{}}
		s.transact(points(wallet(1), 5)).ok()
		account := r.account(1)
		other := *s
		other.Program = s.program("Other")
		s.clock.advance(settling)
		then := "&" + asOf(s.clock.Now().Add(-30*time.Second))
		for _, size := range []int{1, 100} { // without a snapshot, and with one
			foreign := ranking{&other, nil}
			foreign.get(foreign.path(account, s.LoyaltyCurrencyID.String())+then).refused(404, "Account not found")
			if list := other.get("/api/loyalty/accounts?loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String() + then).
				data(); len(list) != 0 {
				t.Errorf("another website's accounts: %v", list)
			}
			other.get("/api/loyalty/accounts?loyaltyCurrencyId="+other.LoyaltyCurrencyID.String()+"&startingAfter="+account+then).
				refused(400, "startingAfter not found")
			if got := s.get(r.path(account, other.LoyaltyCurrencyID.String()) + then); got.body != `{"rank":null}` {
				t.Errorf("rank in another website's currency: %s", got.body)
			}
			if err := s.app.Ledger.SnapshotRanks(
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
	each(t, func(t *testing.T, s *server) {
		r := ranking{s, map[int]string{}}
		const members = 5010 // wallet n has 10,000 - n points
		for first := 1; first <= members; first += 100 {
			var entries []object
			for n := first; n < first+100 && n <= members; n++ {
				entries = append(entries, points(wallet(n), 10_000-n))
			}
			s.transact(entries...).ok()
		}
		full := s.clock.Now()
		s.clock.advance(settling)
		for n := 1; n <= 5; n++ {
			s.transact(points(wallet(n), 9_000, debit)).ok()
		}
		spent := s.clock.Now()
		s.clock.advance(settling)
		r.block(6, true)
		// No snapshot; one at the credits that does not reach down to 5000; one at the debits that does.
		for _, size := range []ledger.SnapshotSize{{Entries: 1_000_000}, {Entries: members, Accounts: 3_000}, {Entries: 5, Accounts: 5_005}} {
			if err := s.app.Ledger.SnapshotRanks(context.Background(), size); err != nil {
				t.Fatal(err)
			}
			for _, want := range []struct {
				at   time.Time
				n    int
				rank string
			}{{full, 1, "1"}, {full, 6, "null"}, {full, 7, "6"}, {full, 5001, "5000"}, {full, 5002, `"5000+"`}, {full, members, `"5000+"`},
				{spent, 7, "1"}, {spent, 5000, "4994"}, {spent, 5006, "5000"}, {spent, 5007, `"5000+"`}} {
				if got := (&history{ranking: r}).rankThen(want.n, want.at); got != want.rank {
					t.Errorf("snapshots of %v: wallet %d has rank %s, want %s", size, want.n, got, want.rank)
				}
			}
		}
	})
}

func TestASnapshotWhoseAccountsFellIsMadeFromThePresent(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		h := &history{ranking: ranking{s, map[int]string{}}}
		for n, amount := range []int{10, 9, 8, 6, 5, 3} {
			s.transact(points(wallet(n+1), amount)).ok()
		}
		h.block(5, true)
		h.snapshots(ledger.SnapshotSize{Entries: 6, Accounts: 2})
		s.transact(points(wallet(1), 9, debit)).ok()
		s.transact(points(wallet(2), 8, debit)).ok()
		s.transact(points(wallet(4), 1)).ok()
		fallen := s.clock.Now() // 1, 1, 8, 7, 5, 3: nobody is above the floor of before, which was 8
		s.transact(points(wallet(3), 7, debit)).ok()
		s.transact(points(wallet(2), 1)).ok()
		between := s.clock.Now() // 1, 2, 1, 7, 5, 3
		s.transact(points(wallet(3), 1)).ok()
		h.snapshots(ledger.SnapshotSize{Entries: 3, Accounts: 2})
		h.block(5, false)
		for n, want := range []string{"5", "5", "1", "2", "3", "4"} {
			if got := h.rankThen(n+1, fallen); got != want {
				t.Errorf("wallet %d had rank %s, want %s", n+1, got, want)
			}
		}
		// The entries since tell of lower balances than of those that stand in neither.
		page := s.get("/api/loyalty/accounts?limit=1&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String() + "&startingAfter=" + h.account(4) + "&" + asOf(between)).
			data()
		if len(page) != 1 || page[0]["id"] != h.account(5) {
			t.Errorf("after the first comes %v", page)
		}
	})
}

func TestASnapshotFromThePresentKnowsNothingBelowThoseWhoRoseSince(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		h := &history{ranking: ranking{s, map[int]string{}}}
		for n, amount := range []int{10, 9, 8, 7, 5, 3} {
			s.transact(points(wallet(n+1), amount)).ok()
		}
		h.snapshots(ledger.SnapshotSize{Entries: 6, Accounts: 2})
		s.transact(points(wallet(1), 9, debit)).ok()
		s.transact(points(wallet(2), 8, debit)).ok()
		fallen := s.clock.Now() // 1, 1, 8, 7, 5, 3
		s.transact(points(wallet(1), 30)).ok()
		s.transact(points(wallet(2), 29)).ok()
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
	each(t, func(t *testing.T, s *server) {
		h := &history{ranking: ranking{s, map[int]string{}}}
		size := ledger.SnapshotSize{Entries: 2, Accounts: 4}
		s.transact(points(wallet(1), 5)).ok()
		s.transact(points(wallet(2), 4)).ok()
		late := s.clock.Now()
		h.snapshots(size)
		s.clock.set(late.Add(-time.Hour))
		s.transact(points(wallet(3), 9)).ok() // dated before the snapshot, which does not hold it
		early := s.clock.Now()
		h.snapshots(size)
		for range 2 { // without and with the snapshot made anew
			s.clock.set(late.Add(settling))
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
