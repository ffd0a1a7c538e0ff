package completion

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/progress"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// grantMultiplierStep grants the multiplier of a rule (contract 5.5). It marks the member as one with multipliers
// before the decision.
type grantMultiplierStep struct {
	*Service
	retroactiveCurrencies []laurel.ID // a retroactive multiplier also raises the balances in these
}

// newGrantMultiplierStep returns the step that grants the multiplier of a rule.
func newGrantMultiplierStep(s *Service) *ruletypes.Step {
	step := &grantMultiplierStep{Service: s}
	return &ruletypes.Step{
		Prepare: step.prepare, UnlockedFacts: step.addUnlockedFacts, Locks: step.locks, LockedFacts: step.addLockedFacts,
		Apply: stageMultiplier,
	}
}

// grantsMultiplier reports whether the reward of the rule is a multiplier.
func grantsMultiplier(r *catalog.Rule) bool { return r.RewardType == schema.RewardMultiplier }

// prepare gives the member the mark of having multipliers, unless the call writes nothing. If the multiplier is
// retroactive, it also finds the currencies whose balances are raised.
func (s *grantMultiplierStep) prepare(ctx context.Context, c *ruletypes.Case) (err error) {
	if !c.In.VerifyOnly {
		if c.Person, err = s.people.EnsureMultiplierMark(ctx, c.Scope, c.Person); err != nil {
			return err
		}
	}
	s.retroactiveCurrencies = nil
	if c.Rule.Meta().IsRetroactive {
		s.retroactiveCurrencies, err = s.findRetroactiveCurrencies(ctx, c)
	}
	return err
}

// maxRetroactiveCurrencies bounds the balances that one retroactive multiplier raises.
const maxRetroactiveCurrencies = 100

// findRetroactiveCurrencies returns the currencies of the rule's multiplier, at most 100: those that the rule names, or
// all of the website. It leaves out the hidden ones of token rewards, and those of external ledgers, whose balances are
// not stored here.
func (s *grantMultiplierStep) findRetroactiveCurrencies(ctx context.Context, c *ruletypes.Case) ([]laurel.ID, error) {
	currencies, err := s.ledger.ListCurrencies(
		ctx,
		c.Scope,
		ledger.CurrencyFilter{IDs: c.Rule.Meta().MultiplierCurrencies},
		laurel.PageRequest{Limit: maxRetroactiveCurrencies},
	)
	var ids []laurel.ID
	for _, currency := range currencies.Data {
		if currency.API.PostURL == nil {
			ids = append(ids, currency.ID)
		}
	}
	return ids, err
}

// locks returns the locks of the member's multipliers and of the balances that are raised.
func (s *grantMultiplierStep) locks(c *ruletypes.Case) []store.Lock {
	locks := engagement.MultiplierLocks(c.Scope.WebsiteID, c.Person.WithMultipliers)
	for _, currency := range s.retroactiveCurrencies {
		locks = append(
			locks,
			ledger.Posting{
				Lines: []ledger.Line{{
					Member: ruletypes.ToLedgerMember(c.Person, c.Scope), CurrencyID: currency, Direction: ledger.Credit,
				}},
			}.Locks()...)
	}
	return locks
}

// addLockedFacts sets the member's multipliers, the balances that a retroactive multiplier raises, and whether the
// member has completed the rule before.
func (s *grantMultiplierStep) addLockedFacts(b *store.Batch, c *ruletypes.Case, f *decision.Facts) {
	f.Multipliers, f.Balances = engagement.LiveMultipliers(b, c.Scope.WebsiteID, c.Person.WithMultipliers), nil
	f.HasCompletedBefore = progress.States.Row(b, c.StateKey()).CompletedAt != nil
	for _, currency := range s.retroactiveCurrencies {
		if ledger.IsLiveCurrency(b, c.Scope, currency) && !ledger.IsExternal(b, currency) {
			f.Balances = append(
				f.Balances,
				decision.Balance{CurrencyID: currency, Amount: ledger.PublicBalance(b, currency, c.Person.UserID)},
			)
		}
	}
}

// addUnlockedFacts sets the same facts as addLockedFacts, read without locks.
func (s *grantMultiplierStep) addUnlockedFacts(ctx context.Context, c *ruletypes.Case, f *decision.Facts) error {
	var err error
	if f.Multipliers, err = s.engagement.ReadLiveMultipliers(ctx, c.Scope, c.Person.WithMultipliers); err != nil {
		return err
	}
	state, err := s.deps.Loaders.State(ctx, c.StateKey())
	if err != nil {
		return err
	}
	f.HasCompletedBefore = state.CompletedAt != nil
	balances, err := s.ledger.VisibleBalances(
		ctx, c.Scope, laurel.Visibility{}, []laurel.ID{c.Person.UserID}, s.retroactiveCurrencies,
	)
	f.Balances = nil
	for _, currency := range s.retroactiveCurrencies {
		f.Balances = append(
			f.Balances,
			decision.Balance{CurrencyID: currency, Amount: balances.Sum(currency, []laurel.ID{c.Person.UserID})},
		)
	}
	return err
}

// stageMultiplier grants the multiplier, in place of those that it replaces.
func stageMultiplier(b *store.Batch, c *ruletypes.Case, p *ruletypes.Payment) error {
	if !c.Rule.DeletedAt.IsZero() {
		return nil // deleted while an external ledger was asked, and its multipliers have ended
	}
	engagement.MultiplierGrant{
		Scope:       c.Scope,
		UserID:      c.Person.UserID,
		RuleID:      c.Rule.ID,
		Value:       p.Reward.Multiplier,
		CurrencyIDs: c.Rule.Meta().MultiplierCurrencies,
		Replaces:    p.Reward.ReplacedMultipliers,
	}.Stage(b)
	return nil
}
