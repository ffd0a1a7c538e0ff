package report_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/bulk"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/store"
)

// program is a website with many members whose numbers the planner knows.
func program(t *testing.T, f func(t *testing.T, a *app.App, db *store.DB, scope laurel.Scope)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		a, err := app.Open(t.Context(), app.Config{Database: address})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = a.Close() })
		p, err := a.CreateProgram(t.Context(), app.ProgramInput{Organization: "O", Website: "W", Currency: "C"})
		if err != nil {
			t.Fatal(err)
		}
		scope, err := a.ScopeOf(t.Context(), p.WebsiteAPIKey)
		if err != nil {
			t.Fatal(err)
		}
		into := bulk.Target{
			Database: address,
			Site:     bulk.Site{OrganizationID: p.OrganizationID, WebsiteID: p.WebsiteID, CurrencyID: p.LoyaltyCurrencyID},
		}
		if err := into.InsertMembers(t.Context(), 20_000); err != nil {
			t.Fatal(err)
		}
		db := storetest.Open(t, address, nil)
		if db.Engine() == store.Postgres { // SQLite's planner knows no numbers
			if err := into.InsertGroups(t.Context(), bulk.ShapeOf(20_000, 40_000), 50); err != nil {
				t.Fatal(err)
			}
		}
		f(t, a, db, scope)
	})
}

// explained is how the engine would carry out a statement with its arguments.
func explained(t *testing.T, db *store.DB, query string, args ...any) string {
	t.Helper()
	if db.Engine() == store.SQLite {
		return plan(t, db, query)
	}
	var lines []string
	if err := db.Select(context.Background(), &lines, "EXPLAIN "+query, args...); err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

func TestUsersOfAGroupAreFoundWithoutAskingEveryMember(t *testing.T) {
	t.Parallel()
	program(t, func(t *testing.T, _ *app.App, db *store.DB, scope laurel.Scope) {
		query, args, err := report.AccountsOf(
			t.Context(),
			report.New(db),
			scope,
			report.UserFilter{GroupExternalIdentifier: bulk.ExternalGroup(7)},
		)
		if err != nil {
			t.Fatal(err)
		}
		got := explained(t, db, query, args...)
		if !strings.Contains(got, "members_of_group") {
			t.Errorf("%s\n%s", query, got)
		}
		for _, slow := range []string{"members_of_user", "Seq Scan", "SCAN", "SubPlan", "CORRELATED"} {
			if strings.Contains(got, slow) {
				t.Errorf("%s: %s\n%s", slow, query, got)
			}
		}
	})
}

func TestAccountsOfUsersAreFoundByTheirUsers(t *testing.T) {
	t.Parallel()
	program(t, func(t *testing.T, _ *app.App, db *store.DB, scope laurel.Scope) {
		for _, f := range []report.UserFilter{{IDs: []laurel.ID{db.NewID()}}, {Wallets: []string{bulk.WalletOf(7)}}} {
			query, args, err := report.AccountsOf(t.Context(), report.New(db), scope, f)
			if err != nil {
				t.Fatal(err)
			}
			if got := explained(
				t,
				db,
				query,
				args...); !strings.Contains(got, "loyalty_accounts_of_user") ||
				strings.Contains(got, "loyalty_accounts_list") {
				t.Errorf("%s\n%s", query, got)
			}
		}
	})
}

func TestEntriesOfMainAccountsAreReadFromTheIndexOfEachAccount(t *testing.T) {
	t.Parallel()
	program(t, func(t *testing.T, a *app.App, db *store.DB, scope laurel.Scope) {
		accounts := []laurel.ID{currency(t, a, scope, 1), currency(t, a, scope, 2)}
		if db.Engine() == store.Postgres {
			given(t, db, scope, accounts)
		}
		for _, ascending := range []bool{false, true} {
			query, args := report.SelectOfAccounts(
				db.Engine(),
				scope,
				report.EntryFilter{MainAccounts: true, Ascending: ascending},
				accounts,
				101,
			)
			got := explained(t, db, query, args...)
			inOrder := "entries_of_account_and_rule (loyalty_account_id=?)\nSCAN part" // not sorted in between
			if db.Engine() == store.Postgres {
				inOrder = "using entries_of_account_and_rule"
			}
			if n := strings.Count(got, inOrder); n != 2 || strings.Contains(got, "Bitmap") {
				t.Errorf("%d accounts are read in the order of their index:\n%s", n, got)
			}
		}
	})
}

// TestTheEntriesOfAUserAndARuleAreFoundInOneIndex keeps such a page from reading all that the user ever earned: those
// entries lie far apart. SQLite's plan does not tell of the rule.
func TestTheEntriesOfAUserAndARuleAreFoundInOneIndex(t *testing.T) {
	t.Parallel()
	program(t, func(t *testing.T, _ *app.App, db *store.DB, scope laurel.Scope) {
		account, rule := db.NewID(), db.NewID()
		query, args := report.SelectOfAccounts(
			db.Engine(),
			scope,
			report.EntryFilter{RuleIDs: []laurel.ID{rule}},
			[]laurel.ID{account},
			101,
		)
		conditions := []string{"entries_of_account_and_rule (loyalty_account_id=?)"}
		if db.Engine() == store.Postgres {
			earned(t, db, scope, account, rule)
			conditions = []string{
				"on entries_of_account_and_rule",
				"Index Cond: ((loyalty_account_id = '" + account.String() + "'::uuid) AND (loyalty_rule_id = '" + rule.String() + "'::uuid))",
			}
		}
		got := explained(t, db, query, args...)
		for _, condition := range conditions {
			if !strings.Contains(got, condition) {
				t.Errorf("no %s:\n%s", condition, got)
			}
		}
	})
}

// earned makes entries of many accounts for many rules, one of each is given, and tells the planner of them.
func earned(t *testing.T, db *store.DB, scope laurel.Scope, account, rule laurel.ID) {
	t.Helper()
	err := db.InTx(context.Background(), func(tx *store.Tx) error {
		_, err := tx.Exec(
			context.Background(),
			`INSERT INTO loyalty_transaction_entries (id, organization_id, website_id, loyalty_transaction_id, loyalty_account_id,
				loyalty_currency_id, user_id, direction, type, loyalty_rule_id, amount, start_amount, end_amount, lock_version, created_at)
			SELECT gen_random_uuid(), ?, ?, gen_random_uuid(), CASE a WHEN 1 THEN ?::uuid ELSE md5('a' || a)::uuid END, gen_random_uuid(), gen_random_uuid(), 'credit', 'loyalty_rule',
				CASE r WHEN 1 THEN ?::uuid ELSE md5('r' || r)::uuid END, 1, 0, 1, 1, n
			FROM generate_series(1, 40) a, generate_series(1, 50) r, generate_series(1, 4) n`,
			scope.OrganizationID,
			scope.WebsiteID,
			account,
			rule,
		)
		if err == nil {
			_, err = tx.Exec(context.Background(), "ANALYZE loyalty_transaction_entries")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// given makes entries of main accounts and tells the planner of them.
func given(t *testing.T, db *store.DB, scope laurel.Scope, accounts []laurel.ID) {
	t.Helper()
	err := db.InTx(context.Background(), func(tx *store.Tx) error {
		for _, account := range accounts {
			_, err := tx.Exec(
				context.Background(),
				`INSERT INTO loyalty_transaction_entries (id, organization_id, website_id, loyalty_transaction_id, loyalty_account_id,
					loyalty_currency_id, direction, type, amount, created_at)
				SELECT gen_random_uuid(), ?, ?, gen_random_uuid(), ?, gen_random_uuid(), 'debit', 'api_key', 1, n FROM generate_series(1, 10000) n`,
				scope.OrganizationID,
				scope.WebsiteID,
				account,
			)
			if err != nil {
				return err
			}
		}
		_, err := tx.Exec(context.Background(), "ANALYZE loyalty_transaction_entries")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// currency makes a currency and returns its main account.
func currency(t *testing.T, a *app.App, scope laurel.Scope, i int) laurel.ID {
	t.Helper()
	made, err := a.Ledger.CreateCurrency(
		t.Context(),
		scope,
		ledger.CurrencyPatch{}.With("name", fmt.Sprint("C", i)).With("symbol", "C").With("decimals", int64(0)),
	)
	if err != nil {
		t.Fatal(err)
	}
	return made.MainAccountID
}
