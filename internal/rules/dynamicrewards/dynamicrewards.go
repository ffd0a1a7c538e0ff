// Package dynamicrewards revokes what rules with rewardLifetime dynamic have granted once their requirements no longer
// hold (contract 5.5), and restores badges once they hold again (5.17). It owns the checks of such rules: when each is
// due and how far it has come. It does not judge requirements (completion), and owns neither multipliers (engagement)
// nor badges (badges).
package dynamicrewards

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
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

// OnAccountLost makes the checks of the website's dynamic rules that ask for an account of a platform due at once, in
// the transaction in which a member loses such an account. The platform may be identity.Email or identity.Phone. A
// check that is under way may have passed the member; the next one, a day later, finds it.
func OnAccountLost(ctx context.Context, tx *store.Tx, scope laurel.Scope, platform string) error {
	waiting, err := selectNotDue(ctx, tx, scope)
	if err != nil || len(waiting) == 0 {
		return err
	}
	rules, err := catalog.ReadRules(ctx, tx, scope, waiting)
	if err != nil {
		return err
	}
	slices.SortFunc(rules, func(a, b catalog.Rule) int { return bytes.Compare(a.ID[:], b.ID[:]) }) // one order of locks
	for _, r := range rules {
		if !asksFor(r, platform) {
			continue
		}
		if err := makeDue(ctx, tx, r.ID); err != nil {
			return err
		}
	}
	return nil
}

// asksFor reports whether a rule requires an account of the platform.
func asksFor(r catalog.Rule, platform string) bool {
	meta := r.Meta()
	switch {
	case r.Type.Kind().Platform == platform, platform == schema.Microblog && meta.HasVerifiedMicroblog:
		return true
	case r.Type == schema.TypeConnectedEmail:
		return platform == identity.Email
	case r.Type == schema.TypeConnectedPhone:
		return platform == identity.Phone
	}
	field := meta.CompleteProfile[platform]
	return r.Type == schema.TypeProfileCompleted && field != nil && *field
}

// OnRunComplete makes the check of a rule due at once, in the transaction that completes a run of the rule.
func OnRunComplete(ctx context.Context, tx *store.Tx, rule laurel.ID) error {
	return makeDue(ctx, tx, rule)
}
