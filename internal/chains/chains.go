// Package chains owns rule chains: what must be done before a rule can be completed, as conditions that all, or one of them, must hold (contract 3.17,
// 5.8). It keeps chains free of cycles. Conditions and their judgement belong to conditions; the facts about a member are gathered by completions.
package chains

import (
	"context"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"laurel"
	"laurel/internal/conditions"
	"laurel/internal/ledger"
	"laurel/internal/rules"
	"laurel/internal/store"
)

// Chain is one chain of a rule.
type Chain struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	RuleID         laurel.ID // the rule that is locked
	Name           string
	Operator       string // AND or OR
	Conditions     []conditions.Condition
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

// Service carries out the operations on chains.
type Service struct {
	db     *store.DB
	rules  *rules.Service
	ledger *ledger.Service
	known  *lru.Cache[version, []Chain]
}

// version names a rule with its chains as they were at one time: every change of a chain raises the version of its rule.
type version struct {
	rule    laurel.ID
	version int64
}

// maxKnown bounds the rules whose chains a node keeps.
const maxKnown = 8192

// New makes the service.
func New(db *store.DB, rulesService *rules.Service, currencies *ledger.Service) *Service {
	known, err := lru.New[version, []Chain](maxKnown)
	if err != nil {
		panic(err) // only of a size that is not positive
	}
	return &Service{db: db, rules: rulesService, ledger: currencies, known: known}
}

// Of answers the chains of a rule in the version that the rule was read in; shared, not to be changed. It is good for whoever compares the version under
// locks: what is remembered of a version never changes.
func (s *Service) Of(ctx context.Context, scope laurel.Scope, rule laurel.ID, number int64) ([]Chain, error) {
	if list, ok := s.known.Get(version{rule, number}); ok {
		return list, nil
	}
	list, err := chainsOf(ctx, s.db, scope, []laurel.ID{rule})
	if err == nil {
		s.known.Add(version{rule, number}, list)
	}
	return list, err
}

// Standings answers how far a member is with each chain, by what is known of it.
func Standings(list []Chain, k conditions.Known) []conditions.Standing {
	out := make([]conditions.Standing, len(list))
	for i, c := range list {
		out[i] = conditions.Standing{ChainID: c.ID, Operator: c.Operator, States: make([]conditions.State, len(c.Conditions))}
		for j, condition := range c.Conditions {
			out[i].States[j] = condition.Judge(k, c.RuleID)
		}
	}
	return out
}

// Conditions are those of all the chains.
func Conditions(list []Chain) []conditions.Condition {
	var all []conditions.Condition
	for _, c := range list {
		all = append(all, c.Conditions...)
	}
	return all
}
