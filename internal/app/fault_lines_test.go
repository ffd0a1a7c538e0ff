package app_test

import (
	"log/slog"
	"strings"
	"testing"

	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
)

// TestALogLineNamesTheStatementAndTheFunctionThatFailed takes ten tables away, one at a time, and reads what the log
// says of the call that needed it: a driver's error alone names neither the operation nor the function.
func TestALogLineNamesTheStatementAndTheFunctionThatFailed(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, address string) {
		log := &storetest.Log{}
		s := apptest.Open(t, address, app.Config{NoRateLimits: true, Logger: slog.New(slog.NewTextHandler(log, nil))})
		rule := s.Free(nil)
		s.Complete(rule, object{"walletAddress": apptest.Alice}).OK()
		for _, c := range []struct {
			table     string
			call      func() apptest.Response
			statement string // verb, table and function
		}{
			{"loyalty_rules", func() apptest.Response { return s.Get("/api/loyalty/rules") }, "select from loyalty_rules in catalog."},
			{"rule_edits", func() apptest.Response { return s.Get("/api/loyalty/rule_edits?loyaltyRuleId=" + rule) }, "select from rule_edits in catalog."},
			{"rule_chains", func() apptest.Response { return s.Get("/api/loyalty/rule_chains") }, "select from rule_chains in report.(*Service).Chains"},
			{"loyalty_badges", func() apptest.Response { return s.Get("/api/loyalty/badges") }, "select from loyalty_badges in report.(*Service).Badges"},
			{"subscriptions", func() apptest.Response { return s.Get("/api/stratus/subscriptions") }, "select from subscriptions in webhooks."},
			{"functions", func() apptest.Response { return s.Get("/api/stratus/functions") }, "select from functions in functions."},
			{"auctions", func() apptest.Response { return s.Get("/api/auctions") }, "select from auctions in auctions."},
			{"loyalty_transaction_entries", func() apptest.Response {
				return s.Complete(rule, object{"walletAddress": apptest.Bob})
			}, "loyalty_transaction_entries"},
			{"websites", func() apptest.Response {
				return s.Call(s.OrganizationAPIKey, "POST", "/api/websites", object{"name": "Another"})
			}, "select from api_keys in tenancy.findKey"},
			{"user_metadata", func() apptest.Response {
				return s.Post("/api/users/metadatas", object{"walletAddress": apptest.Bob, "displayName": "Bob"})
			}, "user_metadata in identity."},
		} {
			before := len(log.String())
			apptest.ExecOnce(t, address, "ALTER TABLE "+c.table+" RENAME TO elsewhere")
			c.call().Refused(500, "Internal server error")
			apptest.ExecOnce(t, address, "ALTER TABLE elsewhere RENAME TO "+c.table)
			if lines := log.String()[before:]; !strings.Contains(lines, c.statement) {
				t.Errorf("without %s, the log does not say %q:\n%s", c.table, c.statement, lines)
			}
		}
	})
}
