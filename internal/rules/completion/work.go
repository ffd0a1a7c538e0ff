package completion

import (
	"encoding/json"
	"errors"
	"slices"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/completionjobs"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// Locks: the rule, the person, the currency, the key, the subject, the member's own count in a group, the windows and
// the account.
func (w *completion) Locks() []store.Lock {
	locks := append(
		w.Person.Locks(),
		catalog.Versions.Lock(w.Rule.ID),
		progress.States.Lock(w.StateKey()),
		progress.States.Lock(w.OwnStateKey()),
	)
	locks = append(locks, progress.StateLocks(w.Rule.ID, w.claimants())...)
	for _, k := range w.keyIDs() {
		locks = append(locks, ledger.Keys.Lock(k))
	}
	claim := progress.PaidWindows.Lock
	if w.presumesUnpaidWindow() {
		claim = progress.PaidWindows.LockPresumedAbsent
	}
	for _, k := range w.paidWindowKeys() {
		locks = append(locks, claim(k))
	}
	for _, s := range w.steps {
		locks = append(locks, s.Locks(&w.Case)...)
	}
	locks = append(locks, w.posting(decision.Reward{}, true).Locks()...)
	for _, c := range w.autoCheckIns {
		locks = append(locks, c.Locks()...)
	}
	return append(append(locks, w.postLocks()...), w.mode.extraLocks...)
}

// presumesUnpaidWindow reports whether the completion claims its window whenever it goes by nobody having claimed it,
// and what the rule remembers of the member tells of the window too: of codes only the claim does.
func (w *completion) presumesUnpaidWindow() bool {
	return w.needsNoLookup() && w.Trigger.Moment.IsZero() && w.pendingPost == nil && !w.IsClaim() &&
		!w.Rule.Meta().ResetProgressOnClaim && !slices.ContainsFunc(w.steps, func(s ruletypes.Step) bool {
		_, ok := s.(ruletypes.Windower)
		return ok
	})
}

// Ready returns store.ErrStale where what was prepared is no longer so. Nothing has been staged then.
func (w *completion) Ready(b *store.Batch) error {
	if err := w.Person.Check(b); err != nil {
		return err
	}
	if now := catalog.Versions.Row(b, w.Rule.ID); now.Version != w.Rule.Version || now.HasRequired != w.HasRequiredRules {
		return store.ErrStale
	}
	for _, s := range w.steps {
		if c, ok := s.(ruletypes.Checker); ok {
			if err := c.Check(b, &w.Case); err != nil {
				return err
			}
		}
	}
	currency := w.Rule.Currency()
	if w.mode.isAutoCheckIn && w.pendingPost == nil && !currency.IsZero() && ledger.Outside(b, currency) {
		return store.ErrStale // it goes outside, which was not looked for yet
	}
	if window, _ := w.windowAt(progress.States.Row(b, w.StateKey()), b.Now()); w.window != window {
		return store.ErrStale // the window ended while the Work waited
	}
	return nil
}

// keyID is the caller's, where it gave one.
func (w *completion) keyID() ledger.KeyID {
	return ledger.KeyID{WebsiteID: w.Scope.WebsiteID, Key: w.In.Key}
}

func (w *completion) keyIDs() []ledger.KeyID {
	if w.In.Key == "" {
		return nil
	}
	return []ledger.KeyID{w.keyID()}
}

// keyIsUsed reports whether the caller's key was used: then no window matters.
func (w *completion) keyIsUsed(b *store.Batch) bool {
	return w.In.Key != "" && ledger.Keys.Row(b, w.keyID()).Used()
}

// Judge decides under locks and stages the payment (contract 5.1, steps 13 to 15).
func (w *completion) Judge(b *store.Batch) error {
	w.result, w.failedCheck = Completion{}, ""
	if w.pendingPost != nil {
		w.pendingPost.CommitResult = external.CommitResult{}
	}
	if err := w.Ready(b); err != nil {
		return err
	}
	for _, c := range w.autoCheckIns {
		if err := c.Ready(b); err != nil {
			return err
		}
	}
	switch {
	case w.mode.isDone(b, w):
		return nil // another node was first
	case w.pendingPost != nil && w.pendingPost.post.IsRequestClaimed(b): // by a post that ended just now
		return store.ErrDuplicateRequest
	case !w.mode.isDecided && w.keyIsUsed(b):
		return w.resultOfUsedKey(b)
	}
	sub, paid := w.windowState(b)
	facts := w.lockedFacts(b, sub, paid)
	reward, err := w.mode.decide(&facts)
	if err != nil {
		return w.refuse(b, facts, err)
	}
	if reward.IsDeferred {
		return w.deferDecision(b, reward)
	}
	if w.mode.notesEligibility && w.Rule.IsClaimedByCall() {
		return w.noteEligible(b)
	}
	if err := w.pay(b, reward, facts); err != nil {
		return err
	}
	if w.pendingPost != nil && (w.pendingPost.Committed || !w.pendingPost.BlockedBy.IsZero()) {
		return nil // the external ledger must accept the post first
	}
	for _, c := range w.autoCheckIns {
		c.stageCheckIn(b)
	}
	w.mode.finish(b, w)
	return nil
}

// deferDecision keeps the completion for later.
func (w *completion) deferDecision(b *store.Batch, reward decision.Reward) error {
	if err := w.Person.Admit(b, w.Scope); err != nil {
		return err
	}
	w.result = Completion{Status: completionjobs.Pending, Rewards: []Paid{}}
	for _, s := range w.steps {
		if k, ok := s.(ruletypes.Deferrer); ok {
			w.result.Message = k.Defer(b, &w.Case, reward)
		}
	}
	return nil
}

// resultOfUsedKey returns what the key was used for. The first use may have made the user since this call looked for
// it: then it looks once more, and only who is still not there gave the key to another call.
func (w *completion) resultOfUsedKey(b *store.Batch) (err error) {
	w.result, err = w.decodeResult(*ledger.Keys.Row(b, w.keyID()))
	if err == nil || !w.Person.NewUser {
		return err
	}
	if w.keyConflictAt == 0 {
		w.keyConflictAt = w.preparations
	}
	if w.keyConflictAt == w.preparations {
		return store.ErrStale
	}
	return err
}

// windowState returns what the rule remembers of the member, and whether the present window is paid.
func (w *completion) windowState(b *store.Batch) (sub *progress.State, paid bool) {
	sub = progress.States.Row(b, w.StateKey())
	_, open := w.windowAt(sub, b.Now())
	return sub, !open || w.window != "" && progress.PaidWindows.Row(b, w.paidWindowKey(w.window)).CreatedAt != 0
}

// lockedFacts are the facts under locks.
func (w *completion) lockedFacts(b *store.Batch, sub *progress.State, paid bool) decision.Facts {
	live := w.Rule.Currency().IsZero() || ledger.LiveCurrency(b, w.Scope, w.Rule.Currency())
	facts := w.factsOf(sub, paid, live)
	facts.Now, facts.MemberSince = w.DecisionTime(b.Now()), w.Person.Since(b)
	for _, s := range w.steps {
		s.LockedFacts(b, &w.Case, &facts)
	}
	return facts
}

// decisionRecord is what the payment keeps of the decision.
func (w *completion) decisionRecord(sub *progress.State, facts decision.Facts) json.RawMessage {
	r := decision.Record{RuleVersion: w.Rule.Version, SubjectID: w.Person.Subject(), Facts: facts}
	if sub.WindowPaidAt != nil {
		r.WindowPaidAt = store.Time(*sub.WindowPaidAt)
	}
	return r.Encode()
}

// refuse returns the refusal. What steps leave behind is committed all the same.
func (w *completion) refuse(b *store.Batch, facts decision.Facts, refusal error) error {
	if w.mode.countsRefusals {
		w.failedCheck = decision.FailedCheck(facts)
	}
	for _, s := range w.steps {
		if l, ok := s.(ruletypes.RefusalApplier); ok {
			if err := l.ApplyRefusal(b, &w.Case, facts); err != nil {
				return err
			}
		}
	}
	return refusal
}

// pay stages everything that one fulfilled completion writes.
func (w *completion) pay(b *store.Batch, reward decision.Reward, facts decision.Facts) error {
	w.PostedTransaction, w.result = ledger.Transaction{}, Completion{
		Message: decision.MsgQueued,
		Status:  "completed",
		Rewards: w.paidRewards(reward),
	}
	transaction := laurel.ID{}
	p := w.posting(reward, facts.CurrencyLive)
	if len(p.Lines) > 0 {
		p.Facts = w.decisionRecord(progress.States.Row(b, w.StateKey()), facts)
	}
	for _, s := range w.steps {
		if payer, ok := s.(ruletypes.PostingEditor); ok {
			payer.EditPosting(&w.Case, &p)
		}
	}
	keyed := w.In.Key != ""
	if len(p.Lines) > 0 {
		keyed = w.mode.adjustPosting(b, w, &p)
		if w.pendingPost != nil {
			if err := w.stagePost(b, p, reward); !w.mode.isAutoCheckIn || !errors.Is(err, external.ErrNotExternal) {
				return err
			}
		}
		t, err := p.Stage(b)
		if err != nil {
			return err
		}
		for i, l := range p.Lines { // of held points an entry of nothing tells
			w.markHeld(l.CurrencyID, l.Amount > 0 && t.Entries[i].Amount == 0)
		}
		transaction, w.PostedTransaction = t.ID, t
		w.result.TransactionID = &transaction
	} else if w.pendingPost != nil && !w.mode.isAutoCheckIn {
		return external.ErrNotExternal // its rule pays nothing any more
	}
	if err := w.Person.Admit(b, w.Scope); err != nil { // what is paid may be for others alone
		return err
	}
	w.updateRuleState(b, reward.Amount, transaction)
	for _, s := range w.steps {
		if err := s.Apply(b, &w.Case, reward); err != nil {
			return err
		}
	}
	if !keyed {
		return nil
	}
	ledger.UseKey(
		b,
		w.Scope,
		ledger.KeyUse{Key: w.In.Key, Hash: w.inputHash(), TransactionID: transaction, Answer: string(store.JSON(w.result))},
	)
	return nil
}

// paidRewards is what the answer tells of a reward.
func (w *completion) paidRewards(reward decision.Reward) []Paid {
	paid := []Paid{}
	switch currency := w.Rule.Currency(); {
	case reward.Multiplier > 0 && !w.Rule.DeletedAt.IsZero(): // while a provider was asked: what it gave has ended
	case reward.Multiplier > 0:
		paid = append(paid, Paid{RewardType: w.Rule.RewardType, Multiplier: &reward.Multiplier})
	case w.Rule.RewardType == schema.RewardBadge: // it pays no points
	case !currency.IsZero():
		paid = append(paid, Paid{RewardType: w.Rule.RewardType, Amount: &reward.Amount, CurrencyID: &currency})
	}
	for _, id := range reward.Badges {
		paid = append(paid, Paid{RewardType: schema.RewardBadge, BadgeID: &id})
	}
	for _, c := range reward.Credits {
		kind, currency := w.Rule.RewardType, w.creditCurrency(c)
		if !c.CurrencyID.IsZero() || kind == schema.RewardMultiplier {
			kind = schema.RewardPoints
		}
		paid = append(paid, Paid{RewardType: kind, Amount: &c.Amount, CurrencyID: &currency})
	}
	return paid
}

// markHeld marks what is paid in a currency as not given yet.
func (w *completion) markHeld(currency laurel.ID, markHeld bool) {
	for i, r := range w.result.Rewards {
		if markHeld && r.CurrencyID != nil && *r.CurrencyID == currency && *r.Amount > 0 {
			w.result.Rewards[i].Waiting = true
		}
	}
}

// posting is what the reward writes into the ledger: its own amount, which is 0 of what pays no points, where the rule
// has a currency that is live, then further ones.
func (w *completion) posting(reward decision.Reward, live bool) ledger.Posting {
	p := ledger.Posting{
		Scope:       w.Scope,
		Type:        ledger.TypeLoyaltyRule,
		Cause:       ledger.CauseReward,
		Description: w.Rule.Name,
		RuleID:      w.Rule.ID,
		RuleType:    string(w.Rule.Type),
	}
	line := ledger.Line{Member: ruletypes.LedgerMember(w.Person, w.Scope), Direction: ledger.Credit}
	// What pays nothing has its entry of 0, a multiplier always, points of check-ins only where no milestone tells of
	// them.
	zero := len(reward.Credits) == 0 || reward.Multiplier > 0 || w.In.Key != ""
	if currency := w.Rule.Currency(); live && !currency.IsZero() && (reward.Amount > 0 || zero) {
		line.CurrencyID, line.Amount, line.Key, line.Metadata = currency, reward.Amount, w.In.Key, w.entryMetadata(reward)
		p.Lines = append(p.Lines, line)
	}
	for _, c := range reward.Credits {
		p.Lines = append(
			p.Lines,
			ledger.Line{
				Member:     line.Member,
				Direction:  ledger.Credit,
				CurrencyID: w.creditCurrency(c),
				Amount:     c.Amount,
				Metadata:   encodeMetadata(c.Metadata),
			},
		)
	}
	return p
}

// creditCurrency is the currency of a further credit: the rule's, where it names none.
func (w *completion) creditCurrency(c decision.Credit) laurel.ID {
	if c.CurrencyID.IsZero() {
		return w.Rule.Currency()
	}
	return c.CurrencyID
}

// entryMetadata is what the entry tells of the completion (contract 5.5).
func (w *completion) entryMetadata(reward decision.Reward) json.RawMessage {
	m := map[string]any{}
	if reward.RangeStart != nil {
		m["rangeStart"] = *reward.RangeStart
	}
	if w.In.ContentURL != "" {
		m["contentUrl"] = w.In.ContentURL
	}
	return encodeMetadata(m)
}

// encodeMetadata writes metadata of an entry; none is nil.
func encodeMetadata(m map[string]any) json.RawMessage {
	if len(m) == 0 {
		return nil
	}
	return store.JSON(m)
}

// updateRuleState writes the window claim, the subject's counters and progress, and the change "LoyaltyRuleStatus
// completed".
func (w *completion) updateRuleState(b *store.Batch, amount laurel.Amount, transaction laurel.ID) {
	meta := w.Rule.Meta()
	now, at := store.Micros(b.Now()), w.PaidUpTo(b)
	sub := progress.States.Changed(b, w.StateKey())
	if sub.Init(b, w.Scope) {
		for _, s := range w.steps {
			if o, ok := s.(ruletypes.StateInitializer); ok {
				o.InitState(&w.Case, sub)
			}
		}
	}
	sub.UpdatedAt, sub.LastPaidAt, sub.UserID = now, &now, w.Person.UserID
	if w.Kind.AsksProvider() { // what was done after it is not paid for, and what was paid for before stays so
		sub.CompletedAt = progress.Later(sub.CompletedAt, &at)
	} else {
		sub.CompletedAt = &now
	}
	sub.AddCompletion(amount, b.Now())
	if w.Person.Subject() != w.Person.UserID {
		w.countForMember(b, amount)
	}
	if w.In.Key == "" && w.functionKey() == "" {
		sub.WindowPaidAt = progress.Later(sub.WindowPaidAt, &at)
	}
	sub.Progress = w.progressAfterPayment(sub)
	feed.Changes.Add(b, feed.Change{OrganizationID: w.Scope.OrganizationID, WebsiteID: w.Scope.WebsiteID, EntityID: sub.ID,
		Table: feed.RuleStatus, Action: feed.Completed, Data: w.statusChange(transaction)})
	if !w.IsClaim() {
		sub.EligibleAt = nil
	}
	progress.MarkClaimed(b, w.Rule.ID, w.claimants(), w.ClaimedEligibility(sub))
	if meta.ResetProgressOnClaim { // status and window open again; caps and keys stay
		sub.LastPaidAt, sub.WindowPaidAt = nil, nil // CompletedAt stays: a required rule has been completed once
		if !w.windowStaysClosed() {
			return
		}
	}
	for _, k := range w.paidWindowKeys() {
		if progress.PaidWindows.Row(b, k).CreatedAt != 0 {
			continue // a code that was good before its rule asked for another one each time
		}
		c := progress.PaidWindows.Changed(b, k)
		c.OrganizationID, c.WebsiteID, c.UserID, c.TransactionID =
			w.Scope.OrganizationID, w.Scope.WebsiteID, w.Person.UserID, transaction
		c.CreatedAt = store.Micros(w.DecisionTime(b.Now()))
	}
}

// countForMember counts what a member of a group is paid for itself too: it leaves the group with it.
func (w *completion) countForMember(b *store.Batch, amount laurel.Amount) {
	now := store.Micros(b.Now())
	own := progress.States.Changed(b, w.OwnStateKey())
	own.Init(b, w.Scope)
	own.UpdatedAt, own.UserID = now, w.Person.UserID
	own.AddCompletion(amount, b.Now())
}

func (w *completion) statusChange(transaction laurel.ID) json.RawMessage {
	return store.JSON(struct {
		RuleID        laurel.ID  `json:"loyaltyRuleId"`
		UserID        laurel.ID  `json:"userId"`
		TransactionID *laurel.ID `json:"loyaltyTransactionId"`
	}{w.Rule.ID, w.Person.UserID, transaction.Ptr()})
}
