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
		progress.Subjects.Lock(w.Subject()),
		progress.Subjects.Lock(w.Own()),
	)
	locks = append(locks, progress.LocksOf(w.Rule.ID, w.claimants())...)
	for _, k := range w.keys() {
		locks = append(locks, ledger.Keys.Lock(k))
	}
	claim := progress.Claims.Lock
	if w.claimsAlways() {
		claim = progress.Claims.LockPresumedAbsent
	}
	for _, k := range w.claimKeys() {
		locks = append(locks, claim(k))
	}
	for _, s := range w.steps {
		locks = append(locks, s.Locks(&w.Case)...)
	}
	locks = append(locks, w.posting(decision.Reward{}, true).Locks()...)
	for _, c := range w.follow {
		locks = append(locks, c.Locks()...)
	}
	return append(append(locks, w.asked()...), w.trigger.locks...)
}

// claimsAlways reports whether the completion claims its window whenever it goes by nobody having claimed it, and what
// the rule remembers of the member tells of the window too: of codes only the claim does.
func (w *completion) claimsAlways() bool {
	return w.asksLittle() && w.Trigger.Moment.IsZero() && w.asking == nil && !w.Claims() &&
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
	if now := catalog.Versions.Row(b, w.Rule.ID); now.Version != w.Rule.Version || now.HasRequired != w.Gated {
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
	if w.trigger.follows && w.asking == nil && !currency.IsZero() && ledger.Outside(b, currency) {
		return store.ErrStale // it goes outside, which was not looked for yet
	}
	if window, _ := w.windowAt(progress.Subjects.Row(b, w.Subject()), b.Now()); w.window != window {
		return store.ErrStale // the window ended while the Work waited
	}
	return nil
}

// key is the caller's, where it gave one.
func (w *completion) key() ledger.KeyID {
	return ledger.KeyID{WebsiteID: w.Scope.WebsiteID, Key: w.In.Key}
}

func (w *completion) keys() []ledger.KeyID {
	if w.In.Key == "" {
		return nil
	}
	return []ledger.KeyID{w.key()}
}

// used reports whether the caller's key was used: then no window matters.
func (w *completion) used(b *store.Batch) bool {
	return w.In.Key != "" && ledger.Keys.Row(b, w.key()).Used()
}

// Judge decides under locks and stages the payment (contract 5.1, steps 13 to 15).
func (w *completion) Judge(b *store.Batch) error {
	w.answer, w.refused = Completion{}, ""
	if w.asking != nil {
		w.asking.CommitResult = external.CommitResult{}
	}
	if err := w.Ready(b); err != nil {
		return err
	}
	for _, c := range w.follow {
		if err := c.Ready(b); err != nil {
			return err
		}
	}
	switch {
	case w.trigger.over(b, w):
		return nil // another node was first
	case w.asking != nil && w.asking.post.IsRequestClaimed(b): // by a post that ended just now
		return store.ErrDuplicateRequest
	case !w.trigger.settled && w.used(b):
		return w.again(b)
	}
	sub, paid := w.opening(b)
	facts := w.judgedFacts(b, sub, paid)
	reward, err := w.trigger.decide(&facts)
	if err != nil {
		return w.refuse(b, facts, err)
	}
	if reward.Pending {
		return w.wait(b, reward)
	}
	if w.trigger.notes && w.Rule.IsClaimedByCall() {
		return w.found(b)
	}
	if err := w.pay(b, reward, facts); err != nil {
		return err
	}
	if w.asking != nil && (w.asking.Committed || !w.asking.BlockedBy.IsZero()) {
		return nil // the external ledger decides
	}
	for _, c := range w.follow {
		c.checkIn(b)
	}
	w.trigger.ends(b, w)
	return nil
}

// wait keeps the completion for later.
func (w *completion) wait(b *store.Batch, reward decision.Reward) error {
	if err := w.Person.Admit(b, w.Scope); err != nil {
		return err
	}
	w.answer = Completion{Status: completionjobs.Pending, Rewards: []Paid{}}
	for _, s := range w.steps {
		if k, ok := s.(ruletypes.Waiter); ok {
			w.answer.Message = k.Wait(b, &w.Case, reward)
		}
	}
	return nil
}

// again returns what the key was used for. The first use may have made the user since this call looked for it: then it
// looks once more, and only who is still not there gave the key to another call.
func (w *completion) again(b *store.Batch) (err error) {
	w.answer, err = w.replay(*ledger.Keys.Row(b, w.key()))
	if err == nil || !w.Person.NewUser {
		return err
	}
	if w.met == 0 {
		w.met = w.tries
	}
	if w.met == w.tries {
		return store.ErrStale
	}
	return err
}

// opening returns what the rule remembers of the member, and whether the present window is paid.
func (w *completion) opening(b *store.Batch) (sub *progress.Subject, paid bool) {
	sub = progress.Subjects.Row(b, w.Subject())
	_, open := w.windowAt(sub, b.Now())
	return sub, !open || w.window != "" && progress.Claims.Row(b, w.claimKey(w.window)).CreatedAt != 0
}

// judgedFacts are the facts under locks.
func (w *completion) judgedFacts(b *store.Batch, sub *progress.Subject, paid bool) decision.Facts {
	live := w.Rule.Currency().IsZero() || ledger.LiveCurrency(b, w.Scope, w.Rule.Currency())
	facts := w.facts(sub, paid, live)
	facts.Now, facts.FirstSeenAt = w.At(b.Now()), w.Person.Since(b)
	for _, s := range w.steps {
		s.Facts(b, &w.Case, &facts)
	}
	return facts
}

// record is what the payment keeps of the decision.
func (w *completion) record(sub *progress.Subject, facts decision.Facts) json.RawMessage {
	r := decision.Record{RuleVersion: w.Rule.Version, SubjectID: w.Person.Subject(), Facts: facts}
	if sub.WindowPaidAt != nil {
		r.WindowPaidAt = store.Time(*sub.WindowPaidAt)
	}
	return r.Encode()
}

// refuse returns the refusal. What steps leave behind is committed all the same.
func (w *completion) refuse(b *store.Batch, facts decision.Facts, refusal error) error {
	if w.trigger.counts {
		w.refused = decision.Refusing(facts)
	}
	for _, s := range w.steps {
		if l, ok := s.(ruletypes.Leaver); ok {
			if err := l.Refused(b, &w.Case, facts); err != nil {
				return err
			}
		}
	}
	return refusal
}

// pay stages everything that one fulfilled completion writes.
func (w *completion) pay(b *store.Batch, reward decision.Reward, facts decision.Facts) error {
	w.Made, w.answer = ledger.Transaction{}, Completion{
		Message: decision.MsgQueued,
		Status:  "completed",
		Rewards: w.rewards(reward),
	}
	transaction := laurel.ID{}
	p := w.posting(reward, facts.CurrencyLive)
	if len(p.Lines) > 0 {
		p.Facts = w.record(progress.Subjects.Row(b, w.Subject()), facts)
	}
	for _, s := range w.steps {
		if payer, ok := s.(ruletypes.Payer); ok {
			payer.Pays(&w.Case, &p)
		}
	}
	keyed := w.In.Key != ""
	if len(p.Lines) > 0 {
		keyed = w.trigger.pays(b, w, &p)
		if w.asking != nil {
			if err := w.ask(b, p, reward); !w.trigger.follows || !errors.Is(err, external.ErrNotExternal) {
				return err
			}
		}
		t, err := p.Stage(b)
		if err != nil {
			return err
		}
		for i, l := range p.Lines { // of held points an entry of nothing tells
			w.waits(l.CurrencyID, l.Amount > 0 && t.Entries[i].Amount == 0)
		}
		transaction, w.Made = t.ID, t
		w.answer.TransactionID = &transaction
	} else if w.asking != nil && !w.trigger.follows {
		return external.ErrNotExternal // its rule pays nothing any more
	}
	if err := w.Person.Admit(b, w.Scope); err != nil { // what is paid may be for others alone
		return err
	}
	w.remember(b, reward.Amount, transaction)
	for _, s := range w.steps {
		if err := s.Paid(b, &w.Case, reward); err != nil {
			return err
		}
	}
	if !keyed {
		return nil
	}
	ledger.UseKey(
		b,
		w.Scope,
		ledger.KeyUse{Key: w.In.Key, Hash: w.input(), TransactionID: transaction, Answer: string(store.JSON(w.answer))},
	)
	return nil
}

// rewards is what the answer tells of a reward.
func (w *completion) rewards(reward decision.Reward) []Paid {
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
		kind, currency := w.Rule.RewardType, w.currencyOf(c)
		if !c.CurrencyID.IsZero() || kind == schema.RewardMultiplier {
			kind = schema.RewardPoints
		}
		paid = append(paid, Paid{RewardType: kind, Amount: &c.Amount, CurrencyID: &currency})
	}
	return paid
}

// waits marks what is paid in a currency as not given yet.
func (w *completion) waits(currency laurel.ID, waits bool) {
	for i, r := range w.answer.Rewards {
		if waits && r.CurrencyID != nil && *r.CurrencyID == currency && *r.Amount > 0 {
			w.answer.Rewards[i].Waiting = true
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
		line.CurrencyID, line.Amount, line.Key, line.Metadata = currency, reward.Amount, w.In.Key, w.metadata(reward)
		p.Lines = append(p.Lines, line)
	}
	for _, c := range reward.Credits {
		p.Lines = append(
			p.Lines,
			ledger.Line{
				Member:     line.Member,
				Direction:  ledger.Credit,
				CurrencyID: w.currencyOf(c),
				Amount:     c.Amount,
				Metadata:   encode(c.Metadata),
			},
		)
	}
	return p
}

// currencyOf is the currency of a further credit: the rule's, where it names none.
func (w *completion) currencyOf(c decision.Credit) laurel.ID {
	if c.CurrencyID.IsZero() {
		return w.Rule.Currency()
	}
	return c.CurrencyID
}

// metadata is what the entry tells of the completion (contract 5.5).
func (w *completion) metadata(reward decision.Reward) json.RawMessage {
	m := map[string]any{}
	if reward.RangeStart != nil {
		m["rangeStart"] = *reward.RangeStart
	}
	if w.In.ContentURL != "" {
		m["contentUrl"] = w.In.ContentURL
	}
	return encode(m)
}

// encode writes metadata of an entry; none is nil.
func encode(m map[string]any) json.RawMessage {
	if len(m) == 0 {
		return nil
	}
	return store.JSON(m)
}

// remember writes the window claim, the subject's counters and progress, and the change "LoyaltyRuleStatus completed".
func (w *completion) remember(b *store.Batch, amount laurel.Amount, transaction laurel.ID) {
	meta := w.Rule.Meta()
	now, at := store.Micros(b.Now()), w.UpTo(b)
	sub := progress.Subjects.Changed(b, w.Subject())
	if sub.Begin(b, w.Scope) {
		for _, s := range w.steps {
			if o, ok := s.(ruletypes.Opener); ok {
				o.Opened(&w.Case, sub)
			}
		}
	}
	sub.UpdatedAt, sub.LastPaidAt, sub.UserID = now, &now, w.Person.UserID
	if w.Kind.Asks() { // what was done after it is not paid for, and what was paid for before stays so
		sub.CompletedAt = progress.Later(sub.CompletedAt, &at)
	} else {
		sub.CompletedAt = &now
	}
	sub.Count(amount, b.Now())
	if w.Person.Subject() != w.Person.UserID {
		w.countOwn(b, amount)
	}
	if w.In.Key == "" && w.keyed() == "" {
		sub.WindowPaidAt = progress.Later(sub.WindowPaidAt, &at)
	}
	sub.Progress = w.remains(sub)
	feed.Changes.Add(b, feed.Change{OrganizationID: w.Scope.OrganizationID, WebsiteID: w.Scope.WebsiteID, EntityID: sub.ID,
		Table: feed.RuleStatus, Action: feed.Completed, Data: w.moved(transaction)})
	if !w.Claims() {
		sub.FoundAt = nil
	}
	progress.UseUp(b, w.Rule.ID, w.claimants(), w.Claimed(sub))
	if meta.ResetProgressOnClaim { // status and window open again; caps and keys stay
		sub.LastPaidAt, sub.WindowPaidAt = nil, nil // CompletedAt stays: a required rule has been completed once
		if !w.lasts() {
			return
		}
	}
	for _, k := range w.claimKeys() {
		if progress.Claims.Row(b, k).CreatedAt != 0 {
			continue // a code that was good before its rule asked for another one each time
		}
		c := progress.Claims.Changed(b, k)
		c.OrganizationID, c.WebsiteID, c.UserID, c.TransactionID =
			w.Scope.OrganizationID, w.Scope.WebsiteID, w.Person.UserID, transaction
		c.CreatedAt = store.Micros(w.At(b.Now()))
	}
}

// countOwn counts what a member of a group is paid for itself too: it leaves the group with it.
func (w *completion) countOwn(b *store.Batch, amount laurel.Amount) {
	now := store.Micros(b.Now())
	own := progress.Subjects.Changed(b, w.Own())
	own.Begin(b, w.Scope)
	own.UpdatedAt, own.UserID = now, w.Person.UserID
	own.Count(amount, b.Now())
}

func (w *completion) moved(transaction laurel.ID) json.RawMessage {
	return store.JSON(struct {
		RuleID        laurel.ID  `json:"loyaltyRuleId"`
		UserID        laurel.ID  `json:"userId"`
		TransactionID *laurel.ID `json:"loyaltyTransactionId"`
	}{w.Rule.ID, w.Person.UserID, transaction.Ptr()})
}
