// Package dynamicrewards takes back what rules with rewardLifetime dynamic gave, once what they ask for no longer holds
// (contract 5.5), and gives badges back once it holds again (5.17). It owns when each such rule is checked and how far
// the check has come. Whether a rule's requirement holds is told by completions; multipliers belong to engagement,
// badges to badges.
package dynamicrewards

import (
	"context"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/engagement"
	"laurel/internal/engagement/badges"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/completion"
	"laurel/internal/rules/lists"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// Service checks rules.
type Service struct {
	Config
	queue worker.Runner
}

// Config is what a Service is made of.
type Config struct {
	DB          *store.DB
	Rules       *catalog.Service
	Lists       *lists.Service
	Completions *completion.Service
	Engagement  *engagement.Service
	Badges      *badges.Service
	Logger      *slog.Logger
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{Config: c}
	s.queue = s.open()
	return s
}

// every is after how long at the latest a rule is checked again: also one whose runs are over, or fail.
const every = 24 * time.Hour

// Saved notes, in the transaction that saves a rule, whether it is checked from now on: daily, for the first time a day
// from now. Runs only bring the checks forward.
func Saved(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule catalog.Rule) error {
	lends := rule.RewardType == schema.RewardMultiplier || rule.GrantsBadges(rule.Meta())
	if !rule.DeletedAt.IsZero() || !rule.IsDynamic() || !lends {
		return deleteCheck(ctx, tx, rule.ID)
	}
	return putCheck(
		ctx,
		tx,
		checkRow{
			RuleID:         rule.ID,
			OrganizationID: scope.OrganizationID,
			WebsiteID:      rule.WebsiteID,
			DueAt:          store.Micros(tx.Now().Add(every)),
		},
	)
}

// Ran is called in the transaction that ends a run of a rule: what the rule gave is checked at once.
func Ran(ctx context.Context, tx *store.Tx, _ laurel.Scope, rule laurel.ID) error {
	return dueNow(ctx, tx, rule)
}
