// Package engagement owns what members have besides points: multipliers, questions with their responses, and streaks.
// It does not own which rules grant them, or how they change payments (decision, completion), nor points (ledger).
package engagement

import (
	"context"
	"log/slog"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// Rule holds what this package needs to know about a rule. A package above provides it.
type Rule struct {
	ID, OrganizationID, WebsiteID laurel.ID
	Type                          string
	Deleted                       bool
}

// RuleReader reads a rule of the scope. It returns NotFound "Loyalty rule" for a rule outside the scope.
type RuleReader func(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Rule, error)

// Service implements the operations.
type Service struct {
	db        *store.DB
	committer *store.Committer
	people    *identity.Service
	ledger    *ledger.Service
	log       *slog.Logger
	questions store.Loader[laurel.ID, Question] // by rule
	readRule  RuleReader
}

// Config holds what a Service is made from.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	People    *identity.Service
	Ledger    *ledger.Service
	Rule      RuleReader
	Logger    *slog.Logger
}

// New returns a Service.
func New(c Config) *Service {
	s := &Service{db: c.DB, committer: c.Committer, people: c.People, ledger: c.Ledger, readRule: c.Rule, log: c.Logger}
	s.questions = store.NewLoader(func(ctx context.Context, rules []laurel.ID) (map[laurel.ID]Question, error) {
		return selectQuestionsOfRules(ctx, c.DB, rules)
	})
	return s
}

// JoinGroup merges the answers and streaks of a user into those of the group that it joins (contract 5.16, 8.7). The
// caller holds the lock of the member row, which all Works that change them hold, too.
func JoinGroup(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	if err := copyAnswersToGroup(ctx, tx, website, user, group); err != nil {
		return err
	}
	return moveStreaksToGroup(ctx, tx, website, user, group)
}

// LeaveGroup gives a user that has left a group its own answers, and the last one its streaks.
func LeaveGroup(ctx context.Context, tx *store.Tx, website, user, group laurel.ID) error {
	if err := restoreOwnAnswers(ctx, tx, website, user); err != nil {
		return err
	}
	return returnStreaksToLast(ctx, tx, website, user, group)
}
