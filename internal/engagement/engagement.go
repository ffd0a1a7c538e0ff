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

// RuleReader reads a rule of the scope; NotFound "Loyalty rule" outside it.
type RuleReader func(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Rule, error)

// Service carries out the operations.
type Service struct {
	db        *store.DB
	committer *store.Committer
	people    *identity.Service
	ledger    *ledger.Service
	log       *slog.Logger
	questions store.Loader[laurel.ID, Question] // by rule
	readRule  RuleReader
}

// Config is what a Service is made of.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	People    *identity.Service
	Ledger    *ledger.Service
	Rule      RuleReader
	Logger    *slog.Logger
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{db: c.DB, committer: c.Committer, people: c.People, ledger: c.Ledger, readRule: c.Rule, log: c.Logger}
	s.questions = store.NewLoader(func(ctx context.Context, rules []laurel.ID) (map[laurel.ID]Question, error) {
		return selectQuestionsOfRules(ctx, c.DB, rules)
	})
	return s
}

// JoinGroup makes what is kept of a user part of what is kept of the group it joins (contract 5.16, 8.7). The caller
// holds the member row, which every Work that changes these things holds too.
func JoinGroup(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	if err := copyAnswersToGroup(ctx, tx, website, user, group); err != nil {
		return err
	}
	return moveStreaksToGroup(ctx, tx, website, user, group)
}

// LeaveGroup gives a user that has left a group what it goes with.
func LeaveGroup(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	if err := restoreOwnAnswers(ctx, tx, website, user); err != nil {
		return err
	}
	return returnStreaksToLast(ctx, tx, website, user, group)
}
