package badges

import (
	"context"
	"fmt"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/payouts"
	"laurel.example/laurel/internal/store"
)

// Grant stages the grant of the plan's badge to the person, with all rewards. It returns the person's record of the
// badge, and whether the badge is granted now. A badge that the person holds is not granted again, nor, without
// options.Force, one that was revoked. The caller has called Check in the same batch.
func (p *Plan) Grant(b *store.Batch, person identity.Person, options GrantOptions) (BadgeUser, bool, error) {
	key := badgeUserKey{p.root, person.UserID}
	steps := p.stepsFor(b, person, options)
	if len(steps) == 0 {
		if row := badgeUsers.Row(b, key); row.Status == Active && row.Dynamic && !options.Dynamic {
			row = badgeUsers.Changed(b, key) // a dynamic reward becomes a permanent one
			row.Dynamic, row.RuleID = false, laurel.NullableID(options.RuleID)
		}
		return badgeUsers.Row(b, key).BadgeUser, false, nil
	}
	postings := make([]ledger.Posting, len(steps))
	for i, s := range steps { // all postings are computed before one is staged, which would change the balances
		var err error
		if postings[i], err = p.rewardPosting(b, person, s); err != nil {
			return BadgeUser{}, false, err
		}
	}
	if err := person.Admit(b, p.scope); err != nil {
		return BadgeUser{}, false, err
	}
	for i, s := range steps {
		row := badgeUsers.Changed(b, badgeUserKey{s.badge.ID, person.UserID})
		if row.Status == "" {
			row.initialize(b, s.badge)
		}
		row.RuleID, row.Dynamic = laurel.NullID{}, false
		if s.badge.ID == p.root {
			if row.RuleID, row.Dynamic = laurel.NullableID(options.RuleID), options.Dynamic; options.Progress != nil {
				row.setProgress(options.Progress)
			}
		}
		if options.Force {
			row.setProgress(s.badge.initialProgress()) // it is not earned by its conditions
		}
		row.CompletedAt.Time = b.Now()
		if s.paysRewards {
			row.RewardedAt.Time = b.Now()
		}
		row.setStatus(b, Active)
		p.grantMultipliers(b, person, s.badge)
		p.payRewards(b, person, s.badge, postings[i])
	}
	return badgeUsers.Row(b, key).BadgeUser, true, nil
}

// grantMultipliers stages the multipliers of a badge, also if the badge is granted for the second time.
func (p *Plan) grantMultipliers(b *store.Batch, person identity.Person, badge Badge) {
	for _, r := range badge.Rewards {
		if r.Type == Multiplier {
			engagement.MultiplierGrant{
				Scope:       p.scope,
				UserID:      person.UserID,
				BadgeID:     badge.ID,
				Value:       r.Multiplier,
				CurrencyIDs: r.CurrencyIDs,
			}.Stage(b)
		}
	}
}

// payRewards stages the posting of a badge's points and tokens, and payouts of the tokens. Check has found that the
// posting is allowed; if it fails nevertheless, payRewards panics, so that the whole transaction fails.
func (p *Plan) payRewards(b *store.Batch, person identity.Person, badge Badge, posting ledger.Posting) {
	if len(posting.Lines) == 0 {
		return
	}
	transaction, err := posting.Stage(b)
	if err != nil {
		panic(fmt.Errorf("the rewards of badge %s: %w", badge.ID, err))
	}
	for _, e := range transaction.Entries {
		if !slices.Contains(posting.Tokens, e.CurrencyID) {
			continue
		}
		token := p.tokens[e.CurrencyID]
		payouts.Owe(b, payouts.Payout{
			OrganizationID: p.scope.OrganizationID,
			WebsiteID:      p.scope.WebsiteID,
			CurrencyID:     e.CurrencyID,
			BadgeID:        laurel.NullableID(badge.ID),
			EntryID:        e.ID,
			UserID:         person.UserID,
			Wallet:         person.Wallet,
			Amount:         e.Amount,
			ContractID:     laurel.NullableID(token.ContractID),
			Network:        laurel.NullText(token.Network),
		})
	}
}

// rewardPosting returns the posting that pays the rewards of a badge, by the present balances: points, tokens, and the
// increase of balances by retroactive multipliers. It has no lines if the badge was paid before. It leaves out
// currencies that were deleted, or moved to an external ledger, since the badge was saved.
func (p *Plan) rewardPosting(b *store.Batch, person identity.Person, s grantStep) (ledger.Posting, error) {
	out := ledger.Posting{
		Scope: p.scope, Type: ledger.TypeLoyaltyRule, Cause: ledger.CauseReward, Description: s.badge.Name,
	}
	if !s.paysRewards {
		return out, nil
	}
	type origin struct {
		BadgeID    laurel.ID     `json:"loyaltyBadgeId"`
		Multiplier laurel.Amount `json:"multiplier,omitzero"`
	}
	add := func(currency laurel.ID, amount laurel.Amount, from origin) {
		line := p.rewardLine(person, currency, amount)
		line.Metadata = store.JSON(from)
		out.Lines = append(out.Lines, line)
	}
	for _, r := range s.badge.Rewards {
		switch _, isToken := p.tokens[r.CurrencyID]; {
		case r.Type == Points && !isToken && p.canPay(b, r.CurrencyID):
			add(r.CurrencyID, r.Amount, origin{BadgeID: s.badge.ID})
		case r.Type == Token && isToken && p.canPay(b, r.CurrencyID):
			out.Tokens = append(out.Tokens, r.CurrencyID)
			add(r.CurrencyID, r.Amount, origin{BadgeID: s.badge.ID})
		case r.Type == Multiplier:
			for _, currency := range p.retroactiveCurrencies(r) {
				if !p.canPay(b, currency) {
					continue
				}
				increase, err := laurel.Product(ledger.PublicBalance(b, currency, person.UserID), r.Multiplier-laurel.One)
				if err != nil {
					var f laurel.Faults
					f.Add("amount", "%s", err)
					return out, f.Err()
				}
				if increase > 0 {
					add(currency, increase, origin{s.badge.ID, r.Multiplier})
				}
			}
		}
	}
	return out, nil
}

// canPay reports whether rewards can be paid in a currency. The caller holds its lock.
func (p *Plan) canPay(b *store.Batch, currency laurel.ID) bool {
	return ledger.IsLiveCurrency(b, p.scope, currency) && !ledger.IsExternal(b, currency)
}

// Grant grants a badge to a member, and returns the member's record of the badge. A new wallet becomes a user. A badge
// that is granted already pays nothing again. Errors: NotFound "Badge", "User"; Refused and Invalid if its rewards
// cannot be paid.
func (s *Service) Grant(
	ctx context.Context,
	scope laurel.Scope,
	badge laurel.ID,
	ref identity.Ref,
	options GrantOptions,
) (BadgeUser, error) {
	w := &grantWork{options: options}
	tries := 0
	err := s.Committer.Submit(ctx, scope.Request, func() (_ store.Work, err error) {
		if w.plan, err = s.Plan(ctx, scope, badge); err != nil {
			return nil, err
		}
		tries++
		// a retry reads the person from the database
		if w.person, err = s.People.Find(ctx, w.plan.scope, ref, tries > 1); err != nil {
			return nil, err
		}
		if w.plan.HasMultiplier() {
			w.person, err = s.People.EnsureMultiplierMark(ctx, w.plan.scope, w.person)
		}
		return w, err
	})
	return w.user, err
}

// grantWork grants a badge to a member. It is a store.Work.
type grantWork struct {
	plan    *Plan
	person  identity.Person
	options GrantOptions
	user    BadgeUser
}

func (w *grantWork) String() string {
	return "badge " + w.plan.root.String() + " for user " + w.person.UserID.String()
}

func (w *grantWork) Locks() []store.Lock { return w.plan.Locks(w.person) }

// Judge checks the plan and grants the badge.
func (w *grantWork) Judge(b *store.Batch) (err error) {
	if err := w.plan.Check(b, w.person, w.options); err != nil {
		return err
	}
	w.user, _, err = w.plan.Grant(b, w.person, w.options)
	return err
}
