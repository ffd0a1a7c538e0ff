package ledger_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestAccountsAreListedByAmountThenID(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for n, amount := range []any{5, 9, 5, "0.000001", 5, 10} {
			s.Transact(apptest.Points(apptest.Wallet(n+1), amount)).OK()
		}
		s.Transact(
			apptest.Points(apptest.Wallet(7), 5),
			apptest.Points(apptest.Wallet(7), 5, apptest.Debit),
		).OK() // zero balances are listed
		amounts := func(list []object) (out []string) {
			for _, a := range list {
				out = append(out, a["amount"].(json.Number).String())
			}
			return out
		}
		down := s.Get("/api/loyalty/accounts").Data()
		up := s.Get("/api/loyalty/accounts?sortDir=asc").Data()
		if got := amounts(down); !slices.Equal(got, []string{"10", "9", "5", "5", "5", "0.000001", "0"}) {
			t.Errorf("amounts: %v", got)
		}
		slices.Reverse(up)
		for i := range down {
			if down[i]["id"] != up[i]["id"] {
				t.Errorf("ascending is not descending backwards at %d", i)
			}
		}
		if a, b, c := down[2]["id"].(string), down[3]["id"].(string), down[4]["id"].(string); a < b || b < c {
			t.Errorf("ties are not ordered by id: %s %s %s", a, b, c)
		}
		for _, dir := range []string{"asc", "desc"} {
			var listed []any
			after := ""
			for {
				page := s.Get("/api/loyalty/accounts?limit=2&sortDir=" + dir + after)
				for _, a := range page.Data() {
					listed = append(listed, a["id"])
				}
				if page.JSON()["hasNextPage"] == false {
					break
				}
				after = "&startingAfter=" + listed[len(listed)-1].(string)
			}
			if len(listed) != 7 || len(slices.Compact(listed)) != 7 {
				t.Errorf("paging %s: %v", dir, listed)
			}
		}
		first := down[0]
		for field, want := range (object{"organizationId": s.OrganizationID.String(), "websiteId": s.WebsiteID.String(), "loyaltyCurrencyId": s.LoyaltyCurrencyID.String(), "lockVersion": json.Number("1")}) {
			if first[field] != want {
				t.Errorf("%s is %v, want %v", field, first[field], want)
			}
		}
		user := first["user"].(object)
		if user["id"] != first["userId"] || user["walletAddress"] != apptest.Wallet(6) || len(
			user["userMetadata"].([]any),
		) != 0 ||
			len(user["websiteUserAttributeValues"].([]any)) != 0 {
			t.Errorf("user: %v", user)
		}
	})
}

func TestAccountsAreFoundByTheirUsers(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		gold := s.Post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		ids := map[int]string{}
		var family string
		for n := 1; n <= 3; n++ {
			m := s.Post("/api/users/metadatas", object{
				"walletAddress":               apptest.Wallet(n),
				"externalIdentifier":          fmt.Sprintf("Crm-%d", n),
				"walletGroupIdentifier":       fmt.Sprintf("label-%d", n%2),
				"displayName":                 fmt.Sprintf("Member %d", n),
				"userGroupExternalIdentifier": fmt.Sprintf("family-%d", n%2),
				"emailAddress":                "m@example.com",
			}).
				OK()
			ids[n] = m["userId"].(string)
			if n == 1 {
				family = m["userGroupId"].(string)
			}
			s.Transact(
				apptest.Points(apptest.Wallet(n), n),
				apptest.Points(apptest.Wallet(n), 10*n, object{"loyaltyCurrencyId": gold}),
			).OK()
		}
		for query, want := range map[string]string{
			"": "30 20 10 3 2 1", "loyaltyCurrencyId=" + gold: "30 20 10", "userId=" + ids[2]: "20 2", "userId=" + ids[2] + "&userId=" + ids[3]: "30 20 3 2",
			"walletAddress=" + apptest.Wallet(1): "10 1", "walletAddress[]=" + apptest.Wallet(1) + "&walletAddress[]=" + apptest.Wallet(2) + "&loyaltyCurrencyId=" + gold: "20 10",
			"userId=" + ids[2] + "&walletAddress=" + apptest.Wallet(1): "", "userGroupId=" + family: "30 10 3 1", "userGroupExternalIdentifier=family-0": "20 2", "userGroupExternalIdentifier=nobody": "",
			"externalIdentifier=Crm-3": "30 3", "externalIdentifier=crm-3": "30 3", "externalIdentifier=Crm": "", "walletGroupIdentifier=label-1": "30 10 3 1",
			"walletGroupIdentifier=label-1&userGroupId=" + family + "&walletAddress=" + apptest.Wallet(3): "30 3", "userId=" + apptest.SecondUnknownID: "", "userGroupId=" + apptest.SecondUnknownID: "", "loyaltyCurrencyId=" + apptest.SecondUnknownID: "",
			"userId=&loyaltyCurrencyId=" + gold: "-60", "limit=1000": "30 20 10 3 2 1", "limit=1": "30", "walletAddress=": "30 20 10 3 2 1", "userGroupId=00000000-0000-0000-0000-000000000000": "",
		} {
			var got []string
			for _, a := range s.Get("/api/loyalty/accounts?" + query).Data() {
				got = append(got, a["amount"].(json.Number).String())
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s finds %v, want %s", query, got, want)
			}
		}
		for _, key := range []string{s.WebsiteAPIKey, s.ReadOnlyAPIKey, s.ClientAPIKey} {
			profile := s.Call(key, "GET", "/api/loyalty/accounts?userId="+ids[1], nil).Data()[0]["user"].(object)["userMetadata"].([]any)
			if len(profile) != 1 || len(profile[0].(object)) != 5 || profile[0].(object)["displayName"] != "Member 1" ||
				profile[0].(object)["walletGroupIdentifier"] != "label-1" {
				t.Errorf("profile: %v", profile)
			}
		}
	})
}

func TestBadListQueriesAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Alice, 1)).OK()
		rule := s.Rule("external_rule", nil)
		for path, most := range map[string]int{"/api/loyalty/accounts": 1000, "/api/loyalty/currencies": 1000, "/api/users": 1000, "/api/websites": 1000,
			"/api/loyalty/transaction_entries": 100, "/api/loyalty/rules": 100} {
			between := fmt.Sprintf("limit must be between 1 and %d", most)
			for query, message := range map[string]string{"limit=0": between, fmt.Sprintf("limit=%d", most+1): between, "limit=-5": between, "limit=x": "limit must be a number",
				"startingAfter=x": "startingAfter must be a uuid", "startingAfter=" + apptest.SecondUnknownID: "startingAfter not found", "organizationId=x": "organizationId must be a uuid",
				"startingAfter=00000000-0000-0000-0000-000000000000": "startingAfter not found"} {
				if got := s.Get(path + "?" + query); got.Status != 400 || got.JSON()["message"] != message {
					t.Errorf("%s?%s: %d %s", path, query, got.Status, got.Body)
				}
			}
			// A thing of another list is no item of this one.
			other := rule
			if path == "/api/loyalty/rules" {
				other = s.LoyaltyCurrencyID.String()
			}
			s.Get(path+"?startingAfter="+other).Refused(400, "startingAfter not found")
			s.Get(fmt.Sprintf("%s?limit=%d", path, most)).OK()
			s.Get(path+"?organizationId="+apptest.SecondUnknownID).Refused(403, "API key does not have access to this organization")
			if path != "/api/websites" {
				s.Get(path+"?websiteId=here").Refused(400, "websiteId must be a uuid")
				s.Get(path+"?websiteId="+apptest.SecondUnknownID).Refused(403, "API key does not have access to this website")
			}
		}
		for query, message := range map[string]string{"sortDir=up": "sortDir must be one of: asc, desc", "loyaltyCurrencyId=gold": "loyaltyCurrencyId must be a uuid", "userId=me": "userId must be a uuid",
			"userGroupId=1": "userGroupId must be a uuid"} {
			s.Get("/api/loyalty/accounts?"+query).Refused(400, message)
		}
		main := s.Get("/api/loyalty/accounts?userId=").Data()[0]["id"].(string)
		s.Get("/api/loyalty/accounts?startingAfter="+main).Refused(400, "startingAfter not found")
		entry := s.Get(apptest.EntriesPath + "?userId=").Data()[0]["id"].(string)
		s.Get(apptest.EntriesPath+"?startingAfter="+entry).Refused(400, "startingAfter not found")
	})
}

func TestMainAccountsAreMinusWhatTheyGaveWhileTheFoldRuns(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		main := func() (string, string) {
			list := s.Get("/api/loyalty/accounts?userId=").Data()
			if len(list) != 1 || list[0]["userId"] != nil || list[0]["user"] != nil {
				t.Fatalf("main accounts: %v", list)
			}
			return list[0]["amount"].(json.Number).String(), list[0]["lockVersion"].(json.Number).String()
		}
		if amount, version := main(); amount != "0" || version != "0" {
			t.Fatalf("a new currency's main account has %s after %s entries", amount, version)
		}
		done := make(chan struct{})
		var folding, giving sync.WaitGroup
		folding.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					if err := s.App.Ledger.FoldMainAccounts(context.Background()); err != nil {
						t.Error(err)
					}
				}
			}
		})
		for g := range 4 {
			giving.Go(func() {
				for i := range 15 {
					s.Transact(
						apptest.Points(apptest.Wallet(g), 2),
						apptest.Points(apptest.Wallet(g), json.Number("0.5"), apptest.Debit),
					).OK()
					if g > 0 {
						continue
					}
					// Nothing is lost or counted twice in between: each transaction gives 1.5.
					amount, version := main()
					given := laurelAmount(t, strings.TrimPrefix(amount, "-"))
					entries := laurelAmount(t, version) / 1_000_000
					if given != entries*1_500_000 || entries < int64(i+1) {
						t.Errorf("the main account gave %s in %s entries", amount, version)
					}
				}
			})
		}
		giving.Wait()
		close(done)
		folding.Wait()
		for range 2 {
			if amount, version := main(); amount != "-90" || version != "60" {
				t.Errorf("main account: %s after %s entries, want -90 after 60", amount, version)
			}
			if err := s.App.Ledger.FoldMainAccounts(context.Background()); err != nil {
				t.Fatal(err)
			}
		}
		s.Sound()
	})
}
