package reversals

import (
	"encoding/json"
	"strconv"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// reason is the reason in entries of reversals, and in held points that they cancel.
const reason = "Reversed"

// work reverses a transaction (a store.Work).
type work struct {
	Input
	scope   laurel.Scope // of one website
	hash    string
	of      ledger.Transaction
	parts   []Part
	effects []ledger.SideEffect
	written ledger.Transaction
	earlier laurel.ID // the reversal that the key belongs to already
}

// String names the work in the log.
func (w *work) String() string {
	return "reversal of transaction " + w.of.ID.String() + " with key " + strconv.Quote(w.Key)
}

// Locks returns the locks of the row of the transaction, of the key, of the accounts, and of held points.
func (w *work) Locks() []store.Lock {
	locks := append(w.posting().Locks(), Rows.Lock(w.of.ID))
	if w.Key != "" {
		locks = append(locks, ledger.Keys.Lock(w.keyID()))
	}
	for _, p := range w.parts {
		locks = append(locks, p.Locks()...)
	}
	return locks
}

func (w *work) keyID() ledger.KeyID { return ledger.KeyID{WebsiteID: w.scope.WebsiteID, Key: w.Key} }

// Judge reverses what is left of the transaction, or the part that the input names, unless the key was used before.
func (w *work) Judge(b *store.Batch) (err error) {
	w.written, w.earlier = ledger.Transaction{}, laurel.ID{}
	if w.Key != "" {
		use := *ledger.Keys.Row(b, w.keyID())
		if w.earlier, err = ledger.EarlierTransaction([]ledger.KeyUse{use}, w.hash); err != nil || !w.earlier.IsZero() {
			return err
		}
	}
	amount, err := w.take(b)
	if err != nil {
		return err
	}
	for _, part := range w.parts {
		if err := part.Check(b); err != nil {
			return err
		}
	}
	p := w.posting()
	if isReopened := Rows.Row(b, w.of.ID).IsReopened; isReopened && len(p.Lines) > 0 {
		p.Lines[0].Member.SideEffects = nil // a part was reversed before, and has reopened it
	}
	for i := range p.Lines {
		if err := w.limit(b, &p.Lines[i], amount); err != nil {
			return err
		}
	}
	if err := p.Check(b); err != nil {
		return err
	}
	for _, part := range w.parts {
		part.Cancel(b, reason)
	}
	w.record(b, amount)
	if w.written, err = p.Stage(b); err != nil {
		return err
	}
	if w.Key != "" {
		ledger.UseKey(b, w.scope, ledger.KeyUse{Key: w.Key, Hash: w.hash, TransactionID: w.written.ID})
	}
	return nil
}

// take returns how much of a transaction with one part is to be reversed; nil of one with several: all. It returns
// ErrReversed if less is left.
func (w *work) take(b *store.Batch) (*laurel.Amount, error) {
	row := Rows.Row(b, w.of.ID)
	if row.IsWhole {
		return nil, ErrReversed()
	}
	if len(w.parts) != 1 {
		return nil, nil
	}
	left := w.parts[0].size() - row.Amount
	if left < 0 || left == 0 && row.Amount > 0 { // the rest is gone
		return nil, ErrReversed()
	}
	if w.Amount != nil {
		if *w.Amount > left {
			return nil, ErrReversed()
		}
		left = *w.Amount
	}
	return &left, nil
}

// size returns the amount of a part, without its sign.
func (p Part) size() laurel.Amount { return max(p.Amount, -p.Amount) }

// record notes what is reversed, whether the balances cover it or not.
func (w *work) record(b *store.Batch, amount *laurel.Amount) {
	row := Rows.Changed(b, w.of.ID)
	if row.isNew {
		row.OrganizationID, row.WebsiteID, row.CreatedAt = w.scope.OrganizationID, w.scope.WebsiteID, store.Micros(b.Now())
	}
	row.UpdatedAt = store.Micros(b.Now())
	if amount != nil {
		row.Amount += *amount
	}
	row.IsReopened = row.IsReopened || len(w.effects) > 0
	row.IsWhole = amount == nil || row.Amount >= w.parts[0].size()
}

// limit sets the amount of a line, and limits a debit to the balance. What that does not cover is owed if the policy
// says so, and otherwise stays with the member. amount is that of a transaction with one part; nil: the line's own.
func (w *work) limit(b *store.Batch, l *ledger.Line, amount *laurel.Amount) error {
	if amount != nil {
		l.Amount = *amount
	}
	uncovered, err := Limit(b, w.scope, l)
	switch {
	case err != nil || uncovered == 0:
	case w.Policy == Everything:
		l.Owed, l.Metadata = uncovered, w.metadata(reversalMetadata{Receivable: uncovered})
	default:
		l.Metadata = w.metadata(reversalMetadata{Uncovered: uncovered})
	}
	return err
}

// posting returns the opposite of all parts. Side effects go with the first line.
func (w *work) posting() ledger.Posting {
	p := ledger.Posting{
		Scope: w.scope, Type: w.of.Type, Cause: ledger.CauseReversed, Description: w.Description,
		RuleID: w.of.RuleID, RuleType: w.of.RuleType, CreditNow: true,
	}
	if p.Description == "" {
		p.Description = w.of.Description
	}
	for i, part := range w.parts {
		l := part.Line()
		l.Metadata = w.metadata(reversalMetadata{Hold: part.Hold.Ptr()})
		p.IsRefund = p.IsRefund || l.Direction == ledger.Credit
		if i == 0 {
			l.Key, l.Member.SideEffects = w.Key, w.effects
		}
		p.Lines = append(p.Lines, l)
	}
	return p
}

// reversalMetadata is the metadata of an entry of a reversal.
type reversalMetadata struct {
	Reason     string        `json:"reason"`
	ReversalOf laurel.ID     `json:"reversalOf"`
	Hold       *laurel.ID    `json:"loyaltyHoldId,omitempty"` // whose payment comes back
	Receivable laurel.Amount `json:"receivable,omitzero"`     // what the balance did not cover and the account owes
	Uncovered  laurel.Amount `json:"uncovered,omitzero"`      // what the balance did not cover and the member keeps
}

// metadata returns the metadata of an entry.
func (w *work) metadata(m reversalMetadata) json.RawMessage {
	m.Reason, m.ReversalOf = reason, w.of.ID
	return store.JSON(m)
}
