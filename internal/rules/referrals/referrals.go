// Package referrals owns referrals: the codes of members, the referrals made with them, and when the requirements of a
// referral are met (contract 5.12). A referral is open until its welcome reward and referrer bonus are settled. The
// package pays nothing itself: a completion pays these two (completion), and runs pay referral shares (schedule).
package referrals

import (
	"context"
	"log/slog"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// Config holds what a Service is made from.
type Config struct {
	DB     *store.DB
	People *identity.Service
	Ledger *ledger.Service
	Rules  *catalog.Service
	Logger *slog.Logger
	// PayBonuses pays the welcome reward and the referrer bonus of a referral whose requirements are met, exactly once. A
	// refusal is an *laurel.Error.
	PayBonuses func(ctx context.Context, scope laurel.Scope, rule, referee laurel.ID) error
}

// Service implements the operations on referrals.
type Service struct {
	Config
	queue worker.Runner
	// processNow processes referrals at once that were just inserted with a lease of this node.
	processNow func(ctx context.Context, made []Referral) error
}

// New returns a Service.
func New(c Config) *Service {
	s := &Service{Config: c}
	s.initQueue()
	return s
}

// rule returns a live rule. It returns NotFound "Loyalty rule" for a rule that is deleted or outside the scope.
func (s *Service) rule(ctx context.Context, scope laurel.Scope, id laurel.ID) (catalog.Rule, error) {
	r, err := s.Rules.Rule(ctx, scope, id)
	if err == nil && !r.DeletedAt.IsZero() {
		err = laurel.Missing("Loyalty rule")
	}
	return r, err
}
