package memberimports_test

import (
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestMembersAreImportedWithTheirBalances(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		done := s.ImportMembers(strings.Join([]string{
			"balance,walletAddress,joinedAt,externalIdentifier,displayName,emailAddress,phoneNumber,tier",
			"1250.5,0x" + strings.ToUpper(apptest.Alice[2:]) + ",2021-03-14,1001,\"Doe, Alice\",alice@example.com,+351210000000,gold",
			"0,cust_1002,,1002,,,,", // no balance is no transaction
			",cust_1003,,,,,,",
		}, "\r\n"), nil)
		if done["status"] != "complete" || done["message"] !=
			"3 members were imported, 3 of them new; 1 opening balances were written; columns that were not read: tier" {
			t.Fatalf("the import is %v", done)
		}
		if got := s.Balance(apptest.Alice); got != "1250.5" {
			t.Errorf("the balance is %s", got)
		}
		if got := s.Balance("cust_1002"); got != "" {
			t.Errorf("a balance of 0 made an account with %s", got)
		}
		m := metadata(s, apptest.Alice)
		if apptest.Spaced(m["externalIdentifier"], m["displayName"], m["emailAddress"], m["phoneNumber"]) !=
			"1001 Doe, Alice alice@example.com +351210000000" || m["emailVerifiedAt"] != nil {
			t.Errorf("the metadata is %v", m)
		}
		if m := metadata(s, "cust_1003"); m == nil || m["displayName"] != nil {
			t.Errorf("a wallet alone has the metadata %v", m)
		}
		user := s.Get("/api/users?externalIdentifier=1001").Data()
		if len(user) != 1 || user[0]["temporaryLoyaltyUser"] != false {
			t.Errorf("the user is %v", user)
		}
		found := entries(s, apptest.Alice)
		if len(found) != 1 {
			t.Fatalf("the entries are %v", found)
		}
		entry := found[0]
		written := entry["metadata"].(object)
		transaction := entry["loyaltyTransaction"].(object)
		if written["opening"] != true || written["importId"] != done["id"] || transaction["type"] != "api_key" ||
			transaction["description"] != "Opening balance" {
			t.Errorf("the entry is %v", entry)
		}
		if n := db.Count("member_import_rows"); n != 0 {
			t.Errorf("%d rows are left", n)
		}
		s.Sound()
	})
}

// An import is neither issued points nor an activity, and triggers nothing that a transaction of a caller would.
func TestAnOpeningBalanceIsNoActivity(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		checkIn := s.Rule("check_in", object{"metadata": object{"isCheckInOnEveryTxn": true}})
		s.ImportMembers("walletAddress,balance\ncust_1,5\n", nil)
		if got := s.Balance("cust_1"); got != "5" {
			t.Errorf("the balance is %s", got)
		}
		s.UpdateFigures()
		if n := db.Count("member_days"); n != 0 {
			t.Errorf("%d members are active", n)
		}
		if got := s.Get("/api/loyalty/rule_statuses?loyaltyRuleId=" + checkIn).Data(); len(got) != 0 {
			t.Errorf("the import has checked in: %v", got)
		}
		s.Transact(apptest.Points("cust_1", 1)).OK()
		s.UpdateFigures()
		if n := db.Count("member_days"); n != 1 {
			t.Errorf("%d members are active after a transaction", n)
		}
	})
}

func TestAFileWithABadRowImportsNothing(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		before := db.Count("members")
		head := "walletAddress,displayName,emailAddress,phoneNumber,joinedAt,balance\n"
		for _, test := range []struct{ file, want string }{
			{"\n", "File has no header with the column walletAddress"},
			{head, "File has no rows"},
			{"cust_1,5\ncust_2,7\n", "File has no header with the column walletAddress"},
			{"wallet,balance\ncust_1,5\n", "File has no header with the column walletAddress"},
			{"walletAddress,balance,Balance\ncust_1,5,6\n", "File has the column balance twice"},
			{"<html>\n", "File is a page, not a list"},
			{head + "cust_1,,,,,5\ncust_2,,,,,many\n", "1 of 2 rows are bad: row 3: balance must be a number"},
			{head + "cust_1,,,,,-5\n", "1 of 1 rows are bad: row 2: balance must be at least 0"},
			{head + "cust_1,,,,,1.0000001\n", "1 of 1 rows are bad: row 2: balance must have at most 6 decimal places"},
			{head + ",,,,,5\n", "1 of 1 rows are bad: row 2: walletAddress is required"},
			{head + "cust_1 ,,,,,5\n", "1 of 1 rows are bad: row 2: walletAddress must not begin or end with spaces or invisible characters"},
			{head + "cust_1,,nobody,,,\n", "1 of 1 rows are bad: row 2: emailAddress must be a valid email address"},
			{head + "cust_1,,,0151,,\n", "1 of 1 rows are bad: row 2: phoneNumber must be in E.164 format"},
			{head + "cust_1,,,,yesterday,\n", "1 of 1 rows are bad: row 2: joinedAt must be"},
			{head + "cust_1,,,,2026-01-15,\n", "1 of 1 rows are bad: row 2: joinedAt must not be in the future"},
			{head + "cust_1," + strings.Repeat("x", 1001) + ",,,,\n", "row 2: displayName must be at most 1000 characters"},
			{
				head + apptest.Alice + ",,,,,5\n\n0x" + strings.ToUpper(apptest.Alice[2:]) + ",,,,,6\n",
				"1 of 2 rows are bad: row 4: walletAddress stands in the file already",
			},
			{head + "cust_1,,,,,5\nTotal,,,,,5\n", `1 of 2 rows are bad: row 3: walletAddress "Total" looks like a header, a total`},
			{head + "cust_1,,,,,8999999999999\ncust_2,,,,,1\n", "1 of 2 rows are bad: row 3: the balances add up to 9000000000000 or more"},
			{head + "cust_1,a,b,,,5,6,7\n", "1 of 1 rows are bad: row 2: the row has 8 fields and may have 6"},
			{head + strings.Repeat(",,,,,5\n", 12), "; row 11: walletAddress is required; and 2 more"},
		} {
			done := s.ImportMembers(test.file, nil)
			message, _ := done["message"].(string)
			if done["status"] != "failed" || !strings.Contains(message, test.want) ||
				!strings.HasSuffix(message, ". Nothing was imported") {
				t.Errorf("%.80q: %s %q, want %q", test.file, done["status"], message, test.want)
			}
		}
		if after := db.Count("members"); after != before {
			t.Errorf("there were %d members, and are %d", before, after)
		}
		if n := db.Count("member_import_rows") + db.Count("loyalty_transactions"); n != 0 {
			t.Errorf("%d rows or transactions were written", n)
		}
	})
}

func TestFilesAreReadAsSpreadsheetsSaveThem(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for i, file := range []string{
			"\xef\xbb\xbfwalletAddress;displayName;phoneNumber;balance\r\nWHO;Doe, John;'+351210000000;12,5\r\n;;;\r\n",
			"sep=\t\nWALLETADDRESS\tDisplayName\tphoneNumber\tbalance\nWHO\tDoe, John\t+351210000000\t12.5\n",
			"\n\n\"walletAddress\",\"displayName\",\"phoneNumber\",\" balance \"\r\"WHO\",\"Doe, John\",\"+351210000000\",\" 12.50 \"\r,,,\r",
		} {
			wallet := "cust_" + string(rune('a'+i))
			done := s.ImportMembers(strings.Replace(file, "WHO", wallet, 1), nil)
			m := metadata(s, wallet)
			if done["status"] != "complete" || m["displayName"] != "Doe, John" || m["phoneNumber"] != "+351210000000" ||
				s.Balance(wallet) != "12.5" {
				t.Errorf("%q: %v, %v, %s", file, done, m, s.Balance(wallet))
			}
		}
	})
}

func TestAMemberKeepsWhatTheFileLeavesEmpty(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.User(apptest.Alice, object{
			"displayName": "Alice", "emailAddress": "alice@example.com", "externalIdentifier": "a-1", "location": "Porto",
		})
		s.Transact(apptest.Points(apptest.Alice, 10)).OK()
		done := s.ImportMembers(
			"walletAddress,externalIdentifier,displayName,emailAddress,balance\n"+apptest.Alice+",a-2,,,5\n", nil)
		if done["message"] != "1 members were imported, 0 of them new; 1 opening balances were written" {
			t.Errorf("the import is %v", done)
		}
		m := metadata(s, apptest.Alice)
		if apptest.Spaced(m["externalIdentifier"], m["displayName"], m["emailAddress"], m["location"]) !=
			"a-2 Alice alice@example.com Porto" {
			t.Errorf("the metadata is %v", m)
		}
		if list := s.Get("/api/users?externalIdentifier=a-1").Data(); len(list) != 0 {
			t.Errorf("the old identifier finds %v", list)
		}
		if list := s.Get("/api/users?externalIdentifier=a-2").Data(); len(list) != 1 {
			t.Errorf("the new identifier finds %v", list)
		}
		if got := s.Balance(apptest.Alice); got != "15" {
			t.Errorf("the balance is %s", got)
		}
	})
}

// A rule for new members asks since when the website knows a member. An import moves that back, and never forward.
func TestJoinedAtMakesAMemberOlder(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		rule := s.Rule("external_rule", object{
			"startTime": "2025-01-01T00:00:00Z", "metadata": object{"isRestrictedToNewUsers": true},
		})
		s.User(apptest.Alice, nil)
		s.ImportMembers("walletAddress,joinedAt\n"+apptest.Alice+",2024-06-01\nold,2024-06-01T12:00:00+02:00\nnew,2025-06-01\n", nil)
		s.ImportMembers("walletAddress,joinedAt\nold,2025-06-01\nnew,\n", nil)
		for _, wallet := range []string{apptest.Alice, "old"} {
			s.Complete(rule, object{"walletAddress": wallet}).Refused(400, "this quest is only available for new users")
		}
		s.Complete(rule, object{"walletAddress": "new"}).OK()
		var since int64
		if err := db.Get(t.Context(), &since, `SELECT m.first_seen_at FROM members m JOIN users u ON u.id = m.user_id
			WHERE u.wallet_address = 'old'`); err != nil ||
			!time.UnixMicro(since).Equal(time.Date(2024, 6, 1, 10, 0, 0, 0, time.UTC)) {
			t.Errorf("the member joined at %v, %v", time.UnixMicro(since).UTC(), err)
		}
	})
}
