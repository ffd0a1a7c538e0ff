package lists_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
)

// eachWithOutside runs the test with a server that may call this machine.
func eachWithOutside(t *testing.T, f func(t *testing.T, s *apptest.Server, out *apptest.Site)) {
	t.Helper()
	apptest.EachWith(
		t,
		app.Config{NoRateLimits: true, Dev: true},
		func(t *testing.T, s *apptest.Server) { f(t, s, apptest.NewSite(t)) },
	)
}

func TestAnAirdropPaysWhoStandsOnItsList(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		const dave = "0x000000000000000000000000000000000000da7e"
		list := s.Upload(
			"airdrop.csv",
			"\xef\xbb\xbfwalletAddress,amount\r\n"+strings.ToUpper(
				apptest.Alice[2:],
			)+",7\r\n0x"+strings.ToUpper(
				apptest.Alice[2:],
			)+",12.5\r\n"+apptest.Bob+",\r\n\r\n\""+apptest.Carol+"\",\"3\"\r\n",
		)
		rule := s.Rule("points_airdrop", object{apptest.OnList: list, "interval": "daily"})
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, apptest.NotListed) // not read yet
		if got := s.Imports(rule); len(got) != 1 || got[0]["status"] != "pending" || got[0]["rowsTotal"] != nil ||
			got[0]["message"] != nil {
			t.Errorf("before: %v", got)
		}
		s.ReadLists()
		got := s.Imports(rule)[0]
		if got["status"] != "complete" || got["kind"] != "allotment" || got["url"] != list ||
			apptest.Spaced(
				got["rowsTotal"],
				got["rowsRead"],
				got["rowsKept"],
				got["rowsSkipped"],
				got["errors"],
			) != "4 4 4 0 []" ||
			got["finishedAt"] == nil {
			t.Errorf("after: %v", got)
		}
		for wallet, pays := range map[string]string{apptest.Alice: "12.5", apptest.Bob: "10", apptest.Carol: "3"} {
			s.Complete(rule, object{"walletAddress": wallet}).OK()
			if got := s.Balance(wallet); got != pays {
				t.Errorf("%s has %s, not %s", wallet, got, pays)
			}
			s.Complete(rule, object{"walletAddress": wallet}).Refused(400, "You have already been rewarded")
		}
		s.Complete(rule, object{"walletAddress": dave}).Refused(400, apptest.NotListed)
		s.Complete(rule, object{"walletAddress": dave, "verifyOnly": true}).Refused(400, apptest.NotListed)
		s.Complete(
			rule,
			object{"walletAddress": apptest.Bob, "verifyOnly": true},
		).Refused(400, "You have already been rewarded")
		s.Clock.Advance(24 * time.Hour)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		if got := s.Balance(apptest.Alice); got != "25" {
			t.Errorf("the next day: %s", got)
		}
		bare := s.Rule("points_airdrop", nil)
		s.Complete(bare, object{"walletAddress": apptest.Alice}).Refused(400, "Rule is not setup")
		uploaded := s.Rule("manual_upload", object{apptest.OnList: list})
		s.Complete(uploaded, object{"walletAddress": apptest.Alice}).Refused(400, "Quest not completed")
		s.Complete(s.Rule("manual_upload", nil), object{"walletAddress": apptest.Alice}).Refused(400, "Rule is not setup")
	})
}

func TestOtherTypesAreOnlyRestrictedToTheirList(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		list := s.Upload("guests.csv", apptest.Alice+",99\n")
		rule := s.Rule("external_rule", object{apptest.OnList: list})
		s.ReadLists()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(400, apptest.NotListed)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		if got := s.Balance(apptest.Alice); got != "10" {
			t.Errorf("paid %s", got)
		}
		s.Post("/api/loyalty/rules/"+rule, object{apptest.OnList: nil}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK() // nobody is kept out any more
		group := s.Rule("external_rule", object{apptest.OnList: list, "interval": "unlimited"})
		s.ReadLists()
		for _, wallet := range []string{apptest.Alice, apptest.Bob} {
			s.Post("/api/users/metadatas", object{"walletAddress": wallet, "userGroupExternalIdentifier": "family"}).OK()
		}
		s.Complete(
			group,
			object{"walletAddress": apptest.Bob},
		).Refused(400, apptest.NotListed) // a list names wallets, not families
		s.Complete(group, object{"walletAddress": apptest.Alice}).OK()
	})
}

func TestABadRowIsSkippedAndTold(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rows := []string{
			"amount,note,walletAddress",         // 1: a header in another order
			"5,first," + apptest.Alice,          // 2
			"-1,too little," + apptest.Bob,      // 3
			"1.0000001,too fine," + apptest.Bob, // 4
			"many,no number," + apptest.Bob,     // 5
			"5,nobody,",                         // 6
			"",                                  // 7: no row
			"6,twice,0x" + strings.ToUpper(apptest.Alice[2:]), // 8
			"5,\"open," + apptest.Bob,                         // 9
			"7,long," + strings.Repeat("x", 129),              // 10
			"8,good," + apptest.Carol,                         // 11
		}
		rule := s.Rule("points_airdrop", object{apptest.OnList: s.Upload("mixed.csv", strings.Join(rows, "\n"))})
		s.ReadLists()
		got := s.Imports(rule)[0]
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
			apptest.Spaced(
				got["status"],
				got["rowsTotal"],
				got["rowsRead"],
				got["rowsKept"],
				got["rowsSkipped"],
			) != "complete 9 9 2 7" {
			t.Errorf("%v", got)
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(400, apptest.NotListed)
		if got := s.Balance(apptest.Alice); got != "5" {
			t.Errorf("the first of two rows counts, not %s", got)
		}

		many := s.Rule(
			"points_airdrop",
			object{apptest.OnList: s.Upload("many.csv", apptest.Alice+"\n"+strings.Repeat("a,b,c\n", 5000))},
		)
		s.ReadLists()
		got = s.Imports(many)[0]
		errs := got["errors"].([]any)
		if len(errs) != 100 ||
			!reflect.DeepEqual(errs[99], object{"line": json.Number("101"), "message": "the row has 3 fields and may have 2"}) ||
			apptest.Spaced(got["rowsSkipped"], got["rowsKept"]) != "5000 1" {
			t.Errorf("of many: %d errors, %v", len(errs), got["rowsSkipped"])
		}
	})
}

func TestAListThatCannotBeReadLeavesTheEarlierOneInForce(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		page := out.Set("/list.csv", apptest.Alice+"\n")
		rule := s.Rule("external_rule", object{apptest.OnList: page, "interval": "unlimited"})
		s.ReadLists()
		still := func(why, message string) {
			t.Helper()
			s.Clock.Advance(time.Hour)
			s.ReadLists()
			last := s.Imports(rule)[0]
			if last["status"] != "failed" || last["message"] != message {
				t.Errorf("%s: %v", why, last)
			}
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
			s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(400, apptest.NotListed)
		}
		out.Fault.Store(404)
		before := out.Calls.Load()
		still("gone", "File could not be read: the address answered with status 404")
		if n := out.Calls.Load() - before; n != 3 {
			t.Errorf("tried %d times", n)
		}
		out.Fault.Store(503)
		still("down", "File could not be read: the address answered with status 503")
		out.Fault.Store(0)
		out.Set("/list.csv", "\n<html>\n<body>Please log in</body>\n")
		still("a page", "File is a page, not a list")
		// its first rows are malformed, not the others
		out.Set(
			"/list.csv",
			"\xef\xbb\xbf \r\n<!DOCTYPE html PUBLIC \"-//P\">\n<html lang=\"en\">\n<p>\nNot now\n</p>\n</html>\n",
		)
		still("a page of quotes", "File is a page, not a list")
		out.Set("/list.csv", "")
		still("nothing", "File is empty")
		out.Set("/list.csv", "\xef\xbb\xbf\n\r\n")
		still("nothing but lines", "File has no rows")
		out.Set("/list.csv", "walletAddress,amount\r")
		still("a header alone", "File has no rows")
		out.Set("/list.csv", "an,other,file\n1,2,3\n")
		still("another file", "File has no good row")
		out.Set("/list.csv", "amount\n5\n")
		still("without the column", "File has no column walletAddress")
		out.Set("/list.csv", strings.Repeat(apptest.Bob+"\n", 1_250_000))
		still("too large", "File is larger than 52428800 bytes")
		out.Set("/list.csv", "walletAddress\n"+apptest.Bob+"\n")
		s.Clock.Advance(time.Hour)
		s.ReadLists()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, apptest.NotListed)
		emptyList := s.Rule("external_rule", object{apptest.OnList: out.Set("/none.csv", "")})
		s.ReadLists()
		if last := s.Imports(emptyList)[0]; last["status"] != "complete" || last["rowsTotal"] != apptest.JSONNumber("0") {
			t.Errorf("nothing in place of nothing: %v", last)
		}
	})
}

func TestAListIsReadAtEverySavingAndHourly(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		page := out.Set("/list.csv", apptest.Alice+"\n")
		rule := s.Rule("external_rule", object{apptest.OnList: page, "interval": "unlimited"})
		s.ReadLists()
		s.Clock.Advance(59 * time.Minute)
		s.ReadLists()
		if n := out.Calls.Load(); n != 1 {
			t.Fatalf("read %d times within the hour", n)
		}
		out.Set("/list.csv", apptest.Bob+"\n")
		s.Clock.Advance(time.Minute)
		s.ReadLists()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, apptest.NotListed)
		out.Set("/list.csv", apptest.Carol+"\n")
		s.Post("/api/loyalty/rules/"+rule, object{}).OK() // a saving that changes nothing else
		s.ReadLists()
		s.Complete(rule, object{"walletAddress": apptest.Carol}).OK()
		s.Clock.Advance(time.Hour)
		s.ReadLists()
		if last := s.Imports(rule)[0]; last["message"] != "The file has not changed" || last["status"] != "complete" ||
			apptest.Spaced(last["rowsTotal"], last["rowsKept"]) != "1 1" {
			t.Errorf("unchanged: %v", last)
		}
		s.Complete(rule, object{"walletAddress": apptest.Carol}).OK()
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule, nil).OK()
		calls := out.Calls.Load()
		s.Clock.Advance(3 * time.Hour)
		s.ReadLists()
		if out.Calls.Load() != calls {
			t.Error("the list of a deleted rule is read")
		}
		s.Post("/api/loyalty/rules/"+rule, object{"deletedAt": nil}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Carol}).OK() // what was read counts at once
		s.ReadLists()
		if out.Calls.Load() == calls {
			t.Error("the list of a rule that came back is not read")
		}
		if n := len(s.Imports(rule)); n != 5 {
			t.Errorf("%d imports", n)
		}
		other := out.Set("/other.csv", apptest.Alice+"\n")
		s.Post("/api/loyalty/rules/"+rule, object{apptest.OnList: other}).OK()
		// what was read of another address counts no more
		s.Complete(rule, object{"walletAddress": apptest.Carol}).Refused(400, apptest.NotListed)
		s.ReadLists()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
	})
}

func TestASavingTakesThePlaceOfAReadingUnderWay(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		first, second := out.Set("/1.csv", apptest.Alice+"\n"), out.Set("/2.csv", apptest.Bob+"\n")
		rule := s.Rule("external_rule", object{apptest.OnList: first})
		s.Post("/api/loyalty/rules/"+rule, object{apptest.OnList: second}).OK()
		s.ReadLists()
		got := s.Imports(rule)
		if len(got) != 2 || got[0]["status"] != "complete" || got[1]["status"] != "cancelled" {
			t.Fatalf("%v", got)
		}
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, apptest.NotListed)
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
	})
}

func TestCodesAreReadFromAFile(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		page := out.Set(
			"/codes.csv",
			"code\nSUMMER-1\n\" spaced \"\nSUMMER-2\nSUMMER-1\n\n"+strings.Repeat("x", 256)+"\na,b\n",
		)
		meta := object{"promoCodeType": "csv", "promoCodeCsvUrl": page}
		rule := s.Rule("code_entry", object{"interval": "unlimited", "metadata": meta})
		enter := func(wallet, code string) apptest.Response {
			return s.Complete(rule, object{"walletAddress": wallet, "verificationCode": code})
		}
		enter(apptest.Alice, "SUMMER-1").Refused(400, "Rule is not setup")
		s.ReadLists()
		got := s.Imports(rule)[0]
		if apptest.Spaced(
			got["kind"],
			got["status"],
			got["rowsTotal"],
			got["rowsKept"],
			got["rowsSkipped"],
		) != "codes complete 6 2 4" {
			t.Errorf("%v", got)
		}
		if list := s.Get("/api/loyalty/rules/" + rule + "/codes").Data(); len(list) != 2 {
			t.Errorf("codes: %v", list)
		}
		enter(apptest.Alice, "SUMMER-1").OK()
		enter(apptest.Bob, "SUMMER-1").Refused(400, "The code you entered could not be verified")
		enter(apptest.Bob, "spaced").Refused(400, "The code you entered could not be verified") // its row was a bad one
		enter(apptest.Bob, "summer-2").Refused(400, "The code you entered could not be verified")
		out.Set("/codes.csv", "SUMMER-1\nSUMMER-2\nSUMMER-3\n")
		s.Post("/api/loyalty/rules/"+rule, object{"name": "Codes of summer"}).OK()
		s.Clock.Advance(2 * time.Hour)
		s.ReadLists()
		enter(apptest.Carol, "SUMMER-3").Refused(
			400,
			"The code you entered could not be verified",
		) // a file of codes is read once
		more := out.Set("/more.csv", "SUMMER-1\nSUMMER-3\n")
		s.Post("/api/loyalty/rules/"+rule, object{"metadata": object{"promoCodeType": "csv", "promoCodeCsvUrl": more}}).OK()
		s.ReadLists()
		enter(apptest.Carol, "SUMMER-3").OK()
		// used before, whatever a file says
		enter(apptest.Carol, "SUMMER-1").Refused(400, "The code you entered could not be verified")
		enter(apptest.Carol, "SUMMER-2").OK() // codes are never taken away
	})
}

func TestAFailedFileOfCodesIsReadWhenTheRuleIsSavedAgain(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		out.Fault.Store(500)
		page := out.Set("/codes.csv", "A\n")
		rule := s.Rule("code_entry", object{"metadata": object{"promoCodeType": "csv", "promoCodeCsvUrl": page}})
		s.ReadLists()
		out.Fault.Store(0)
		s.Post("/api/loyalty/rules/"+rule, object{}).OK()
		s.ReadLists()
		s.Complete(rule, object{"walletAddress": apptest.Alice, "verificationCode": "A"}).OK()
	})
}

func TestAddressesOfListsAreGuarded(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for url, problem := range map[string]string{"http://lists.example/a.csv": "must use https", "https://u:p@lists.example/a.csv": "must not contain credentials",
			"https://127.0.0.1/a.csv": "must not point to a private address", "https://[::ffff:169.254.169.254]/": "must not point to a private address",
			"https://lists.example/a.csv#x": "must be a valid url"} {
			for field, body := range map[string]object{
				"loyaltyUserAllotmentCsvUrl": {"type": "points_airdrop", "loyaltyUserAllotmentCsvUrl": url}, "customRewardsApiUrl": {"type": "token_hold", "customRewardsApiUrl": url},
				"customRewardsCsvUrl": {"type": "token_hold", "customRewardsCsvUrl": url}, "metadata.promoCodeCsvUrl": {"type": "code_entry", "metadata": object{"promoCodeType": "csv", "promoCodeCsvUrl": url}},
			} {
				body["name"] = "R"
				got := s.Post("/api/loyalty/rules", body).Refused(400, field+" "+problem)
				if errs := got["errors"].([]any); errs[0].(object)["path"] != field {
					t.Errorf("%v", errs)
				}
			}
		}
		own := s.Upload("a.csv", apptest.Alice+"\n") // plain http on this machine, and allowed all the same: it is not called
		rule := s.Rule("external_rule", object{apptest.OnList: own})
		s.Post("/api/loyalty/rules/"+rule, object{apptest.OnList: "http://lists.example/a.csv"}).
			Refused(400, apptest.OnList+" must use https")
		unknown := object{apptest.OnList: strings.Replace(own, "a.csv", "b.csv", 1)}
		s.Post("/api/loyalty/rules/"+rule, unknown).Refused(400, apptest.OnList+" must be a valid url")
		rival := *s
		rival.Program = s.NewProgram("Rival")
		foreign := object{"name": "R", "type": "external_rule", apptest.OnList: own}
		rival.Post("/api/loyalty/rules", foreign).Refused(400, apptest.OnList+" must be a valid url")
		s.ReadLists()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
	})
}

func TestAnAddressThatLeadsInsideIsNotRead(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		out := apptest.NewSite(t)
		rule := s.Rule(
			"external_rule",
			object{apptest.OnList: "https://localhost" + strings.TrimPrefix(out.URL, "http://127.0.0.1") + "/a.csv"},
		)
		s.ReadLists()
		if got := s.Imports(rule)[0]; got["message"] != "File could not be read: the address must not point to a private address" ||
			out.Calls.Load() != 0 {
			t.Errorf("%v", got)
		}
	})
}

func TestRulesAreListedByWhoIsOnTheirLists(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ids := map[string]string{}
		for _, wallet := range []string{apptest.Alice, apptest.Bob, apptest.Carol} {
			group := "pair"
			if wallet == apptest.Carol {
				group = "alone"
			}
			m := s.Post("/api/users/metadatas", object{"walletAddress": wallet, "userGroupExternalIdentifier": group}).OK()
			ids[wallet], ids[group] = m["userId"].(string), m["userGroupId"].(string)
		}
		first := s.Rule("points_airdrop", object{apptest.OnList: s.Upload("1.csv", apptest.Alice+"\n"+apptest.Carol+"\n")})
		second := s.Rule("external_rule", object{apptest.OnList: s.Upload("2.csv", apptest.Bob+"\n")})
		s.Rule("external_rule", nil)
		s.ReadLists()
		for query, want := range map[string][]string{
			"allotedToUserId=" + ids[apptest.Alice]:                                                       {first},
			"allotedToUserId=" + ids[apptest.Bob]:                                                         {second},
			"allotedToUserId=" + ids[apptest.Bob] + "&allotedToUserId=" + ids[apptest.Carol]:              {second, first},
			"allotedUserGroupId=" + ids["pair"]:                                                           {second, first},
			"allotedUserGroupId=" + ids["alone"]:                                                          {first},
			"allotedUserGroupId=" + ids["pair"] + "&allotedToUserId=" + ids[apptest.Carol]:                {first},
			"allotedUserGroupId=" + ids["alone"] + "&allotedToUserId=" + ids[apptest.Bob]:                 {},
			"allotedToUserId=" + ids[apptest.Alice] + "&loyaltyRuleId=" + second:                          {},
			"allotedToUserId=" + ids[apptest.Alice] + "&loyaltyRuleId=" + first:                           {first},
			"allotedToUserId=" + apptest.SecondUnknownID:                                                  {},
			"allotedUserGroupId=" + apptest.SecondUnknownID:                                               {},
			"allotedToUserId=" + ids[apptest.Bob] + "," + ids[apptest.Alice] + "&limit=1":                 {second},
			"allotedToUserId=" + ids[apptest.Bob] + "," + ids[apptest.Alice] + "&startingAfter=" + second: {first},
		} {
			got := []string{}
			for _, r := range s.Get("/api/loyalty/rules?" + query).Data() {
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
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var file strings.Builder
		for i := range 20_000 {
			fmt.Fprintf(&file, "0x%040x,%d\n", 0xabc000+i%19_000, i) // the last 1,000 stand there already
		}
		rule := s.Rule("external_rule", object{apptest.OnList: s.Upload("long.csv", file.String()), "interval": "unlimited"})
		read := func() int64 {
			n, _ := s.Imports(rule)[0]["rowsRead"].(json.Number).Int64()
			return n
		}
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		s.Clock.OnRead(func() bool {
			if read() < 4000 {
				return true
			}
			stop() // the node is stopping in the middle of it
			return false
		})
		_, _ = s.App.Lists.RunDue(ctx)
		at := read()
		if at < 4000 || at >= 20_000 {
			t.Fatalf("it was stopped at %d", at)
		}
		// half a list is none
		s.Complete(rule, object{"walletAddress": fmt.Sprintf("0x%040x", 0xabc000)}).Refused(400, apptest.NotListed)
		s.ReadLists()
		got := s.Imports(rule)[0]
		if apptest.Spaced(
			got["status"],
			got["rowsTotal"],
			got["rowsRead"],
			got["rowsKept"],
			got["rowsSkipped"],
			len(got["errors"].([]any)),
		) != "complete 20000 20000 19000 1000 100" {
			t.Errorf("stopped at %d, then %v", at, got)
		}
		s.Complete(rule, object{"walletAddress": fmt.Sprintf("0x%040x", 0xabc000+18_999)}).OK()
	})
}

func TestWhatTokensAreWorthIsReadFromAFeed(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		out.Set(
			"/feed?page=2",
			`{"count":5,"next":null,"previous":"/feed","results":[{"tokenId":"0x10","bonus":4},{"tokenId":"1","reward":9},{"tokenId":true,"reward":1},{"tokenId":7}]}`,
		)
		feed := out.Set(
			"/feed",
			`{"count":5,"next":"`+out.URL+`/feed?page=2","results":[{"tokenId":1,"reward":"2.5"},{"tokenId":"007","points":3}]}`,
		)
		rule := s.Rule(
			"token_hold",
			object{
				"customRewardsApiUrl": feed,
				"customRewardsCsvUrl": out.URL + "/unused.csv",
				"metadata":            object{"customRewardsApiKey": "k1"},
			},
		)
		s.ReadLists()
		got := s.Imports(rule)[0]
		if apptest.Spaced(
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
		worth(s, rule, map[string]string{"1": "2.5", "7": "3", "16": "4", "0x01": "2.5", "2": ""})

		out.Set("/feed", `{"next":"https://elsewhere.example/","results":[]}`)
		s.Clock.Advance(time.Hour)
		s.ReadLists()
		if got := s.Imports(rule)[0]; got["status"] != "failed" ||
			got["message"] != "The feed's next page is not on the feed's own host" {
			t.Errorf("%v", got)
		}
		worth(s, rule, map[string]string{"1": "2.5"})
		out.Set("/feed", `{"next":"/feed","results":[{"tokenId":1,"reward":1}]}`)
		s.Clock.Advance(time.Hour)
		s.ReadLists()
		if got := s.Imports(rule)[0]; got["message"] != "The feed has more than 1000 pages" {
			t.Errorf("a circle: %v", got)
		}
		out.Set("/feed", `[]`)
		s.Clock.Advance(time.Hour)
		s.ReadLists()
		if got := s.Imports(rule)[0]; got["message"] != "The feed did not answer with {next, results}" {
			t.Errorf("no feed: %v", got)
		}

		page := out.Set("/rewards.csv", "tokenId,reward\n5,1.5\n6,\n")
		s.Post("/api/loyalty/rules/"+rule, object{"customRewardsApiUrl": nil, "customRewardsCsvUrl": page}).OK()
		worth(s, rule, map[string]string{"1": "", "5": ""})
		s.ReadLists()
		if got := s.Imports(rule)[0]; apptest.Spaced(
			got["rowsKept"],
			got["errors"],
		) != "1 [map[line:3 message:reward is required]]" {
			t.Errorf("%v", got)
		}
		worth(s, rule, map[string]string{"1": "", "5": "1.5"})
	})
}

// worth demands what tokens are worth by a rule; "": nothing is known of them.
func worth(s *apptest.Server, rule string, want map[string]string) {
	s.T.Helper()
	id, err := laurel.ParseID(rule)
	if err != nil {
		s.T.Fatal(err)
	}
	for token, amount := range want {
		got, err := s.App.Lists.TokenRewards(
			context.Background(),
			laurel.Scope{OrganizationID: s.OrganizationID, WebsiteID: s.WebsiteID},
			id,
			[]string{token},
		)
		if err != nil {
			s.T.Fatal(err)
		}
		text := ""
		for _, a := range got {
			text = a.String()
		}
		if text != amount {
			s.T.Errorf("token %s is worth %q, want %q", token, text, amount)
		}
	}
}

func TestRunsPayAListOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var file strings.Builder
		for i := range 4100 { // more than a page of a run
			fmt.Fprintf(&file, "0x%040x,%d\n", 0xabc000+i, i)
		}
		wallet := func(i int) string { return fmt.Sprintf("0x%040x", 0xabc000+i) }
		for _, kind := range []string{"manual_upload", "points_airdrop"} {
			rule := s.Rule(
				kind,
				object{"frequency": "once", "interval": "unlimited", apptest.OnList: s.Upload(kind+".csv", file.String())},
			)
			s.Clock.Advance(time.Minute)
			if _, err := s.App.Schedule.RunOnce(context.Background()); err != nil {
				t.Fatal(err)
			}
			if got := s.Runs(rule); len(got) != 1 || got[0]["finishedAt"] != nil {
				t.Fatalf("%s: a run waits for its list, but: %v", kind, got)
			}
			s.ReadLists()
			s.Clock.Advance(time.Minute)
			s.RunSchedule()
			if got := apptest.RunCounts(s.Runs(rule)[0]); got != "complete 4100/4100/0/0 " {
				t.Errorf("%s: %s", kind, got)
			}
			s.Clock.Advance(2 * time.Hour)
			s.ReadLists()
			s.RunSchedule()
		}
		for i, want := range map[int]string{0: "0", 1: "2", 4099: "8198"} {
			if got := s.Balance(wallet(i)); got != want {
				t.Errorf("number %d has %s, not %s", i, got, want)
			}
		}
	})
}
