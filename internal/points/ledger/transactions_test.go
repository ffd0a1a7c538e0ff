package ledger_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel/internal/dev/apptest"
)

func TestTransactionsAnswerWhatTheyWrote(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		mixed := "0xABCDEFabcdef00000000000000000000000000Ff"
		posted := s.Post("/api/loyalty/transactions", object{"description": "", "type": "order", "loyaltyCurrencyId": s.LoyaltyCurrencyID, "entries": []object{
			apptest.Points(
				mixed,
				12.5,
				object{"idempotencyKey": "order-1", "metadata": object{"orderId": "A-1", "lines": []int{1}}},
			),
			apptest.Points("a wallet of another chain", "7"),
		}}).
			OK()
		for field, want := range (object{"type": "order", "description": "", "organizationId": s.OrganizationID.String(), "websiteId": s.WebsiteID.String()}) {
			if posted[field] != want {
				t.Errorf("%s is %v, want %v", field, posted[field], want)
			}
		}
		entries := posted["entries"].([]any)
		first, second := entries[0].(object), entries[1].(object)
		lower := strings.ToLower(mixed)
		if len(entries) != 2 || first["amount"] != json.Number("12.5") || first["direction"] != "credit" || first["walletAddress"] != lower ||
			first["idempotencyKey"] != "order-1" ||
			first["metadata"].(object)["orderId"] != "A-1" ||
			first["loyaltyCurrencyId"] != s.LoyaltyCurrencyID.String() {
			t.Errorf("entries: %v", entries)
		}
		if _, there := second["idempotencyKey"]; there || second["amount"] != json.Number("7") ||
			second["walletAddress"] != "a wallet of another chain" {
			t.Errorf("second entry: %v", second)
		}
		listed := s.Get("/api/loyalty/transaction_entries?loyaltyTransactionId=" + posted["id"].(string)).Data()
		if len(listed) != 2 || listed[1]["id"] != first["id"] || listed[1]["loyaltyAccountId"] != first["loyaltyAccountId"] ||
			listed[1]["type"] != "order" {
			t.Errorf("listed: %v", listed)
		}
		s.Sound()
	})
}

func TestTransactionsGoToTheDefaultCurrencyUnlessAnEntryNamesAnother(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		gold := s.Post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).OK()["id"].(string)
		s.Transact(
			apptest.Points(apptest.Wallet(1), 5),
			apptest.Points(apptest.Wallet(1), 3, object{"loyaltyCurrencyId": strings.ToUpper(gold)}),
		).OK()
		accounts := s.Get("/api/loyalty/accounts?walletAddress=" + apptest.Wallet(1)).Data()
		if len(accounts) != 2 || accounts[0]["amount"] != json.Number("5") || accounts[1]["loyaltyCurrencyId"] != gold ||
			accounts[1]["amount"] != json.Number("3") {
			t.Fatalf("accounts: %v", accounts)
		}
		s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/currencies/"+gold, nil).OK()
		s.Transact(
			apptest.Points(apptest.Wallet(1), 5),
			apptest.Points(apptest.Wallet(1), 3, object{"loyaltyCurrencyId": gold}),
		).
			Refused(400, "Loyalty currency not found")
		if got := s.Balance(apptest.Wallet(1)); got != "5" {
			t.Fatalf("balance %s after a refused transaction, want 5", got)
		}
		s.Sound()
	})
}

func TestBadTransactionsAreRefusedAndWriteNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		body := func(change object) object {
			b := object{
				"description":       "A gift",
				"loyaltyCurrencyId": s.LoyaltyCurrencyID,
				"entries":           []object{apptest.Points(apptest.Alice, 1)},
			}
			for k, v := range change {
				b[k] = v
			}
			return b
		}
		entry := func(change object) object {
			return body(
				object{"entries": []object{apptest.Points(apptest.Wallet(7), 1), apptest.Points(apptest.Alice, 1, change)}},
			)
		}
		for name, c := range map[string]struct {
			body    any
			status  int
			message string
			path    string // in errors; empty: no errors
		}{
			"nothing":                 {nil, 400, "description is required", "description"},
			"an array":                {"[]", 400, "Malformed JSON body", ""},
			"no entries":              {object{"description": ""}, 400, "entries is required", "entries"},
			"zero entries":            {body(object{"entries": []object{}}), 400, "entries must have at least 1 item", "entries"},
			"101 entries":             {body(object{"entries": repeat(apptest.Points(apptest.Alice, 1), 101)}), 400, "entries must have at most 100 items", "entries"},
			"entries are an object":   {body(object{"entries": object{}}), 400, "entries must be an array", "entries"},
			"an entry is a number":    {body(object{"entries": []any{1}}), 400, "entries.0 must be an object", "entries.0"},
			"long description":        {body(object{"description": strings.Repeat("é", 1001)}), 400, "description must be at most 1000 characters", "description"},
			"description is a number": {body(object{"description": 1}), 400, "description must be a string", "description"},
			"description with NUL":    {body(object{"description": "a\x00b"}), 400, "description must not contain NUL characters", "description"},
			"type of the engine":      {body(object{"type": "loyalty_rule"}), 400, "type must be one of: api_key, order", "type"},
			"currency is no uuid":     {body(object{"loyaltyCurrencyId": "gold"}), 400, "loyaltyCurrencyId must be a uuid", "loyaltyCurrencyId"},
			"unknown currency": {
				body(object{"loyaltyCurrencyId": apptest.SecondUnknownID}),
				400,
				"Loyalty currency not found",
				"loyaltyCurrencyId",
			},
			"no currency": {body(object{"loyaltyCurrencyId": nil}), 400, "entries.0.loyaltyCurrencyId is required", "entries.0.loyaltyCurrencyId"},
			"foreign website": {
				body(object{"websiteId": apptest.SecondUnknownID}),
				403,
				"API key does not have access to this website",
				"",
			},
			"website is no uuid":  {body(object{"websiteId": "here"}), 400, "websiteId must be a uuid", "websiteId"},
			"no amount":           {body(object{"entries": []object{{"walletAddress": apptest.Alice}}}), 400, "entries.0.amount is required", "entries.0.amount"},
			"amount null":         {entry(object{"amount": nil}), 400, "entries.1.amount is required", "entries.1.amount"},
			"amount 0":            {entry(object{"amount": 0}), 400, "entries.1.amount must be greater than 0", "entries.1.amount"},
			"negative amount":     {entry(object{"amount": -1}), 400, "entries.1.amount must be greater than 0", "entries.1.amount"},
			"amount in words":     {entry(object{"amount": "ten"}), 400, "entries.1.amount must be a number", "entries.1.amount"},
			"amount with a space": {entry(object{"amount": " 10"}), 400, "entries.1.amount must be a number", "entries.1.amount"},
			"amount true":         {entry(object{"amount": true}), 400, "entries.1.amount must be a number", "entries.1.amount"},
			"7 places":            {entry(object{"amount": json.Number("0.1234567")}), 400, "entries.1.amount must have at most 6 decimal places", "entries.1.amount"},
			"7 places in text":    {entry(object{"amount": "0.1234567"}), 400, "entries.1.amount must have at most 6 decimal places", "entries.1.amount"},
			"amount at the limit": {entry(object{"amount": json.Number("9000000000000")}), 400, "entries.1.amount must be less than 9000000000000 in absolute value", "entries.1.amount"},
			"amount without end":  {entry(object{"amount": json.Number("1e400")}), 400, "entries.1.amount must be less than 9000000000000 in absolute value", "entries.1.amount"},
			"unknown direction":   {entry(object{"direction": "up"}), 400, "entries.1.direction must be one of: credit, debit", "entries.1.direction"},
			"nobody":              {entry(object{"walletAddress": nil}), 400, "entries.1.userId or walletAddress is required", "entries.1.userId"},
			"wallet is a number":  {entry(object{"walletAddress": 5}), 400, "entries.1.walletAddress must be a string", "entries.1.walletAddress"},
			"long wallet":         {entry(object{"walletAddress": strings.Repeat("w", 129)}), 400, "entries.1.walletAddress must be at most 128 characters", "entries.1.walletAddress"},
			"user is no uuid":     {entry(object{"userId": "me"}), 400, "entries.1.userId must be a uuid", "entries.1.userId"},
			"user is a number":    {entry(object{"userId": 5}), 400, "entries.1.userId must be a string", "entries.1.userId"},
			"unknown user":        {entry(object{"userId": apptest.SecondUnknownID}), 404, "User not found", ""},
			"the nil user":        {entry(object{"userId": "00000000-0000-0000-0000-000000000000"}), 404, "User not found", ""},
			"empty key":           {entry(object{"idempotencyKey": ""}), 400, "entries.1.idempotencyKey must be at least 1 character", "entries.1.idempotencyKey"},
			"long key":            {entry(object{"idempotencyKey": strings.Repeat("k", 256)}), 400, "entries.1.idempotencyKey must be at most 255 characters", "entries.1.idempotencyKey"},
			"key is a number":     {entry(object{"idempotencyKey": 5}), 400, "entries.1.idempotencyKey must be a string", "entries.1.idempotencyKey"},
			"metadata is a list":  {entry(object{"metadata": []int{1}}), 400, "entries.1.metadata must be an object", "entries.1.metadata"},
			"the same key twice": {body(object{"entries": []object{apptest.Points(apptest.Alice, 1, object{"idempotencyKey": "k"}), apptest.Points(apptest.Alice, 1, object{"idempotencyKey": "k"})}}), 400,
				"entries.1.idempotencyKey is used by another entry of this transaction", "entries.1.idempotencyKey"},
			"overdraft":                     {entry(apptest.Debit), 400, "Insufficient balance", ""},
			"overdraft of a moment":         {body(object{"entries": []object{apptest.Points(apptest.Alice, 1, apptest.Debit), apptest.Points(apptest.Alice, 1)}}), 400, "Insufficient balance", ""},
			"overdraft after a credit":      {body(object{"entries": []object{apptest.Points(apptest.Alice, 5), apptest.Points(apptest.Alice, 6, apptest.Debit)}}), 400, "Insufficient balance", ""},
			"overflow within a transaction": {body(object{"entries": repeat(apptest.Points(apptest.Alice, json.Number("8999999999999.999999")), 2)}), 400, "amount would take a balance to 9000000000000 units or more", "amount"},
		} {
			got := s.Post("/api/loyalty/transactions", c.body)
			errors, _ := got.JSON()["errors"].([]any)
			if got.Status != c.status || got.JSON()["message"] != c.message ||
				c.path != "" && (len(errors) == 0 || errors[0].(object)["path"] != c.path) ||
				c.path == "" && len(errors) > 0 {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
		}
		if users, entries := s.Count("/api/users"), s.Count("/api/loyalty/transaction_entries"); users != 0 || entries != 0 {
			t.Errorf("refused transactions left %d users and %d entries", users, entries)
		}
	})
}

func repeat(entry object, n int) []object {
	list := make([]object, n)
	for i := range list {
		list[i] = entry
	}
	return list
}

func TestOverdraftChangesNothing(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Wallet(1), 100), apptest.Points(apptest.Wallet(2), 10)).OK()
		s.Transact(
			apptest.Points(apptest.Wallet(1), 50, apptest.Debit),
			apptest.Points(apptest.Wallet(3), 50),
			apptest.Points(apptest.Wallet(2), 11, apptest.Debit),
		).
			Refused(400, "Insufficient balance")
		for n, want := range []string{1: "100", 2: "10", 3: ""} {
			if n > 0 && s.Balance(apptest.Wallet(n)) != want {
				t.Errorf("wallet %d has %q, want %q", n, s.Balance(apptest.Wallet(n)), want)
			}
		}
		if n := s.Count("/api/loyalty/transaction_entries?limit=100"); n != 2 {
			t.Errorf("%d entries, want 2", n)
		}
		// What a transaction gives may be spent later in it, and all of a balance may go.
		s.Transact(
			apptest.Points(apptest.Wallet(2), 5),
			apptest.Points(apptest.Wallet(2), 15, apptest.Debit),
			apptest.Points(apptest.Wallet(1), 100, apptest.Debit),
		).OK()
		if s.Balance(apptest.Wallet(1)) != "0" || s.Balance(apptest.Wallet(2)) != "0" {
			t.Errorf("balances %s and %s, want 0 and 0", s.Balance(apptest.Wallet(1)), s.Balance(apptest.Wallet(2)))
		}
		s.Sound()
	})
}

func TestConcurrentSpendersOfOneBalanceNeverOverdrawIt(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		s.Transact(apptest.Points(apptest.Wallet(1), 95)).OK()
		var wg sync.WaitGroup
		results := make([]apptest.Response, 24)
		for i := range results {
			wg.Go(func() {
				results[i] = s.Transact(apptest.Points(apptest.Wallet(1), 10, apptest.Debit), apptest.Points(apptest.Wallet(2), 10))
			})
		}
		wg.Wait()
		paid := 0
		for _, r := range results {
			if r.Status == 200 {
				paid++
			} else {
				r.Refused(400, "Insufficient balance")
			}
		}
		if paid != 9 || s.Balance(apptest.Wallet(1)) != "5" || s.Balance(apptest.Wallet(2)) != "90" {
			t.Fatalf("%d spent, balances %s and %s", paid, s.Balance(apptest.Wallet(1)), s.Balance(apptest.Wallet(2)))
		}
		s.Sound()
	})
}

// Who is named by id is taken for a member of no group until the locked row tells more.
func TestWhoIsNamedByIDSpendsForTheGroupThatItIsInNow(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		named := func(n int, amount any, properties ...object) apptest.Response {
			e := apptest.Points("", amount, append(properties, object{"userId": s.UserOf(apptest.Wallet(n))})...)
			delete(e, "walletAddress")
			return s.Transact(e)
		}
		join := func(n int, group any) {
			s.Post("/api/users/metadatas", object{"walletAddress": apptest.Wallet(n), "userGroupExternalIdentifier": group}).OK()
		}
		join(1, "family")
		join(2, "family")
		if got := named(2, 30).OK()["entries"].([]any)[0].(object)["walletAddress"]; got != apptest.Wallet(2) {
			t.Errorf("the entry tells the wallet %v", got)
		}
		named(1, 10, apptest.Debit).OK() // all of the mate's
		s.Post("/api/users/metadatas", object{"walletAddress": apptest.Wallet(1), "userGroupId": nil}).OK()
		named(1, 1, apptest.Debit).Refused(400, "Insufficient balance")
		join(1, "family")
		named(1, 20, apptest.Debit).OK()
		works := func() int { n, _ := strconv.Atoi(s.Metric("laurel_store_works_total")); return n }
		before := works()
		for range 10 {
			named(1, 1).OK()
		}
		if n := works() - before; n < 10 || n > 15 { // some may be the server's own
			t.Errorf("10 transactions for somebody in a group took %d works: who it is was not remembered", n)
		}
		s.Transact(apptest.Points(apptest.Wallet(1), 10, apptest.Debit)).OK()
		if got := s.Balance(apptest.Wallet(2)); got != "0" {
			t.Errorf("the mate has %s left", got)
		}
		s.Transact(object{"userId": apptest.UnknownID, "amount": 1}).Refused(404, "User not found")
		s.Sound()
	})
}

func TestGroupsSpendTheActingWalletFirstThenByJoining(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, n := range []int{3, 1, 2} { // the order of joining, not of wallets
			s.Post(
				"/api/users/metadatas",
				object{"walletAddress": apptest.Wallet(n), "userGroupExternalIdentifier": "family"},
			).OK()
		}
		s.Transact(
			apptest.Points(apptest.Wallet(1), 100),
			apptest.Points(apptest.Wallet(2), 70),
			apptest.Points(apptest.Wallet(3), 300),
		).OK()
		posted := s.Transact(apptest.Points(apptest.Wallet(1), 350, apptest.Debit, object{"idempotencyKey": "spend", "metadata": object{"orderId": "A-1"}})).
			OK()
		entries := posted["entries"].([]any)
		if len(entries) != 2 || entries[0].(object)["walletAddress"] != apptest.Wallet(1) ||
			entries[0].(object)["amount"] != json.Number("100") ||
			entries[1].(object)["walletAddress"] != apptest.Wallet(3) ||
			entries[1].(object)["amount"] != json.Number("250") {
			t.Fatalf("entries: %v", entries)
		}
		if s.Balance(
			apptest.Wallet(1),
		) != "0" || s.Balance(apptest.Wallet(3)) != "50" || s.Balance(apptest.Wallet(2)) != "70" {
			t.Fatalf(
				"balances %s, %s, %s",
				s.Balance(apptest.Wallet(1)),
				s.Balance(apptest.Wallet(3)),
				s.Balance(apptest.Wallet(2)),
			)
		}
		if again := s.Transact(apptest.Points(apptest.Wallet(1), 350, apptest.Debit, object{"idempotencyKey": "spend", "metadata": object{"orderId": "A-1"}})).
			OK(); again["id"] != posted["id"] {
			t.Fatalf("a repeat was spent again: %v", again)
		}
		s.Transact(apptest.Points(apptest.Wallet(2), 121, apptest.Debit)).Refused(400, "Insufficient balance")
		s.Transact(apptest.Points(apptest.Wallet(2), 120, apptest.Debit)).OK() // 70 of its own, 50 of the first who joined
		for n := 1; n <= 3; n++ {
			if got := s.Balance(apptest.Wallet(n)); got != "0" {
				t.Errorf("wallet %d has %s", n, got)
			}
		}
		// Who leaves keeps its own balance and shares no more.
		s.Transact(apptest.Points(apptest.Wallet(3), 40)).OK()
		s.Post("/api/users/metadatas", object{"walletAddress": apptest.Wallet(3), "userGroupId": nil}).OK()
		s.Transact(apptest.Points(apptest.Wallet(1), 1, apptest.Debit)).Refused(400, "Insufficient balance")
		s.Sound()
	})
}
