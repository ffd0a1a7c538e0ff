package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"laurel.example/laurel"
)

// contentPrefix is how the content URL of a completion begins; the id of its operation follows.
const contentPrefix = "https://torture.example/"

// entry is one entry of the ledger, as the API lists it.
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

// signed returns the amount as the account sees it: negative for a debit.
func (e entry) signed() laurel.Amount {
	if e.Direction == "debit" {
		return -e.Amount
	}
	return e.Amount
}

// op returns the id of the operation that made the entry.
func (e entry) op() string {
	if e.Metadata.Op != "" {
		return e.Metadata.Op
	}
	return strings.TrimPrefix(e.Metadata.ContentURL, contentPrefix)
}

// rule returns the id of the rule that paid the entry; "" if none did.
func (e entry) rule() string {
	if e.LoyaltyTransaction.LoyaltyRule == nil {
		return ""
	}
	return e.LoyaltyTransaction.LoyaltyRule.ID
}

// account is one balance, as the API lists it.
type account struct {
	ID, OrganizationID, WebsiteID string
	Amount                        laurel.Amount
	User                          *struct{ WalletAddress string }
}

func (a account) id() string { return a.ID }

// codeRow is one promo code of a rule, as the API lists it.
type codeRow struct {
	ID, Code   string
	RedeemedAt *time.Time
}

func (c codeRow) id() string { return c.ID }

// ruleRow is a rule as the API lists it now.
type ruleRow struct {
	ID                   string
	Interval             string
	Amount               laurel.Amount
	MaxAmountPerInterval *laurel.Amount
	IsRequired           bool
}

func (r ruleRow) id() string { return r.ID }

// membership is the group and the block mark of a person.
type membership struct {
	group   string
	blocked bool
}

// userRow is a user with its metadata on the website, as the API lists it.
type userRow struct {
	ID, WalletAddress string
	UserMetadata      []struct {
		IsBlocked bool
		UserGroup *struct{ ExternalIdentifier *string }
	}
}

func (u userRow) id() string { return u.ID }

// clickRow is the state of a person's last click on a link, as the API lists it.
type clickRow struct {
	ID, UserID, LoyaltyRuleID, Status, Message string
}

func (c clickRow) id() string { return c.ID }

// progressRow is the progress of a user in a rule, as the API lists it.
type progressRow struct {
	ID, UserID string
	Progress   laurel.Amount
}

func (s progressRow) id() string { return s.ID }

// books holds the records of the service that the model is compared with.
type books struct {
	entries     []entry // of users, oldest first
	balances    map[string]laurel.Amount
	issued      laurel.Amount   // the main account
	usedCodes   map[string]bool // promo codes that the service says are redeemed
	rules       map[string]ruleRow
	memberships map[string]membership    // by wallet
	clicks      []clickRow               // the state of the last click of each person on each link
	progress    map[string]laurel.Amount // of the counter rule, by user
	ranks       map[string]string        // as JSON, by wallet, of this round's persons
}

// readStableBooks reads all records of the service. If a click was paid while it read, it reads them again, so that all
// records are of one state.
func (w *world) readStableBooks(ctx context.Context) (b books, err error) {
	before, err := w.readClicks(ctx)
	for err == nil {
		if b, err = w.readBooks(ctx); err != nil {
			break
		}
		if b.clicks, err = w.readClicks(ctx); err == nil && slices.Equal(before, b.clicks) {
			break
		}
		before = b.clicks
	}
	return b, err
}

// readClicks reads the clicks on all links.
func (w *world) readClicks(ctx context.Context) ([]clickRow, error) {
	var out []clickRow
	for _, r := range w.linkRules {
		rows, err := readAll[clickRow](ctx, w.client, w.address(0), "/api/loyalty/rules/status?limit=1000&loyaltyRuleId="+r.id)
		if err != nil {
			return nil, err
		}
		out = append(out, rows...)
	}
	return out, nil
}

// readBooks reads all records of the service except clicks.
func (w *world) readBooks(ctx context.Context) (books, error) {
	b := books{
		balances:    map[string]laurel.Amount{},
		usedCodes:   map[string]bool{},
		rules:       map[string]ruleRow{},
		memberships: map[string]membership{},
		progress:    map[string]laurel.Amount{},
		ranks:       map[string]string{},
	}
	address, currency := w.address(0), "&loyaltyCurrencyId="+url.QueryEscape(w.created.LoyaltyCurrencyID)
	entries, err := readAll[entry](ctx, w.client, address, "/api/loyalty/transaction_entries?limit=100&sortDir=asc"+currency)
	if err != nil {
		return b, err
	}
	for _, e := range entries {
		if e.LoyaltyAccount.User != nil {
			b.entries = append(b.entries, e)
		}
	}
	accounts, err := readAll[account](ctx, w.client, address, "/api/loyalty/accounts?limit=100"+currency)
	if err != nil {
		return b, err
	}
	for _, a := range accounts {
		if a.User != nil {
			b.balances[a.User.WalletAddress] = a.Amount
		}
	}
	if err := w.readMemberships(ctx, &b, accounts); err != nil {
		return b, err
	}
	// an empty userId selects the accounts without a user: the main account, from which all points are issued
	main, err := readAll[account](ctx, w.client, address, "/api/loyalty/accounts?userId="+currency)
	if err != nil {
		return b, err
	}
	for _, a := range main {
		b.issued += a.Amount
	}
	rules, err := readAll[ruleRow](ctx, w.client, address, "/api/loyalty/rules?limit=100")
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
		codes, err := readAll[codeRow](ctx, w.client, address, "/api/loyalty/rules/"+r.id+"/codes?limit=100&redeemed=true")
		if err != nil {
			return b, err
		}
		for _, c := range codes {
			b.usedCodes[c.Code] = true
		}
	}
	return b, nil
}

// readMemberships adds to b the group and block mark of each user, the progress in the counter rule, and the ranks of
// the people of this round. It also stores the ids of users in w.userIDs, for later requests.
func (w *world) readMemberships(ctx context.Context, b *books, accounts []account) error {
	users, err := readAll[userRow](ctx, w.client, w.address(0), "/api/users?limit=1000")
	if err != nil {
		return err
	}
	for _, u := range users {
		w.userIDs[u.WalletAddress] = u.ID
		for _, m := range u.UserMetadata {
			s := membership{blocked: m.IsBlocked}
			if m.UserGroup != nil && m.UserGroup.ExternalIdentifier != nil {
				s.group = *m.UserGroup.ExternalIdentifier
			}
			b.memberships[u.WalletAddress] = s
		}
	}
	steps, err := readAll[progressRow](
		ctx,
		w.client,
		w.address(0),
		"/api/loyalty/rule_statuses?limit=1000&loyaltyRuleId="+w.counterRule.id,
	)
	for _, s := range steps {
		b.progress[s.UserID] = s.Progress
	}
	thisRound := fmt.Sprintf("%032x", w.rounds) // part of the wallets of its people
	for _, a := range accounts {
		if err != nil || a.User == nil || w.model.persons[a.User.WalletAddress] == nil ||
			!strings.Contains(a.User.WalletAddress, thisRound) {
			continue
		}
		var body struct{ Rank json.RawMessage }
		err = w.client.getJSON(
			ctx,
			w.address(0),
			"/api/loyalty/accounts/"+a.ID+"/rank?websiteId="+a.WebsiteID+"&organizationId="+a.OrganizationID+
				"&loyaltyCurrencyId="+url.QueryEscape(w.created.LoyaltyCurrencyID),
			&body,
		)
		b.ranks[a.User.WalletAddress] = string(body.Rank)
	}
	return err
}
