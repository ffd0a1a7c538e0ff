package contractrules

import (
	"context"
	"log/slog"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// CatchUp has the rules watch their contracts that were saved by a version that knew nothing of that: from now on, or
// from their effectiveStartTime. It may be called at any time. A rule that cannot is logged and left out, so that it
// holds up no other one.
func (s *Service) CatchUp(ctx context.Context) error {
	rules, err := catalog.RulesOfType(ctx, s.DB, schema.TypeContractEvent)
	if err != nil || len(rules) == 0 {
		return err
	}
	watching, err := selectWatching(ctx, s.DB)
	if err != nil {
		return err
	}
	for _, r := range rules {
		if slices.Contains(watching, r.ID) {
			continue
		}
		scope := laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Role: laurel.RoleWebsite}
		err := s.DB.InTx(ctx, func(tx *store.Tx) error {
			rule, err := catalog.LockRule(ctx, tx, scope, r.ID)
			if err != nil {
				return err
			}
			return OnRuleSaved(ctx, tx, scope, rule, s.Find)
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.Logger.Error("a rule of an earlier version does not watch its contract until it is saved, or the next start",
				slog.String("rule", r.ID.String()), slog.Any("error", err))
		}
	}
	return nil
}
