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

// Locks returns the locks of all rows that Judge reads or changes: the rule, the person, the rule states, the caller's
// key, the windows, the accounts, and those of the steps and of the check-ins that it triggers.
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
	lockWindow := progress.PaidWindows.Lock
	if w.presumesUnpaidWindow() {
		lockWindow = progress.PaidWindows.LockPresumedAbsent
	}
	for _, k := range w.paidWindowKeys() {
		locks = append(locks, lockWindow(k))
	}
	for _, s := range w.steps {
		locks = append(locks, s.Locks(&w.Case)...)
	}
	locks = append(locks, w.posting(decision.Reward{}, true).Locks()...) // of any reward in the rule's currency
	for _, checkIn := range w.autoCheckIns {
		locks = append(locks, checkIn.Locks()...)
	}
	return append(append(locks, w.postLocks()...), w.mode.extraLocks...)
}

// presumesUnpaidWindow reports whether the row of the paid window may be locked on the presumption that it does not
// exist, which saves reading it. If the presumption fails, the unique key of the row stops the batch. The presumption
// needs a window that the rule state shows as paid, too: the windows of codes, for example, have only their rows.
func (w *completion) presumesUnpaidWindow() bool {
	return w.needsNoLookup() && w.Trigger.Moment.IsZero() && w.pendingPost == nil && !w.IsClaim() &&
		!w.Rule.Meta().ResetProgressOnClaim && !slices.ContainsFunc(w.steps, func(s ruletypes.Step) bool {
		_, ok := s.(ruletypes.Windower)
		return ok
	})
}

// CheckCurrent returns store.ErrStale if something that the completion was prepared with has changed meanwhile. It
// stages nothing.
func (w *completion) CheckCurrent(b *store.Batch) error {
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
	if w.mode.isAutoCheckIn && w.pendingPost == nil && !currency.IsZero() && ledger.IsExternal(b, currency) {
		return store.ErrStale // the currency moved to an external ledger, so the check-in needs a post
	}
	if window, _ := w.windowAt(progress.States.Row(b, w.StateKey()), b.Now()); w.window != window {
		return store.ErrStale // the window ended while the Work waited
	}
	return nil
}

// keyID returns the id of the caller's idempotencyKey in the ledger.
func (w *completion) keyID() ledger.KeyID {
	return ledger.KeyID{WebsiteID: w.Scope.WebsiteID, Key: w.In.Key}
}

// keyIDs returns the id of the caller's idempotencyKey, or nothing if the call has none.
func (w *completion) keyIDs() []ledger.KeyID {
	if w.In.Key == "" {
		return nil
	}
	return []ledger.KeyID{w.keyID()}
}

// keyIsUsed reports whether the caller's key was used before. The call then gets the stored result, whatever the
// window.
func (w *completion) keyIsUsed(b *store.Batch) bool {
	return w.In.Key != "" && ledger.Keys.Row(b, w.keyID()).IsUsed()
}

// Judge decides on the locked rows and stages the payment with all that follows from it (contract 5.1, steps 13 to 15).
// It returns the refusal, store.ErrStale if the completion must be prepared again, or store.ErrDuplicateRequest if a
// post for the same request has ended just now.
func (w *completion) Judge(b *store.Batch) error {
	w.result, w.failedCheck = Completion{}, ""
	if w.pendingPost != nil {
		w.pendingPost.CommitResult = external.CommitResult{}
	}
	if err := w.CheckCurrent(b); err != nil {
		return err
	}
	for _, c := range w.autoCheckIns {
		if err := c.CheckCurrent(b); err != nil {
			return err
		}
	}
	switch {
	case w.mode.isDone(b, w):
		return nil // another node was first
	case w.pendingPost != nil && w.pendingPost.post.IsRequestClaimed(b): // another post ended just now
		return store.ErrDuplicateRequest
	case !w.mode.isDecided && w.keyIsUsed(b):
		return w.resultOfUsedKey(b)
	}
	state, paid := w.windowState(b)
	facts := w.lockedFacts(b, state, paid)
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

// deferDecision stages the completion as a job, which is decided later, by means of the step of the rule type. It sets
// the result of the call to pending.
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

// resultOfUsedKey sets the result that was stored with the first use of the call's key. If that was a call with other
// input, it returns a conflict.
//
// It compares the inputs by a hash that covers the user's id. So if the first call has created the user since this one
// was prepared, the hashes of equal calls differ. For a new user, resultOfUsedKey therefore returns store.ErrStale the
// first time, and the conflict only if the user is still new in the next preparation.
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

// windowState returns the locked rule state of the member, and whether the present window is paid.
func (w *completion) windowState(b *store.Batch) (state *progress.State, paid bool) {
	state = progress.States.Row(b, w.StateKey())
	_, open := w.windowAt(state, b.Now())
	return state, !open || w.window != "" && progress.PaidWindows.Row(b, w.paidWindowKey(w.window)).CreatedAt != 0
}

// lockedFacts returns the facts of the decision as the locked rows show them.
func (w *completion) lockedFacts(b *store.Batch, state *progress.State, paid bool) decision.Facts {
	currencyLive := w.Rule.Currency().IsZero() || ledger.IsLiveCurrency(b, w.Scope, w.Rule.Currency())
	facts := w.factsOf(state, paid, currencyLive)
	facts.Now, facts.MemberSince = w.DecisionTime(b.Now()), w.Person.MemberSince(b)
	for _, s := range w.steps {
		s.LockedFacts(b, &w.Case, &facts)
	}
	return facts
}

// decisionRecord encodes the facts of the decision, which the payment stores so that it can be decided again.
func (w *completion) decisionRecord(state *progress.State, facts decision.Facts) json.RawMessage {
	r := decision.Record{RuleVersion: w.Rule.Version, SubjectID: w.Person.Subject(), Facts: facts}
	if state.WindowPaidAt != nil {
		r.WindowPaidAt = store.Time(*state.WindowPaidAt)
	}
	return r.Encode()
}

// refuse returns the refusal, after the steps have staged what a refusal leaves behind, such as the answer of a quiz.
func (w *completion) refuse(b *store.Batch, facts decision.Facts, refusal error) error {
	if w.mode.countsRefusals {
		w.failedCheck = decision.FailedCheck(facts)
	}
	for _, s := range w.steps {
		if applier, ok := s.(ruletypes.RefusalApplier); ok {
			if err := applier.ApplyRefusal(b, &w.Case, facts); err != nil {
				return err
			}
		}
	}
	return refusal
}

// pay stages everything that one completion writes: entries or a post to an external ledger, the rule state, what the
// steps add, and the use of the caller's key. It sets the result. If it stages a post, or finds that another one blocks
// it, it stages nothing else: the rest follows when the external ledger has accepted the post.
func (w *completion) pay(b *store.Batch, reward decision.Reward, facts decision.Facts) error {
	w.PostedTransaction = ledger.Transaction{}
	w.result = Completion{Message: decision.MsgQueued, Status: "completed", Rewards: w.paidRewards(reward)}
	p := w.finalPosting(b, reward, facts)
	usesKey := w.In.Key != ""
	if len(p.Lines) > 0 {
		usesKey = w.mode.adjustPosting(b, w, &p)
	}
	switch {
	case len(p.Lines) > 0 && w.pendingPost != nil:
		err := w.stagePost(b, p, reward)
		if !w.mode.isAutoCheckIn || !errors.Is(err, external.ErrNotExternal) {
			return err
		}
		// The currency of this check-in has left its external ledger meanwhile, so the check-in is paid at once.
		if err := w.stageEntries(b, p); err != nil {
			return err
		}
	case len(p.Lines) > 0:
		if err := w.stageEntries(b, p); err != nil {
			return err
		}
	case w.pendingPost != nil && !w.mode.isAutoCheckIn:
		return external.ErrNotExternal // the rule pays no points any more
	}
	if err := w.Person.Admit(b, w.Scope); err != nil { // the entries may all be those of others, such as the referrer
		return err
	}
	w.updateRuleState(b, reward.Amount, w.PostedTransaction.ID)
	for _, s := range w.steps {
		if err := s.Apply(b, &w.Case, reward); err != nil {
			return err
		}
	}
	if usesKey {
		w.stageKeyUse(b)
	}
	return nil
}

// finalPosting returns the posting of the reward with the facts of the decision, after the steps have edited it.
func (w *completion) finalPosting(b *store.Batch, reward decision.Reward, facts decision.Facts) ledger.Posting {
	p := w.posting(reward, facts.CurrencyLive)
	if len(p.Lines) > 0 {
		p.Facts = w.decisionRecord(progress.States.Row(b, w.StateKey()), facts)
	}
	for _, s := range w.steps {
		if editor, ok := s.(ruletypes.PostingEditor); ok {
			editor.EditPosting(&w.Case, &p)
		}
	}
	return p
}

// stageEntries stages the entries of a posting. It sets the posted transaction, names it in the result, and marks there
// the rewards whose points are held.
func (w *completion) stageEntries(b *store.Batch, p ledger.Posting) error {
	t, err := p.Stage(b)
	if err != nil {
		return err
	}
	for i, l := range p.Lines {
		isHeld := l.Amount > 0 && t.Entries[i].Amount == 0 // held points get an entry of amount 0
		w.markHeld(l.CurrencyID, isHeld)
	}
	w.PostedTransaction, w.result.TransactionID = t, &t.ID
	return nil
}

// stageKeyUse stages that the caller's key is used, with the result that later calls with the key get.
func (w *completion) stageKeyUse(b *store.Batch) {
	ledger.UseKey(b, w.Scope, ledger.KeyUse{
		Key: w.In.Key, Hash: w.inputHash(), TransactionID: w.PostedTransaction.ID, Answer: string(store.JSON(w.result)),
	})
}

// paidRewards returns the rewards as the result of the call lists them: the amount or the multiplier, then the badges
// and the further credits.
func (w *completion) paidRewards(reward decision.Reward) []Paid {
	paid := []Paid{}
	switch currency := w.Rule.Currency(); {
	case reward.Multiplier > 0 && !w.Rule.DeletedAt.IsZero(): // deleted meanwhile, and its multipliers ended
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

// markHeld marks the rewards in a currency as waiting if its points are held.
func (w *completion) markHeld(currency laurel.ID, isHeld bool) {
	for i, r := range w.result.Rewards {
		if isHeld && r.CurrencyID != nil && *r.CurrencyID == currency && *r.Amount > 0 {
			w.result.Rewards[i].Waiting = true
		}
	}
}

// posting returns what the reward writes into the ledger: a line of the rule's own amount, if the rule has a live
// currency, and one line per further credit. The line of a rule that pays no points has amount 0.
func (w *completion) posting(reward decision.Reward, currencyLive bool) ledger.Posting {
	p := ledger.Posting{
		Scope:       w.Scope,
		Type:        ledger.TypeLoyaltyRule,
		Cause:       ledger.CauseReward,
		Description: w.Rule.Name,
		RuleID:      w.Rule.ID,
		RuleType:    string(w.Rule.Type),
	}
	line := ledger.Line{Member: ruletypes.ToLedgerMember(w.Person, w.Scope), Direction: ledger.Credit}
	// An amount of 0 gets an entry unless a further credit, such as a milestone, shows the completion. Multipliers and
	// keys always get one.
	postsZero := len(reward.Credits) == 0 || reward.Multiplier > 0 || w.In.Key != ""
	if currency := w.Rule.Currency(); currencyLive && !currency.IsZero() && (reward.Amount > 0 || postsZero) {
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

// creditCurrency returns the currency of a further credit: its own, or else the rule's.
func (w *completion) creditCurrency(c decision.Credit) laurel.ID {
	if c.CurrencyID.IsZero() {
		return w.Rule.Currency()
	}
	return c.CurrencyID
}

// entryMetadata returns the metadata of the completion's entry: the start of the tier that was reached, and the call's
// contentUrl, if there are any (contract 5.5).
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

// encodeMetadata encodes the metadata of an entry; nil if there is none.
func encodeMetadata(m map[string]any) json.RawMessage {
	if len(m) == 0 {
		return nil
	}
	return store.JSON(m)
}

// updateRuleState stages the rule state of a paid completion: its counters and times, the progress, the paid windows,
// and the change "LoyaltyRuleStatus completed".
func (w *completion) updateRuleState(b *store.Batch, amount laurel.Amount, transaction laurel.ID) {
	paidUpTo := w.PaidUpTo(b) // before the state changes, which it depends on
	state := progress.States.Changed(b, w.StateKey())
	if state.Init(b, w.Scope) {
		for _, s := range w.steps {
			if o, ok := s.(ruletypes.StateInitializer); ok {
				o.InitState(&w.Case, state)
			}
		}
	}
	state.AddCompletion(amount, b.Now())
	if w.Person.Subject() != w.Person.UserID { // the state is that of a group
		w.countForMember(b, amount)
	}
	w.setPaidTimes(state, store.Micros(b.Now()), paidUpTo)
	state.Progress = w.progressAfterPayment(state)
	feed.Changes.Add(b, feed.Change{
		OrganizationID: w.Scope.OrganizationID, WebsiteID: w.Scope.WebsiteID, EntityID: state.ID,
		Table: feed.TableRuleStatus, Action: feed.Completed, Data: w.statusChange(transaction),
	})
	if !w.IsClaim() {
		state.EligibleAt = nil
	}
	progress.MarkClaimed(b, w.Rule.ID, w.claimants(), w.ClaimEligibleAt(state))
	closesWindows := true
	if w.Rule.Meta().ResetProgressOnClaim { // status and window open again; caps and used keys stay
		state.LastPaidAt, state.WindowPaidAt = nil, nil // CompletedAt stays: the rule counts as completed for others
		closesWindows = w.windowStaysClosed()
	}
	if closesWindows {
		w.closePaidWindows(b, transaction)
	}
}

// setPaidTimes sets the times of a payment in the rule state. now is the time of the payment; paidUpTo is the time up
// to which it covers what the member did.
func (w *completion) setPaidTimes(state *progress.State, now, paidUpTo int64) {
	state.UpdatedAt, state.LastPaidAt, state.UserID = now, &now, w.Person.UserID
	if w.Kind.AsksProvider() { // an earlier claim never sets it back
		state.CompletedAt = progress.Later(state.CompletedAt, &paidUpTo)
	} else {
		state.CompletedAt = &now
	}
	if w.In.Key == "" && w.functionKey() == "" { // a key takes the place of the window
		state.WindowPaidAt = progress.Later(state.WindowPaidAt, &paidUpTo)
	}
}

// closePaidWindows stages the rows of the paid windows, whose unique keys keep a window from paying twice.
func (w *completion) closePaidWindows(b *store.Batch, transaction laurel.ID) {
	for _, k := range w.paidWindowKeys() {
		if progress.PaidWindows.Row(b, k).CreatedAt != 0 {
			continue // the code was redeemed before its rule had a window per code
		}
		c := progress.PaidWindows.Changed(b, k)
		c.OrganizationID, c.WebsiteID, c.UserID, c.TransactionID =
			w.Scope.OrganizationID, w.Scope.WebsiteID, w.Person.UserID, transaction
		c.CreatedAt = store.Micros(w.DecisionTime(b.Now()))
	}
}

// countForMember counts the reward of a group in the member's own rule state, too. The member takes that along when it
// leaves the group.
func (w *completion) countForMember(b *store.Batch, amount laurel.Amount) {
	now := store.Micros(b.Now())
	state := progress.States.Changed(b, w.OwnStateKey())
	state.Init(b, w.Scope)
	state.UpdatedAt, state.UserID = now, w.Person.UserID
	state.AddCompletion(amount, b.Now())
}

// statusChange returns the data of the change "LoyaltyRuleStatus completed".
func (w *completion) statusChange(transaction laurel.ID) json.RawMessage {
	return store.JSON(struct {
		RuleID        laurel.ID  `json:"loyaltyRuleId"`
		UserID        laurel.ID  `json:"userId"`
		TransactionID *laurel.ID `json:"loyaltyTransactionId"`
	}{w.Rule.ID, w.Person.UserID, transaction.Ptr()})
}
