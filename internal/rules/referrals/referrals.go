// Package referrals owns who brought whom: the codes of members, the referrals made by them, and when what a referral
// pays has been earned (contract 5.12). It pays nothing itself: welcome and lump sum are a completion (rules), shares
// of earnings a run (cadence).
package referrals

import (
	"context"
	"log/slog"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// Config is what a Service is made of.
type Config struct {
	DB     *store.DB
	People *identity.Service
	Ledger *ledger.Service
	Rules  *catalog.Service
	Logger *slog.Logger
	// PayBonuses pays the welcome and the lump sum of a referral whose requirements hold, exactly once. A refusal is an
	// *laurel.Error.
	PayBonuses func(ctx context.Context, scope laurel.Scope, rule, referee laurel.ID) error
}

// Service carries out the operations on referrals.
type Service struct {
	Config
	queue worker.Runner
	// workOn works at once on referrals that were written with a lease of this node.
	workOn func(ctx context.Context, made []Referral) error
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{Config: c}
	s.initQueue()
	return s
}

// rule reads a live rule: NotFound "Loyalty rule" where it is unknown, deleted or outside the scope.
func (s *Service) rule(ctx context.Context, scope laurel.Scope, id laurel.ID) (catalog.Rule, error) {
	r, err := s.Rules.Rule(ctx, scope, id)
	if err == nil && !r.DeletedAt.IsZero() {
		err = laurel.Missing("Loyalty rule")
	}
	return r, err
}
