// Package dynamicrewards revokes what rules with rewardLifetime dynamic have granted once their requirements no longer
// hold (contract 5.5), and restores badges once they hold again (5.17). It owns the checks of such rules: when each is
// due and how far it has come. It does not judge requirements (completion), and owns neither multipliers (engagement)
// nor badges (badges).
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

// Service checks dynamic rules.
type Service struct {
	Config
	queue worker.Runner
}

// Config holds what New needs.
type Config struct {
	DB          *store.DB
	Rules       *catalog.Service
	Lists       *lists.Service
	Completions *completion.Service
	Engagement  *engagement.Service
	Badges      *badges.Service
	Logger      *slog.Logger
}

// New returns the service. Run must be started for checks to be made.
func New(c Config) *Service {
	s := &Service{Config: c}
	s.queue = s.newCheckQueue()
	return s
}

// checkEvery is the longest time between two checks of a rule, also if its runs have ended or fail.
const checkEvery = 24 * time.Hour

// OnRuleSaved schedules the checks of a rule, or removes them, in the transaction that saves the rule. Checks are
// daily, the first a day from now. A run of the rule only makes the next check due earlier.
func OnRuleSaved(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule catalog.Rule) error {
	grantsReward := rule.RewardType == schema.RewardMultiplier || rule.GrantsBadges(rule.Meta())
	if !rule.DeletedAt.IsZero() || !rule.IsDynamic() || !grantsReward {
		return deleteCheck(ctx, tx, rule.ID)
	}
	return upsertCheck(
		ctx,
		tx,
		checkRow{
			RuleID:         rule.ID,
			OrganizationID: scope.OrganizationID,
			WebsiteID:      rule.WebsiteID,
			DueAt:          store.Micros(tx.Now().Add(checkEvery)),
		},
	)
}

// OnAccountLost makes the checks of all dynamic rules of a website due at once, in the transaction in which a member
// loses an account elsewhere. A check that is under way may have passed the member; the next one, a day later, finds
// it.
func OnAccountLost(ctx context.Context, tx *store.Tx, website laurel.ID) error {
	return makeAllDue(ctx, tx, website)
}

// OnRunComplete makes the check of a rule due at once, in the transaction that completes a run of the rule.
func OnRunComplete(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	return makeDue(ctx, tx, rule)
}
