package holds

import (
	"encoding/json"
	"errors"
	"slices"

	"laurel"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/decision"
	"laurel/internal/store"
)

// Part is what one account paid.
type Part struct {
	UserID laurel.ID     `json:"userId"`
	Amount laurel.Amount `json:"amount"`
}

// Parts are what accounts of one currency paid for a thing, in the order in which they paid. Whoever takes points keeps
// them, since they tell where points go that are given back.
type Parts []Part

// Sum returns what was paid in all.
func (p Parts) Sum() laurel.Amount {
	sum := laurel.Amount(0)
	for _, part := range p {
		sum += part.Amount // each was part of one balance, and they of one amount
	}
	return sum
}

// Plus returns the parts with others that were paid after them.
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

// BidParts returns what each account has paid.
func (p Parts) BidParts() []ledger.BidPart {
	out := make([]ledger.BidPart, len(p))
	for i, part := range p {
		out[i] = ledger.BidPart(part)
	}
	return out
}

// split returns what goes back of an amount, the account that paid last first, and what stays paid.
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

// Spend is an amount that a member, and with it its group, is to pay (contract 5.16). A Work holds its Locks and calls
// Take in its Judge.
type Spend struct {
	Scope       laurel.Scope // of one website
	Member      ledger.Member
	CurrencyID  laurel.ID
	Amount      laurel.Amount // above 0
	Type        ledger.TransactionType
	Description string
	Metadata    json.RawMessage // of the entries
	Bid         ledger.Bid      // that it is for; zero: none
}

func (s Spend) posting() ledger.Posting {
	return ledger.Posting{
		Scope: s.Scope, Type: s.Type, Cause: ledger.CausePayment, Description: s.Description, Bid: s.Bid,
		Lines: []ledger.Line{{
			Member: s.Member, CurrencyID: s.CurrencyID, Direction: ledger.Debit, Amount: s.Amount, Metadata: s.Metadata,
		}},
	}
}

// Locks names the rows that Check and Take look at and change.
func (s Spend) Locks() []store.Lock { return s.posting().Locks() }

// Check returns the error that Take would return, and stages nothing.
func (s Spend) Check(b *store.Batch) error { return s.posting().Check(b) }

// Take debits the accounts and returns what each paid, with the transaction. Errors, before it has changed anything:
// store.ErrStale; ledger.ErrInsufficient, ledger.UnknownCurrencyError; ledger.ErrOutside where an external ledger keeps
// the balances. It does not look at block marks: where these stand in the order of refusals differs.
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

// TakeMost is Take for as much of the amount as the balances cover: nothing in a currency that was deleted or that an
// external ledger keeps. It refuses nothing.
func (s Spend) TakeMost(b *store.Batch) (Parts, laurel.ID, error) {
	s.Amount = min(s.Amount, s.Member.Spendable(b, s.CurrencyID))
	switch err := s.Check(b); {
	case s.Amount == 0 && !errors.Is(err, store.ErrStale), laurel.CodeOf(err) == laurel.Refused:
		return nil, laurel.ID{}, nil
	case err != nil:
		return nil, laurel.ID{}, err
	}
	return s.Take(b)
}

// ErrBlocked is the refusal of a spend of a blocked member.
func ErrBlocked() error { return laurel.Errorf(laurel.Refused, decision.MsgBlocked) }

// Refund gives an amount back to the accounts that paid it, beginning with the one that paid last. A deleted currency
// takes it, too. A Work holds its Locks and calls Give in its Judge.
type Refund struct {
	Scope       laurel.Scope // of one website
	CurrencyID  laurel.ID
	Parts       Parts
	Amount      laurel.Amount // at most what the parts sum to
	Type        ledger.TransactionType
	Description string
	Metadata    json.RawMessage // of the entries
	Bid         ledger.Bid      // of an auction that goes on; zero: none
}

// Locks names the rows that Give changes: the accounts of all parts, whatever the amount will be.
func (r Refund) Locks() []store.Lock {
	r.Amount = r.Parts.Sum()
	return r.posting().Locks()
}

func (r Refund) posting() ledger.Posting {
	p := ledger.Posting{
		Scope: r.Scope, Type: r.Type, Cause: ledger.CauseRefund, Description: r.Description, Returns: true, Bid: r.Bid,
	}
	refunded, _ := r.Parts.split(r.Amount)
	for _, part := range refunded {
		p.Lines = append(p.Lines, ledger.Line{
			Member: ledger.Holder(part.UserID), CurrencyID: r.CurrencyID, Direction: ledger.Credit, Amount: part.Amount,
			Metadata: r.Metadata,
		})
	}
	return p
}

// Check returns the error that Give would return, and stages nothing.
func (r Refund) Check(b *store.Batch) error { return r.posting().Check(b) }

// Apply credits the accounts and returns what stays paid. An amount of 0 gives nothing. The only error, before it has
// changed anything, is a balance that would be out of range.
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
