// Package engagement owns what members have beside points: multipliers, questions with their responses, and streaks. Which rule gives them, and what a
// payment makes of them, is decided elsewhere (decision, rules); points belong to ledger.
package engagement

import (
	"bytes"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/ledger"
	"laurel/internal/store"
)

// Service carries out the operations.
type Service struct {
	db     *store.DB
	people *identity.Service
	ledger *ledger.Service
	// endingsWanted wakes Run when a rule was deleted that gave more multipliers than its own transaction ended.
	endingsWanted chan struct{}
}

// New makes the service.
func New(db *store.DB, people *identity.Service, currencies *ledger.Service) *Service {
	return &Service{db: db, people: people, ledger: currencies, endingsWanted: make(chan struct{}, 1)}
}

func compareIDs(a, b laurel.ID) int { return bytes.Compare(a[:], b[:]) }
