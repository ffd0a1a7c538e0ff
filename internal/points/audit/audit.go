// Package audit checks the ledger and commerce independently: it seals entries into signed blocks, recomputes the books
// and the blocks, and proves single entries.
//
// It owns the tables of the seals. It reads the tables of the ledger and of commerce directly, since a check must not
// rely on the code that it checks, and writes none of them.
package audit

import (
	"laurel.example/laurel/internal/store"
)

// Service verifies the database and makes proofs of entries.
type Service struct{ db *store.DB }

// New makes the service.
func New(db *store.DB) *Service { return &Service{db: db} }
