// Package report owns the reads that join domains: the lists of entries, accounts, users and so on. It may read every
// table and writes none. It does not know what a window or a member token means: callers pass the results of their
// owners.
package report

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Service reads the lists.
type Service struct {
	db          *store.DB
	createdBids store.Loader[laurel.ID, Bid] // batches the reads of bids that were just made
	userCounts  store.Loader[userCountKey, int64]
}

// New returns the service.
func New(db *store.DB) *Service {
	s := &Service{db: db}
	s.createdBids = store.NewLoader(s.readBids)
	s.userCounts = store.NewLoader(s.readUserCounts)
	return s
}

// UserFilter is the filter UF of contract 1.6, which several lists share. All conditions that are set must hold.
type UserFilter struct {
	IDs                     []laurel.ID
	Wallets                 []string // in stored form
	GroupID                 laurel.ID
	GroupExternalIdentifier string
	WalletGroupIdentifier   string
	ExternalIdentifier      string

	groups []laurel.ID // the groups with GroupExternalIdentifier; set by resolveGroups
}

// NamesUsers reports whether the filter names single users, and not a group or all users.
func (f UserFilter) NamesUsers() bool {
	return len(f.IDs)+len(f.Wallets) > 0 || f.ExternalIdentifier != ""
}

// isEmpty reports whether no condition is set, so that all users match.
func (f UserFilter) isEmpty() bool {
	return len(f.IDs) == 0 && len(f.Wallets) == 0 && f.GroupID.IsZero() && f.GroupExternalIdentifier == "" &&
		f.WalletGroupIdentifier == "" &&
		f.ExternalIdentifier == ""
}
