package apptest

import (
	"context"
	"encoding/json"
	"fmt"

	"laurel.example/laurel/internal/points/audit"
)

// Wallet returns the wallet with a number.
func Wallet(n int) string { return fmt.Sprintf("0x%040x", n) }

// Points returns an entry of a transaction body that credits a wallet, with other or further properties.
func Points(wallet string, amount any, properties ...Object) Object {
	e := Object{"walletAddress": wallet, "amount": amount}
	for _, more := range properties {
		for k, v := range more {
			e[k] = v
		}
	}
	return e
}

// Debit has the properties that make an entry a debit.
var Debit = Object{"direction": "debit"}

// Transact posts a transaction of entries in the program's currency.
func (s *Server) Transact(entries ...Object) Response {
	s.T.Helper()
	return s.Post(
		"/api/loyalty/transactions",
		Object{"description": "A transaction", "loyaltyCurrencyId": s.LoyaltyCurrencyID, "entries": entries},
	)
}

// Sound fails if the verification of the ledger finds a discrepancy: every balance must follow from its entries.
func (s *Server) Sound() {
	s.T.Helper()
	found, err := s.App.Audit.Verify(context.Background(), audit.Trust{})
	if err != nil || len(found.Discrepancies) > 0 {
		s.T.Fatalf("the ledger is not sound: %v %v", err, found.Discrepancies)
	}
}

// Count returns how many items the first page of a list has.
func (s *Server) Count(path string) int {
	s.T.Helper()
	return len(s.Get(path).Data())
}

// Balance returns the balance of a wallet in the program's currency; "" if it has no account.
func (s *Server) Balance(wallet string) string {
	s.T.Helper()
	list := s.Get("/api/loyalty/accounts?walletAddress=" + wallet + "&loyaltyCurrencyId=" + s.LoyaltyCurrencyID.String()).
		Data()
	if len(list) == 0 {
		return ""
	}
	return list[0]["amount"].(json.Number).String()
}

// EntriesPath is the path of entries.
const EntriesPath = "/api/loyalty/transaction_entries"

// CurrenciesPath is the path of currencies.
const CurrenciesPath = "/api/loyalty/currencies"

// Ranking finds accounts whose ranks are read.
type Ranking struct {
	*Server
	Known map[int]string // the ids of accounts that were found, by the number of the wallet
}

// Account returns the id of the account of the wallet with a number, in the program's currency.
func (r Ranking) Account(n int) string {
	r.T.Helper()
	if r.Known[n] == "" {
		r.Known[n] = r.find(n)
	}
	return r.Known[n]
}

// find reads the id of the account of the wallet with a number.
func (r Ranking) find(n int) string {
	r.T.Helper()
	return r.Get("/api/loyalty/accounts?walletAddress=" + Wallet(n) + "&loyaltyCurrencyId=" + r.LoyaltyCurrencyID.String()).Data()[0]["id"].(string)
}

// ResetPath is the path of resets.
const ResetPath = "/api/loyalty/reset"

// Reset resets the program's currency: kind is how, such as balances.
func (s *Server) Reset(kind string) Response {
	s.T.Helper()
	return s.Post(ResetPath, Object{"loyaltyCurrencyId": s.LoyaltyCurrencyID, "type": "loyalty_reset_" + kind})
}

// DeleteRuleAndDebit deletes a rule and debits the points that it has paid.
func (s *Server) DeleteRuleAndDebit(rule string) Response {
	s.T.Helper()
	return s.Call(s.WebsiteAPIKey, "DELETE", "/api/loyalty/rules/"+rule+"?debitLoyaltyPoints=true", nil)
}
