package memberimports_test

import (
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/apptest"
)

func TestAnImportNamesAFileAndACurrencyThatTakesBalances(t *testing.T) {
	t.Parallel()
	apptest.EachWithBank(t, func(t *testing.T, s *apptest.Server, b *apptest.Bank, external string) {
		file := s.Upload("members.csv", "walletAddress\ncust_1\n")
		other := s.NewProgram("Other")
		deleted := s.Post("/api/loyalty/currencies", object{"name": "Gone", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/currencies/"+deleted, nil).OK()
		const notFound = "Loyalty currency not found"
		for _, test := range []struct {
			body object
			want string
		}{
			{object{}, "csvUrl or assetUrl is required"},
			{object{"csvUrl": file, "assetUrl": file}, "assetUrl cannot be set together with csvUrl"},
			{object{"csvUrl": "members.csv"}, "csvUrl must be a valid url"},
			{object{"assetUrl": "members.csv"}, "assetUrl must be a valid url"},
			{object{"assetUrl": "https://files.example/members.csv"}, "assetUrl must be the url of a file that was uploaded for this website"},
			{object{"csvUrl": file, "loyaltyCurrencyId": deleted}, notFound},
			{object{"csvUrl": file, "loyaltyCurrencyId": other.LoyaltyCurrencyID}, notFound},
			{object{"csvUrl": file, "loyaltyCurrencyId": "00000000-0000-0000-0000-000000000000"}, notFound},
			{
				object{"csvUrl": file, "loyaltyCurrencyId": external},
				"loyaltyCurrencyId is a currency whose balances an external ledger keeps: import them there",
			},
		} {
			s.Post(path, test.body).Refused(400, test.want)
		}
		if list := s.Get(path).Data(); len(list) != 0 {
			t.Errorf("refused imports are listed: %v", list)
		}
		// what another website uploaded is no file of this one
		s.Call(other.WebsiteAPIKey, "POST", path, object{"assetUrl": file}).
			Refused(400, "assetUrl must be the url of a file that was uploaded for this website")
		id := s.Post(path, object{"assetUrl": file, "loyaltyCurrencyId": s.LoyaltyCurrencyID}).OK()["id"].(string)
		// meanwhile the balances of its currency stay here
		s.Post("/api/loyalty/currencies/"+s.LoyaltyCurrencyID.String(), b.CurrencyBody()).
			Refused(400, "apiPostUrl cannot be set while members are imported with balances")
		s.RunMemberImports()
		if got := s.Get(path + "/" + id).OK(); got["status"] != "complete" {
			t.Errorf("the import is %v", got)
		}
		s.Call(other.WebsiteAPIKey, "GET", path+"/"+id, nil).Refused(404, "Import not found")
		if list := s.Call(other.WebsiteAPIKey, "GET", path, nil).Data(); len(list) != 0 {
			t.Errorf("another website lists %v", list)
		}
	})
}

func TestATokenTakesNoOpeningBalances(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		db.Exec("UPDATE loyalty_currencies SET is_token_reward_currency = TRUE")
		s.Post(path, object{"csvUrl": "https://lists.example/m.csv", "loyaltyCurrencyId": s.LoyaltyCurrencyID}).
			Refused(400, "Loyalty currency not found")
	})
}

// Without a currency the balances are of the only one, and with several nobody guesses.
func TestBalancesAreOfTheOnlyCurrency(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.ImportMembers("walletAddress,balance\ncust_1,5\n", object{"loyaltyCurrencyId": nil})
		if got := s.Balance("cust_1"); got != "5" {
			t.Errorf("the balance is %s", got)
		}
		s.Post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()
		done := s.ImportMembers("walletAddress,balance\ncust_1,5\n", object{"loyaltyCurrencyId": nil})
		if done["status"] != "failed" || !strings.Contains(done["message"].(string), "name loyaltyCurrencyId") {
			t.Errorf("the import is %v", done)
		}
		if done := s.ImportMembers("walletAddress,balance\ncust_1,0\n", object{"loyaltyCurrencyId": nil}); done["status"] != "complete" {
			t.Errorf("an import without balances is %v", done)
		}
	})
}

// A request that is sent again is one import, and imports are listed newest first.
func TestARepeatedRequestIsOneImport(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		body := object{
			"csvUrl": s.Upload("m.csv", "walletAddress,balance\ncust_1,5\n"), "loyaltyCurrencyId": s.LoyaltyCurrencyID,
		}
		once := s.Call(s.WebsiteAPIKey, "POST", path, body, "Idempotency-Key", "import-1").OK()["id"]
		if twice := s.Call(s.WebsiteAPIKey, "POST", path, body, "Idempotency-Key", "import-1").OK()["id"]; once != twice {
			t.Errorf("the imports are %v and %v", once, twice)
		}
		other := s.Post(path, object{"csvUrl": body["csvUrl"]}).OK()["id"]
		s.RunMemberImports()
		list := s.Get(path + "?limit=1").Data()
		if len(list) != 1 || list[0]["id"] != other {
			t.Errorf("the newest is %v", list)
		}
		if list = s.Get(path + "?startingAfter=" + other.(string)).Data(); len(list) != 1 || list[0]["id"] != once {
			t.Errorf("the next is %v", list)
		}
		if got := s.Balance("cust_1"); got != "10" { // two imports
			t.Errorf("the balance is %s", got)
		}
	})
}

// A currency that is deleted after the file was checked ends the import, which says how far it came.
func TestADeletedCurrencyEndsAnImport(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		id := s.Post(path, object{
			"csvUrl": s.Upload("m.csv", many(3000)), "loyaltyCurrencyId": s.LoyaltyCurrencyID,
		}).OK()["id"].(string)
		stopAfterChunk(t, s, db)
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/currencies/"+s.LoyaltyCurrencyID.String(), nil).OK()
		s.RunMemberImports()
		got := s.Get(path + "/" + id).OK()
		message, _ := got["message"].(string)
		if got["status"] != "failed" || !strings.HasPrefix(message, "Loyalty currency not found. ") ||
			!strings.Contains(message, " of 3000 members were imported before") {
			t.Errorf("the import is %v", got)
		}
		if n := db.Count("member_import_rows"); n != 0 {
			t.Errorf("%d rows are left", n)
		}
	})
}

func TestACommandRefusesABadFile(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		_, err := command(s, "walletAddress,balance\ncust_1,5\ncust_1,6\n", false)
		if laurel.CodeOf(err) != laurel.Invalid || !strings.Contains(err.Error(), "row 3: walletAddress stands in the file already") {
			t.Errorf("the command says %v", err)
		}
		if n := db.Count("member_imports"); n != 0 {
			t.Errorf("%d imports were made", n)
		}
	})
}
