package completion

import (
	"context"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/referrals"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// referral: a rule pays for bringing somebody: a welcome to whom it is completed for, and a lump sum to who brought it
// (contract 5.12).
type referral struct{ *Service }

// brought is the referral that a completion is about, as it was read ahead.
type brought struct {
	row      referrals.Referral
	referrer identity.Person
	terms    schema.Referral
	lump     bool // there is one, and somebody who may get it
}

func (referral) key(w *completion) referrals.Key {
	return referrals.Key{Rule: w.rule.ID, Referee: w.person.UserID}
}

func (s referral) ahead(ctx context.Context, w *completion) error {
	w.brought = nil
	found, err := referrals.Table.Read(ctx, s.db, []referrals.Key{s.key(w)})
	row := found[s.key(w)]
	if err != nil || row == nil {
		return err
	}
	referrer, err := s.people.Person(ctx, w.scope, identity.Ref{UserID: row.ReferrerID})
	if err != nil {
		return err
	}
	terms := w.rule.Referral()
	w.brought = &brought{*row, referrer, terms, terms.Lump > 0 && !referrer.Blocked}
	if w.agreed != nil { // whoever was blocked or freed since
		w.brought.lump = w.agreed.Lump
	}
	return nil
}

// known are the facts of a referral, of which there may be none.
func (b *brought) known(row *referrals.Referral) decision.Referral {
	return decision.Referral{Eligible: b != nil && row.Eligible(), Referrer: b != nil && !b.referrer.Blocked}
}

func (s referral) locks(w *completion) []store.Lock {
	locks := []store.Lock{referrals.Table.Lock(s.key(w))}
	if line, ok := w.lump(); ok {
		locks = append(locks, ledger.Posting{Lines: []ledger.Line{line}}.Locks()...)
	}
	return locks
}

func (s referral) judged(b *store.Batch, w *completion, f *decision.Facts) {
	f.Referral = w.brought.known(referrals.Table.Row(b, s.key(w)))
}

func (s referral) asked(_ context.Context, w *completion, f *decision.Facts) error {
	if w.brought != nil {
		f.Referral = w.brought.known(&w.brought.row)
	}
	return nil
}

// lump is the line of the lump sum.
func (w *completion) lump() (ledger.Line, bool) {
	if w.brought == nil || !w.brought.lump {
		return ledger.Line{}, false
	}
	currency := w.brought.terms.LumpCurrencyID
	if currency == nil {
		currency = w.rule.LoyaltyCurrencyID
	}
	// a lump sum is points: tokens are owed to the referee alone
	if currency == nil || *currency == w.rule.TokenCurrencyID {
		return ledger.Line{}, false
	}
	return ledger.Line{
		Party:      Party(w.brought.referrer, w.scope),
		CurrencyID: *currency,
		Direction:  ledger.Credit,
		Amount:     w.brought.terms.Lump,
		Metadata:   referrals.Metadata("lump_sum", w.brought.row.RefereeID),
	}, true
}

func (referral) pays(w *completion, p *ledger.Posting) {
	if len(p.Lines) > 0 { // a multiplier may be no entry
		p.Lines[0].Metadata = referrals.Metadata("welcome", w.person.UserID)
	}
	if line, ok := w.lump(); ok {
		p.Lines = append(p.Lines, line)
	}
}

func (s referral) paid(b *store.Batch, w *completion, _ decision.Reward) error {
	row := referrals.Table.Changed(b, s.key(w))
	row.Close(b)
	if line, ok := w.lump(); ok && w.rule.LoyaltyCurrencyID != nil && line.CurrencyID == *w.rule.LoyaltyCurrencyID {
		row.Lump = line.Amount
	}
	return nil
}

// Settle pays the welcome and the lump sum of a referral whose requirements hold. Each referee counts once, whatever
// the rule's interval is. Errors are those of Complete; "Quest not completed" where the requirements do not hold.
func (s *Service) Settle(ctx context.Context, scope laurel.Scope, rule, referee laurel.ID) error {
	w := &completion{service: s, scope: scope, in: CompleteInput{RuleID: rule, User: identity.Ref{UserID: referee}},
		fed: &Occasion{By: decision.ByEvent, At: s.db.Now(), Window: schema.IntervalOnce}}
	return s.submit(ctx, w)
}
