package app_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
)

func TestKeyedEntriesArePostedOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		key := func(k string) object { return object{"idempotencyKey": k} }
		first := s.transact(points(wallet(1), 5, key("a")), points(wallet(2), 6, key("b")), points(wallet(3), 7)).ok()
		const used = "Idempotency key already used"
		for name, c := range map[string]struct {
			entries []object
			same    bool
		}{
			"an equal repeat":         {[]object{points(wallet(1), 5, key("a")), points(wallet(2), 6, key("b")), points(wallet(3), 7)}, true},
			"amounts in another form": {[]object{points(wallet(1), "5.0", key("a")), points(wallet(2), json.Number("0.6e1"), key("b")), points(wallet(3), 7)}, true},
			"spelt-out defaults":      {[]object{points(wallet(1), 5, key("a"), object{"direction": "credit", "loyaltyCurrencyId": s.LoyaltyCurrencyID}), points(wallet(2), 6, key("b")), points(wallet(3), 7)}, true},
			"another amount":          {[]object{points(wallet(1), 5.5, key("a")), points(wallet(2), 6, key("b")), points(wallet(3), 7)}, false},
			"another wallet":          {[]object{points(wallet(9), 5, key("a")), points(wallet(2), 6, key("b")), points(wallet(3), 7)}, false},
			"another direction":       {[]object{points(wallet(1), 5, key("a"), debit), points(wallet(2), 6, key("b")), points(wallet(3), 7)}, false},
			"other metadata":          {[]object{points(wallet(1), 5, key("a"), object{"metadata": object{"n": 1}}), points(wallet(2), 6, key("b")), points(wallet(3), 7)}, false},
			"some of the keys":        {[]object{points(wallet(1), 5, key("a")), points(wallet(2), 6, key("c")), points(wallet(3), 7)}, false},
			"one of the keys alone":   {[]object{points(wallet(1), 5, key("a"))}, false},
			"a user who is unknown":   {[]object{{"userId": unknownID, "amount": 5, "idempotencyKey": "a"}}, false},
			"an entry more":           {[]object{points(wallet(1), 5, key("a")), points(wallet(2), 6, key("b")), points(wallet(3), 7), points(wallet(4), 7)}, false},
			"the unkeyed one changed": {[]object{points(wallet(1), 5, key("a")), points(wallet(2), 6, key("b")), points(wallet(3), 8)}, false},
		} {
			got := s.transact(c.entries...)
			if c.same && (got.status != 200 || got.body != s.transact(c.entries...).body || got.json()["id"] != first["id"]) ||
				!c.same && (got.status != 400 || got.json()["message"] != used) {
				t.Errorf("%s: %d %s", name, got.status, got.body)
			}
		}
		// Keys of two transactions together are some of each.
		s.transact(points(wallet(1), 1, key("z"))).ok()
		s.transact(points(wallet(1), 5, key("a")), points(wallet(1), 1, key("z"))).refused(400, used)
		if n := s.count("/api/loyalty/transaction_entries?limit=100"); n != 4 {
			t.Errorf("%d entries, want 4", n)
		}
		if got := s.get("/api/loyalty/transaction_entries?idempotencyKey=a").
			data(); len(got) != 1 ||
			got[0]["idempotencyKey"] != "a" {
			t.Errorf("entries with the key: %v", got)
		}
		// A repeat is answered even where it would be refused now.
		spend := points(wallet(2), 6, debit, key("spend"))
		spent := s.transact(spend).ok()
		if again := s.transact(spend).ok(); again["id"] != spent["id"] {
			t.Errorf("repeat of a spend: %v", again)
		}
		s.sound()
	})
}

func TestConcurrentEqualKeysPostOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		answers := make([]answer, 32)
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() {
				amount := 5
				if i%2 == 1 {
					amount = 6
				}
				answers[i] = s.transact(points(alice, amount, object{"idempotencyKey": "one"}), points(wallet(i%2), 1))
			})
		}
		wg.Wait()
		ids := map[any]int{}
		for _, a := range answers {
			if a.status == 200 {
				ids[a.json()["id"]]++
			} else {
				a.refused(400, "Idempotency key already used")
			}
		}
		if len(ids) != 1 || s.count("/api/loyalty/transaction_entries?limit=100") != 2 {
			t.Fatalf("transactions: %v", ids)
		}
		for _, n := range ids {
			if n != 16 {
				t.Fatalf("%d equal requests were answered, want 16", n)
			}
		}
		s.sound()
	})
}

func TestAmountsAreExact(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
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
				entries = append(entries, points(wallet(i+1), gift))
			}
			got := s.transact(entries...)
			if c.want == "" {
				got.refused(400, "entries.0.amount must be less than 9000000000000 in absolute value")
				continue
			}
			got.ok()
			if s.balance(wallet(i+1)) != c.want {
				t.Errorf("%v make %s, want %s", c.gifts, s.balance(wallet(i+1)), c.want)
			}
			s.transact(points(wallet(i+1), c.want, debit)).ok()
			if s.balance(wallet(i+1)) != "0" {
				t.Errorf("%s less %s are %s", c.want, c.want, s.balance(wallet(i+1)))
			}
		}
		// A tenth, a thousand times, is a hundred: no rounding adds up.
		for range 10 {
			s.transact(repeat(points(wallet(99), number("0.1")), 100)...).ok()
		}
		if got := s.balance(wallet(99)); got != "100" {
			t.Errorf("a thousand tenths are %s", got)
		}
		entries := s.get("/api/loyalty/transaction_entries?limit=1&walletAddress=" + wallet(99)).body
		for _, want := range []string{`"amount":0.1,`, `"loyaltyAccountStartAmount":99.9,`, `"loyaltyAccountEndAmount":100,`, `"loyaltyAccountLockVersion":1000,`} {
			if !strings.Contains(entries, want) {
				t.Errorf("%s is missing in %s", want, entries)
			}
		}
		s.sound()
	})
}

func TestAccountsDoNotOverflow(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		most := json.Number("8999999999999.999999")
		s.transact(points(wallet(1), most)).ok()
		s.transact(points(wallet(2), 1), points(wallet(1), json.Number("0.000001"))).
			refused(400, "amount would take a balance to 9000000000000 units or more")
		if s.balance(wallet(1)) != string(most) || s.balance(wallet(2)) != "" {
			t.Fatalf("balances %s and %q", s.balance(wallet(1)), s.balance(wallet(2)))
		}
		// Completions are refused in the same way and change nothing.
		rule := s.rule("external_rule", object{"amount": 1})
		if got := s.complete(
			rule,
			object{"walletAddress": wallet(1)},
		); got.status != 400 ||
			s.balance(wallet(1)) != string(most) {
			t.Fatalf("a completion over the limit: %d %s", got.status, got.body)
		}
		s.transact(points(wallet(1), most, debit)).ok()
		s.complete(rule, object{"walletAddress": wallet(1)}).ok()
		s.sound()
	})
}

func TestSecretKeysMakeTheUsersTheyName(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.transact(points(alice, 1, debit)).refused(400, "Insufficient balance")
		s.transact(points(alice, 1), points(wallet(2), 1, object{"userId": nobody})).refused(404, "User not found")
		if n := s.count("/api/users"); n != 0 {
			t.Fatalf("refused transactions made %d users", n)
		}
		entry := s.transact(points(alice, 1)).ok()["entries"].([]any)[0].(object)
		users := s.get("/api/users").data()
		if len(users) != 1 || users[0]["id"] != entry["userId"] || users[0]["temporaryLoyaltyUser"] != true ||
			users[0]["walletType"] != "evm" ||
			len(users[0]["userMetadata"].([]any)) != 0 {
			t.Fatalf("users: %v", users)
		}
		// By id, and again by wallet: it is the same user.
		s.transact(object{"userId": entry["userId"], "amount": 2}, points(strings.ToUpper(alice[2:]), 1)).ok()
		s.transact(points("0x"+strings.ToUpper(alice[2:]), 3)).ok()
		if got := s.balance(alice); got != "6" {
			t.Fatalf("balance %s, want 6", got)
		}
		// An id counts before a wallet.
		s.transact(points(wallet(5), 4, object{"userId": entry["userId"]})).ok()
		if got := s.balance(alice); got != "10" || s.balance(wallet(5)) != "" {
			t.Fatalf("balances %s and %q", got, s.balance(wallet(5)))
		}
		s.sound()
	})
}

func TestConcurrentTransactionsMakeANewUserOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		var wg sync.WaitGroup
		for range 24 {
			wg.Go(func() { s.transact(points(alice, 1), points(wallet(1), 1)).ok() })
		}
		wg.Wait()
		if users := s.count("/api/users"); users != 2 || s.balance(alice) != "24" || s.balance(wallet(1)) != "24" {
			t.Fatalf("%d users, balances %s and %s", users, s.balance(alice), s.balance(wallet(1)))
		}
		s.sound()
	})
}
