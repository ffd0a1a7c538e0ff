package ledger_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestKeyedEntriesArePostedOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		key := func(k string) object { return object{"idempotencyKey": k} }
		first := s.Transact(
			apptest.Points(apptest.Wallet(1), 5, key("a")),
			apptest.Points(apptest.Wallet(2), 6, key("b")),
			apptest.Points(apptest.Wallet(3), 7),
		).OK()
		const used = "Idempotency key already used"
		for name, c := range map[string]struct {
			entries []object
			same    bool
		}{
			"an equal repeat":         {[]object{apptest.Points(apptest.Wallet(1), 5, key("a")), apptest.Points(apptest.Wallet(2), 6, key("b")), apptest.Points(apptest.Wallet(3), 7)}, true},
			"amounts in another form": {[]object{apptest.Points(apptest.Wallet(1), "5.0", key("a")), apptest.Points(apptest.Wallet(2), json.Number("0.6e1"), key("b")), apptest.Points(apptest.Wallet(3), 7)}, true},
			"spelt-out defaults":      {[]object{apptest.Points(apptest.Wallet(1), 5, key("a"), object{"direction": "credit", "loyaltyCurrencyId": s.LoyaltyCurrencyID}), apptest.Points(apptest.Wallet(2), 6, key("b")), apptest.Points(apptest.Wallet(3), 7)}, true},
			"another amount":          {[]object{apptest.Points(apptest.Wallet(1), 5.5, key("a")), apptest.Points(apptest.Wallet(2), 6, key("b")), apptest.Points(apptest.Wallet(3), 7)}, false},
			"another wallet":          {[]object{apptest.Points(apptest.Wallet(9), 5, key("a")), apptest.Points(apptest.Wallet(2), 6, key("b")), apptest.Points(apptest.Wallet(3), 7)}, false},
			"another direction":       {[]object{apptest.Points(apptest.Wallet(1), 5, key("a"), apptest.Debit), apptest.Points(apptest.Wallet(2), 6, key("b")), apptest.Points(apptest.Wallet(3), 7)}, false},
			"other metadata":          {[]object{apptest.Points(apptest.Wallet(1), 5, key("a"), object{"metadata": object{"n": 1}}), apptest.Points(apptest.Wallet(2), 6, key("b")), apptest.Points(apptest.Wallet(3), 7)}, false},
			"some of the keys":        {[]object{apptest.Points(apptest.Wallet(1), 5, key("a")), apptest.Points(apptest.Wallet(2), 6, key("c")), apptest.Points(apptest.Wallet(3), 7)}, false},
			"one of the keys alone":   {[]object{apptest.Points(apptest.Wallet(1), 5, key("a"))}, false},
			"a user who is unknown":   {[]object{{"userId": apptest.UnknownID, "amount": 5, "idempotencyKey": "a"}}, false},
			"an entry more":           {[]object{apptest.Points(apptest.Wallet(1), 5, key("a")), apptest.Points(apptest.Wallet(2), 6, key("b")), apptest.Points(apptest.Wallet(3), 7), apptest.Points(apptest.Wallet(4), 7)}, false},
			"the unkeyed one changed": {[]object{apptest.Points(apptest.Wallet(1), 5, key("a")), apptest.Points(apptest.Wallet(2), 6, key("b")), apptest.Points(apptest.Wallet(3), 8)}, false},
		} {
			got := s.Transact(c.entries...)
			if c.same && (got.Status != 200 || got.Body != s.Transact(c.entries...).Body || got.JSON()["id"] != first["id"]) ||
				!c.same && (got.Status != 400 || got.JSON()["message"] != used) {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
		}
		// Keys of two transactions together are some of each.
		s.Transact(apptest.Points(apptest.Wallet(1), 1, key("z"))).OK()
		s.Transact(
			apptest.Points(apptest.Wallet(1), 5, key("a")),
			apptest.Points(apptest.Wallet(1), 1, key("z")),
		).Refused(400, used)
		if n := s.Count("/api/loyalty/transaction_entries?limit=100"); n != 4 {
			t.Errorf("%d entries, want 4", n)
		}
		if got := s.Get("/api/loyalty/transaction_entries?idempotencyKey=a").
			Data(); len(got) != 1 ||
			got[0]["idempotencyKey"] != "a" {
			t.Errorf("entries with the key: %v", got)
		}
		// A repeat is answered even where it would be refused now.
		spend := apptest.Points(apptest.Wallet(2), 6, apptest.Debit, key("spend"))
		spent := s.Transact(spend).OK()
		if again := s.Transact(spend).OK(); again["id"] != spent["id"] {
			t.Errorf("repeat of a spend: %v", again)
		}
		s.Sound()
	})
}

func TestConcurrentEqualKeysPostOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		answers := make([]apptest.Response, 32)
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() {
				amount := 5
				if i%2 == 1 {
					amount = 6
				}
				answers[i] = s.Transact(
					apptest.Points(apptest.Alice, amount, object{"idempotencyKey": "one"}),
					apptest.Points(apptest.Wallet(i%2), 1),
				)
			})
		}
		wg.Wait()
		ids := map[any]int{}
		for _, a := range answers {
			if a.Status == 200 {
				ids[a.JSON()["id"]]++
			} else {
				a.Refused(400, "Idempotency key already used")
			}
		}
		if len(ids) != 1 || s.Count("/api/loyalty/transaction_entries?limit=100") != 2 {
			t.Fatalf("transactions: %v", ids)
		}
		for _, n := range ids {
			if n != 16 {
				t.Fatalf("%d equal requests were answered, want 16", n)
			}
		}
		s.Sound()
	})
}

func TestAmountsAreExact(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		number := func(n string) json.Number { return json.Number(n) }
		for i, c := range []struct {
			gifts []any
			want  string
		}{
			{[]any{number("0.1"), number("0.2")}, "0.3"},
			{[]any{number("0.000001")}, "0.000001"},
			{[]any{number("1.10")}, "1.1"},
			{[]any{number("1.0000000000")}, "1"},
			{[]any{number("1e3"), number("1E-3"), number("25e-1")}, "1002.501"},
			{[]any{"10", "0.5", "1e2"}, "110.5"},
			{[]any{number("9007199254740.993"), "0.000001"}, ""}, // beyond what is allowed
			{[]any{number("8999999999999.999999")}, "8999999999999.999999"},
			{[]any{number("900719925474.099301"), number("0.000002")}, "900719925474.099303"}, // not to be held by a float
			{[]any{number("123456789.123456"), number("0.876544")}, "123456790"},
		} {
			var entries []object
			for _, gift := range c.gifts {
				entries = append(entries, apptest.Points(apptest.Wallet(i+1), gift))
			}
			got := s.Transact(entries...)
			if c.want == "" {
				got.Refused(400, "entries.0.amount must be less than 9000000000000 in absolute value")
				continue
			}
			got.OK()
			if s.Balance(apptest.Wallet(i+1)) != c.want {
				t.Errorf("%v make %s, want %s", c.gifts, s.Balance(apptest.Wallet(i+1)), c.want)
			}
			s.Transact(apptest.Points(apptest.Wallet(i+1), c.want, apptest.Debit)).OK()
			if s.Balance(apptest.Wallet(i+1)) != "0" {
				t.Errorf("%s less %s are %s", c.want, c.want, s.Balance(apptest.Wallet(i+1)))
			}
		}
		// A tenth, a thousand times, is a hundred: no rounding adds up.
		for range 10 {
			s.Transact(repeat(apptest.Points(apptest.Wallet(99), number("0.1")), 100)...).OK()
		}
		if got := s.Balance(apptest.Wallet(99)); got != "100" {
			t.Errorf("a thousand tenths are %s", got)
		}
		entries := s.Get("/api/loyalty/transaction_entries?limit=1&walletAddress=" + apptest.Wallet(99)).Body
		for _, want := range []string{`"amount":0.1,`, `"loyaltyAccountStartAmount":99.9,`, `"loyaltyAccountEndAmount":100,`, `"loyaltyAccountLockVersion":1000,`} {
			if !strings.Contains(entries, want) {
				t.Errorf("%s is missing in %s", want, entries)
			}
		}
		s.Sound()
	})
}

func TestAccountsDoNotOverflow(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		most := json.Number("8999999999999.999999")
		s.Transact(apptest.Points(apptest.Wallet(1), most)).OK()
		s.Transact(apptest.Points(apptest.Wallet(2), 1), apptest.Points(apptest.Wallet(1), json.Number("0.000001"))).
			Refused(400, "amount would take a balance to 9000000000000 units or more")
		if s.Balance(apptest.Wallet(1)) != string(most) || s.Balance(apptest.Wallet(2)) != "" {
			t.Fatalf("balances %s and %q", s.Balance(apptest.Wallet(1)), s.Balance(apptest.Wallet(2)))
		}
		// Completions are refused in the same way and change nothing.
		rule := s.Rule("external_rule", object{"amount": 1})
		if got := s.Complete(
			rule,
			object{"walletAddress": apptest.Wallet(1)},
		); got.Status != 400 ||
			s.Balance(apptest.Wallet(1)) != string(most) {
			t.Fatalf("a completion over the limit: %d %s", got.Status, got.Body)
		}
		s.Transact(apptest.Points(apptest.Wallet(1), most, apptest.Debit)).OK()
		s.Complete(rule, object{"walletAddress": apptest.Wallet(1)}).OK()
		s.Sound()
	})
}

func TestSecretKeysMakeTheUsersTheyName(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Alice, 1, apptest.Debit)).Refused(400, "Insufficient balance")
		s.Transact(
			apptest.Points(apptest.Alice, 1),
			apptest.Points(apptest.Wallet(2), 1, object{"userId": apptest.SecondUnknownID}),
		).Refused(404, "User not found")
		if n := s.Count("/api/users"); n != 0 {
			t.Fatalf("refused transactions made %d users", n)
		}
		entry := s.Transact(apptest.Points(apptest.Alice, 1)).OK()["entries"].([]any)[0].(object)
		users := s.Get("/api/users").Data()
		if len(users) != 1 || users[0]["id"] != entry["userId"] || users[0]["temporaryLoyaltyUser"] != true ||
			users[0]["walletType"] != "evm" ||
			len(users[0]["userMetadata"].([]any)) != 0 {
			t.Fatalf("users: %v", users)
		}
		// By id, and again by wallet: it is the same user.
		s.Transact(object{"userId": entry["userId"], "amount": 2}, apptest.Points(strings.ToUpper(apptest.Alice[2:]), 1)).OK()
		s.Transact(apptest.Points("0x"+strings.ToUpper(apptest.Alice[2:]), 3)).OK()
		if got := s.Balance(apptest.Alice); got != "6" {
			t.Fatalf("balance %s, want 6", got)
		}
		// An id counts before a wallet.
		s.Transact(apptest.Points(apptest.Wallet(5), 4, object{"userId": entry["userId"]})).OK()
		if got := s.Balance(apptest.Alice); got != "10" || s.Balance(apptest.Wallet(5)) != "" {
			t.Fatalf("balances %s and %q", got, s.Balance(apptest.Wallet(5)))
		}
		s.Sound()
	})
}

func TestConcurrentTransactionsMakeANewUserOnce(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var wg sync.WaitGroup
		for range 24 {
			wg.Go(func() { s.Transact(apptest.Points(apptest.Alice, 1), apptest.Points(apptest.Wallet(1), 1)).OK() })
		}
		wg.Wait()
		if users := s.Count("/api/users"); users != 2 || s.Balance(apptest.Alice) != "24" || s.Balance(
			apptest.Wallet(1),
		) != "24" {
			t.Fatalf("%d users, balances %s and %s", users, s.Balance(apptest.Alice), s.Balance(apptest.Wallet(1)))
		}
		s.Sound()
	})
}
