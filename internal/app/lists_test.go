package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"laurel"
	"laurel/internal/app"
)

const (
	onList    = "loyaltyUserAllotmentCsvUrl"
	notListed = "Access restricted. Your account is not on the list."
	carol     = "0x0000000000000000000000000000000000000ca2"
)

// readLists carries out every import that is due.
func (s *server) readLists() {
	s.t.Helper()
	for range 100 {
		n, err := s.app.Lists.RunDue(context.Background())
		if err != nil {
			s.t.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
	s.t.Fatal("imports never end")
}

// imports returns the readings of a rule's lists, newest first.
func (s *server) imports(rule string) []object {
	s.t.Helper()
	return s.get("/api/loyalty/rules/" + rule + "/imports").data()
}

// spelt writes values with spaces between them.
func spelt(values ...any) string { return strings.TrimSpace(fmt.Sprintln(values...)) }

// site is a server outside whose pages a test sets.
type site struct {
	*httptest.Server
	mu    sync.Mutex
	pages map[string]string
	calls atomic.Int64
	keys  sync.Map     // the last x-api-key that was shown for a path
	fault atomic.Int64 // the status of every answer, where it is not 0
}

func outsideSite(t *testing.T) *site {
	t.Helper()
	s := &site{pages: map[string]string{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.calls.Add(1)
		s.keys.Store(r.URL.Path, r.Header.Get("X-Api-Key"))
		if status := s.fault.Load(); status != 0 {
			w.WriteHeader(int(status))
			return
		}
		s.mu.Lock()
		page, ok := s.pages[r.URL.RequestURI()]
		s.mu.Unlock()
		if !ok {
			http.NotFound(w, r)
			return
		}
		_, _ = io.WriteString(w, page)
	}))
	t.Cleanup(s.Close)
	return s
}

// set makes a page and returns its address.
func (s *site) set(path, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = text
	return s.URL + path
}

// eachWithOutside runs the test with a server that may call this machine.
func eachWithOutside(t *testing.T, f func(t *testing.T, s *server, out *site)) {
	t.Helper()
	eachWith(t, app.Config{NoRateLimits: true, Dev: true}, func(t *testing.T, s *server) { f(t, s, outsideSite(t)) })
}

func TestAnAirdropPaysWhoStandsOnItsList(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		const dave = "0x000000000000000000000000000000000000da7e"
		list := s.upload(
			"airdrop.csv",
			"\xef\xbb\xbfwalletAddress,amount\r\n"+strings.ToUpper(
				alice[2:],
			)+",7\r\n0x"+strings.ToUpper(
				alice[2:],
			)+",12.5\r\n"+bob+",\r\n\r\n\""+carol+"\",\"3\"\r\n",
		)
		rule := s.rule("points_airdrop", object{onList: list, "interval": "daily"})
		s.complete(rule, object{"walletAddress": alice}).refused(400, notListed) // not read yet
		if got := s.imports(rule); len(got) != 1 || got[0]["status"] != "pending" || got[0]["rowsTotal"] != nil ||
			got[0]["message"] != nil {
			t.Errorf("before: %v", got)
		}
		s.readLists()
		got := s.imports(rule)[0]
		if got["status"] != "complete" || got["kind"] != "allotment" || got["url"] != list ||
			spelt(got["rowsTotal"], got["rowsRead"], got["rowsKept"], got["rowsSkipped"], got["errors"]) != "4 4 4 0 []" ||
			got["finishedAt"] == nil {
			t.Errorf("after: %v", got)
		}
		for wallet, pays := range map[string]string{alice: "12.5", bob: "10", carol: "3"} {
			s.complete(rule, object{"walletAddress": wallet}).ok()
			if got := s.balance(wallet); got != pays {
				t.Errorf("%s has %s, not %s", wallet, got, pays)
			}
			s.complete(rule, object{"walletAddress": wallet}).refused(400, "You have already been rewarded")
		}
		s.complete(rule, object{"walletAddress": dave}).refused(400, notListed)
		s.complete(rule, object{"walletAddress": dave, "verifyOnly": true}).refused(400, notListed)
		s.complete(rule, object{"walletAddress": bob, "verifyOnly": true}).refused(400, "You have already been rewarded")
		s.clock.advance(24 * time.Hour)
		s.complete(rule, object{"walletAddress": alice}).ok()
		if got := s.balance(alice); got != "25" {
			t.Errorf("the next day: %s", got)
		}
		bare := s.rule("points_airdrop", nil)
		s.complete(bare, object{"walletAddress": alice}).refused(400, "Rule is not setup")
		uploaded := s.rule("manual_upload", object{onList: list})
		s.complete(uploaded, object{"walletAddress": alice}).refused(400, "Quest not completed")
		s.complete(s.rule("manual_upload", nil), object{"walletAddress": alice}).refused(400, "Rule is not setup")
	})
}

func TestOtherTypesAreOnlyRestrictedToTheirList(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		list := s.upload("guests.csv", alice+",99\n")
		rule := s.rule("external_rule", object{onList: list})
		s.readLists()
		s.complete(rule, object{"walletAddress": bob}).refused(400, notListed)
		s.complete(rule, object{"walletAddress": alice}).ok()
		if got := s.balance(alice); got != "10" {
			t.Errorf("paid %s", got)
		}
		s.post("/api/loyalty/rules/"+rule, object{onList: nil}).ok()
		s.complete(rule, object{"walletAddress": bob}).ok() // nobody is kept out any more
		group := s.rule("external_rule", object{onList: list, "interval": "unlimited"})
		s.readLists()
		for _, wallet := range []string{alice, bob} {
			s.post("/api/users/metadatas", object{"walletAddress": wallet, "userGroupExternalIdentifier": "family"}).ok()
		}
		s.complete(group, object{"walletAddress": bob}).refused(400, notListed) // a list names wallets, not families
		s.complete(group, object{"walletAddress": alice}).ok()
	})
}

func TestABadRowIsSkippedAndTold(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rows := []string{
			"amount,note,walletAddress", // 1: a header in another order
			"5,first," + alice,          // 2
			"-1,too little," + bob,      // 3
			"1.0000001,too fine," + bob, // 4
			"many,no number," + bob,     // 5
			"5,nobody,",                 // 6
			"",                          // 7: no row
			"6,twice,0x" + strings.ToUpper(alice[2:]), // 8
			"5,\"open," + bob,                         // 9
			"7,long," + strings.Repeat("x", 129),      // 10
			"8,good," + carol,                         // 11
		}
		rule := s.rule("points_airdrop", object{onList: s.upload("mixed.csv", strings.Join(rows, "\n"))})
		s.readLists()
		got := s.imports(rule)[0]
		want := []any{
			object{"line": json.Number("3"), "message": "amount must be at least 0"},
			object{"line": json.Number("4"), "message": "amount must have at most 6 decimal places"},
			object{"line": json.Number("5"), "message": "amount must be a number"},
			object{"line": json.Number("6"), "message": "walletAddress is required"},
			object{"line": json.Number("8"), "message": "walletAddress stands in the list already"},
			object{"line": json.Number("9"), "message": "the row is too long, or a quote is not closed"},
			object{"line": json.Number("10"), "message": "walletAddress must be at most 128 characters"},
		}
		if !reflect.DeepEqual(got["errors"], want) ||
			spelt(got["status"], got["rowsTotal"], got["rowsRead"], got["rowsKept"], got["rowsSkipped"]) != "complete 9 9 2 7" {
			t.Errorf("%v", got)
		}
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.complete(rule, object{"walletAddress": bob}).refused(400, notListed)
		if got := s.balance(alice); got != "5" {
			t.Errorf("the first of two rows counts, not %s", got)
		}

		many := s.rule("points_airdrop", object{onList: s.upload("many.csv", alice+"\n"+strings.Repeat("a,b,c\n", 5000))})
		s.readLists()
		got = s.imports(many)[0]
		errs := got["errors"].([]any)
		if len(errs) != 100 ||
			!reflect.DeepEqual(errs[99], object{"line": json.Number("101"), "message": "the row has 3 fields and may have 2"}) ||
			spelt(got["rowsSkipped"], got["rowsKept"]) != "5000 1" {
			t.Errorf("of many: %d errors, %v", len(errs), got["rowsSkipped"])
		}
	})
}

func TestAListThatCannotBeReadLeavesTheEarlierOneInForce(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *server, out *site) {
		page := out.set("/list.csv", alice+"\n")
		rule := s.rule("external_rule", object{onList: page, "interval": "unlimited"})
		s.readLists()
		still := func(why, message string) {
			t.Helper()
			s.clock.advance(time.Hour)
			s.readLists()
			last := s.imports(rule)[0]
			if last["status"] != "failed" || last["message"] != message {
				t.Errorf("%s: %v", why, last)
			}
			s.complete(rule, object{"walletAddress": alice}).ok()
			s.complete(rule, object{"walletAddress": bob}).refused(400, notListed)
		}
		out.fault.Store(404)
		before := out.calls.Load()
		still("gone", "File could not be read: the address answered with status 404")
		if n := out.calls.Load() - before; n != 3 {
			t.Errorf("tried %d times", n)
		}
		out.fault.Store(503)
		still("down", "File could not be read: the address answered with status 503")
		out.fault.Store(0)
		out.set("/list.csv", "\n<html>\n<body>Please log in</body>\n")
		still("a page", "File is a page, not a list")
		// its first rows are malformed, not the others
		out.set(
			"/list.csv",
			"\xef\xbb\xbf \r\n<!DOCTYPE html PUBLIC \"-//P\">\n<html lang=\"en\">\n<p>\nNot now\n</p>\n</html>\n",
		)
		still("a page of quotes", "File is a page, not a list")
		out.set("/list.csv", "")
		still("nothing", "File is empty")
		out.set("/list.csv", "\xef\xbb\xbf\n\r\n")
		still("nothing but lines", "File is empty")
		out.set("/list.csv", "an,other,file\n1,2,3\n")
		still("another file", "File has no good row")
		out.set("/list.csv", "amount\n5\n")
		still("without the column", "File has no column walletAddress")
		out.set("/list.csv", strings.Repeat(bob+"\n", 1_250_000))
		still("too large", "File is larger than 52428800 bytes")
		out.set("/list.csv", "walletAddress\n"+bob+"\n")
		s.clock.advance(time.Hour)
		s.readLists()
		s.complete(rule, object{"walletAddress": bob}).ok()
		s.complete(rule, object{"walletAddress": alice}).refused(400, notListed)
		out.set("/list.csv", "walletAddress\n")
		s.clock.advance(time.Hour)
		s.readLists()
		s.complete(rule, object{"walletAddress": bob}).refused(400, notListed) // a list may be empty on purpose
		out.set("/list.csv", "")
		s.clock.advance(time.Hour)
		s.readLists()
		if last := s.imports(rule)[0]; last["status"] != "complete" || last["rowsTotal"] != jsonNumber("0") {
			t.Errorf("nothing in place of nothing: %v", last)
		}
	})
}

func TestAListIsReadAtEverySavingAndHourly(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *server, out *site) {
		page := out.set("/list.csv", alice+"\n")
		rule := s.rule("external_rule", object{onList: page, "interval": "unlimited"})
		s.readLists()
		s.clock.advance(59 * time.Minute)
		s.readLists()
		if n := out.calls.Load(); n != 1 {
			t.Fatalf("read %d times within the hour", n)
		}
		out.set("/list.csv", bob+"\n")
		s.clock.advance(time.Minute)
		s.readLists()
		s.complete(rule, object{"walletAddress": bob}).ok()
		s.complete(rule, object{"walletAddress": alice}).refused(400, notListed)
		out.set("/list.csv", carol+"\n")
		s.post("/api/loyalty/rules/"+rule, object{}).ok() // a saving that changes nothing else
		s.readLists()
		s.complete(rule, object{"walletAddress": carol}).ok()
		s.clock.advance(time.Hour)
		s.readLists()
		if last := s.imports(rule)[0]; last["message"] != "The file has not changed" || last["status"] != "complete" ||
			spelt(last["rowsTotal"], last["rowsKept"]) != "1 1" {
			t.Errorf("unchanged: %v", last)
		}
		s.complete(rule, object{"walletAddress": carol}).ok()
		s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).ok()
		calls := out.calls.Load()
		s.clock.advance(3 * time.Hour)
		s.readLists()
		if out.calls.Load() != calls {
			t.Error("the list of a deleted rule is read")
		}
		s.post("/api/loyalty/rules/"+rule, object{"deletedAt": nil}).ok()
		s.complete(rule, object{"walletAddress": carol}).ok() // what was read counts at once
		s.readLists()
		if out.calls.Load() == calls {
			t.Error("the list of a rule that came back is not read")
		}
		if n := len(s.imports(rule)); n != 5 {
			t.Errorf("%d imports", n)
		}
		other := out.set("/other.csv", alice+"\n")
		s.post("/api/loyalty/rules/"+rule, object{onList: other}).ok()
		// what was read of another address counts no more
		s.complete(rule, object{"walletAddress": carol}).refused(400, notListed)
		s.readLists()
		s.complete(rule, object{"walletAddress": alice}).ok()
	})
}

func TestASavingTakesThePlaceOfAReadingUnderWay(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *server, out *site) {
		first, second := out.set("/1.csv", alice+"\n"), out.set("/2.csv", bob+"\n")
		rule := s.rule("external_rule", object{onList: first})
		s.post("/api/loyalty/rules/"+rule, object{onList: second}).ok()
		s.readLists()
		got := s.imports(rule)
		if len(got) != 2 || got[0]["status"] != "complete" || got[1]["status"] != "cancelled" {
			t.Fatalf("%v", got)
		}
		s.complete(rule, object{"walletAddress": alice}).refused(400, notListed)
		s.complete(rule, object{"walletAddress": bob}).ok()
	})
}

func TestCodesAreReadFromAFile(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *server, out *site) {
		page := out.set(
			"/codes.csv",
			"code\nSUMMER-1\n\" spaced \"\nSUMMER-2\nSUMMER-1\n\n"+strings.Repeat("x", 256)+"\na,b\n",
		)
		meta := object{"promoCodeType": "csv", "promoCodeCsvUrl": page}
		rule := s.rule("code_entry", object{"interval": "unlimited", "metadata": meta})
		enter := func(wallet, code string) answer {
			return s.complete(rule, object{"walletAddress": wallet, "verificationCode": code})
		}
		enter(alice, "SUMMER-1").refused(400, "Rule is not setup")
		s.readLists()
		got := s.imports(rule)[0]
		if spelt(
			got["kind"],
			got["status"],
			got["rowsTotal"],
			got["rowsKept"],
			got["rowsSkipped"],
		) != "codes complete 6 3 3" {
			t.Errorf("%v", got)
		}
		if list := s.get("/api/loyalty/rules/" + rule + "/codes").data(); len(list) != 3 {
			t.Errorf("codes: %v", list)
		}
		enter(alice, "SUMMER-1").ok()
		enter(bob, "SUMMER-1").refused(400, "The code you entered could not be verified")
		enter(bob, "spaced").ok()
		enter(bob, "summer-2").refused(400, "The code you entered could not be verified")
		out.set("/codes.csv", "SUMMER-1\nSUMMER-2\nSUMMER-3\n")
		s.post("/api/loyalty/rules/"+rule, object{"name": "Codes of summer"}).ok()
		s.clock.advance(2 * time.Hour)
		s.readLists()
		enter(carol, "SUMMER-3").refused(400, "The code you entered could not be verified") // a file of codes is read once
		more := out.set("/more.csv", "SUMMER-1\nSUMMER-3\n")
		s.post("/api/loyalty/rules/"+rule, object{"metadata": object{"promoCodeType": "csv", "promoCodeCsvUrl": more}}).ok()
		s.readLists()
		enter(carol, "SUMMER-3").ok()
		// used before, whatever a file says
		enter(carol, "SUMMER-1").refused(400, "The code you entered could not be verified")
		enter(carol, "SUMMER-2").ok() // codes are never taken away
	})
}

func TestAFailedFileOfCodesIsReadWhenTheRuleIsSavedAgain(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *server, out *site) {
		out.fault.Store(500)
		page := out.set("/codes.csv", "A\n")
		rule := s.rule("code_entry", object{"metadata": object{"promoCodeType": "csv", "promoCodeCsvUrl": page}})
		s.readLists()
		out.fault.Store(0)
		s.post("/api/loyalty/rules/"+rule, object{}).ok()
		s.readLists()
		s.complete(rule, object{"walletAddress": alice, "verificationCode": "A"}).ok()
	})
}

func TestAddressesOfListsAreGuarded(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for url, problem := range map[string]string{"http://lists.example/a.csv": "must use https", "https://u:p@lists.example/a.csv": "must not contain credentials",
			"https://127.0.0.1/a.csv": "must not point to a private address", "https://[::ffff:169.254.169.254]/": "must not point to a private address",
			"https://lists.example/a.csv#x": "must be a valid url"} {
			for field, body := range map[string]object{
				"loyaltyUserAllotmentCsvUrl": {"type": "points_airdrop", "loyaltyUserAllotmentCsvUrl": url}, "customRewardsApiUrl": {"type": "token_hold", "customRewardsApiUrl": url},
				"customRewardsCsvUrl": {"type": "token_hold", "customRewardsCsvUrl": url}, "metadata.promoCodeCsvUrl": {"type": "code_entry", "metadata": object{"promoCodeType": "csv", "promoCodeCsvUrl": url}},
			} {
				body["name"] = "R"
				got := s.post("/api/loyalty/rules", body).refused(400, field+" "+problem)
				if errs := got["errors"].([]any); errs[0].(object)["path"] != field {
					t.Errorf("%v", errs)
				}
			}
		}
		own := s.upload("a.csv", alice+"\n") // plain http on this machine, and allowed all the same: it is not called
		rule := s.rule("external_rule", object{onList: own})
		s.post("/api/loyalty/rules/"+rule, object{onList: "http://lists.example/a.csv"}).
			refused(400, onList+" must use https")
		unknown := object{onList: strings.Replace(own, "a.csv", "b.csv", 1)}
		s.post("/api/loyalty/rules/"+rule, unknown).refused(400, onList+" must be a valid url")
		rival := *s
		rival.Program = s.program("Rival")
		foreign := object{"name": "R", "type": "external_rule", onList: own}
		rival.post("/api/loyalty/rules", foreign).refused(400, onList+" must be a valid url")
		s.readLists()
		s.complete(rule, object{"walletAddress": alice}).ok()
	})
}

func TestAnAddressThatLeadsInsideIsNotRead(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		out := outsideSite(t)
		rule := s.rule(
			"external_rule",
			object{onList: "https://localhost" + strings.TrimPrefix(out.URL, "http://127.0.0.1") + "/a.csv"},
		)
		s.readLists()
		if got := s.imports(rule)[0]; got["message"] != "File could not be read: the address must not point to a private address" ||
			out.calls.Load() != 0 {
			t.Errorf("%v", got)
		}
	})
}

func TestRulesAreListedByWhoIsOnTheirLists(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		ids := map[string]string{}
		for _, wallet := range []string{alice, bob, carol} {
			group := "pair"
			if wallet == carol {
				group = "alone"
			}
			m := s.post("/api/users/metadatas", object{"walletAddress": wallet, "userGroupExternalIdentifier": group}).ok()
			ids[wallet], ids[group] = m["userId"].(string), m["userGroupId"].(string)
		}
		first := s.rule("points_airdrop", object{onList: s.upload("1.csv", alice+"\n"+carol+"\n")})
		second := s.rule("external_rule", object{onList: s.upload("2.csv", bob+"\n")})
		s.rule("external_rule", nil)
		s.readLists()
		for query, want := range map[string][]string{
			"allotedToUserId=" + ids[alice]:                                               {first},
			"allotedToUserId=" + ids[bob]:                                                 {second},
			"allotedToUserId=" + ids[bob] + "&allotedToUserId=" + ids[carol]:              {second, first},
			"allotedUserGroupId=" + ids["pair"]:                                           {second, first},
			"allotedUserGroupId=" + ids["alone"]:                                          {first},
			"allotedUserGroupId=" + ids["pair"] + "&allotedToUserId=" + ids[carol]:        {first},
			"allotedUserGroupId=" + ids["alone"] + "&allotedToUserId=" + ids[bob]:         {},
			"allotedToUserId=" + ids[alice] + "&loyaltyRuleId=" + second:                  {},
			"allotedToUserId=" + ids[alice] + "&loyaltyRuleId=" + first:                   {first},
			"allotedToUserId=" + nobody:                                                   {},
			"allotedUserGroupId=" + nobody:                                                {},
			"allotedToUserId=" + ids[bob] + "," + ids[alice] + "&limit=1":                 {second},
			"allotedToUserId=" + ids[bob] + "," + ids[alice] + "&startingAfter=" + second: {first},
		} {
			got := []string{}
			for _, r := range s.get("/api/loyalty/rules?" + query).data() {
				got = append(got, r["id"].(string))
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %v, want %v", query, got, want)
			}
		}
	})
}

func TestAListIsReadOnWhereItsReaderStopped(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		var file strings.Builder
		for i := range 20_000 {
			fmt.Fprintf(&file, "0x%040x,%d\n", 0xabc000+i%19_000, i) // the last 1,000 stand there already
		}
		rule := s.rule("external_rule", object{onList: s.upload("long.csv", file.String()), "interval": "unlimited"})
		read := func() int64 {
			n, _ := s.imports(rule)[0]["rowsRead"].(json.Number).Int64()
			return n
		}
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		s.clock.onReading(func() bool {
			if read() < 4000 {
				return true
			}
			stop() // the node is stopping in the middle of it
			return false
		})
		_, _ = s.app.Lists.RunDue(ctx)
		at := read()
		if at < 4000 || at >= 20_000 {
			t.Fatalf("it was stopped at %d", at)
		}
		// half a list is none
		s.complete(rule, object{"walletAddress": fmt.Sprintf("0x%040x", 0xabc000)}).refused(400, notListed)
		s.readLists()
		got := s.imports(rule)[0]
		if spelt(
			got["status"],
			got["rowsTotal"],
			got["rowsRead"],
			got["rowsKept"],
			got["rowsSkipped"],
			len(got["errors"].([]any)),
		) != "complete 20000 20000 19000 1000 100" {
			t.Errorf("stopped at %d, then %v", at, got)
		}
		s.complete(rule, object{"walletAddress": fmt.Sprintf("0x%040x", 0xabc000+18_999)}).ok()
	})
}

func TestWhatTokensAreWorthIsReadFromAFeed(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *server, out *site) {
		out.set(
			"/feed?page=2",
			`{"count":5,"next":null,"previous":"/feed","results":[{"tokenId":"0x10","bonus":4},{"tokenId":"1","reward":9},{"tokenId":true,"reward":1},{"tokenId":7}]}`,
		)
		feed := out.set(
			"/feed",
			`{"count":5,"next":"`+out.URL+`/feed?page=2","results":[{"tokenId":1,"reward":"2.5"},{"tokenId":"007","points":3}]}`,
		)
		rule := s.rule(
			"token_hold",
			object{
				"customRewardsApiUrl": feed,
				"customRewardsCsvUrl": out.URL + "/unused.csv",
				"metadata":            object{"customRewardsApiKey": "k1"},
			},
		)
		s.readLists()
		got := s.imports(rule)[0]
		if spelt(
			got["kind"],
			got["status"],
			got["rowsTotal"],
			got["rowsRead"],
			got["rowsKept"],
			got["rowsSkipped"],
			got["url"],
		) != "rewards complete 6 6 3 3 "+feed {
			t.Errorf("%v", got)
		}
		s.worth(rule, map[string]string{"1": "2.5", "7": "3", "16": "4", "0x01": "2.5", "2": ""})

		out.set("/feed", `{"next":"https://elsewhere.example/","results":[]}`)
		s.clock.advance(time.Hour)
		s.readLists()
		if got := s.imports(rule)[0]; got["status"] != "failed" ||
			got["message"] != "The feed's next page is not on the feed's own host" {
			t.Errorf("%v", got)
		}
		s.worth(rule, map[string]string{"1": "2.5"})
		out.set("/feed", `{"next":"/feed","results":[{"tokenId":1,"reward":1}]}`)
		s.clock.advance(time.Hour)
		s.readLists()
		if got := s.imports(rule)[0]; got["message"] != "The feed has more than 1000 pages" {
			t.Errorf("a circle: %v", got)
		}
		out.set("/feed", `[]`)
		s.clock.advance(time.Hour)
		s.readLists()
		if got := s.imports(rule)[0]; got["message"] != "The feed did not answer with {next, results}" {
			t.Errorf("no feed: %v", got)
		}

		page := out.set("/rewards.csv", "tokenId,reward\n5,1.5\n6,\n")
		s.post("/api/loyalty/rules/"+rule, object{"customRewardsApiUrl": nil, "customRewardsCsvUrl": page}).ok()
		s.worth(rule, map[string]string{"1": "", "5": ""})
		s.readLists()
		if got := s.imports(rule)[0]; spelt(got["rowsKept"], got["errors"]) != "1 [map[line:3 message:reward is required]]" {
			t.Errorf("%v", got)
		}
		s.worth(rule, map[string]string{"1": "", "5": "1.5"})
	})
}

// worth demands what tokens are worth by a rule; "": nothing is known of them.
func (s *server) worth(rule string, want map[string]string) {
	s.t.Helper()
	id, err := laurel.ParseID(rule)
	if err != nil {
		s.t.Fatal(err)
	}
	for token, amount := range want {
		got, err := s.app.Lists.Worth(
			context.Background(),
			laurel.Scope{OrganizationID: s.OrganizationID, WebsiteID: s.WebsiteID},
			id,
			[]string{token},
		)
		if err != nil {
			s.t.Fatal(err)
		}
		text := ""
		for _, a := range got {
			text = a.String()
		}
		if text != amount {
			s.t.Errorf("token %s is worth %q, want %q", token, text, amount)
		}
	}
}

func TestRunsPayAListOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		var file strings.Builder
		for i := range 4100 { // more than a page of a run
			fmt.Fprintf(&file, "0x%040x,%d\n", 0xabc000+i, i)
		}
		wallet := func(i int) string { return fmt.Sprintf("0x%040x", 0xabc000+i) }
		for _, kind := range []string{"manual_upload", "points_airdrop"} {
			rule := s.rule(
				kind,
				object{"frequency": "once", "interval": "unlimited", onList: s.upload(kind+".csv", file.String())},
			)
			s.clock.advance(time.Minute)
			if _, err := s.app.Cadence.Once(context.Background()); err != nil {
				t.Fatal(err)
			}
			if got := s.runs(rule); len(got) != 1 || got[0]["finishedAt"] != nil {
				t.Fatalf("%s: a run waits for its list, but: %v", kind, got)
			}
			s.readLists()
			s.clock.advance(time.Minute)
			s.run()
			if got := counts(s.runs(rule)[0]); got != "complete 4100/4100/0/0 " {
				t.Errorf("%s: %s", kind, got)
			}
			s.clock.advance(2 * time.Hour)
			s.readLists()
			s.run()
		}
		for i, want := range map[int]string{0: "0", 1: "2", 4099: "8198"} {
			if got := s.balance(wallet(i)); got != want {
				t.Errorf("number %d has %s, not %s", i, got, want)
			}
		}
	})
}
