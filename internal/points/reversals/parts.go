package reversals

import (
	"context"
	"encoding/json"
	"slices"

	"laurel"
	"laurel/internal/points/ledger"
	"laurel/internal/points/lots"
	"laurel/internal/store"
)

// Part is what a transaction has done to one account.
type Part struct {
	UserID, CurrencyID laurel.ID
	Amount             laurel.Amount // what the member got; negative: what it paid
	held               []laurel.ID   // lots of the member that are not credited yet; their points are not in Amount
	Hold               laurel.ID     // the hold that the member paid for; zero: none
}

// Locks returns the locks of the part's held points, which Cancel needs.
func (p Part) Locks() []store.Lock {
	locks := make([]store.Lock, len(p.held))
	for i, id := range p.held {
		locks[i] = lots.Held.Lock(id)
	}
	return locks
}

// Cancel stages the end of the part's held points. It returns store.ErrStale if some were credited or cancelled since
// they were read.
func (p Part) Cancel(b *store.Batch, reason string) error {
	for _, id := range p.held {
		if lots.Held.Row(b, id).State != lots.StatePending {
			return store.ErrStale
		}
		lots.CancelHeld(b, id, reason)
	}
	return nil
}

// Parts returns what a transaction has done to the accounts of members, one part for each account, without what is gone
// already: debited with a deleted rule, or removed by a reset. Entries that took what an account owed are left out, and
// so are currencies that were deleted. Errors: Refused for a transaction that cannot be reversed: of bids, mints, holds
// that may still end, expiries, refunds and reversals, in tokens, or in a currency of an external ledger.
func (s *Service) Parts(ctx context.Context, scope laurel.Scope, t ledger.Transaction) ([]Part, error) {
	hold, err := s.holdOf(t)
	if err != nil {
		return nil, err
	}
	accounts := make([]laurel.ID, len(t.Entries))
	for i, e := range t.Entries {
		accounts[i] = e.AccountID
	}
	gone, err := s.History.GoneUntil(ctx, s.DB, scope, t.RuleID, accounts)
	if err != nil {
		return nil, err
	}
	var kept map[laurel.ID]laurel.Amount
	if !hold.IsZero() {
		if kept, err = s.KeptOfHold(ctx, scope, hold); err != nil {
			return nil, err
		}
	}
	parts := []Part{}
	for _, e := range t.Entries {
		about := aboutOf(e)
		if about.Reason == ledger.ReasonReceivable {
			continue
		}
		isPostable, err := s.isPostable(ctx, scope, e.CurrencyID)
		if err != nil {
			return nil, err
		}
		if !isPostable {
			continue
		}
		one := Part{UserID: e.UserID, CurrencyID: e.CurrencyID, Hold: hold}
		switch {
		case e.Direction == ledger.Debit && !hold.IsZero():
			one.Amount = -kept[e.UserID]
		case e.Direction == ledger.Debit:
			one.Amount = -e.Amount
		case e.LockVersion > gone[e.AccountID]:
			one.Amount = e.Amount
		}
		if err := s.addHeld(ctx, scope, &one, about, gone[e.AccountID]); err != nil {
			return nil, err
		}
		parts = addPart(parts, one)
	}
	return parts, nil
}

// about is what the metadata of an entry says that concerns reversals.
type about struct {
	Reason string    `json:"reason"`
	Lot    laurel.ID `json:"lotId"`
	Hold   laurel.ID `json:"loyaltyHoldId"`
}

// aboutOf reads the metadata of an entry. It is zero for a caller's own metadata in another form.
func aboutOf(e ledger.Entry) (out about) {
	if len(e.Metadata) > 0 && json.Unmarshal(e.Metadata, &out) != nil {
		return about{}
	}
	return out
}

// holdOf returns the hold that a transaction paid for, or the zero id. Refused for a transaction of a kind that cannot
// be reversed.
func (s *Service) holdOf(t ledger.Transaction) (laurel.ID, error) {
	refuse := func(why string) error {
		return laurel.Errorf(laurel.Refused, "Transaction cannot be reversed: %s", why)
	}
	switch t.Cause() {
	case ledger.CauseReward:
		for _, e := range t.Entries {
			if aboutOf(e).Reason == ledger.LotReleased {
				return laurel.ID{}, refuse("reverse the one that granted its points")
			}
		}
		return laurel.ID{}, nil
	case ledger.CausePosted:
		return laurel.ID{}, nil
	case ledger.CausePayment:
		if t.Type != ledger.TypeOrder || len(t.Entries) == 0 {
			return laurel.ID{}, refuse("a bid or mint ends by its own operations")
		}
		return aboutOf(t.Entries[0]).Hold, nil
	case ledger.CauseReversed:
		return laurel.ID{}, refuse("it is a reversal itself")
	case ledger.CauseRefund, ledger.CauseExpiry, ledger.CauseReset, ledger.CauseRuleDeleted, ledger.CauseReorganized,
		ledger.CauseOpening:
	}
	return laurel.ID{}, refuse("only posted transactions, rewards and captured holds can be")
}

// isPostable reports whether the currency of an entry is live. Errors: Refused if it is a token, or if an external
// ledger keeps its balances.
func (s *Service) isPostable(ctx context.Context, scope laurel.Scope, currency laurel.ID) (bool, error) {
	c, err := s.Ledger.Currency(ctx, scope, currency)
	switch {
	case err != nil:
		return false, err
	case !c.DeletedAt.IsZero():
		return false, nil
	case c.IsTokenRewardCurrency:
		return false, laurel.Errorf(laurel.Refused, "Transaction cannot be reversed: it pays tokens")
	case c.API.PostURL != nil:
		return false, ledger.ErrExternal
	}
	return true, nil
}

// addHeld adds the points that an entry has granted as held ones to a part: those that are still held, or what was
// credited since, unless that is gone.
func (s *Service) addHeld(ctx context.Context, scope laurel.Scope, p *Part, about about, gone int64) error {
	if about.Reason != ledger.LotWaits || about.Lot.IsZero() {
		return nil
	}
	lot, err := lots.Find(ctx, s.DB, scope, about.Lot)
	if laurel.CodeOf(err) == laurel.NotFound {
		return nil // a caller's own metadata
	}
	if err != nil {
		return err
	}
	switch lot.State {
	case lots.StatePending:
		p.held = append(p.held, lot.ID)
	case lots.StateCancelled:
	case lots.StateReleased, lots.StateOpen, lots.StateSpent, lots.StateExpired, lots.StateClosed:
		credit, err := s.Ledger.Entry(ctx, scope, lot.EntryID)
		if err != nil {
			return err
		}
		if credit.LockVersion > gone {
			p.Amount += lot.Amount
		}
	}
	return nil
}

// addPart adds a part to those of other accounts, or to that of its own account.
func addPart(parts []Part, one Part) []Part {
	i := slices.IndexFunc(parts, func(p Part) bool { return p.UserID == one.UserID && p.CurrencyID == one.CurrencyID })
	if i < 0 {
		return append(parts, one)
	}
	parts[i].Amount += one.Amount
	parts[i].held = append(parts[i].held, one.held...)
	return parts
}
