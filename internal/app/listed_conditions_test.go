package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// csv is a condition that holds for the wallets of a list.
func csv(address string) object { return object{"type": "csv", "csvUrl": address} }

func TestAConditionHoldsForTheWalletsOfItsList(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *server, out *site) {
		address := out.set("/l.csv", "walletAddress\n0x"+strings.ToUpper(bob[2:])+"\n")
		uploaded := s.upload("u.csv", alice+",12.5\n") // the same file may say what its wallets get elsewhere
		byAddress, both, either := s.free(nil), s.free(nil), s.free(nil)
		of := s.chain(byAddress, "AND", csv(address))
		s.chain(both, "AND", csv(uploaded), csv(address))
		s.chain(either, "OR", csv(uploaded), csv(address))
		try := func(when, rule string, open map[string]bool) {
			t.Helper()
			for wallet, open := range open {
				for _, body := range []object{{"walletAddress": wallet, "verifyOnly": true}, {"walletAddress": wallet}} {
					got := s.complete(rule, body)
					if open && got.status != http.StatusOK || !open && got.json()["message"] != locked {
						t.Errorf("%s, %s: %s", when, wallet, got.body)
					}
				}
			}
		}
		for _, rule := range []string{byAddress, both, either} {
			try("not read yet", rule, map[string]bool{alice: false, bob: false})
		}
		s.readLists()
		try("by address", byAddress, map[string]bool{alice: false, bob: true})
		try("both", both, map[string]bool{alice: false, bob: false})
		try("either", either, map[string]bool{alice: true, bob: true, carol: false})
		condition := of["loyaltyConditions"].([]any)[0].(object)
		if got := s.imports(byAddress); len(got) != 1 || got[0]["kind"] != "condition" || got[0]["loyaltyConditionId"] != condition["id"] || got[0]["url"] != address ||
			got[0]["status"] != "complete" {
			t.Errorf("imports %v", got)
		}
		missing := s.post("/api/loyalty/rules/"+byAddress+"/simulate", object{"walletAddress": alice}).ok()["missing"].(object)["conditions"].([]any)[0].(object)
		if got := spelt(
			missing["loyaltyConditionId"],
			missing["type"],
			missing["current"],
			missing["required"],
		); got != spelt(
			condition["id"],
			"csv",
			0,
			1,
		) {
			t.Errorf("missing: %s", got)
		}
		s.in(alice, "family") // a list names wallets
		s.in(bob, "family")
		try("in a group", byAddress, map[string]bool{alice: false, bob: true})
		out.set("/l.csv", alice+"\n")
		try("before the hour", byAddress, map[string]bool{bob: true})
		s.clock.advance(time.Hour)
		s.readLists()
		try("read anew", byAddress, map[string]bool{alice: true, bob: false})
		out.fault.Store(http.StatusNotFound)
		s.clock.advance(time.Hour)
		s.readLists()
		if got := s.imports(byAddress)[0]; got["status"] != "failed" {
			t.Errorf("a list that is gone: %v", got)
		}
		try("what was read before counts on", byAddress, map[string]bool{alice: true, bob: false})
	})
}

func TestTheListOfAConditionLivesAsLongAsItsRuleAndChain(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *server, out *site) {
		address := out.set("/l.csv", alice+"\n")
		rule := s.rule("external_rule", object{"interval": "unlimited", onList: s.upload("own.csv", alice+"\n"+bob+"\n")})
		of := s.chain(rule, "AND", csv(address))
		s.readLists()
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.complete(rule, object{"walletAddress": bob}).refused(400, locked)
		s.complete(rule, object{"walletAddress": carol}).refused(400, notListed)
		out.set("/l.csv", bob+"\n")
		// read at every saving; another list of the rule does not forget it
		s.post("/api/loyalty/rules/"+rule, object{"name": "N"}).ok()
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.readLists()
		s.complete(rule, object{"walletAddress": alice}).refused(400, locked)
		s.complete(rule, object{"walletAddress": bob}).ok()
		s.post("/api/loyalty/rules/"+rule, object{onList: nil}).ok()
		s.readLists()
		s.complete(rule, object{"walletAddress": carol}).refused(400, locked)
		s.remove("/api/loyalty/rules/" + rule)
		calls := out.calls.Load()
		s.clock.advance(2 * time.Hour)
		s.readLists()
		if out.calls.Load() != calls {
			t.Error("the list of a deleted rule is read")
		}
		out.set("/l.csv", alice+"\n")
		s.post("/api/loyalty/rules/"+rule, object{"deletedAt": nil}).ok()
		s.complete(rule, object{"walletAddress": bob}).ok()
		s.readLists()
		s.complete(rule, object{"walletAddress": bob}).refused(400, locked)
		s.remove(chainsPath + "/" + of["id"].(string))
		s.complete(rule, object{"walletAddress": bob}).ok()
		calls = out.calls.Load()
		s.clock.advance(2 * time.Hour)
		s.readLists()
		if out.calls.Load() != calls {
			t.Error("the list of a deleted chain is read")
		}
	})
}

func TestAConditionsAddressMustBeReadable(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.free(nil)
		for address, message := range map[string]string{"http://lists.example/l.csv": "must use https", "https://127.0.0.1/l.csv": "must not point to a private address"} {
			s.post(chainsPath, chainOf(rule, "AND", object{"type": "api"}, csv(address))).
				refused(400, "loyaltyConditions.1.csvUrl "+message)
		}
		if n := s.count(chainsPath); n != 0 {
			t.Errorf("%d chains were made", n)
		}
		if n := len(s.imports(rule)); n != 0 {
			t.Errorf("%d imports of a refused chain", n)
		}
	})
}

func TestARunWaitsForTheListsOfItsConditions(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		var all strings.Builder
		for i := range 300 {
			fmt.Fprintln(&all, wallet(i))
		}
		rule := s.rule("manual_upload", object{"frequency": "once", onList: s.upload("all.csv", all.String())})
		s.readLists()
		s.chain(rule, "AND", csv(s.upload("some.csv", wallet(7)+"\n"+wallet(9)+"\n"+wallet(999)+"\n")))
		s.run()
		if got := s.runs(rule); len(got) != 1 || counts(got[0]) != "processing 0/0/0/0 The rule's list is not read yet" {
			t.Errorf("before the condition's list was read: %v", got)
		}
		s.readLists()
		s.clock.advance(time.Minute)
		s.run()
		if got := s.runs(rule); len(got) != 1 || counts(got[0]) != "complete 300/2/298/0 " || s.balance(wallet(7)) != "10" ||
			s.balance(wallet(8)) != "" {
			t.Errorf("afterwards: %v", got)
		}
	})
}

func TestAListThatCannotBeReadHoldsNoRunUp(t *testing.T) {
	t.Parallel()
	eachWithOutside(t, func(t *testing.T, s *server, out *site) {
		gone, here := out.set("/gone.csv", alice+"\n"), s.upload("here.csv", alice+"\n")
		out.fault.Store(http.StatusNotFound)
		both := s.rule("manual_upload", object{"frequency": "daily", onList: here})
		s.chain(both, "AND", csv(gone), csv(here))
		either := s.rule("manual_upload", object{"frequency": "daily", onList: here})
		s.chain(either, "OR", csv(gone), csv(here))
		s.run()
		for _, rule := range []string{both, either} {
			if got := s.runs(rule); len(got) != 1 || counts(got[0]) != "processing 0/0/0/0 The rule's list is not read yet" {
				t.Errorf("before anybody has tried: %v", got)
			}
		}
		s.readLists()
		s.clock.advance(time.Minute)
		s.run()
		if a, b := s.runs(both), s.runs(either); counts(a[0]) != "complete 1/0/1/0 " || counts(b[0]) != "complete 1/1/0/0 " ||
			s.balance(alice) != "10" {
			t.Errorf("once it has failed: %v %v", a, b)
		}
		out.fault.Store(0)
		s.clock.advance(24 * time.Hour)
		s.readLists()
		s.run()
		if a := s.runs(both); len(a) != 2 || counts(a[1]) != "complete 1/1/0/0 " {
			t.Errorf("once it can be read: %v", a)
		}
	})
}

func TestAListThatIsNotReadYetEndsNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.dynamic(nil)
		s.complete(rule, object{"walletAddress": alice}).ok()
		s.complete(rule, object{"walletAddress": bob}).ok()
		s.chain(rule, "AND", csv(s.upload("l.csv", alice+"\n")))
		s.check(25 * time.Hour)
		if len(s.held(alice)) != 1 || len(s.held(bob)) != 1 {
			t.Error("somebody lost by a list that nobody has read")
		}
		s.readLists()
		s.check(2 * time.Minute)
		if len(s.held(alice)) != 1 || len(s.held(bob)) != 0 {
			t.Errorf("by the list: %v %v", s.held(alice), s.held(bob))
		}
	})
}
