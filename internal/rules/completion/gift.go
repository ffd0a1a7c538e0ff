package completion

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/decision"
	"laurel/internal/rules/progress"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
)

// gift: the rule gives a multiplier (contract 5.5). The member is marked as one that has multipliers before the
// decision, in a transaction of its own: the decision only shares its row. A mark without a multiplier does no harm.
type gift struct {
	*Service
}

func gives(r *catalog.Rule) bool { return r.RewardType == schema.RewardMultiplier }

func (s gift) ahead(ctx context.Context, w *completion) (err error) {
	if !w.in.VerifyOnly {
		if w.person, err = s.mark(ctx, w.scope, w.person); err != nil {
			return err
		}
	}
	w.retroactive = nil
	if w.rule.Meta().IsRetroactive {
		w.retroactive, err = s.concerned(ctx, w)
	}
	return err
}

// maxConcerned bounds the accounts that one multiplier concerns at once.
const maxConcerned = 100

// concerned lists the currencies that the rule's multiplier is for: not the hidden ones of token rewards, and not those
// whose balances are known outside alone.
func (s gift) concerned(ctx context.Context, w *completion) ([]laurel.ID, error) {
	live, err := s.ledger.ListCurrencies(
		ctx,
		w.scope,
		ledger.CurrencyFilter{IDs: w.rule.Meta().MultiplierCurrencies},
		laurel.PageRequest{Limit: maxConcerned},
	)
	var ids []laurel.ID
	for _, c := range live.Data {
		if c.API.PostURL == nil {
			ids = append(ids, c.ID)
		}
	}
	return ids, err
}

// mark has payments to the member look for multipliers from now on, and returns the person with that mark. A new member
// is marked when its row is written.
func (s *Service) mark(ctx context.Context, scope laurel.Scope, p identity.Person) (identity.Person, error) {
	switch {
	case slices.Contains(p.Multiplying, p.UserID):
		return p, nil
	case p.NewMember:
		p.WillMultiply, p.Multiplying = true, append(slices.Clone(p.Multiplying), p.UserID)
		return p, nil
	}
	own := store.WithRequestKey(ctx, nil) // the request's key is for what pays
	if err := s.db.InTx(own, func(tx *store.Tx) error {
		_, err := s.people.Multiplying(own, tx, scope, identity.Ref{UserID: p.UserID})
		return err
	}); err != nil {
		return p, err
	}
	return s.people.Find(ctx, scope, identity.Ref{UserID: p.UserID}, true)
}

func (gift) locks(w *completion) []store.Lock {
	locks := engagement.MultiplierLocks(w.scope.WebsiteID, w.person.Multiplying)
	for _, currency := range w.retroactive {
		locks = append(
			locks,
			ledger.Posting{
				Lines: []ledger.Line{{Party: Party(w.person, w.scope), CurrencyID: currency, Direction: ledger.Credit}},
			}.Locks()...)
	}
	return locks
}

func (gift) judged(b *store.Batch, w *completion, f *decision.Facts) {
	f.Multipliers, f.Balances = engagement.HeldMultipliers(b, w.scope.WebsiteID, w.person.Multiplying), nil
	f.CompletedBefore = progress.Subjects.Row(b, w.subjectKey()).CompletedAt != nil
	for _, currency := range w.retroactive {
		if ledger.LiveCurrency(b, w.scope, currency) && !ledger.Outside(b, currency) {
			f.Balances = append(
				f.Balances,
				decision.Balance{CurrencyID: currency, Amount: ledger.Held(b, currency, w.person.UserID)},
			)
		}
	}
}

func (s gift) asked(ctx context.Context, w *completion, f *decision.Facts) error {
	var err error
	if f.Multipliers, err = s.engagement.ReadMultipliers(ctx, w.scope, w.person.Multiplying); err != nil {
		return err
	}
	sub, err := s.reads.subject(ctx, w.subjectKey())
	if err != nil {
		return err
	}
	f.CompletedBefore = sub.CompletedAt != nil
	held, err := s.ledger.Holdings(ctx, w.scope, []laurel.ID{w.person.UserID}, w.retroactive)
	f.Balances = nil
	for _, currency := range w.retroactive {
		f.Balances = append(
			f.Balances,
			decision.Balance{CurrencyID: currency, Amount: held.Sum(currency, []laurel.ID{w.person.UserID})},
		)
	}
	return err
}

func (gift) paid(b *store.Batch, w *completion, reward decision.Reward) error {
	if !w.rule.DeletedAt.IsZero() { // while a provider was asked: what it gave has ended
		w.answer.Rewards = slices.DeleteFunc(w.answer.Rewards, func(p Paid) bool { return p.Multiplier != nil })
		return nil
	}
	engagement.Gift{
		Scope:       w.scope,
		UserID:      w.person.UserID,
		RuleID:      w.rule.ID,
		Value:       reward.Multiplier,
		CurrencyIDs: w.rule.Meta().MultiplierCurrencies,
		Ends:        reward.Ends,
	}.Stage(b)
	return nil
}
