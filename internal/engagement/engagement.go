// Package engagement owns what members have beside points: multipliers, questions with their responses, and streaks.
// Which rule gives them, and what a payment makes of them, is decided elsewhere (decision, rules); points belong to
// ledger.
package engagement

import (
	"context"
	"log/slog"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
)

// Rule is what is asked here of a rule. The package above answers it.
type Rule struct {
	ID, OrganizationID, WebsiteID laurel.ID
	Type                          string
	Deleted                       bool
}

// RuleOf reads a rule of the scope; NotFound "Loyalty rule" outside it.
type RuleOf func(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Rule, error)

// Service carries out the operations.
type Service struct {
	db        *store.DB
	committer *store.Committer
	people    *identity.Service
	ledger    *ledger.Service
	log       *slog.Logger
	questions store.Loader[laurel.ID, Question] // by rule
	rule      RuleOf
}

// Config is what a Service is made of.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	People    *identity.Service
	Ledger    *ledger.Service
	Rule      RuleOf
	Logger    *slog.Logger
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{db: c.DB, committer: c.Committer, people: c.People, ledger: c.Ledger, rule: c.Rule, log: c.Logger}
	s.questions = store.NewLoader(func(ctx context.Context, rules []laurel.ID) (map[laurel.ID]Question, error) {
		return questionsOfRules(ctx, c.DB, rules)
	})
	return s
}

// Joined makes what is kept of a user part of what is kept of the group it joins (contract 5.16, 8.7). The caller holds
// the member row, which every Work that changes these things holds too.
func Joined(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	if err := joinAnswers(ctx, tx, website, user, group); err != nil {
		return err
	}
	return joinStreaks(ctx, tx, website, user, group)
}

// Left gives a user that has left a group what it goes with.
func Left(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	if err := leaveAnswers(ctx, tx, website, user); err != nil {
		return err
	}
	return leaveStreaks(ctx, tx, website, user, group)
}
