package reversals

import (
	"context"
	"encoding/json"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/store"
)

// Part is what a transaction has done to one account.
type Part struct {
	UserID, CurrencyID laurel.ID
	Amount             laurel.Amount // what the member got; negative: what it paid
	held               []laurel.ID   // lots of the member that are not credited yet; their points are not in Amount
	Hold               laurel.ID     // the hold that the member paid for; zero: none
	version            int64         // of the account, before what is gone of the amount was read
}

// Locks returns the locks of the part's held points, which Cancel needs.
func (p Part) Locks() []store.Lock {
	locks := make([]store.Lock, len(p.held))
	for i, id := range p.held {
		locks[i] = lots.Held.Lock(id)
	}
	return locks
}

// Check returns store.ErrStale if the account or held points have changed since the part was read: a reset or a deleted
// rule may have taken points meanwhile.
func (p Part) Check(b *store.Batch) error {
	if ledger.LockVersionIn(b, ledger.AccountKey{Currency: p.CurrencyID, User: p.UserID}) != p.version {
		return store.ErrStale
	}
	for _, id := range p.held {
		if lots.Held.Row(b, id).State != lots.StatePending {
			return store.ErrStale
		}
	}
	return nil
}

// Cancel stages the end of the part's held points. The caller has called Check for all parts.
func (p Part) Cancel(b *store.Batch, reason string) {
	for _, id := range p.held {
		lots.CancelHeld(b, id, reason)
	}
}

// Line returns the line of a posting that takes back what the member got, or gives back what it paid.
func (p Part) Line() ledger.Line {
	member := ledger.LockedMember(p.UserID)
	member.Spenders = []laurel.ID{p.UserID}
	l := ledger.Line{Member: member, CurrencyID: p.CurrencyID, Direction: ledger.Debit, Amount: p.Amount}
	if p.Amount < 0 {
		l.Direction, l.Amount = ledger.Credit, -p.Amount
	}
	return l
}

// Limit lowers a debit to what the balance covers, and returns the rest. It returns store.ErrStale if the currency was
// deleted, or moved to an external ledger, since it was read.
func Limit(b *store.Batch, scope laurel.Scope, l *ledger.Line) (uncovered laurel.Amount, err error) {
	if !ledger.IsLiveCurrency(b, scope, l.CurrencyID) || ledger.IsExternal(b, l.CurrencyID) {
		return 0, store.ErrStale
	}
	if l.Direction == ledger.Debit {
		uncovered = l.Amount - min(l.Amount, l.Member.Spendable(b, l.CurrencyID))
		l.Amount -= uncovered
	}
	return uncovered, nil
}

// Parts returns what a transaction has done to the accounts of members, one part for each account, without what is gone
// already: debited with a deleted rule, removed by a reset, or expired. Entries that took what an account owed are left
// out, and so are currencies that were deleted. Errors: Refused for a transaction that cannot be reversed: of bids,
// mints, holds that may still end, expiries, refunds and reversals, in tokens, or in a currency of an external ledger.
func (s *Service) Parts(ctx context.Context, scope laurel.Scope, t ledger.Transaction) ([]Part, error) {
	return s.readParts(ctx, scope, t, false)
}

// readParts is Parts. With skipOutside it leaves out tokens and currencies of external ledgers in place of refusing
// them.
func (s *Service) readParts(
	ctx context.Context, scope laurel.Scope, t ledger.Transaction, skipOutside bool,
) ([]Part, error) {
	hold, err := holdOf(t)
	if err != nil {
		return nil, err
	}
	accounts, keys := make([]laurel.ID, len(t.Entries)), make([]ledger.AccountKey, len(t.Entries))
	for i, e := range t.Entries {
		accounts[i], keys[i] = e.AccountID, ledger.AccountKey{Currency: e.CurrencyID, User: e.UserID}
	}
	versions, err := s.Ledger.LockVersions(ctx, scope, keys) // before what is gone is read
	if err != nil {
		return nil, err
	}
	gone, err := s.readGone(ctx, scope, t.RuleID, accounts)
	if err != nil {
		return nil, err
	}
	var kept map[laurel.ID]laurel.Amount
	if !hold.IsZero() {
		if kept, err = s.KeptOfHold(ctx, scope, hold); err != nil {
			return nil, err
		}
	}
	postable, err := s.readPostable(ctx, scope, t, skipOutside)
	if err != nil {
		return nil, err
	}
	parts := []Part{}
	for i, e := range t.Entries {
		about := aboutOf(e)
		if !postable[e.CurrencyID] || ledger.IsReceivable(e) && hasAccount(parts, e) {
			continue
		}
		one := Part{UserID: e.UserID, CurrencyID: e.CurrencyID, Hold: hold, version: versions[keys[i]]}
		switch {
		case e.Direction == ledger.Debit && !hold.IsZero():
			one.Amount = -kept[e.UserID]
		case e.Direction == ledger.Debit:
			one.Amount = -e.Amount
		default:
			one.Amount = gone.left(e)
		}
		if t.Cause() == ledger.CauseReward {
			if err := s.addHeld(ctx, scope, &one, heldBy{t.ID, about.Lot, about.Reason}, gone); err != nil {
				return nil, err
			}
		}
		parts = addPart(parts, one)
	}
	return parts, nil
}

// gonePoints says what of credits is no longer in the balances.
type gonePoints struct {
	until   map[laurel.ID]int64         // by account: everything up to this version
	expired map[laurel.ID]laurel.Amount // by credit
}

// left returns what is left of a credit.
func (g gonePoints) left(credit ledger.Entry) laurel.Amount {
	if credit.LockVersion <= g.until[credit.AccountID] {
		return 0
	}
	return max(credit.Amount-g.expired[credit.ID], 0)
}

// readGone reads which points of a rule's credits to the accounts are gone: taken by a reset or with the deleted rule,
// or expired.
func (s *Service) readGone(
	ctx context.Context, scope laurel.Scope, rule laurel.ID, accounts []laurel.ID,
) (gone gonePoints, err error) {
	if gone.until, err = s.History.GoneUntil(ctx, s.DB, scope, rule, accounts); err != nil {
		return gone, err
	}
	expired, err := lots.ExpiredPartsOfCredits(ctx, s.DB, accounts)
	gone.expired = make(map[laurel.ID]laurel.Amount, len(expired))
	for _, e := range expired {
		gone.expired[e.EntryID] += e.Amount
	}
	return gone, err
}

// hasAccount reports whether one of the parts is of the entry's account.
func hasAccount(parts []Part, e ledger.Entry) bool {
	return slices.ContainsFunc(parts, func(p Part) bool { return p.UserID == e.UserID && p.CurrencyID == e.CurrencyID })
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
func holdOf(t ledger.Transaction) (laurel.ID, error) {
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

// readPostable returns which currencies of a transaction's entries are live and kept here. Errors: those of isPostable,
// unless skipOutside is set.
func (s *Service) readPostable(
	ctx context.Context, scope laurel.Scope, t ledger.Transaction, skipOutside bool,
) (map[laurel.ID]bool, error) {
	out := map[laurel.ID]bool{}
	for _, e := range t.Entries {
		if _, isRead := out[e.CurrencyID]; isRead {
			continue
		}
		postable, err := s.isPostable(ctx, scope, e.CurrencyID)
		if err != nil && (!skipOutside || laurel.CodeOf(err) != laurel.Refused) {
			return nil, err
		}
		out[e.CurrencyID] = postable
	}
	return out, nil
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

// heldBy says by which transaction, and with which reason, an entry granted held points.
type heldBy struct {
	transaction, lot laurel.ID
	reason           string
}

// addHeld adds the points that an entry has granted as held ones to a part: those that are still held, or what was
// credited since, unless that is gone.
func (s *Service) addHeld(ctx context.Context, scope laurel.Scope, p *Part, by heldBy, gone gonePoints) error {
	if by.reason != ledger.LotWaits || by.lot.IsZero() {
		return nil
	}
	lot, err := lots.Find(ctx, s.DB, scope, by.lot)
	if laurel.CodeOf(err) == laurel.NotFound || err == nil && lot.TransactionID != by.transaction {
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
		p.Amount += gone.left(credit)
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
