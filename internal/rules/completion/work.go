package completion

import (
	"encoding/json"
	"errors"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/identity"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/jobs"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// Locks: the rule, the person, the currency, the key, the subject, the member's own count in a group, the windows and
// the account.
func (w *completion) Locks() []store.Lock {
	locks := append(
		w.person.Locks(),
		catalog.Versions.Lock(w.rule.ID),
		progress.Subjects.Lock(w.subjectKey()),
		progress.Subjects.Lock(w.ownKey()),
	)
	locks = append(locks, progress.LocksOf(w.rule.ID, w.claimants())...)
	for _, k := range w.keys() {
		locks = append(locks, ledger.Keys.Lock(k))
	}
	claim := progress.Claims.Lock
	if w.claimsAlways() {
		claim = progress.Claims.Presume
	}
	for _, k := range w.claimKeys() {
		locks = append(locks, claim(k))
	}
	for _, p := range w.parts {
		locks = append(locks, p.locks(w)...)
	}
	locks = append(locks, w.posting(decision.Reward{}, true).Locks()...)
	for _, c := range w.follow {
		locks = append(locks, c.Locks()...)
	}
	return append(locks, w.outsideLocks()...)
}

// claimsAlways reports whether the completion claims its window whenever it goes by nobody having claimed it, and what
// the rule remembers of the member tells of the window too: of codes only the claim does.
func (w *completion) claimsAlways() bool {
	return w.asksLittle() && w.rule.Type != schema.TypeCodeEntry && w.fed == nil && w.agreed == nil && w.job == nil &&
		w.asking == nil &&
		!w.claiming() &&
		!w.rule.Meta().ResetProgressOnClaim
}

// Ready returns store.ErrStale where what was prepared is no longer so. Nothing has been staged then.
func (w *completion) Ready(b *store.Batch) error {
	if err := w.person.Check(b); err != nil {
		return err
	}
	if now := catalog.Versions.Row(b, w.rule.ID); now.Version != w.rule.Version || now.Gated != w.gated {
		return store.ErrStale
	}
	for _, p := range w.parts {
		if c, ok := p.(checker); ok {
			if err := c.checked(b, w); err != nil {
				return err
			}
		}
	}
	if currency := w.rule.Currency(); w.deed && w.asking == nil && !currency.IsZero() && ledger.Outside(b, currency) {
		return store.ErrStale // it goes outside, which was not looked for yet
	}
	if window, _ := w.windowAt(progress.Subjects.Row(b, w.subjectKey()), b.Now()); w.window != window {
		return store.ErrStale // the window ended while the Work waited
	}
	return nil
}

// key is the caller's, where it gave one.
func (w *completion) key() ledger.KeyID {
	return ledger.KeyID{WebsiteID: w.scope.WebsiteID, Key: w.in.Key}
}

func (w *completion) keys() []ledger.KeyID {
	if w.in.Key == "" {
		return nil
	}
	return []ledger.KeyID{w.key()}
}

// used reports whether the caller's key was used: then no window matters.
func (w *completion) used(b *store.Batch) bool {
	return w.in.Key != "" && ledger.Keys.Row(b, w.key()).Used()
}

// Judge decides under locks and stages the payment (contract 5.1, steps 13 to 15).
func (w *completion) Judge(b *store.Batch) error {
	w.answer = Completion{}
	if w.asking != nil {
		w.asking.Asked = external.Asked{}
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
	case w.agreed != nil:
		return w.conclude(b)
	case w.asking != nil && w.asking.post.Claimed(b): // by a post that ended just now
		return store.ErrDuplicateRequest
	case w.used(b):
		return w.again(b)
	}
	if w.job != nil && jobs.Waiting.Row(b, click{}.key(w)).ID != w.job.ID {
		return nil // another node has ended the job
	}
	sub, paid := w.opening(b)
	facts := w.judgedFacts(b, sub, paid)
	reward, err := decision.Decide(facts)
	if err != nil {
		return w.refuse(b, facts, err)
	}
	if reward.Pending {
		return click{}.wait(b, w, reward)
	}
	if w.records() {
		return w.found(b)
	}
	// it waits for what the outside says
	if err := w.pay(b, reward, facts); err != nil || w.asking != nil && (w.asking.Made || !w.asking.Met.IsZero()) {
		return err
	}
	for _, c := range w.follow {
		c.checkIn(b)
	}
	return nil
}

// again returns what the key was used for. The first use may have made the user since this call looked for it: then it
// looks once more, and only who is still not there gave the key to another call.
func (w *completion) again(b *store.Batch) (err error) {
	w.answer, err = w.replay(*ledger.Keys.Row(b, w.key()))
	if err == nil || !w.person.NewUser {
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
	sub = progress.Subjects.Row(b, w.subjectKey())
	_, open := w.windowAt(sub, b.Now())
	return sub, !open || w.window != "" && progress.Claims.Row(b, w.claimKey(w.window)).CreatedAt != 0
}

// judgedFacts are the facts under locks.
func (w *completion) judgedFacts(b *store.Batch, sub *progress.Subject, paid bool) decision.Facts {
	live := w.rule.Currency().IsZero() || ledger.LiveCurrency(b, w.scope, w.rule.Currency())
	facts := w.facts(sub, paid, live)
	facts.Now, facts.FirstSeenAt = w.at(b.Now()), w.person.Since(b)
	for _, p := range w.parts {
		p.judged(b, w, &facts)
	}
	return facts
}

// record is what the payment keeps of the decision.
func (w *completion) record(sub *progress.Subject, facts decision.Facts) json.RawMessage {
	if w.agreed != nil {
		return w.agreed.Facts
	}
	r := decision.Record{RuleVersion: w.rule.Version, SubjectID: w.person.Subject(), Facts: facts}
	if sub.WindowPaidAt != nil {
		r.WindowPaidAt = store.Time(*sub.WindowPaidAt)
	}
	return r.Encode()
}

// refuse returns the refusal. What the parts leave behind is committed all the same.
func (w *completion) refuse(b *store.Batch, facts decision.Facts, refusal error) error {
	for _, p := range w.parts {
		if l, ok := p.(leaver); ok {
			if err := l.refused(b, w, facts); err != nil {
				return err
			}
		}
	}
	return refusal
}

// pay stages everything that one fulfilled completion writes.
func (w *completion) pay(b *store.Batch, reward decision.Reward, facts decision.Facts) error {
	w.made, w.answer = ledger.Transaction{}, Completion{
		Message: decision.MsgQueued,
		Status:  "completed",
		Rewards: w.rewards(reward),
	}
	transaction := laurel.ID{}
	p := w.posting(reward, facts.CurrencyLive)
	if len(p.Lines) > 0 {
		p.Facts = w.record(progress.Subjects.Row(b, w.subjectKey()), facts)
	}
	for _, of := range w.parts {
		if payer, ok := of.(payer); ok {
			payer.pays(w, &p)
		}
	}
	if len(p.Lines) > 0 {
		switch {
		case w.agreed != nil:
			w.mirrors(b, &p)
		case w.asking != nil:
			if err := w.ask(b, p, reward); !w.deed || !errors.Is(err, external.ErrInside) {
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
		transaction, w.made = t.ID, t
		w.answer.TransactionID = &transaction
	} else if w.asking != nil && !w.deed {
		return external.ErrInside // its rule pays nothing any more
	}
	if err := w.person.Admit(b, w.scope); err != nil { // what is paid may be for others alone
		return err
	}
	w.remember(b, reward.Amount, transaction)
	for _, p := range w.parts {
		if err := p.paid(b, w, reward); err != nil {
			return err
		}
	}
	if w.in.Key == "" || w.agreed != nil && w.agreed.keyless {
		return nil
	}
	ledger.UseKey(
		b,
		w.scope,
		ledger.KeyUse{Key: w.in.Key, Hash: w.input(), TransactionID: transaction, Answer: string(store.JSON(w.answer))},
	)
	return nil
}

// rewards is what the answer tells of a reward.
func (w *completion) rewards(reward decision.Reward) []Paid {
	paid := []Paid{}
	if currency := w.rule.Currency(); reward.Multiplier > 0 {
		paid = append(paid, Paid{RewardType: w.rule.RewardType, Multiplier: &reward.Multiplier})
	} else if !currency.IsZero() {
		paid = append(paid, Paid{RewardType: w.rule.RewardType, Amount: &reward.Amount, CurrencyID: &currency})
	}
	for _, c := range reward.Credits {
		kind, currency := w.rule.RewardType, w.currencyOf(c)
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
		Scope:       w.scope,
		Type:        ledger.TypeLoyaltyRule,
		Description: w.rule.Name,
		RuleID:      w.rule.ID,
		RuleType:    string(w.rule.Type),
	}
	line := ledger.Line{Party: Party(w.person, w.scope), Direction: ledger.Credit}
	// What pays nothing has its entry of 0, a multiplier always, points of check-ins only where no milestone tells of
	// them.
	zero := len(reward.Credits) == 0 || reward.Multiplier > 0 || w.in.Key != ""
	if currency := w.rule.Currency(); live && !currency.IsZero() && (reward.Amount > 0 || zero) {
		line.CurrencyID, line.Amount, line.Key, line.Metadata = currency, reward.Amount, w.in.Key, w.metadata(reward)
		p.Lines = append(p.Lines, line)
	}
	for _, c := range reward.Credits {
		p.Lines = append(
			p.Lines,
			ledger.Line{
				Party:      line.Party,
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
		return w.rule.Currency()
	}
	return c.CurrencyID
}

// metadata is what the entry tells of the completion (contract 5.5).
func (w *completion) metadata(reward decision.Reward) json.RawMessage {
	m := map[string]any{}
	if reward.RangeStart != nil {
		m["rangeStart"] = *reward.RangeStart
	}
	if w.in.ContentURL != "" {
		m["contentUrl"] = w.in.ContentURL
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

// Party is a person as the ledger takes it.
func Party(p identity.Person, scope laurel.Scope) ledger.Party {
	return ledger.Party{
		UserID:   p.UserID,
		Wallet:   p.Wallet,
		Blocked:  p.Blocked,
		Spenders: p.Spenders(),
		Locks:    p.Locks(),
		Check:    p.Check,
		Admit:    func(b *store.Batch) error { return p.Admit(b, scope) },
	}
}

// remember writes the window claim, the subject's counters and progress, and the change "LoyaltyRuleStatus completed".
func (w *completion) remember(b *store.Batch, amount laurel.Amount, transaction laurel.ID) {
	meta := w.rule.Meta()
	now, at := store.Micros(b.Now()), w.upTo(b)
	sub := progress.Subjects.Changed(b, w.subjectKey())
	if sub.Begin(b, w.scope) && w.job != nil {
		// the processing view tells of the click and of what became of it in one place
		sub.ID, sub.CreatedAt = w.job.ID, w.job.CreatedAt
	}
	sub.UpdatedAt, sub.LastPaidAt, sub.UserID = now, &now, w.person.UserID
	if verified(&w.rule) { // what was done after it is not paid for, and what was paid for before stays so
		sub.CompletedAt = progress.Later(sub.CompletedAt, &at)
	} else {
		sub.CompletedAt = &now
	}
	sub.Count(amount, b.Now())
	if w.person.Subject() != w.person.UserID {
		w.countOwn(b, amount)
	}
	if w.in.Key == "" {
		sub.WindowPaidAt = progress.Later(sub.WindowPaidAt, &at)
	}
	sub.Progress = w.remains(sub)
	feed.Changes.Add(b, feed.Change{OrganizationID: w.scope.OrganizationID, WebsiteID: w.scope.WebsiteID, EntityID: sub.ID,
		Table: feed.RuleStatus, Action: feed.Completed, Data: w.moved(transaction)})
	if !w.claiming() {
		sub.FoundAt = nil
	}
	progress.UseUp(b, w.rule.ID, w.claimants(), w.claimed(sub))
	if meta.ResetProgressOnClaim { // status and window open again; caps and keys stay
		sub.LastPaidAt, sub.WindowPaidAt = nil, nil // CompletedAt stays: a required rule has been completed once
		return
	}
	for _, k := range w.claimKeys() {
		if progress.Claims.Row(b, k).CreatedAt != 0 {
			continue // a code that was good before its rule asked for another one each time
		}
		c := progress.Claims.Changed(b, k)
		c.OrganizationID, c.WebsiteID, c.UserID, c.TransactionID =
			w.scope.OrganizationID, w.scope.WebsiteID, w.person.UserID, transaction
		c.CreatedAt = store.Micros(w.at(b.Now()))
	}
}

// upTo is the moment up to which is paid for what was done: that of the decision, and where nothing measures the reward
// that of the run which found what is claimed. When it is claimed says nothing then.
func (w *completion) upTo(b *store.Batch) int64 {
	found := w.claimed(progress.Subjects.Row(b, w.subjectKey()))
	if found != nil && verified(&w.rule) && !w.rule.Meta().Measured(w.rule.Type) {
		return *found
	}
	return store.Micros(w.at(b.Now()))
}

// countOwn counts what a member of a group is paid for itself too: it leaves the group with it.
func (w *completion) countOwn(b *store.Batch, amount laurel.Amount) {
	now := store.Micros(b.Now())
	own := progress.Subjects.Changed(b, w.ownKey())
	own.Begin(b, w.scope)
	own.UpdatedAt, own.UserID = now, w.person.UserID
	own.Count(amount, b.Now())
}

func (w *completion) ownKey() progress.Key {
	return progress.Key{Rule: w.rule.ID, Subject: w.person.UserID}
}

func (w *completion) moved(transaction laurel.ID) json.RawMessage {
	return store.JSON(struct {
		RuleID        laurel.ID  `json:"loyaltyRuleId"`
		UserID        laurel.ID  `json:"userId"`
		TransactionID *laurel.ID `json:"loyaltyTransactionId"`
	}{w.rule.ID, w.person.UserID, transaction.Ptr()})
}
