package ruletypes

import (
	"context"

	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/referrals"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// referredUser pays the referee a welcome bonus and the referrer a bonus when the requirements of the referral hold
// (contract 5.12).
var referredUser = Kind{
	Kind: schema.Kind{
		Type: schema.TypeReferredUser, Family: schema.FamilyEngagement, Title: "Referral",
		Summary: "Members refer new members. You can reward both members and pay the referrer a share of the new member’s earnings.",
		// No call completes a referral: changes of the referee are watched instead.
		Scheduled: true, TriggeredByEvents: true, IgnoresMultipliers: true,
	},
	Decision: &decision.Kind{Check: checkReferral},
	NewStep:  newReferralStep,
}

// checkReferral refuses unless the referral is eligible.
func checkReferral(f decision.Facts) error {
	if !f.Referral.Eligible {
		return decision.Refuse(decision.MsgNotCompleted)
	}
	return nil
}

// referralStep reads, pays and closes the referral of one completion.
type referralStep struct {
	*Deps
	row       *referrals.Referral // as prepare read it; nil: there is no referral
	referrer  identity.Person
	terms     schema.Referral
	paysBonus bool // the referrer gets a bonus
}

// newReferralStep returns the step of a referral.
func newReferralStep(d *Deps, _ *Case) *Step {
	s := &referralStep{Deps: d}
	return &Step{
		Prepare: s.prepare, UnlockedFacts: s.addReferral, Locks: s.locks, LockedFacts: s.addLockedReferral,
		EditPosting: s.editPosting, Apply: s.settle,
	}
}

// referralKey returns the key of the referral.
func referralKey(c *Case) referrals.Key {
	return referrals.Key{Rule: c.Rule.ID, Referee: c.Person.UserID}
}

// prepare reads the referral, its referrer and the terms of the rule. Without a referral the step pays no bonus, and
// the facts refuse the completion.
func (s *referralStep) prepare(ctx context.Context, c *Case) error {
	s.row, c.PaysReferrer = nil, false
	found, err := referrals.Table.Read(ctx, s.DB, []referrals.Key{referralKey(c)})
	row := found[referralKey(c)]
	if err != nil || row == nil {
		return err
	}
	if s.referrer, err = s.People.Person(ctx, c.Scope, identity.Ref{UserID: row.ReferrerID}); err != nil {
		return err
	}
	rowCopy := *row // the loaded row is shared
	s.row, s.terms = &rowCopy, c.Rule.Referral()
	s.paysBonus = s.terms.ReferrerBonus > 0 && !s.referrer.Blocked
	if c.Accepted != nil { // the referrer may have been blocked or unblocked since
		s.paysBonus = c.Accepted.PaysReferrer
	}
	_, c.PaysReferrer = s.referrerBonus(c)
	return nil
}

// facts returns the facts of the referral's row.
func (s *referralStep) facts(row *referrals.Referral) decision.Referral {
	return decision.Referral{Eligible: s.row != nil && row.IsEligible(), HasReferrer: s.row != nil && !s.referrer.Blocked}
}

// locks returns the locks of the referral and of the referrer's account.
func (s *referralStep) locks(c *Case) []store.Lock {
	locks := []store.Lock{referrals.Table.Lock(referralKey(c))}
	if line, ok := s.referrerBonus(c); ok {
		locks = append(locks, ledger.Posting{Lines: []ledger.Line{line}}.Locks()...)
	}
	return locks
}

// addLockedReferral adds the referral, as its locked row shows it.
func (s *referralStep) addLockedReferral(b *store.Batch, c *Case, f *decision.Facts) {
	f.Referral = s.facts(referrals.Table.Row(b, referralKey(c)))
}

// addReferral adds the referral, as prepare read it.
func (s *referralStep) addReferral(_ context.Context, _ *Case, f *decision.Facts) error {
	if s.row != nil {
		f.Referral = s.facts(s.row)
	}
	return nil
}

// referrerBonus returns the line that pays the referrer. It returns false if the referrer gets no bonus: without a
// referral, if the rule has none, if the referrer is blocked, or if the rule has no currency of points for it.
func (s *referralStep) referrerBonus(c *Case) (ledger.Line, bool) {
	if s.row == nil || !s.paysBonus {
		return ledger.Line{}, false
	}
	currency := s.terms.BonusCurrencyID
	if currency == nil {
		currency = c.Rule.LoyaltyCurrencyID
	}
	// The bonus is paid in points. Only the referee gets tokens.
	if currency == nil || *currency == c.Rule.TokenCurrencyID {
		return ledger.Line{}, false
	}
	return ledger.Line{
		Member:     ToLedgerMember(s.referrer, c.Scope),
		CurrencyID: *currency,
		Direction:  ledger.Credit,
		Amount:     s.terms.ReferrerBonus,
		Metadata:   referrals.Metadata("lump_sum", s.row.RefereeID),
	}, true
}

// editPosting marks the first line as the welcome bonus and adds the line of the referrer's bonus, if there is one.
func (s *referralStep) editPosting(c *Case, p *ledger.Posting) {
	if len(p.Lines) > 0 { // a multiplier may have no entry
		p.Lines[0].Metadata = referrals.Metadata("welcome", c.Person.UserID)
	}
	if line, ok := s.referrerBonus(c); ok {
		p.Lines = append(p.Lines, line)
	}
}

// settle settles the referral. If the referrer's bonus is paid in the rule's own currency, it also stores the bonus on
// the referral.
func (s *referralStep) settle(b *store.Batch, c *Case, _ *Payment) error {
	row := referrals.Table.Changed(b, referralKey(c))
	row.Settle(b)
	line, ok := s.referrerBonus(c)
	if own := c.Rule.LoyaltyCurrencyID; ok && own != nil && line.CurrencyID == *own {
		row.ReferrerBonus = line.Amount
	}
	return nil
}
