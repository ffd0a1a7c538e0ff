package holds

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/store"
)

// Part is the amount that one account has paid.
type Part struct {
	UserID laurel.ID     `json:"userId"`
	Amount laurel.Amount `json:"amount"`
}

// Parts are the amounts that accounts of one currency have paid for the same thing, in the order in which they paid.
// Packages that debit points store them, because they say where a refund goes.
type Parts []Part

// Value stores the text of a JSON array.
func (p Parts) Value() (driver.Value, error) { return laurel.List[Part](p).Value() }

// Scan reads the text of a JSON array.
func (p *Parts) Scan(src any) error { return (*laurel.List[Part])(p).Scan(src) }

// Sum returns the sum of the parts.
func (p Parts) Sum() laurel.Amount {
	sum := laurel.Amount(0)
	for _, part := range p {
		sum += part.Amount // no overflow: the parts make up one amount
	}
	return sum
}

// Plus returns p followed by more, the parts that were paid later. Successive parts of one account become one. p stays
// as it is.
func (p Parts) Plus(more Parts) Parts {
	out := slices.Clone(p)
	for _, part := range more {
		if last := len(out) - 1; last >= 0 && out[last].UserID == part.UserID {
			out[last].Amount += part.Amount
			continue
		}
		out = append(out, part)
	}
	return out
}

// BidParts returns the parts as parts of a bid for the ledger.
func (p Parts) BidParts() []ledger.BidPart {
	out := make([]ledger.BidPart, len(p))
	for i, part := range p {
		out[i] = ledger.BidPart(part)
	}
	return out
}

// split divides the parts for a refund of an amount: into the refunded parts, beginning with the account that paid
// last, and the remaining ones. Part of an account's payment can be in both.
func (p Parts) split(amount laurel.Amount) (refunded, remaining Parts) {
	remaining = slices.Clone(p)
	for i := len(remaining) - 1; i >= 0 && amount > 0; i-- {
		part := min(amount, remaining[i].Amount)
		refunded = append(refunded, Part{remaining[i].UserID, part})
		amount -= part
		if remaining[i].Amount -= part; remaining[i].Amount == 0 {
			remaining = remaining[:i]
		}
	}
	return refunded, remaining
}

// Spend debits an amount from a member, and what its balance does not cover from its group (contract 5.16). A Work
// names its Locks and calls Take in its Judge.
type Spend struct {
	Scope       laurel.Scope // of one website
	Member      ledger.Member
	CurrencyID  laurel.ID
	Amount      laurel.Amount // above 0
	Type        ledger.TransactionType
	Description string
	Metadata    json.RawMessage // of the entries
	Bid         ledger.Bid      // the bid that it pays for; zero: none
}

// posting returns the spending as a debit of the member, for the ledger to stage.
func (s Spend) posting() ledger.Posting {
	return ledger.Posting{
		Scope: s.Scope, Type: s.Type, Cause: ledger.CausePayment, Description: s.Description, Bid: s.Bid,
		Lines: []ledger.Line{{
			Member: s.Member, CurrencyID: s.CurrencyID, Direction: ledger.Debit, Amount: s.Amount, Metadata: s.Metadata,
		}},
	}
}

// Locks names the rows that Check and Take read and change.
func (s Spend) Locks() []store.Lock { return s.posting().Locks() }

// Check returns the error that Take would return, and stages nothing.
func (s Spend) Check(b *store.Batch) error { return s.posting().Check(b) }

// Take stages the debits and returns what each account has paid, with the id of the transaction. Errors, before it has
// changed anything: store.ErrStale; ledger.ErrInsufficient, ledger.UnknownCurrencyError; ledger.ErrExternal if an
// external ledger keeps the balances. It ignores block marks, which callers check in the order of their own refusals.
func (s Spend) Take(b *store.Batch) (Parts, laurel.ID, error) {
	t, err := s.posting().Stage(b)
	if err != nil {
		return nil, laurel.ID{}, err
	}
	parts := make(Parts, len(t.Entries))
	for i, e := range t.Entries {
		parts[i] = Part{e.UserID, e.Amount}
	}
	return parts, t.ID, nil
}

// TakeMost debits as much of the amount as the balances cover, and nothing in a currency that is deleted or whose
// balances an external ledger keeps. It returns no parts if nothing is debited. It refuses nothing; the errors are
// faults and store.ErrStale.
func (s Spend) TakeMost(b *store.Batch) (Parts, laurel.ID, error) {
	s.Amount = min(s.Amount, s.Member.Spendable(b, s.CurrencyID))
	switch err := s.Check(b); {
	case s.Amount == 0 && !errors.Is(err, store.ErrStale), laurel.CodeOf(err) == laurel.Refused:
		return nil, laurel.ID{}, nil // nothing can be debited
	case err != nil:
		return nil, laurel.ID{}, err
	}
	return s.Take(b)
}

// ErrBlocked refuses payments of a blocked member.
func ErrBlocked() error { return laurel.Errorf(laurel.Refused, decision.MsgBlocked) }

// Refund gives an amount back to the accounts that paid it, beginning with the one that paid last, even in a deleted
// currency. A Work names its Locks and calls Apply in its Judge.
type Refund struct {
	Scope       laurel.Scope // of one website
	CurrencyID  laurel.ID
	Parts       Parts
	Amount      laurel.Amount // at most what the parts sum to
	Type        ledger.TransactionType
	Description string
	Metadata    json.RawMessage // of the entries
	Bid         ledger.Bid      // the bid that it refunds, while the auction is open; zero: none
}

// Locks names the rows that Apply changes: the accounts of all parts, whatever the amount will be.
func (r Refund) Locks() []store.Lock {
	r.Amount = r.Parts.Sum()
	return r.posting().Locks()
}

// posting returns the refund as one credit for each account that gets something back, for the ledger to stage.
func (r Refund) posting() ledger.Posting {
	p := ledger.Posting{
		Scope: r.Scope, Type: r.Type, Cause: ledger.CauseRefund, Description: r.Description, IsRefund: true, Bid: r.Bid,
	}
	refunded, _ := r.Parts.split(r.Amount)
	for _, part := range refunded {
		p.Lines = append(p.Lines, ledger.Line{
			Member: ledger.LockedMember(part.UserID), CurrencyID: r.CurrencyID, Direction: ledger.Credit, Amount: part.Amount,
			Metadata: r.Metadata,
		})
	}
	return p
}

// Check returns the error that Apply would return, and stages nothing.
func (r Refund) Check(b *store.Batch) error { return r.posting().Check(b) }

// Apply stages the credits and returns the parts that remain paid. It does nothing if the amount is 0. The only error,
// before it has changed anything, is that a balance would be out of range.
func (r Refund) Apply(b *store.Batch) (remaining Parts, err error) {
	if r.Amount == 0 {
		return r.Parts, nil
	}
	if _, err := r.posting().Stage(b); err != nil {
		return r.Parts, err
	}
	_, remaining = r.Parts.split(r.Amount)
	return remaining, nil
}
