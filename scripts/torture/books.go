package main

import (
	"context"
	"net/url"
	"strings"
	"time"

	"laurel"
)

// contentPrefix marks the operation of a completion in its entry.
const contentPrefix = "https://torture.example/"

// entry is one entry of a list.
type entry struct {
	ID, Direction, LoyaltyTransactionID string
	Amount                              laurel.Amount
	CreatedAt                           time.Time
	IdempotencyKey                      string
	LoyaltyAccountStartAmount           *laurel.Amount
	LoyaltyAccountEndAmount             *laurel.Amount
	Metadata                            struct{ Op, ContentURL string }
	LoyaltyTransaction                  struct{ LoyaltyRule *struct{ ID string } }
	LoyaltyAccount                      struct {
		User *struct{ WalletAddress string }
	}
}

func (e entry) id() string { return e.ID }

func (e entry) wallet() string { return e.LoyaltyAccount.User.WalletAddress }

// signed is the amount as the account sees it.
func (e entry) signed() laurel.Amount {
	if e.Direction == "debit" {
		return -e.Amount
	}
	return e.Amount
}

// op names the operation that made the entry.
func (e entry) op() string {
	if e.Metadata.Op != "" {
		return e.Metadata.Op
	}
	return strings.TrimPrefix(e.Metadata.ContentURL, contentPrefix)
}

// rule is the rule that paid the entry, or empty.
func (e entry) rule() string {
	if e.LoyaltyTransaction.LoyaltyRule == nil {
		return ""
	}
	return e.LoyaltyTransaction.LoyaltyRule.ID
}

// account is one balance.
type account struct {
	ID     string
	Amount laurel.Amount
	User   *struct{ WalletAddress string }
}

func (a account) id() string { return a.ID }

// codeRow is one code of a rule.
type codeRow struct {
	ID, Code   string
	RedeemedAt *time.Time
}

func (c codeRow) id() string { return c.ID }

// ruleRow is a rule as it is now.
type ruleRow struct {
	ID                   string
	Interval             string
	Amount               laurel.Amount
	MaxAmountPerInterval *laurel.Amount
}

func (r ruleRow) id() string { return r.ID }

// books is what the service says now of everything that was asked of it.
type books struct {
	entries  []entry // of users, oldest first
	balances map[string]laurel.Amount
	issued   laurel.Amount // the main account
	used     map[string]bool
	rules    map[string]ruleRow
}

func (w *world) books(ctx context.Context) (books, error) {
	b := books{balances: map[string]laurel.Amount{}, used: map[string]bool{}, rules: map[string]ruleRow{}}
	address, currency := w.address(0), "&loyaltyCurrencyId="+url.QueryEscape(w.made.LoyaltyCurrencyID)
	entries, err := all[entry](ctx, w.client, address, "/api/loyalty/transaction_entries?limit=100&sortDir=asc"+currency)
	if err != nil {
		return b, err
	}
	for _, e := range entries {
		if e.LoyaltyAccount.User != nil {
			b.entries = append(b.entries, e)
		}
	}
	accounts, err := all[account](ctx, w.client, address, "/api/loyalty/accounts?limit=100"+currency)
	if err != nil {
		return b, err
	}
	for _, a := range accounts {
		if a.User != nil {
			b.balances[a.User.WalletAddress] = a.Amount
		}
	}
	main, err := all[account](ctx, w.client, address, "/api/loyalty/accounts?userId="+currency)
	if err != nil {
		return b, err
	}
	for _, a := range main {
		b.issued += a.Amount
	}
	rules, err := all[ruleRow](ctx, w.client, address, "/api/loyalty/rules?limit=100")
	if err != nil {
		return b, err
	}
	for _, r := range rules {
		b.rules[r.ID] = r
	}
	for _, r := range w.model.rules {
		if r.kind != "code_entry" {
			continue
		}
		codes, err := all[codeRow](ctx, w.client, address, "/api/loyalty/rules/"+r.id+"/codes?limit=100&redeemed=true")
		if err != nil {
			return b, err
		}
		for _, c := range codes {
			b.used[c.Code] = true
		}
	}
	return b, nil
}
