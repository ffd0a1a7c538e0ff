// Package audit watches the ledger from outside: it seals entries into signed blocks, recomputes the books and the
// blocks, and proves single entries.
//
// It owns the tables of the seals. It reads the tables of the ledger and of commerce directly, because whoever checks
// must not ask the checked, and writes none of them.
package audit

import (
	"laurel/internal/store"
)

// Service verifies and proves.
type Service struct{ db *store.DB }

// New makes the service.
func New(db *store.DB) *Service { return &Service{db: db} }
