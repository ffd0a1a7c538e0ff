package completion

import (
	"context"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/ruletypes"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// grantMultiplierStep: the rule gives a multiplier (contract 5.5). The member is marked as one that has multipliers
// before the decision.
type grantMultiplierStep struct {
	*Service
	retroactiveCurrencies []laurel.ID // currencies whose balances a multiplier of the rule concerns at once
}

func grantsMultiplier(r *catalog.Rule) bool { return r.RewardType == schema.RewardMultiplier }

func (s *grantMultiplierStep) Prepare(ctx context.Context, c *ruletypes.Case) (err error) {
	if !c.In.VerifyOnly {
		if c.Person, err = s.people.Marked(ctx, c.Scope, c.Person); err != nil {
			return err
		}
	}
	s.retroactiveCurrencies = nil
	if c.Rule.Meta().IsRetroactive {
		s.retroactiveCurrencies, err = s.findRetroactiveCurrencies(ctx, c)
	}
	return err
}

// maxRetroactiveCurrencies bounds the accounts that one multiplier concerns at once.
const maxRetroactiveCurrencies = 100

// findRetroactiveCurrencies lists the currencies that the rule's multiplier is for: not the hidden ones of token
// rewards, and not those whose balances are known outside alone.
func (s *grantMultiplierStep) findRetroactiveCurrencies(ctx context.Context, c *ruletypes.Case) ([]laurel.ID, error) {
	live, err := s.ledger.ListCurrencies(
		ctx,
		c.Scope,
		ledger.CurrencyFilter{IDs: c.Rule.Meta().MultiplierCurrencies},
		laurel.PageRequest{Limit: maxRetroactiveCurrencies},
	)
	var ids []laurel.ID
	for _, c := range live.Data {
		if c.API.PostURL == nil {
			ids = append(ids, c.ID)
		}
	}
	return ids, err
}

func (s *grantMultiplierStep) Locks(c *ruletypes.Case) []store.Lock {
	locks := engagement.MultiplierLocks(c.Scope.WebsiteID, c.Person.Multiplying)
	for _, currency := range s.retroactiveCurrencies {
		locks = append(
			locks,
			ledger.Posting{
				Lines: []ledger.Line{{
					Member: ruletypes.LedgerMember(c.Person, c.Scope), CurrencyID: currency, Direction: ledger.Credit,
				}},
			}.Locks()...)
	}
	return locks
}

func (s *grantMultiplierStep) LockedFacts(b *store.Batch, c *ruletypes.Case, f *decision.Facts) {
	f.Multipliers, f.Balances = engagement.LiveMultipliers(b, c.Scope.WebsiteID, c.Person.Multiplying), nil
	f.HasCompletedBefore = progress.States.Row(b, c.StateKey()).CompletedAt != nil
	for _, currency := range s.retroactiveCurrencies {
		if ledger.LiveCurrency(b, c.Scope, currency) && !ledger.Outside(b, currency) {
			f.Balances = append(
				f.Balances,
				decision.Balance{CurrencyID: currency, Amount: ledger.PublicBalance(b, currency, c.Person.UserID)},
			)
		}
	}
}

func (s *grantMultiplierStep) UnlockedFacts(ctx context.Context, c *ruletypes.Case, f *decision.Facts) error {
	var err error
	if f.Multipliers, err = s.engagement.ReadLiveMultipliers(ctx, c.Scope, c.Person.Multiplying); err != nil {
		return err
	}
	sub, err := s.deps.Loaders.State(ctx, c.StateKey())
	if err != nil {
		return err
	}
	f.HasCompletedBefore = sub.CompletedAt != nil
	held, err := s.ledger.Holdings(ctx, c.Scope, laurel.Sight{}, []laurel.ID{c.Person.UserID}, s.retroactiveCurrencies)
	f.Balances = nil
	for _, currency := range s.retroactiveCurrencies {
		f.Balances = append(
			f.Balances,
			decision.Balance{CurrencyID: currency, Amount: held.Sum(currency, []laurel.ID{c.Person.UserID})},
		)
	}
	return err
}

func (s *grantMultiplierStep) Apply(b *store.Batch, c *ruletypes.Case, reward decision.Reward) error {
	if !c.Rule.DeletedAt.IsZero() {
		return nil // while a provider was asked: what it gave has ended
	}
	engagement.MultiplierGrant{
		Scope:       c.Scope,
		UserID:      c.Person.UserID,
		RuleID:      c.Rule.ID,
		Value:       reward.Multiplier,
		CurrencyIDs: c.Rule.Meta().MultiplierCurrencies,
		Replaces:    reward.ReplacedMultipliers,
	}.Stage(b)
	return nil
}
