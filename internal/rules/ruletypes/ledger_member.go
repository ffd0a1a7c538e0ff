package ruletypes

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// ToLedgerMember returns a person in the form that postings of the ledger take: with the person's locks, and with
// functions that check the person and store a new one as a member of the scope's website.
func ToLedgerMember(p identity.Person, scope laurel.Scope) ledger.Member {
	return ledger.Member{
		UserID:   p.UserID,
		Wallet:   p.Wallet,
		Blocked:  p.Blocked,
		Spenders: p.SpendingOrder(),
		Locks:    p.Locks(),
		Check:    p.Check,
		Admit:    func(b *store.Batch) error { return p.Admit(b, scope) },
	}
}
