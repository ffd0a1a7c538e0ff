// Package bulk fills databases with so many members, accounts and entries that making them through the service would
// take hours. It writes the rows that the service would have written, by statements over series of numbers, and knows
// the schema of every table that it fills. Only measurements use it; nothing of the service does.
package bulk

import (
	"fmt"

	"laurel.example/laurel"
)

// Site is the program that rows are inserted for.
type Site struct {
	OrganizationID, WebsiteID, CurrencyID laurel.ID
}

// The kinds of rows that are inserted in bulk: each has ids of its own.
const (
	KindUser = iota + 1
	KindAccount
	KindOpening
	KindOpeningEntry
	KindOpeningCounter
	KindCompletion
	KindCompletionEntry
	KindCompletionCounter
	KindSubject
	KindGroup

	kinds = 0x100 // the accounts of the i-th further currency have the kind KindAccount + i*kinds
)

// IDOf returns the id of the n-th row of a kind: a UUIDv7 of a fixed moment, so that rows are in the order of their
// numbers, as in a real database, and a client knows the ids without a request. bulkID is the same in SQL.
func IDOf(kind, n int) string { return fmt.Sprintf("0190c0de-%04x-7000-8000-%012x", kind, n) }

// scatter is odd: multiplying by it, modulo 2^32, gives each number another one, far from those of its neighbours.
const scatter = 2654435761

// WalletOf returns the wallet of the n-th user. Wallets of neighbours are far apart in the index, as real addresses
// are. bulkWallet is the same in SQL.
func WalletOf(n int) string { return fmt.Sprintf("0x%08x%032x", uint32(uint64(n)*scatter), n) }
