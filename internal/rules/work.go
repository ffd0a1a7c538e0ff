package rules

import (
	"encoding/json"

	"laurel"
	"laurel/internal/events"
	"laurel/internal/identity"
	"laurel/internal/ledger"
	"laurel/internal/store"
)

// Locks: the rule for share, the person, the currency, the key, the subject, the window and the account.
func (w *completion) Locks() []store.Lock {
	locks := append(w.person.Locks(), ruleTable.Lock(w.rule.ID), subjects.Lock(w.subjectKey()))
	if w.in.Key != "" {
		locks = append(locks, ledger.Keys.Lock(ledger.KeyID{WebsiteID: w.scope.WebsiteID, Key: w.in.Key}))
	}
	if w.window != "" {
		locks = append(locks, claims.Lock(w.claimKey()))
	}
	if w.rule.LoyaltyCurrencyID != nil {
		locks = append(locks, w.posting(Reward{}).Locks()...)
	}
	return locks
}

// Judge decides under locks and stages the payment (contract 5.1, steps 13 to 15).
func (w *completion) Judge(b *store.Batch) error {
	w.answer = Completion{}
	if err := w.person.Check(b); err != nil {
		return err
	}
	if ruleTable.Row(b, w.rule.ID).Version != w.rule.Version {
		return store.ErrStale
	}
	if w.in.Key != "" {
		if use := ledger.Keys.Row(b, ledger.KeyID{WebsiteID: w.scope.WebsiteID, Key: w.in.Key}); use.Used() {
			first, err := w.replay(*use)
			w.answer = first
			return err
		}
	}
	if w.in.Key == "" && w.window != windowKey(w.rule.Interval, b.Now()) {
		return store.ErrStale // the window ended while the Work waited
	}
	paid := w.window != "" && claims.Row(b, w.claimKey()).CreatedAt != 0
	live := w.rule.LoyaltyCurrencyID == nil || ledger.LiveCurrency(b, w.scope, *w.rule.LoyaltyCurrencyID)
	facts := w.facts(subjects.Row(b, w.subjectKey()), paid, live)
	facts.Now = b.Now()
	reward, err := Decide(facts)
	if err != nil {
		return err
	}
	return w.pay(b, reward)
}

// pay stages everything that one fulfilled completion writes.
func (w *completion) pay(b *store.Batch, reward Reward) error {
	w.answer = Completion{Message: msgQueued, Status: "completed", Rewards: []Paid{}}
	transaction := laurel.ID{}
	if w.rule.LoyaltyCurrencyID != nil {
		t, err := w.posting(reward).Stage(b)
		if err != nil {
			return err
		}
		transaction = t.ID
		w.answer.TransactionID = &transaction
		w.answer.Rewards = append(w.answer.Rewards, Paid{RewardType: w.rule.RewardType, Amount: &reward.Amount, CurrencyID: w.rule.LoyaltyCurrencyID})
	} else if err := w.person.Admit(b, w.scope); err != nil {
		return err
	}
	w.remember(b, reward.Amount, transaction)
	if w.in.Key == "" {
		return nil
	}
	answer, err := json.Marshal(w.answer)
	if err != nil {
		return err
	}
	ledger.UseKey(b, w.scope, ledger.KeyUse{Key: w.in.Key, Hash: w.hash, TransactionID: transaction, Answer: string(answer)})
	return nil
}

func (w *completion) posting(reward Reward) ledger.Posting {
	return ledger.Posting{
		Scope: w.scope, Type: ledger.TypeLoyaltyRule, Description: w.rule.Name, RuleID: w.rule.ID, RuleType: string(w.rule.Type),
		Lines: []ledger.Line{{Party: Party(w.person, w.scope), CurrencyID: *w.rule.LoyaltyCurrencyID, Direction: ledger.Credit,
			Amount: reward.Amount, Key: w.in.Key, Metadata: w.metadata(reward)}},
	}
}

// metadata is what the entry tells of the completion (contract 5.5).
func (w *completion) metadata(reward Reward) json.RawMessage {
	m := map[string]any{}
	if reward.RangeStart != nil {
		m["rangeStart"] = *reward.RangeStart
	}
	if w.in.ContentURL != "" {
		m["contentUrl"] = w.in.ContentURL
	}
	if len(m) == 0 {
		return nil
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // an amount and a text always encode
	}
	return b
}

// Party is a person as the ledger takes it.
func Party(p identity.Person, scope laurel.Scope) ledger.Party {
	return ledger.Party{UserID: p.UserID, Wallet: p.Wallet, Blocked: p.Blocked, Spenders: spenders(p), Locks: p.Locks(), Check: p.Check,
		Admit: func(b *store.Batch) error { return p.Admit(b, scope) }}
}

// spenders answers whose balances a debit uses, in order: the person's own, then the group's in order of joining (contract 5.16).
func spenders(p identity.Person) []laurel.ID {
	order := []laurel.ID{p.UserID}
	for _, mate := range p.Group {
		if mate != p.UserID {
			order = append(order, mate)
		}
	}
	return order
}

// remember writes the window claim, the subject's counters and progress, and the change "LoyaltyRuleStatus completed".
func (w *completion) remember(b *store.Batch, amount laurel.Amount, transaction laurel.ID) {
	meta := w.rule.meta()
	now := store.Micros(b.Now())
	sub := subjects.Changed(b, w.subjectKey())
	if sub.ID.IsZero() {
		sub.ID, sub.OrganizationID, sub.WebsiteID, sub.CreatedAt = b.NewID(), w.scope.OrganizationID, w.scope.WebsiteID, now
	}
	sub.UpdatedAt, sub.LastPaidAt, sub.CompletedAt = now, &now, &now
	if w.rule.MaxAmountInterval != nil {
		window := capWindow(*w.rule.MaxAmountInterval, b.Now())
		if sub.CapWindow == nil || *sub.CapWindow != window {
			sub.CapWindow, sub.CapPaid = &window, 0
		}
		sub.CapPaid += amount // at most maxAmountPerInterval, so within range
	}
	progress := w.rule.Target()
	sub.Progress = &progress
	events.Changes.Add(b, events.Change{OrganizationID: w.scope.OrganizationID, WebsiteID: w.scope.WebsiteID, EntityID: sub.ID,
		Table: events.RuleStatus, Action: events.Completed, Data: w.moved(transaction)})
	if meta.ResetProgressOnClaim { // status and window open again; caps and keys stay
		sub.Progress, sub.LastPaidAt, sub.CompletedAt = nil, nil, nil
		return
	}
	if w.window == "" {
		return
	}
	c := claims.Changed(b, w.claimKey())
	c.OrganizationID, c.WebsiteID, c.UserID, c.TransactionID, c.CreatedAt = w.scope.OrganizationID, w.scope.WebsiteID, w.person.UserID, transaction, now
}

func (w *completion) moved(transaction laurel.ID) json.RawMessage {
	b, err := json.Marshal(map[string]any{"loyaltyRuleId": w.rule.ID, "userId": w.person.UserID, "loyaltyTransactionId": transaction.Ptr()})
	if err != nil {
		panic(err) // ids always encode
	}
	return b
}
