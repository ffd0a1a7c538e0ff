package laurel_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"

	laurel "laurel.example/laurel/clients/go"
)

// shop is the online shop of the README. Its functions are the examples of that page.
type shop struct {
	client     *laurel.Client
	ruleID     string
	currencyID string
}

func openShop(ctx context.Context, address, key string) (*shop, error) {
	client := laurel.New(address, key)
	rule, err := client.Rules.Create(ctx, laurel.CreateRuleBody{
		Name:     "A point for each euro",
		Type:     laurel.RuleTypeExternalRule,
		Amount:   laurel.Set(laurel.Decimal("1")),
		Interval: laurel.Set("unlimited"),
		Metadata: map[string]any{"rewardPerValue": true, "roundTo": 0},
	})
	if err != nil {
		return nil, err
	}
	return &shop{client, rule.ID, laurel.Value(rule.LoyaltyCurrencyID)}, nil
}

// orderPaid credits the points of an order, once, and returns how many.
func (s *shop) orderPaid(ctx context.Context, customer, order string, total laurel.Decimal) (laurel.Decimal, error) {
	done, err := s.client.Rules.Complete(ctx, s.ruleID, laurel.CompleteRuleInputBody{
		WalletAddress:  laurel.Set(customer),
		RangeValue:     laurel.Set(total),
		IdempotencyKey: laurel.Set(order),
	})
	if err != nil {
		return "", err
	}
	return laurel.Value(done.Data.Rewards[0].Amount), nil
}

// orderReturned takes points of an order back, once for each return.
func (s *shop) orderReturned(ctx context.Context, order, returned string, points laurel.Decimal) error {
	_, err := s.client.Transactions.ReverseByKey(ctx, laurel.ReverseByKeyInputBody{
		Of:             laurel.KeyOfTransaction{IdempotencyKey: order},
		Amount:         laurel.Set(points),
		IdempotencyKey: laurel.Set(returned),
	})
	return err
}

func (s *shop) balance(ctx context.Context, customer string) (laurel.Decimal, error) {
	page, err := s.client.Accounts.List(ctx, laurel.AccountsListParams{
		WalletAddress: []string{customer}, LoyaltyCurrencyID: s.currencyID,
	})
	if err != nil || len(page.Data) == 0 {
		return "0", err
	}
	return page.Data[0].Amount, nil
}

// printEntries prints all that a customer has got and spent, newest first, however many pages that takes.
func (s *shop) printEntries(ctx context.Context, out io.Writer, customer string) error {
	params := laurel.TransactionEntriesListParams{WalletAddress: []string{customer}, Limit: 100}
	for entry, err := range s.client.TransactionEntries.All(ctx, params) {
		if err != nil {
			return err
		}
		fmt.Fprintln(out, entry.CreatedAt.Format("2006-01-02"), entry.Direction, entry.Amount)
	}
	return nil
}

// webhooks returns the handler of a subscription's address.
func webhooks(signingKey string, process func(laurel.WebhookEvent) error) (http.Handler, error) {
	verifier, err := laurel.NewWebhookVerifier(signingKey)
	if err != nil {
		return nil, err
	}
	var processed sync.Map // yours is a table, written in the transaction of process
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			return
		}
		event, err := verifier.Verify(body, r.Header)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		if _, isKnown := processed.Load(event.ID); !isKnown {
			if err := process(event); err != nil {
				http.Error(w, "", http.StatusInternalServerError) // it is sent again later
				return
			}
			processed.Store(event.ID, true)
		}
		w.WriteHeader(http.StatusNoContent)
	}), nil
}

// program is what laurel init --json prints.
type program struct {
	WebsiteID, OrganizationID, LoyaltyCurrencyID, WebsiteAPIKey, ReadOnlyAPIKey, ClientAPIKey string
}

// The tests of cmd/laurel run this one against a server of their own.
func TestAShopOnARealServer(t *testing.T) {
	address := os.Getenv("LAUREL_TEST_ADDRESS")
	if address == "" {
		t.Skip("LAUREL_TEST_ADDRESS and LAUREL_TEST_PROGRAM name no server")
	}
	var made program
	if err := json.Unmarshal([]byte(os.Getenv("LAUREL_TEST_PROGRAM")), &made); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	s, err := openShop(ctx, address, made.WebsiteAPIKey)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second time changes nothing
		if points, err := s.orderPaid(ctx, "cust_1001", "order-1", "59.90"); err != nil || points != "59" {
			t.Fatalf("the order paid %q: %v", points, err)
		}
		if err := s.orderReturned(ctx, "order-1", "return-1", "20"); err != nil {
			t.Fatal(err)
		}
	}
	if balance, err := s.balance(ctx, "cust_1001"); err != nil || balance != "39" {
		t.Fatalf("the balance is %q: %v", balance, err)
	}
	s.exact(t, made)
	s.pages(t)
	s.refusals(t, made)
	s.member(t, made)
	s.events(t, made)
}

// exact posts an amount that no float64 holds.
func (s *shop) exact(t *testing.T, made program) {
	t.Helper()
	const large = laurel.Decimal("7999999999999.999999")
	posted, err := s.client.Transactions.Post(t.Context(), laurel.PostTransactionInputBody{
		Description: "A gift", LoyaltyCurrencyID: laurel.Set(made.LoyaltyCurrencyID),
		Entries: []laurel.TransactionEntry{{
			WalletAddress: laurel.Set("whale"), Amount: large, Metadata: map[string]any{"n": 1},
		}},
	})
	if err != nil || posted.Entries[0].Amount != large {
		t.Fatal(posted, err)
	}
	if got, err := s.balance(t.Context(), "whale"); err != nil || got != large {
		t.Errorf("the balance is %s, want %s: %v", got, large, err)
	}
}

// pages reads more entries than a page has, and stops in between.
func (s *shop) pages(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	for i := range 5 {
		if _, err := s.orderPaid(ctx, "regular", fmt.Sprint("regular-", i), "10"); err != nil {
			t.Fatal(err)
		}
	}
	params := laurel.TransactionEntriesListParams{WalletAddress: []string{"regular"}, Limit: 2, SortDir: "asc"}
	ids := map[string]bool{}
	for entry, err := range s.client.TransactionEntries.All(ctx, params) {
		if err != nil || entry.Amount != "10" || entry.CreatedAt.IsZero() {
			t.Fatal(entry, err)
		}
		ids[entry.ID] = true
	}
	if len(ids) != 5 {
		t.Errorf("%d entries, want 5", len(ids))
	}
	for range s.client.TransactionEntries.All(ctx, params) {
		break
	}
	for _, err := range s.client.TransactionEntries.All(ctx, laurel.TransactionEntriesListParams{Limit: 1000}) {
		if !laurel.HasCode(err, laurel.CodeInvalidRequest) {
			t.Errorf("a limit out of range: %v", err)
		}
	}
	if err := s.printEntries(ctx, io.Discard, "regular"); err != nil {
		t.Error(err)
	}
}

func (s *shop) refusals(t *testing.T, made program) {
	t.Helper()
	ctx := t.Context()
	_, err := s.client.Transactions.Post(ctx, laurel.PostTransactionInputBody{
		Description: "Too much", LoyaltyCurrencyID: laurel.Set(made.LoyaltyCurrencyID),
		Entries: []laurel.TransactionEntry{
			{WalletAddress: laurel.Set("nobody"), Amount: "5", Direction: laurel.Set("debit")},
		},
	})
	var refused *laurel.Error
	if !errors.As(err, &refused) || refused.Code != laurel.CodeInsufficientBalance || refused.Status != 400 || refused.RequestID == "" {
		t.Errorf("a debit of nothing: %#v", err)
	}
	_, err = s.client.Rules.Create(ctx, laurel.CreateRuleBody{Name: "No type"})
	if !errors.As(err, &refused) || len(refused.Problems) == 0 || refused.Problems[0].Path != "type" {
		t.Errorf("a rule without a type: %v", err)
	}
	rule, err := s.client.Rules.Update(ctx, s.ruleID, laurel.WriteRuleBody{Description: laurel.Set("As before")})
	if err != nil || rule.Name != "A point for each euro" {
		t.Fatal(rule, err)
	}
	cleared, err := s.client.Rules.Update(ctx, s.ruleID, laurel.WriteRuleBody{Description: laurel.Null[string]()},
		laurel.IfMatch(rule.UpdatedAt))
	if err != nil || cleared.Description != "" {
		t.Errorf("%v %v, want no description", cleared, err)
	}
	_, err = s.client.Rules.Update(ctx, s.ruleID, laurel.WriteRuleBody{Name: laurel.Set("Late")}, laurel.IfMatch(rule.CreatedAt))
	if !laurel.HasCode(err, laurel.CodeRecordChanged) {
		t.Errorf("a change of an old version: %v", err)
	}
}

// member reads the member's own record in place of a page.
func (s *shop) member(t *testing.T, made program) {
	t.Helper()
	ctx := t.Context()
	body := laurel.IssueTokenInputBody{WalletAddress: laurel.Set("cust_1001")}
	token, err := s.client.Users.CreateToken(ctx, body, laurel.IdempotencyKey("token-1"))
	if err != nil || token.Token == nil {
		t.Fatal(token, err)
	}
	again, err := s.client.Users.CreateToken(ctx, body, laurel.IdempotencyKey("token-1"))
	if err != nil || again.UserID != token.UserID || again.Token != nil {
		t.Errorf("a repeated call shows the token again: %v %v", again, err)
	}
	page := laurel.New(os.Getenv("LAUREL_TEST_ADDRESS"), made.ClientAPIKey)
	if _, err := page.Users.Me(ctx, laurel.UsersMeParams{}); !laurel.HasCode(err, laurel.CodeMemberTokenRequired) {
		t.Errorf("without a token: %v", err)
	}
	me, err := page.As(*token.Token).Users.Me(ctx, laurel.UsersMeParams{})
	if err != nil || len(me.Accounts) != 1 || me.Accounts[0].Amount != "39" {
		t.Errorf("the member is %+v: %v", me, err)
	}
}

// events has a test event delivered to a receiver.
func (s *shop) events(t *testing.T, made program) {
	t.Helper()
	ctx := t.Context()
	got := make(chan laurel.WebhookEvent, 1)
	var handler http.Handler
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler.ServeHTTP(w, r) }))
	defer receiver.Close()
	subscription, err := s.client.Subscriptions.Create(ctx, laurel.CreateSubscriptionBody{
		Name: "CRM", OrganizationID: made.OrganizationID, WebsiteID: made.WebsiteID, CallbackURL: laurel.Set(receiver.URL),
		PlatformSubscriptions: laurel.Set([]laurel.PlatformInput{{
			TableNames: laurel.Set([]string{"LoyaltyTransactionEntry"}),
		}}),
	})
	if err != nil {
		t.Fatal(err)
	}
	handler, err = webhooks(laurel.Value(subscription.SigningKey), func(event laurel.WebhookEvent) error {
		got <- event
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	sent, err := s.client.Subscriptions.SendTest(ctx, subscription.ID, laurel.TestInputBody{})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case event := <-got:
		if event.ID != sent.ID || event.Type == "" || event.Timestamp.IsZero() || len(event.Data) == 0 {
			t.Errorf("the event is %+v, and %+v was sent", event, sent)
		}
	case <-ctx.Done():
		t.Fatal("no event came")
	}
}
