package lists_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

// noNames are texts that files hold next to members: headers, titles, totals, errors, rows whose separator was not
// found, and addresses that a spreadsheet spoiled.
var noNames = []string{
	"wallet", "Address", "walletAdress", "user_id", "Airdrop list July", "Not Found", "upstream timed out", "error", "Total",
	apptest.Carol + " 5", apptest.Carol + "|5", "|---|---|", "=A1", "#REF!", "#N/A", "1.23E+47", "“" + apptest.Carol + "”",
	apptest.Carol + "0", apptest.Carol[:41],
}

// names are unusual names of members, who need not exist yet.
var names = []string{"bob", "0xA", "wallet-1", "Zoë", "客户7", "zoe@example.com"}

func TestRowsThatLookLikeNoNameAreBad(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		file := strings.Join(noNames, "\n") + "\n" + apptest.Alice + "\n" + strings.Join(names, "\n") + "\n"
		served, uploaded := out.Set("/names.csv", file), s.Upload("names.csv", file)
		byAddress := s.Rule("points_airdrop", object{apptest.OnList: served})
		byUpload := s.Rule("points_airdrop", object{apptest.OnList: uploaded})
		conditioned := s.Free(nil)
		s.CreateChain(conditioned, "AND", apptest.CSV(served))
		badge := s.CreateBadgeWith(object{"conditions": []object{apptest.CSV(served)}})
		s.ReadLists()
		s.RunBadgeJobs()
		bad, good := len(noNames), len(names)+1
		for _, rule := range []string{byAddress, byUpload, conditioned} {
			got := s.Imports(rule)[0]
			want := fmt.Sprintf("complete %d %d %d", bad+good, good, bad)
			if counts := apptest.Spaced(got["status"], got["rowsRead"], got["rowsKept"], got["rowsSkipped"]); counts != want {
				t.Errorf("%s: %s, not %s: %v", got["kind"], counts, want, got["errors"])
			}
			if first := apptest.Spaced(got["errors"]); !strings.Contains(first, `[map[line:1 message:"wallet" looks like a header`) {
				t.Errorf("the first line: %s", first)
			}
		}
		for _, name := range noNames {
			s.Complete(byAddress, object{"walletAddress": name}).Refused(400, apptest.NotListed)
			if is := s.BadgeStatus(badge, strings.ReplaceAll(strings.ReplaceAll(name, "#", "%23"), " ", "%20")); is != "" {
				t.Errorf("%q has the badge: %s", name, is)
			}
		}
		for _, name := range names {
			s.Complete(byAddress, object{"walletAddress": name}).OK()
		}
		if is := s.BadgeStatus(badge, apptest.Alice); is != "active" {
			t.Errorf("Alice has the badge: %q %v", is, s.BadgeJobs(badge))
		}
	})
}

// A member may have a name that looks like none.
func TestMembersMayHaveNamesThatLookLikeNone(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, name := range noNames {
			s.User(name, nil)
		}
		other := s.NewProgram("Other")
		s.Call(other.WebsiteAPIKey, "POST", "/api/users/metadatas", object{"walletAddress": "subtotal"}).OK()
		list := s.Upload("names.csv", "walletAddress\n"+strings.Join(noNames, "\n")+"\nsubtotal\ntotal\n")
		rule := s.Rule("points_airdrop", object{apptest.OnList: list})
		s.ReadLists()
		got := s.Imports(rule)[0]
		if counts := apptest.Spaced(got["rowsKept"], got["rowsSkipped"]); counts != fmt.Sprint(len(noNames), " 2") {
			t.Errorf("%s %v", counts, got["errors"])
		}
		s.Complete(rule, object{"walletAddress": "Total"}).OK()
	})
}

func TestAnErrorInPlaceOfAListLeavesTheOneInForce(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		rule := s.Rule("external_rule", object{apptest.OnList: out.Set("/l.csv", apptest.Alice+"\n"), "interval": "unlimited"})
		s.ReadLists()
		for _, text := range append([]string{"\"error\"", "Wallets of July", "error: retry later"}, noNames...) {
			out.Set("/l.csv", text+"\n")
			s.Clock.Advance(time.Hour)
			s.ReadLists()
			got := s.Imports(rule)[0]
			if got["status"] != "failed" || got["message"] != "File has no good row" {
				t.Errorf("%q: %v %v", text, got["status"], got["message"])
			}
			s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		}
	})
}

func TestAHeaderIsNoCode(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		coded := func(file string) string {
			return s.Rule("code_entry", object{"interval": "unlimited", "metadata": object{
				"promoCodeType": "csv", "promoCodeCsvUrl": file,
			}})
		}
		served := coded(out.Set("/c.csv", "Voucher code\nAAAA-1\nSUMMER 24\n"))
		uploaded := coded(s.Upload("c.csv", "coupons\nAAAA-1\nSUMMER 24\n"))
		failed := coded(out.Set("/e.csv", "Not Found"))
		bare := coded(out.Set("/b.csv", "SUMMER 24\nMy voucher\n"))
		s.ReadLists()
		for rule, want := range map[string]string{
			served: "complete 3 2 1", uploaded: "complete 3 2 1", failed: "failed 1 0 1", bare: "complete 2 2 0",
		} {
			got := s.Imports(rule)[0]
			if counts := apptest.Spaced(got["status"], got["rowsRead"], got["rowsKept"], got["rowsSkipped"]); counts != want {
				t.Errorf("%s, not %s: %v", counts, want, got["errors"])
			}
		}
		for _, rule := range []string{served, uploaded} {
			s.EnterCode(rule, apptest.Alice, "Voucher code").Refused(400, apptest.WrongCode)
			s.EnterCode(rule, apptest.Alice, "coupons").Refused(400, apptest.WrongCode)
			s.EnterCode(rule, apptest.Alice, "SUMMER 24").OK()
		}
	})
}
