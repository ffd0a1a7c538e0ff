package completion_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

// generated makes a rule with n codes of its own.
func generated(s *apptest.Server, n int, metadata object) string {
	s.T.Helper()
	return s.Rule(
		"code_entry",
		object{"metadata": apptest.Over(object{"promoCodeType": "generate", "promoCodeLength": n}, metadata)},
	)
}

func TestASharedCodeIsTrimmedAndCaseSensitive(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for i, metadata := range []object{{"promoCode": " Sésame 1\t"}, {"promoCode": "Sésame 1", "promoCodeType": "code"}, {"promoCode": "Sésame 1", "promoCodeType": nil}} {
			rule := s.Rule("code_entry", object{"metadata": metadata})
			for _, wrong := range []any{nil, "", "  ", "sésame 1", "SÉSAME 1", "Sésame1", "Sésame  1", "Sesame 1", "Sésame 1x", strings.Repeat("x", 10_000)} {
				s.EnterCode(rule, "w", wrong).Refused(400, apptest.WrongCode)
			}
			s.Complete(rule, object{"walletAddress": "w"}).Refused(400, apptest.WrongCode)
			s.EnterCode(rule, "w", "Sésame 1").OK()
			s.EnterCode(rule, "w", "Sésame 1").Refused(400, "You have already been rewarded")
			s.EnterCode(rule, "v", "\n Sésame 1  ").OK() // it is shared
			if want := fmt.Sprint(10 * (i + 1)); s.Balance("w") != want || s.Balance("v") != want {
				t.Errorf("balances %s and %s, want %s", s.Balance("w"), s.Balance("v"), want)
			}
			if list := s.Codes(rule, ""); len(list) != 0 {
				t.Errorf("a shared code is listed: %v", list)
			}
		}
	})
}

func TestCodeRulesWithoutCodesAreNotSetUp(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, metadata := range []object{{}, {"promoCode": ""}, {"promoCode": nil}, {"promoCodeType": "code"}, {"promoCodeType": "csv"},
			{"promoCodeType": "csv", "promoCode": "A", "promoCodeCsvUrl": "https://a.example/codes.csv"}, {"promoCodeType": "generate"},
			{"promoCodeType": "generate", "promoCode": "A"}} {
			rule := s.Rule("code_entry", object{"metadata": metadata})
			for _, code := range []any{"A", "", nil} {
				s.EnterCode(rule, "w", code).Refused(400, "Rule is not setup")
			}
		}
		for _, bad := range []any{0, -1, 100_001, 1.5, "10"} {
			s.Post("/api/loyalty/rules", object{"name": "R", "type": "code_entry", "metadata": object{"promoCodeType": "generate", "promoCodeLength": bad}}).
				Refused(400, "metadata.promoCodeLength must be an integer between 1 and 100000")
		}
	})
}

// codesComplete reports whether the list of codes tells that no more come.
func codesComplete(s *apptest.Server, rule string) bool {
	s.T.Helper()
	return s.Get("/api/loyalty/rules/" + rule + "/codes?limit=1").OK()["complete"].(bool)
}

// whole waits until every code of the rule is made.
func whole(s *apptest.Server, rule string) {
	s.T.Helper()
	working(s, func() bool { return codesComplete(s, rule) })
}

//racetests:plain
func TestTheFirstCodesAreThereAtOnceAndTheRestSoonAfter(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		small := generated(s, 2000, nil)
		if n := len(s.Codes(small, "")); n != 2000 || !codesComplete(s, small) {
			t.Errorf("%d codes of a small number, complete %v", n, codesComplete(s, small))
		}
		edited := generated(s, 3, nil)
		s.Update(edited, object{"metadata": object{"promoCodeType": "generate", "promoCodeLength": 2100}})
		large := generated(s, 4500, nil)
		for _, rule := range []string{edited, large} {
			n := len(s.Codes(rule, ""))
			if codesComplete(s, rule) || n != 2000 && n != 2003 {
				t.Errorf("%d codes at once, complete %v", n, codesComplete(s, rule))
			}
		}
		first := s.Codes(large, "")[0]["code"]
		s.EnterCode(large, "w", first).OK()
		s.Update(large, object{"metadata": object{"promoCodeType": "generate", "promoCodeLength": 10}})
		whole(s, large)
		s.Restore(s.Edits(large)[0], nil).OK()
		if codesComplete(s, large) {
			t.Error("what a restored number asks for is not made")
		}
		whole(s, large)
		whole(s, edited)
		if a, b := len(s.Codes(edited, "")), len(s.Codes(large, "")); a != 2100 || b != 4500 {
			t.Errorf("%d and %d codes, want 2100 and 4500", a, b)
		}
		other := s.Rule("check_in", object{"metadata": object{"promoCodeType": "generate", "promoCodeLength": 5}})
		if n := len(s.Codes(other, "")); n != 0 || !codesComplete(s, other) {
			t.Errorf("a rule of another type has %d codes", n)
		}
	})
}

func TestAWorkerIsWokenWhereARuleAsksForManyCodes(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		first, second := generated(s, 2001, nil), ""
		working(s, func() bool {
			// the round that a worker begins with is over, the next one is a minute away
			if second == "" && codesComplete(s, first) {
				second = generated(s, 2001, nil)
			}
			return second != "" && codesComplete(s, second)
		})
	})
}

func TestRulesThatFailKeepNoCodesOfOthersWaiting(t *testing.T) {
	t.Parallel()
	apptest.EachDatabase(t, func(t *testing.T, s *apptest.Server, db apptest.Database) {
		broken, deleted, later := generated(s, 2001, nil), generated(s, 2001, nil), generated(s, 2001, nil)
		db.Exec("UPDATE loyalty_rules SET record = '!' || record WHERE id = ?", broken)
		s.Remove("/api/loyalty/rules/" + deleted)
		whole(s, later)
		if n := len(s.Codes(deleted, "")); n != 2000 {
			t.Errorf("a deleted rule got codes: %d", n)
		}
		s.Update(deleted, object{"deletedAt": nil})
		whole(s, deleted)
	})
}

//racetests:plain
func TestGeneratedCodesAreDistinctAndMadeUpToTheNumber(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		form := regexp.MustCompile(`^[A-Z2-9]{10}$`)
		rule := generated(s, 2500, nil) // more than one transaction makes
		whole(s, rule)
		list := s.Codes(rule, "")
		duplicates := map[any]bool{}
		for _, c := range list {
			duplicates[c["code"]] = true
			if !form.MatchString(c["code"].(string)) || c["redeemedByUserId"] != nil || c["redeemedAt"] != nil ||
				c["createdAt"] == nil ||
				len(c) != 5 {
				t.Fatalf("code %v", c)
			}
		}
		if len(list) != 2500 || len(duplicates) != 2500 {
			t.Fatalf("%d codes, %d of them distinct", len(list), len(duplicates))
		}
		for _, c := range []struct {
			length any
			want   int
		}{{2510, 2510}, {5, 2510}, {2511, 2511}, {nil, 2511}} {
			s.Update(rule, object{"metadata": object{"promoCodeType": "generate", "promoCodeLength": c.length}})
			now := s.Codes(rule, "")
			for _, code := range now {
				delete(duplicates, code["code"])
			}
			if len(now) != c.want || len(duplicates) != 0 {
				t.Errorf("length %v: %d codes, want %d; %d are lost", c.length, len(now), c.want, len(duplicates))
			}
		}
		later := s.Rule("code_entry", object{"metadata": object{"promoCode": "A"}})
		s.Update(later, object{"metadata": object{"promoCodeType": "generate", "promoCodeLength": 3}})
		codes := s.Codes(later, "")
		if len(codes) != 3 {
			t.Fatalf("%d codes", len(codes))
		}
		s.EnterCode(later, "w", "A").Refused(400, apptest.WrongCode)
		s.EnterCode(later, "w", " "+codes[1]["code"].(string)+" ").OK()
	})
}

func TestACodeIsRedeemedOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule, other := generated(s, 4, nil), generated(s, 1, nil)
		codes := s.Codes(rule, "")
		code := codes[0]["code"].(string)
		s.EnterCode(rule, "a", strings.ToLower(code)).Refused(400, apptest.WrongCode)
		s.EnterCode(other, "a", code).Refused(400, apptest.WrongCode)
		s.Complete(rule, object{"walletAddress": "a", "verificationCode": code, "verifyOnly": true}).OK()
		s.EnterCode(rule, "a", code).OK()
		s.EnterCode(rule, "b", code).Refused(400, apptest.WrongCode)
		s.EnterCode(rule, "a", codes[1]["code"]).Refused(400, "You have already been rewarded") // one code each
		s.EnterCode(rule, "b", codes[1]["code"]).OK()
		s.Remove("/api/loyalty/rules/" + rule)
		user := s.Get("/api/users?walletAddress=a").Data()[0]["id"]
		taken := 0
		for _, c := range s.Codes(rule, "&redeemed=true") {
			taken++
			if c["redeemedAt"] == nil || c["redeemedByUserId"] == nil || (c["code"] == code) != (c["redeemedByUserId"] == user) {
				t.Errorf("redeemed: %v, want %s by %v", c, code, user)
			}
		}
		for _, c := range s.Codes(rule, "&redeemed=0") {
			if c["redeemedAt"] != nil || c["code"] == code {
				t.Errorf("free: %v", c)
			}
		}
		if free := len(s.Codes(rule, "&redeemed=false")); taken != 2 || free != 2 {
			t.Errorf("%d taken, %d free", taken, free)
		}

		path := "/api/loyalty/rules/" + rule + "/codes"
		s.Call(s.ReadOnlyAPIKey, http.MethodGet, path, nil).Refused(403, "API key is not allowed to perform this operation")
		s.Call(s.ClientAPIKey, http.MethodGet, path, nil).Refused(403, "API key is not allowed to perform this operation")
		s.Call(s.NewProgram("Rival").WebsiteAPIKey, http.MethodGet, path, nil).Refused(404, "Loyalty rule not found")
		s.Call(s.OrganizationAPIKey, http.MethodGet, path, nil).OK()
		s.Get("/api/loyalty/rules/"+apptest.UnknownID+"/codes").Refused(404, "Loyalty rule not found")
		s.Get(path+"?redeemed=maybe").Refused(400, "redeemed must be a boolean")
		s.Get(path+"?limit=1001").Refused(400, "limit must be between 1 and 1000")
		s.Get("/api/loyalty/rules/"+other+"/codes?startingAfter="+codes[0]["id"].(string)).
			Refused(400, "startingAfter not found")
	})
}

func TestSeveralRedemptionsTakeACodeEach(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		rule := generated(s, 5, object{"allowMultipleRedemptions": true})
		codes := s.Codes(rule, "")
		for i := range 3 {
			s.EnterCode(rule, "a", codes[i]["code"]).OK()
		}
		s.EnterCode(rule, "a", codes[0]["code"]).Refused(400, "You have already been rewarded")
		s.EnterCode(rule, "b", codes[0]["code"]).Refused(400, apptest.WrongCode)
		s.EnterCode(rule, "b", codes[3]["code"]).OK()
		s.EnterCode(rule, "b", "nothing").Refused(400, apptest.WrongCode)
		shared := s.Rule("code_entry", object{"metadata": object{"promoCode": "A", "allowMultipleRedemptions": true}})
		s.EnterCode(shared, "a", "A").OK()
		s.EnterCode(shared, "a", " A ").Refused(400, "You have already been rewarded")
		if s.Balance("a") != "40" || s.Balance("b") != "10" {
			t.Errorf("a has %s, b has %s", s.Balance("a"), s.Balance("b"))
		}
	})
}

func TestOneCodeOfTwoHundredClientsGoesToOne(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, metadata := range []object{{}, {"allowMultipleRedemptions": true}} {
			rule := generated(s, 1, metadata)
			code := s.Codes(rule, "")[0]["code"]
			var paid atomic.Int64
			var wg sync.WaitGroup
			for i := range 200 {
				wg.Go(func() {
					a := s.EnterCode(rule, fmt.Sprint("w", i), code)
					if a.Status == 200 {
						paid.Add(1)
					} else if a.JSON()["message"] != apptest.WrongCode {
						t.Errorf("%d %s", a.Status, a.Body)
					}
				})
			}
			wg.Wait()
			if list := s.Get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).
				Data(); paid.Load() != 1 ||
				len(list) != 1 {
				t.Errorf("%d answers, %d entries", paid.Load(), len(list))
			}
		}
	})
}

func TestTextsAreLongEnough(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for i, c := range []struct {
			metadata    object
			short, long []any
		}{
			{object{}, []any{nil, "", " \t\n"}, []any{"x"}},
			{object{"verificationTextMinimumLength": nil}, []any{""}, []any{" é "}},
			{object{"verificationTextMinimumLength": 0}, nil, []any{nil}},
			{object{"verificationTextMinimumLength": 3}, []any{"ab", "  ab  ", "é€"}, []any{"é€😀"}},
			{object{"verificationTextMinimumLength": 10_000}, []any{strings.Repeat("x", 9999)}, []any{strings.Repeat("é", 10_000)}},
		} {
			rule, user := s.Rule("text_input", object{"metadata": c.metadata}), fmt.Sprint("w", i)
			for _, text := range c.short {
				s.EnterCode(rule, user, text).Refused(400, "Invalid Verification, try again")
			}
			for _, text := range c.long {
				s.EnterCode(rule, user, text).OK()
				s.EnterCode(rule, user, text).Refused(400, "You have already been rewarded")
			}
			if got := s.Balance(user); got != "10" {
				t.Errorf("%v paid %q", c.metadata, got)
			}
		}
	})
}
