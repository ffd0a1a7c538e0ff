package ledger

import (
	"encoding/json"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// A receivable is what an account owes because it could not pay back points. It is taken from later credits, in their
// transactions, and balances never fall below 0.

// owe changes what the account owes by an amount, which is negative for what was taken.
func (a *account) owe(change laurel.Amount) {
	a.Receivable += change
	a.owedChanged = a.owedChanged || change != 0
}

// ReasonReceivable is the reason in the metadata of entries that take what an account owes.
const ReasonReceivable = "Receivable"

// IsReceivable reports whether an entry took what its account owed.
func IsReceivable(e Entry) bool {
	return e.Direction == Debit && string(e.Metadata) == string(receivableMetadata)
}

var receivableMetadata = json.RawMessage(`{"reason":"` + ReasonReceivable + `"}`)

// planReceivables returns the debits that take from credits what their accounts owe.
func planReceivables(b *store.Batch, planned []plannedEntry) (out []plannedEntry) {
	owed := map[AccountKey]laurel.Amount{}
	for _, m := range planned {
		key := AccountKey{m.line.CurrencyID, m.user}
		if m.line.Direction != Credit || m.amount == 0 {
			continue
		}
		left, known := owed[key]
		if !known {
			left = accounts.Row(b, key).Receivable
		}
		if part := min(left, m.amount); part > 0 {
			line := Line{
				Member: m.line.Member, CurrencyID: key.Currency, Direction: Debit, Amount: part, Metadata: receivableMetadata,
			}
			out = append(out, plannedEntry{line: line, user: m.user, amount: part, isReceivable: true})
			left -= part
		}
		owed[key] = left
	}
	return out
}
