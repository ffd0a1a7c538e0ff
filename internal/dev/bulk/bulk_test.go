package bulk_test

import (
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/bulk"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/audit"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/schema"
)

func TestMembersMadeInBulkAreThoseThatTheServiceKnows(t *testing.T) {
	t.Parallel()
	storetest.EachURL(t, func(t *testing.T, database string) {
		a, err := app.Open(t.Context(), app.Config{Database: database})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = a.Close() })
		p, err := a.CreateProgram(t.Context(), app.ProgramInput{Organization: "O", Website: "W", Currency: "C"})
		if err != nil {
			t.Fatal(err)
		}
		into := bulk.Target{
			Database: database,
			Site:     bulk.Site{OrganizationID: p.OrganizationID, WebsiteID: p.WebsiteID, CurrencyID: p.LoyaltyCurrencyID},
		}
		if err := into.InsertMembers(t.Context(), 1000); err != nil {
			t.Fatal(err)
		}
		scope, err := a.ScopeOf(t.Context(), p.WebsiteAPIKey)
		if err != nil {
			t.Fatal(err)
		}
		rule, err := a.Rules.Create(
			t.Context(),
			scope,
			schema.Input{Name: laurel.Some("R"), Type: laurel.Some("external_rule"), Interval: laurel.Some("daily"),
				Amount: laurel.Some(laurel.One), LoyaltyCurrencyID: laurel.Some(p.LoyaltyCurrencyID)},
		)
		if err != nil {
			t.Fatal(err)
		}
		last, err := laurel.ParseID(bulk.IDOf(bulk.KindUser, 999))
		if err != nil {
			t.Fatal(err)
		}
		for _, user := range []identity.Ref{{Wallet: bulk.WalletOf(0)}, {UserID: last}} {
			if _, err := a.Completions.Complete(
				t.Context(),
				scope,
				completion.CompleteInput{RuleID: rule.ID, User: user},
			); err != nil {
				t.Fatal(err)
			}
		}
		report, err := a.Audit.Verify(t.Context(), audit.Trust{})
		if err != nil || len(report.Discrepancies) > 0 || report.Accounts != 1001 || report.Entries != 4 {
			t.Errorf("%+v %v", report, err)
		}
	})
}
