package ruletypes

import (
	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
)

// LedgerMember returns a person as a member of the ledger's postings.
func LedgerMember(p identity.Person, scope laurel.Scope) ledger.Member {
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
