package app_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

const wrongCode = "The code you entered could not be verified"

// codes returns every code of a rule, newest first, in pages.
func (s *server) codes(rule, query string) []object {
	s.t.Helper()
	var all []object
	for after := ""; ; {
		page := s.get("/api/loyalty/rules/" + rule + "/codes?limit=1000" + query + after)
		all = append(all, page.data()...)
		if page.ok()["hasNextPage"] == false {
			return all
		}
		after = "&startingAfter=" + all[len(all)-1]["id"].(string)
	}
}

// generated makes a rule with n codes of its own.
func (s *server) generated(n int, metadata object) string {
	s.t.Helper()
	return s.rule(
		"code_entry",
		object{"metadata": over(object{"promoCodeType": "generate", "promoCodeLength": n}, metadata)},
	)
}

// enter completes a rule with a code.
func (s *server) enter(rule, wallet string, code any) answer {
	s.t.Helper()
	return s.complete(rule, object{"walletAddress": wallet, "verificationCode": code})
}

func TestASharedCodeIsTrimmedAndCaseSensitive(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for i, metadata := range []object{{"promoCode": " Sésame 1\t"}, {"promoCode": "Sésame 1", "promoCodeType": "code"}, {"promoCode": "Sésame 1", "promoCodeType": nil}} {
			rule := s.rule("code_entry", object{"metadata": metadata})
			for _, wrong := range []any{nil, "", "  ", "sésame 1", "SÉSAME 1", "Sésame1", "Sésame  1", "Sesame 1", "Sésame 1x", strings.Repeat("x", 10_000)} {
				s.enter(rule, "w", wrong).refused(400, wrongCode)
			}
			s.complete(rule, object{"walletAddress": "w"}).refused(400, wrongCode)
			s.enter(rule, "w", "Sésame 1").ok()
			s.enter(rule, "w", "Sésame 1").refused(400, "You have already been rewarded")
			s.enter(rule, "v", "\n Sésame 1  ").ok() // it is shared
			if want := fmt.Sprint(10 * (i + 1)); s.balance("w") != want || s.balance("v") != want {
				t.Errorf("balances %s and %s, want %s", s.balance("w"), s.balance("v"), want)
			}
			if list := s.codes(rule, ""); len(list) != 0 {
				t.Errorf("a shared code is listed: %v", list)
			}
		}
	})
}

func TestCodeRulesWithoutCodesAreNotSetUp(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for _, metadata := range []object{{}, {"promoCode": ""}, {"promoCode": nil}, {"promoCodeType": "code"}, {"promoCodeType": "csv"},
			{"promoCodeType": "csv", "promoCode": "A", "promoCodeCsvUrl": "https://a.example/codes.csv"}, {"promoCodeType": "generate"},
			{"promoCodeType": "generate", "promoCode": "A"}} {
			rule := s.rule("code_entry", object{"metadata": metadata})
			for _, code := range []any{"A", "", nil} {
				s.enter(rule, "w", code).refused(400, "Rule is not setup")
			}
		}
		for _, bad := range []any{0, -1, 100_001, 1.5, "10"} {
			s.post("/api/loyalty/rules", object{"name": "R", "type": "code_entry", "metadata": object{"promoCodeType": "generate", "promoCodeLength": bad}}).
				refused(400, "metadata.promoCodeLength must be an integer between 1 and 100000")
		}
	})
}

// codesComplete reports whether the list of codes tells that no more come.
func (s *server) codesComplete(rule string) bool {
	s.t.Helper()
	return s.get("/api/loyalty/rules/" + rule + "/codes?limit=1").ok()["complete"].(bool)
}

// whole waits until every code of the rule is made.
func (s *server) whole(rule string) {
	s.t.Helper()
	s.working(func() bool { return s.codesComplete(rule) })
}

func TestTheFirstCodesAreThereAtOnceAndTheRestSoonAfter(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		small := s.generated(2000, nil)
		if n := len(s.codes(small, "")); n != 2000 || !s.codesComplete(small) {
			t.Errorf("%d codes of a small number, complete %v", n, s.codesComplete(small))
		}
		edited := s.generated(3, nil)
		s.update(edited, object{"metadata": object{"promoCodeType": "generate", "promoCodeLength": 2100}})
		large := s.generated(4500, nil)
		for _, rule := range []string{edited, large} {
			n := len(s.codes(rule, ""))
			if s.codesComplete(rule) || n != 2000 && n != 2003 {
				t.Errorf("%d codes at once, complete %v", n, s.codesComplete(rule))
			}
		}
		first := s.codes(large, "")[0]["code"]
		s.enter(large, "w", first).ok()
		s.update(large, object{"metadata": object{"promoCodeType": "generate", "promoCodeLength": 10}})
		s.whole(large)
		s.restore(s.edits(large)[0], nil).ok()
		if s.codesComplete(large) {
			t.Error("what a restored number asks for is not made")
		}
		s.whole(large)
		s.whole(edited)
		if a, b := len(s.codes(edited, "")), len(s.codes(large, "")); a != 2100 || b != 4500 {
			t.Errorf("%d and %d codes, want 2100 and 4500", a, b)
		}
		other := s.rule("check_in", object{"metadata": object{"promoCodeType": "generate", "promoCodeLength": 5}})
		if n := len(s.codes(other, "")); n != 0 || !s.codesComplete(other) {
			t.Errorf("a rule of another type has %d codes", n)
		}
	})
}

func TestAWorkerIsWokenWhereARuleAsksForManyCodes(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		first, second := s.generated(2001, nil), ""
		s.working(func() bool {
			// the round that a worker begins with is over, the next one is a minute away
			if second == "" && s.codesComplete(first) {
				second = s.generated(2001, nil)
			}
			return second != "" && s.codesComplete(second)
		})
	})
}

func TestRulesThatFailKeepNoCodesOfOthersWaiting(t *testing.T) {
	t.Parallel()
	eachDatabase(t, func(t *testing.T, s *server, db database) {
		broken, deleted, later := s.generated(2001, nil), s.generated(2001, nil), s.generated(2001, nil)
		db.exec("UPDATE loyalty_rules SET record = '!' || record WHERE id = ?", broken)
		s.remove("/api/loyalty/rules/" + deleted)
		s.whole(later)
		if n := len(s.codes(deleted, "")); n != 2000 {
			t.Errorf("a deleted rule got codes: %d", n)
		}
		s.update(deleted, object{"deletedAt": nil})
		s.whole(deleted)
	})
}

func TestGeneratedCodesAreDistinctAndMadeUpToTheNumber(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		form := regexp.MustCompile(`^[A-Z2-9]{10}$`)
		rule := s.generated(2500, nil) // more than one transaction makes
		s.whole(rule)
		list := s.codes(rule, "")
		seen := map[any]bool{}
		for _, c := range list {
			seen[c["code"]] = true
			if !form.MatchString(c["code"].(string)) || c["redeemedByUserId"] != nil || c["redeemedAt"] != nil ||
				c["createdAt"] == nil ||
				len(c) != 5 {
				t.Fatalf("code %v", c)
			}
		}
		if len(list) != 2500 || len(seen) != 2500 {
			t.Fatalf("%d codes, %d of them distinct", len(list), len(seen))
		}
		for _, c := range []struct {
			length any
			want   int
		}{{2510, 2510}, {5, 2510}, {2511, 2511}, {nil, 2511}} {
			s.update(rule, object{"metadata": object{"promoCodeType": "generate", "promoCodeLength": c.length}})
			now := s.codes(rule, "")
			for _, code := range now {
				delete(seen, code["code"])
			}
			if len(now) != c.want || len(seen) != 0 {
				t.Errorf("length %v: %d codes, want %d; %d are lost", c.length, len(now), c.want, len(seen))
			}
		}
		later := s.rule("code_entry", object{"metadata": object{"promoCode": "A"}})
		s.update(later, object{"metadata": object{"promoCodeType": "generate", "promoCodeLength": 3}})
		codes := s.codes(later, "")
		if len(codes) != 3 {
			t.Fatalf("%d codes", len(codes))
		}
		s.enter(later, "w", "A").refused(400, wrongCode)
		s.enter(later, "w", " "+codes[1]["code"].(string)+" ").ok()
	})
}

func TestACodeIsRedeemedOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule, other := s.generated(4, nil), s.generated(1, nil)
		codes := s.codes(rule, "")
		code := codes[0]["code"].(string)
		s.enter(rule, "a", strings.ToLower(code)).refused(400, wrongCode)
		s.enter(other, "a", code).refused(400, wrongCode)
		s.complete(rule, object{"walletAddress": "a", "verificationCode": code, "verifyOnly": true}).ok()
		s.enter(rule, "a", code).ok()
		s.enter(rule, "b", code).refused(400, wrongCode)
		s.enter(rule, "a", codes[1]["code"]).refused(400, "You have already been rewarded") // one code each
		s.enter(rule, "b", codes[1]["code"]).ok()
		s.remove("/api/loyalty/rules/" + rule)
		user := s.get("/api/users?walletAddress=a").data()[0]["id"]
		taken := 0
		for _, c := range s.codes(rule, "&redeemed=true") {
			taken++
			if c["redeemedAt"] == nil || c["redeemedByUserId"] == nil || (c["code"] == code) != (c["redeemedByUserId"] == user) {
				t.Errorf("redeemed: %v, want %s by %v", c, code, user)
			}
		}
		for _, c := range s.codes(rule, "&redeemed=0") {
			if c["redeemedAt"] != nil || c["code"] == code {
				t.Errorf("free: %v", c)
			}
		}
		if free := len(s.codes(rule, "&redeemed=false")); taken != 2 || free != 2 {
			t.Errorf("%d taken, %d free", taken, free)
		}

		path := "/api/loyalty/rules/" + rule + "/codes"
		s.call(s.ReadOnlyAPIKey, http.MethodGet, path, nil).refused(403, "API key is not allowed to perform this operation")
		s.call(s.ClientAPIKey, http.MethodGet, path, nil).refused(403, "API key is not allowed to perform this operation")
		s.call(s.program("Rival").WebsiteAPIKey, http.MethodGet, path, nil).refused(404, "Loyalty rule not found")
		s.call(s.OrganizationAPIKey, http.MethodGet, path, nil).ok()
		s.get("/api/loyalty/rules/"+unknownID+"/codes").refused(404, "Loyalty rule not found")
		s.get(path+"?redeemed=maybe").refused(400, "redeemed must be a boolean")
		s.get(path+"?limit=1001").refused(400, "limit must be between 1 and 1000")
		s.get("/api/loyalty/rules/"+other+"/codes?startingAfter="+codes[0]["id"].(string)).
			refused(400, "startingAfter not found")
	})
}

func TestSeveralRedemptionsTakeACodeEach(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		rule := s.generated(5, object{"allowMultipleRedemptions": true})
		codes := s.codes(rule, "")
		for i := range 3 {
			s.enter(rule, "a", codes[i]["code"]).ok()
		}
		s.enter(rule, "a", codes[0]["code"]).refused(400, "You have already been rewarded")
		s.enter(rule, "b", codes[0]["code"]).refused(400, wrongCode)
		s.enter(rule, "b", codes[3]["code"]).ok()
		s.enter(rule, "b", "nothing").refused(400, wrongCode)
		shared := s.rule("code_entry", object{"metadata": object{"promoCode": "A", "allowMultipleRedemptions": true}})
		s.enter(shared, "a", "A").ok()
		s.enter(shared, "a", " A ").refused(400, "You have already been rewarded")
		if s.balance("a") != "40" || s.balance("b") != "10" {
			t.Errorf("a has %s, b has %s", s.balance("a"), s.balance("b"))
		}
	})
}

func TestOneCodeOfTwoHundredClientsGoesToOne(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for _, metadata := range []object{{}, {"allowMultipleRedemptions": true}} {
			rule := s.generated(1, metadata)
			code := s.codes(rule, "")[0]["code"]
			var paid atomic.Int64
			var wg sync.WaitGroup
			for i := range 200 {
				wg.Go(func() {
					a := s.enter(rule, fmt.Sprint("w", i), code)
					if a.status == 200 {
						paid.Add(1)
					} else if a.json()["message"] != wrongCode {
						t.Errorf("%d %s", a.status, a.body)
					}
				})
			}
			wg.Wait()
			if list := s.get("/api/loyalty/transaction_entries?loyaltyRuleId=" + rule).
				data(); paid.Load() != 1 ||
				len(list) != 1 {
				t.Errorf("%d answers, %d entries", paid.Load(), len(list))
			}
		}
	})
}

func TestTextsAreLongEnough(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
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
			rule, user := s.rule("text_input", object{"metadata": c.metadata}), fmt.Sprint("w", i)
			for _, text := range c.short {
				s.enter(rule, user, text).refused(400, "Invalid Verification, try again")
			}
			for _, text := range c.long {
				s.enter(rule, user, text).ok()
				s.enter(rule, user, text).refused(400, "You have already been rewarded")
			}
			if got := s.balance(user); got != "10" {
				t.Errorf("%v paid %q", c.metadata, got)
			}
		}
	})
}
