// Package report owns the reads that join domains: the lists of entries, accounts and users. It may read every table
// and writes none. What a window or a member token means is not its business: callers pass what they found out from the
// owners.
package report

import (
	"laurel"
	"laurel/internal/store"
)

// Service returns the lists.
type Service struct {
	db      *store.DB
	newBids store.Loader[laurel.ID, Bid] // that were just made: a crowd that bids reads them together
}

// New makes the service.
func New(db *store.DB) *Service {
	s := &Service{db: db}
	s.newBids = store.NewLoader(s.readBids)
	return s
}

// UserFilter is the filter UF of contract 1.6, which several lists share. Everything set must hold.
type UserFilter struct {
	IDs                     []laurel.ID
	Wallets                 []string // in stored form
	GroupID                 laurel.ID
	GroupExternalIdentifier string
	WalletGroupIdentifier   string
	ExternalIdentifier      string

	groups []laurel.ID // that GroupExternalIdentifier names; resolveGroups finds them
}

// NamesUsers reports whether the filter names single users, not a group or everybody.
func (f UserFilter) NamesUsers() bool {
	return len(f.IDs)+len(f.Wallets) > 0 || f.ExternalIdentifier != ""
}

// isEmpty reports whether the filter names nobody, so that everybody is meant.
func (f UserFilter) isEmpty() bool {
	return len(f.IDs) == 0 && len(f.Wallets) == 0 && f.GroupID.IsZero() && f.GroupExternalIdentifier == "" &&
		f.WalletGroupIdentifier == "" &&
		f.ExternalIdentifier == ""
}
