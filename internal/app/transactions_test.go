package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"laurel/internal/points/audit"
)

// wallet returns the nth address.
func wallet(n int) string { return fmt.Sprintf("0x%040x", n) }

// points is an entry of a transaction body. The properties come over it.
func points(wallet string, amount any, properties ...object) object {
	e := object{"walletAddress": wallet, "amount": amount}
	for _, more := range properties {
		for k, v := range more {
			e[k] = v
		}
	}
	return e
}

var debit = object{"direction": "debit"}

// transact posts entries in the program's currency.
func (s *server) transact(entries ...object) answer {
	s.t.Helper()
	return s.post(
		"/api/loyalty/transactions",
		object{"description": "A transaction", "loyaltyCurrencyId": s.LoyaltyCurrencyID, "entries": entries},
	)
}

// sound fails unless every balance follows from its entries.
func (s *server) sound() {
	s.t.Helper()
	found, err := s.app.Audit.Verify(context.Background(), audit.Trust{})
	if err != nil || len(found.Discrepancies) > 0 {
		s.t.Fatalf("the ledger is not sound: %v %v", err, found.Discrepancies)
	}
}

// count returns how many items a list has.
func (s *server) count(path string) int {
	s.t.Helper()
	return len(s.get(path).data())
}

func TestTransactionsAnswerWhatTheyWrote(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		mixed := "0xABCDEFabcdef00000000000000000000000000Ff"
		posted := s.post("/api/loyalty/transactions", object{"description": "", "type": "order", "loyaltyCurrencyId": s.LoyaltyCurrencyID, "entries": []object{
			points(mixed, 12.5, object{"idempotencyKey": "order-1", "metadata": object{"orderId": "A-1", "lines": []int{1}}}),
			points("a wallet of another chain", "7"),
		}}).
			ok()
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
		listed := s.get("/api/loyalty/transaction_entries?loyaltyTransactionId=" + posted["id"].(string)).data()
		if len(listed) != 2 || listed[1]["id"] != first["id"] || listed[1]["loyaltyAccountId"] != first["loyaltyAccountId"] ||
			listed[1]["type"] != "order" {
			t.Errorf("listed: %v", listed)
		}
		s.sound()
	})
}

func TestTransactionsGoToTheDefaultCurrencyUnlessAnEntryNamesAnother(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		gold := s.post("/api/loyalty/currencies", object{"name": "Gold", "symbol": "G", "decimals": 0}).ok()["id"].(string)
		s.transact(points(wallet(1), 5), points(wallet(1), 3, object{"loyaltyCurrencyId": strings.ToUpper(gold)})).ok()
		accounts := s.get("/api/loyalty/accounts?walletAddress=" + wallet(1)).data()
		if len(accounts) != 2 || accounts[0]["amount"] != json.Number("5") || accounts[1]["loyaltyCurrencyId"] != gold ||
			accounts[1]["amount"] != json.Number("3") {
			t.Fatalf("accounts: %v", accounts)
		}
		s.call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/currencies/"+gold, nil).ok()
		s.transact(points(wallet(1), 5), points(wallet(1), 3, object{"loyaltyCurrencyId": gold})).
			refused(400, "Loyalty currency not found")
		if got := s.balance(wallet(1)); got != "5" {
			t.Fatalf("balance %s after a refused transaction, want 5", got)
		}
		s.sound()
	})
}

func TestBadTransactionsAreRefusedAndWriteNothing(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		body := func(change object) object {
			b := object{"description": "A gift", "loyaltyCurrencyId": s.LoyaltyCurrencyID, "entries": []object{points(alice, 1)}}
			for k, v := range change {
				b[k] = v
			}
			return b
		}
		entry := func(change object) object {
			return body(object{"entries": []object{points(wallet(7), 1), points(alice, 1, change)}})
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
			"101 entries":             {body(object{"entries": repeat(points(alice, 1), 101)}), 400, "entries must have at most 100 items", "entries"},
			"entries are an object":   {body(object{"entries": object{}}), 400, "entries must be an array", "entries"},
			"an entry is a number":    {body(object{"entries": []any{1}}), 400, "entries.0 must be an object", "entries.0"},
			"long description":        {body(object{"description": strings.Repeat("é", 1001)}), 400, "description must be at most 1000 characters", "description"},
			"description is a number": {body(object{"description": 1}), 400, "description must be a string", "description"},
			"description with NUL":    {body(object{"description": "a\x00b"}), 400, "description must not contain NUL characters", "description"},
			"type of the engine":      {body(object{"type": "loyalty_rule"}), 400, "type must be one of: api_key, order", "type"},
			"currency is no uuid":     {body(object{"loyaltyCurrencyId": "gold"}), 400, "loyaltyCurrencyId must be a uuid", "loyaltyCurrencyId"},
			"unknown currency":        {body(object{"loyaltyCurrencyId": nobody}), 400, "Loyalty currency not found", ""},
			"no currency":             {body(object{"loyaltyCurrencyId": nil}), 400, "entries.0.loyaltyCurrencyId is required", "entries.0.loyaltyCurrencyId"},
			"foreign website":         {body(object{"websiteId": nobody}), 403, "API key does not have access to this website", ""},
			"website is no uuid":      {body(object{"websiteId": "here"}), 400, "websiteId must be a uuid", "websiteId"},
			"no amount":               {body(object{"entries": []object{{"walletAddress": alice}}}), 400, "entries.0.amount is required", "entries.0.amount"},
			"amount null":             {entry(object{"amount": nil}), 400, "entries.1.amount is required", "entries.1.amount"},
			"amount 0":                {entry(object{"amount": 0}), 400, "entries.1.amount must be greater than 0", "entries.1.amount"},
			"negative amount":         {entry(object{"amount": -1}), 400, "entries.1.amount must be greater than 0", "entries.1.amount"},
			"amount in words":         {entry(object{"amount": "ten"}), 400, "entries.1.amount must be a number", "entries.1.amount"},
			"amount with a space":     {entry(object{"amount": " 10"}), 400, "entries.1.amount must be a number", "entries.1.amount"},
			"amount true":             {entry(object{"amount": true}), 400, "entries.1.amount must be a number", "entries.1.amount"},
			"7 places":                {entry(object{"amount": json.Number("0.1234567")}), 400, "entries.1.amount must have at most 6 decimal places", "entries.1.amount"},
			"7 places in text":        {entry(object{"amount": "0.1234567"}), 400, "entries.1.amount must have at most 6 decimal places", "entries.1.amount"},
			"amount at the limit":     {entry(object{"amount": json.Number("9000000000000")}), 400, "entries.1.amount must be less than 9000000000000 in absolute value", "entries.1.amount"},
			"amount without end":      {entry(object{"amount": json.Number("1e400")}), 400, "entries.1.amount must be less than 9000000000000 in absolute value", "entries.1.amount"},
			"unknown direction":       {entry(object{"direction": "up"}), 400, "entries.1.direction must be one of: credit, debit", "entries.1.direction"},
			"nobody":                  {entry(object{"walletAddress": nil}), 400, "entries.1.userId or walletAddress is required", "entries.1.userId"},
			"wallet is a number":      {entry(object{"walletAddress": 5}), 400, "entries.1.walletAddress must be a string", "entries.1.walletAddress"},
			"long wallet":             {entry(object{"walletAddress": strings.Repeat("w", 129)}), 400, "entries.1.walletAddress must be at most 128 characters", "entries.1.walletAddress"},
			"user is no uuid":         {entry(object{"userId": "me"}), 400, "entries.1.userId must be a uuid", "entries.1.userId"},
			"user is a number":        {entry(object{"userId": 5}), 400, "entries.1.userId must be a string", "entries.1.userId"},
			"unknown user":            {entry(object{"userId": nobody}), 404, "User not found", ""},
			"the nil user":            {entry(object{"userId": "00000000-0000-0000-0000-000000000000"}), 404, "User not found", ""},
			"empty key":               {entry(object{"idempotencyKey": ""}), 400, "entries.1.idempotencyKey must be at least 1 character", "entries.1.idempotencyKey"},
			"long key":                {entry(object{"idempotencyKey": strings.Repeat("k", 256)}), 400, "entries.1.idempotencyKey must be at most 255 characters", "entries.1.idempotencyKey"},
			"key is a number":         {entry(object{"idempotencyKey": 5}), 400, "entries.1.idempotencyKey must be a string", "entries.1.idempotencyKey"},
			"metadata is a list":      {entry(object{"metadata": []int{1}}), 400, "entries.1.metadata must be an object", "entries.1.metadata"},
			"the same key twice": {body(object{"entries": []object{points(alice, 1, object{"idempotencyKey": "k"}), points(alice, 1, object{"idempotencyKey": "k"})}}), 400,
				"entries.1.idempotencyKey is used by another entry of this transaction", "entries.1.idempotencyKey"},
			"overdraft":                     {entry(debit), 400, "Insufficient balance", ""},
			"overdraft of a moment":         {body(object{"entries": []object{points(alice, 1, debit), points(alice, 1)}}), 400, "Insufficient balance", ""},
			"overdraft after a credit":      {body(object{"entries": []object{points(alice, 5), points(alice, 6, debit)}}), 400, "Insufficient balance", ""},
			"overflow within a transaction": {body(object{"entries": repeat(points(alice, json.Number("8999999999999.999999")), 2)}), 400, "amount would take a balance to 9000000000000 units or more", "amount"},
		} {
			got := s.post("/api/loyalty/transactions", c.body)
			errors, _ := got.json()["errors"].([]any)
			if got.status != c.status || got.json()["message"] != c.message ||
				c.path != "" && (len(errors) == 0 || errors[0].(object)["path"] != c.path) ||
				c.path == "" && len(errors) > 0 {
				t.Errorf("%s: %d %s", name, got.status, got.body)
			}
		}
		if users, entries := s.count("/api/users"), s.count("/api/loyalty/transaction_entries"); users != 0 || entries != 0 {
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
	each(t, func(t *testing.T, s *server) {
		s.transact(points(wallet(1), 100), points(wallet(2), 10)).ok()
		s.transact(points(wallet(1), 50, debit), points(wallet(3), 50), points(wallet(2), 11, debit)).
			refused(400, "Insufficient balance")
		for n, want := range []string{1: "100", 2: "10", 3: ""} {
			if n > 0 && s.balance(wallet(n)) != want {
				t.Errorf("wallet %d has %q, want %q", n, s.balance(wallet(n)), want)
			}
		}
		if n := s.count("/api/loyalty/transaction_entries?limit=100"); n != 2 {
			t.Errorf("%d entries, want 2", n)
		}
		// What a transaction gives may be spent later in it, and all of a balance may go.
		s.transact(points(wallet(2), 5), points(wallet(2), 15, debit), points(wallet(1), 100, debit)).ok()
		if s.balance(wallet(1)) != "0" || s.balance(wallet(2)) != "0" {
			t.Errorf("balances %s and %s, want 0 and 0", s.balance(wallet(1)), s.balance(wallet(2)))
		}
		s.sound()
	})
}

func TestConcurrentSpendersOfOneBalanceNeverOverdrawIt(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		s.transact(points(wallet(1), 95)).ok()
		var wg sync.WaitGroup
		results := make([]answer, 24)
		for i := range results {
			wg.Go(func() { results[i] = s.transact(points(wallet(1), 10, debit), points(wallet(2), 10)) })
		}
		wg.Wait()
		paid := 0
		for _, r := range results {
			if r.status == 200 {
				paid++
			} else {
				r.refused(400, "Insufficient balance")
			}
		}
		if paid != 9 || s.balance(wallet(1)) != "5" || s.balance(wallet(2)) != "90" {
			t.Fatalf("%d spent, balances %s and %s", paid, s.balance(wallet(1)), s.balance(wallet(2)))
		}
		s.sound()
	})
}

// Who is named by id is taken for a member of no group until the locked row tells more.
func TestWhoIsNamedByIDSpendsForTheGroupThatItIsInNow(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		named := func(n int, amount any, properties ...object) answer {
			e := points("", amount, append(properties, object{"userId": s.userOf(wallet(n))})...)
			delete(e, "walletAddress")
			return s.transact(e)
		}
		join := func(n int, group any) {
			s.post("/api/users/metadatas", object{"walletAddress": wallet(n), "userGroupExternalIdentifier": group}).ok()
		}
		join(1, "family")
		join(2, "family")
		if got := named(2, 30).ok()["entries"].([]any)[0].(object)["walletAddress"]; got != wallet(2) {
			t.Errorf("the entry tells the wallet %v", got)
		}
		named(1, 10, debit).ok() // all of the mate's
		s.post("/api/users/metadatas", object{"walletAddress": wallet(1), "userGroupId": nil}).ok()
		named(1, 1, debit).refused(400, "Insufficient balance")
		join(1, "family")
		named(1, 20, debit).ok()
		works := func() int { n, _ := strconv.Atoi(s.counted("laurel_store_works_total")); return n }
		before := works()
		for range 10 {
			named(1, 1).ok()
		}
		if n := works() - before; n < 10 || n > 15 { // some may be the server's own
			t.Errorf("10 transactions for somebody in a group took %d works: who it is was not remembered", n)
		}
		s.transact(points(wallet(1), 10, debit)).ok()
		if got := s.balance(wallet(2)); got != "0" {
			t.Errorf("the mate has %s left", got)
		}
		s.transact(object{"userId": unknownID, "amount": 1}).refused(404, "User not found")
		s.sound()
	})
}

func TestGroupsSpendTheActingWalletFirstThenByJoining(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s *server) {
		for _, n := range []int{3, 1, 2} { // the order of joining, not of wallets
			s.post("/api/users/metadatas", object{"walletAddress": wallet(n), "userGroupExternalIdentifier": "family"}).ok()
		}
		s.transact(points(wallet(1), 100), points(wallet(2), 70), points(wallet(3), 300)).ok()
		posted := s.transact(points(wallet(1), 350, debit, object{"idempotencyKey": "spend", "metadata": object{"orderId": "A-1"}})).
			ok()
		entries := posted["entries"].([]any)
		if len(entries) != 2 || entries[0].(object)["walletAddress"] != wallet(1) ||
			entries[0].(object)["amount"] != json.Number("100") ||
			entries[1].(object)["walletAddress"] != wallet(3) ||
			entries[1].(object)["amount"] != json.Number("250") {
			t.Fatalf("entries: %v", entries)
		}
		if s.balance(wallet(1)) != "0" || s.balance(wallet(3)) != "50" || s.balance(wallet(2)) != "70" {
			t.Fatalf("balances %s, %s, %s", s.balance(wallet(1)), s.balance(wallet(3)), s.balance(wallet(2)))
		}
		if again := s.transact(points(wallet(1), 350, debit, object{"idempotencyKey": "spend", "metadata": object{"orderId": "A-1"}})).
			ok(); again["id"] != posted["id"] {
			t.Fatalf("a repeat was spent again: %v", again)
		}
		s.transact(points(wallet(2), 121, debit)).refused(400, "Insufficient balance")
		s.transact(points(wallet(2), 120, debit)).ok() // 70 of its own, 50 of the first who joined
		for n := 1; n <= 3; n++ {
			if got := s.balance(wallet(n)); got != "0" {
				t.Errorf("wallet %d has %s", n, got)
			}
		}
		// Who leaves keeps its own balance and shares no more.
		s.transact(points(wallet(3), 40)).ok()
		s.post("/api/users/metadatas", object{"walletAddress": wallet(3), "userGroupId": nil}).ok()
		s.transact(points(wallet(1), 1, debit)).refused(400, "Insufficient balance")
		s.sound()
	})
}
