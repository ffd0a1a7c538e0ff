package lists_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestAConditionHoldsForTheWalletsOfItsList(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		address := out.Set("/l.csv", "walletAddress\n0x"+strings.ToUpper(apptest.Bob[2:])+"\n")
		uploaded := s.Upload("u.csv", apptest.Alice+",12.5\n") // the same file may say what its wallets get elsewhere
		byAddress, both, either := s.Free(nil), s.Free(nil), s.Free(nil)
		of := s.CreateChain(byAddress, "AND", apptest.CSV(address))
		s.CreateChain(both, "AND", apptest.CSV(uploaded), apptest.CSV(address))
		s.CreateChain(either, "OR", apptest.CSV(uploaded), apptest.CSV(address))
		try := func(when, rule string, open map[string]bool) {
			t.Helper()
			for wallet, open := range open {
				for _, body := range []object{{"walletAddress": wallet, "verifyOnly": true}, {"walletAddress": wallet}} {
					got := s.Complete(rule, body)
					if open && got.Status != http.StatusOK || !open && got.JSON()["message"] != apptest.Locked {
						t.Errorf("%s, %s: %s", when, wallet, got.Body)
					}
				}
			}
		}
		for _, rule := range []string{byAddress, both, either} {
			try("not read yet", rule, map[string]bool{apptest.Alice: false, apptest.Bob: false})
		}
		s.ReadLists()
		try("by address", byAddress, map[string]bool{apptest.Alice: false, apptest.Bob: true})
		try("both", both, map[string]bool{apptest.Alice: false, apptest.Bob: false})
		try("either", either, map[string]bool{apptest.Alice: true, apptest.Bob: true, apptest.Carol: false})
		condition := of["loyaltyConditions"].([]any)[0].(object)
		if got := s.Imports(byAddress); len(got) != 1 || got[0]["kind"] != "condition" || got[0]["loyaltyConditionId"] != condition["id"] || got[0]["url"] != address ||
			got[0]["status"] != "complete" {
			t.Errorf("imports %v", got)
		}
		missing := s.Post("/api/loyalty/rules/"+byAddress+"/simulate", object{"walletAddress": apptest.Alice}).OK()["missing"].(object)["conditions"].([]any)[0].(object)
		if got := apptest.Spaced(
			missing["loyaltyConditionId"],
			missing["type"],
			missing["current"],
			missing["required"],
		); got != apptest.Spaced(
			condition["id"],
			"csv",
			0,
			1,
		) {
			t.Errorf("missing: %s", got)
		}
		s.In(apptest.Alice, "family") // a list names wallets
		s.In(apptest.Bob, "family")
		try("in a group", byAddress, map[string]bool{apptest.Alice: false, apptest.Bob: true})
		out.Set("/l.csv", apptest.Alice+"\n")
		try("before the hour", byAddress, map[string]bool{apptest.Bob: true})
		s.Clock.Advance(time.Hour)
		s.ReadLists()
		try("read anew", byAddress, map[string]bool{apptest.Alice: true, apptest.Bob: false})
		out.Fault.Store(http.StatusNotFound)
		s.Clock.Advance(time.Hour)
		s.ReadLists()
		if got := s.Imports(byAddress)[0]; got["status"] != "failed" {
			t.Errorf("a list that is gone: %v", got)
		}
		try("what was read before counts on", byAddress, map[string]bool{apptest.Alice: true, apptest.Bob: false})
	})
}

func TestTheListOfAConditionLivesAsLongAsItsRuleAndChain(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		address := out.Set("/l.csv", apptest.Alice+"\n")
		rule := s.Rule(
			"external_rule",
			object{"interval": "unlimited", apptest.OnList: s.Upload("own.csv", apptest.Alice+"\n"+apptest.Bob+"\n")},
		)
		of := s.CreateChain(rule, "AND", apptest.CSV(address))
		s.ReadLists()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(400, apptest.Locked)
		s.Complete(rule, object{"walletAddress": apptest.Carol}).Refused(400, apptest.NotListed)
		out.Set("/l.csv", apptest.Bob+"\n")
		// read at every saving; another list of the rule does not forget it
		s.Post("/api/loyalty/rules/"+rule, object{"name": "N"}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.ReadLists()
		s.Complete(rule, object{"walletAddress": apptest.Alice}).Refused(400, apptest.Locked)
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		s.Post("/api/loyalty/rules/"+rule, object{apptest.OnList: nil}).OK()
		s.ReadLists()
		s.Complete(rule, object{"walletAddress": apptest.Carol}).Refused(400, apptest.Locked)
		s.Remove("/api/loyalty/rules/" + rule)
		calls := out.Calls.Load()
		s.Clock.Advance(2 * time.Hour)
		s.ReadLists()
		if out.Calls.Load() != calls {
			t.Error("the list of a deleted rule is read")
		}
		out.Set("/l.csv", apptest.Alice+"\n")
		s.Post("/api/loyalty/rules/"+rule, object{"deletedAt": nil}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		s.ReadLists()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).Refused(400, apptest.Locked)
		s.Remove(apptest.ChainsPath + "/" + of["id"].(string))
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		calls = out.Calls.Load()
		s.Clock.Advance(2 * time.Hour)
		s.ReadLists()
		if out.Calls.Load() != calls {
			t.Error("the list of a deleted chain is read")
		}
	})
}

func TestAConditionsAddressMustBeReadable(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.Free(nil)
		for address, message := range map[string]string{"http://lists.example/l.csv": "must use https", "https://127.0.0.1/l.csv": "must not point to a private address"} {
			s.Post(apptest.ChainsPath, apptest.ChainBody(rule, "AND", object{"type": "api"}, apptest.CSV(address))).
				Refused(400, "loyaltyConditions.1.csvUrl "+message)
		}
		if n := s.Count(apptest.ChainsPath); n != 0 {
			t.Errorf("%d chains were made", n)
		}
		if n := len(s.Imports(rule)); n != 0 {
			t.Errorf("%d imports of a refused chain", n)
		}
	})
}

func TestARunWaitsForTheListsOfItsConditions(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var all strings.Builder
		for i := range 300 {
			fmt.Fprintln(&all, apptest.Wallet(i))
		}
		rule := s.Rule("manual_upload", object{"frequency": "once", apptest.OnList: s.Upload("all.csv", all.String())})
		s.ReadLists()
		s.CreateChain(
			rule,
			"AND",
			apptest.CSV(s.Upload("some.csv", apptest.Wallet(7)+"\n"+apptest.Wallet(9)+"\n"+apptest.Wallet(999)+"\n")),
		)
		s.RunSchedule()
		if got := s.Runs(rule); len(got) != 1 || apptest.RunCounts(
			got[0],
		) != "processing 0/0/0/0 The rule's list is not read yet" {
			t.Errorf("before the condition's list was read: %v", got)
		}
		s.ReadLists()
		s.Clock.Advance(time.Minute)
		s.RunSchedule()
		if got := s.Runs(rule); len(got) != 1 || apptest.RunCounts(got[0]) != "complete 300/2/298/0 " || s.Balance(
			apptest.Wallet(7),
		) != "10" ||
			s.Balance(apptest.Wallet(8)) != "" {
			t.Errorf("afterwards: %v", got)
		}
	})
}

func TestAListThatCannotBeReadHoldsNoRunUp(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *apptest.Server, out *apptest.Site) {
		gone, here := out.Set("/gone.csv", apptest.Alice+"\n"), s.Upload("here.csv", apptest.Alice+"\n")
		out.Fault.Store(http.StatusNotFound)
		both := s.Rule("manual_upload", object{"frequency": "daily", apptest.OnList: here})
		s.CreateChain(both, "AND", apptest.CSV(gone), apptest.CSV(here))
		either := s.Rule("manual_upload", object{"frequency": "daily", apptest.OnList: here})
		s.CreateChain(either, "OR", apptest.CSV(gone), apptest.CSV(here))
		s.RunSchedule()
		for _, rule := range []string{both, either} {
			if got := s.Runs(rule); len(got) != 1 || apptest.RunCounts(
				got[0],
			) != "processing 0/0/0/0 The rule's list is not read yet" {
				t.Errorf("before anybody has tried: %v", got)
			}
		}
		s.ReadLists()
		s.Clock.Advance(time.Minute)
		s.RunSchedule()
		if a, b := s.Runs(both), s.Runs(
			either,
		); apptest.RunCounts(a[0]) != "complete 1/0/1/0 " || apptest.RunCounts(b[0]) != "complete 1/1/0/0 " ||
			s.Balance(apptest.Alice) != "10" {
			t.Errorf("once it has failed: %v %v", a, b)
		}
		out.Fault.Store(0)
		s.Clock.Advance(24 * time.Hour)
		s.ReadLists()
		s.RunSchedule()
		if a := s.Runs(both); len(a) != 2 || apptest.RunCounts(a[1]) != "complete 1/1/0/0 " {
			t.Errorf("once it can be read: %v", a)
		}
	})
}

func TestAListThatIsNotReadYetEndsNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := s.CreateDynamicRule(nil)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		s.Complete(rule, object{"walletAddress": apptest.Bob}).OK()
		s.CreateChain(rule, "AND", apptest.CSV(s.Upload("l.csv", apptest.Alice+"\n")))
		s.CheckDynamicRewards(25 * time.Hour)
		if len(s.MultiplierValues(apptest.Alice)) != 1 || len(s.MultiplierValues(apptest.Bob)) != 1 {
			t.Error("somebody lost by a list that nobody has read")
		}
		s.ReadLists()
		s.CheckDynamicRewards(2 * time.Minute)
		if len(s.MultiplierValues(apptest.Alice)) != 1 || len(s.MultiplierValues(apptest.Bob)) != 0 {
			t.Errorf("by the list: %v %v", s.MultiplierValues(apptest.Alice), s.MultiplierValues(apptest.Bob))
		}
	})
}
