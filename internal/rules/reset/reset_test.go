package reset_test

import (
	"context"
	"log/slog"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/reset"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
)

// world is a program whose member was paid by a rule, and a database beside it in which a node has died.
type world struct {
	t       *testing.T
	app     *app.App
	db      *store.DB
	scope   laurel.Scope
	points  laurel.ID
	rule    laurel.ID
	context context.Context
}

func each(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	storetest.EachURL(t, func(t *testing.T, address string) {
		a, err := app.Open(t.Context(), app.Config{Database: address, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = a.Close() })
		p, err := a.CreateProgram(
			t.Context(),
			app.ProgramInput{Organization: "Acme", Website: "Acme site", Currency: "Acme points"},
		)
		if err != nil {
			t.Fatal(err)
		}
		w := &world{t: t, app: a, db: storetest.Open(t, address, nil), points: p.LoyaltyCurrencyID, context: t.Context()}
		if w.scope, err = a.ScopeOf(t.Context(), p.WebsiteAPIKey); err != nil {
			t.Fatal(err)
		}
		r, err := a.Rules.Create(
			t.Context(),
			w.scope,
			schema.Input{Name: laurel.Some("A rule"), Type: laurel.Some("check_in"), Amount: laurel.Some(laurel.One)},
		)
		if err != nil {
			t.Fatal(err)
		}
		w.rule = r.ID
		w.complete()
		f(t, w)
	})
}

func (w *world) complete() {
	w.t.Helper()
	in := completion.CompleteInput{
		RuleID: w.rule,
		User:   identity.Ref{Wallet: "0x00000000000000000000000000000000000000a1"},
	}
	if _, err := w.app.Completions.Complete(w.context, w.scope, in); err != nil {
		w.t.Fatal(err)
	}
}

// left writes a job as a node leaves it that died right after it had begun.
func (w *world) left(column string, of laurel.ID, kind reset.Kind, position string) {
	w.t.Helper()
	err := w.db.InTx(w.context, func(tx *store.Tx) error {
		_, err := tx.Exec(
			w.context,
			`INSERT INTO clearing_jobs (id, organization_id, website_id, kind, `+column+`, status, position, accounts, amount, due_at, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, 'processing', ?, 0, 0, 0, ?, 0)`,
			tx.NewID(),
			w.scope.OrganizationID,
			w.scope.WebsiteID,
			string(kind),
			of,
			position,
			store.Micros(tx.Now()),
		)
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) jobs(status string) int {
	w.t.Helper()
	page, err := w.app.Reset.List(w.context, w.scope, reset.Filter{Status: status}, laurel.PageRequest{Limit: 100})
	if err != nil {
		w.t.Fatal(err)
	}
	return len(page.Data)
}

func (w *world) update(in schema.Input) error {
	_, err := w.app.Rules.Update(w.context, w.scope, w.rule, in)
	return err
}

func TestARuleDoesNotComeBackWhileWhatItPaidIsDebited(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		if err := w.update(schema.Input{DeletedAt: laurel.Some(laurel.Timestamp{Time: w.db.Now()})}); err != nil {
			t.Fatal(err)
		}
		w.left("loyalty_rule_id", w.rule, reset.RuleDebit, `{"phase":"waiting"}`)
		back := schema.Input{DeletedAt: laurel.Null[laurel.Timestamp]()}
		if err := w.update(back); err == nil || err.Error() != "Loyalty rule is still being cleared" ||
			laurel.CodeOf(err) != laurel.Refused {
			t.Errorf("back at once: %v", err)
		}
		edits, err := w.app.Rules.ListEdits(w.context, w.scope, w.rule, laurel.PageRequest{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.app.Rules.Restore(
			w.context,
			w.scope,
			edits.Data[0].ID,
			"",
		); err == nil ||
			err.Error() != "Loyalty rule is still being cleared" {
			t.Errorf("restored at once: %v", err)
		}
		if err := w.app.Reset.RunDue(w.context); err != nil {
			t.Fatal(err)
		}
		if n := w.jobs(reset.Complete); n != 1 {
			t.Errorf("%d jobs are complete", n)
		}
		if err := w.update(back); err != nil {
			t.Error(err)
		}
		accounts, err := w.app.Ledger.AccountsAfter(w.context, w.db, w.scope, w.points, laurel.PageRequest{Limit: 2})
		if err != nil || len(accounts) != 1 || accounts[0].Amount != 0 {
			t.Errorf("accounts: %v %v", accounts, err)
		}
	})
}

func TestAResetWaitsForTheOneThatADeadNodeLeft(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.left("loyalty_currency_id", w.points, reset.ResetKeepRules, `{"phase":"rules"}`)
		done, err := w.app.Reset.Reset(
			w.context,
			w.scope,
			reset.Input{CurrencyID: w.points, Kind: string(reset.ResetBalances)},
		)
		if err != nil || !done || w.jobs(reset.Complete) != 2 {
			t.Errorf("done %v, %v, %d jobs are complete", done, err, w.jobs(reset.Complete))
		}
		w.complete() // the first reset opened the window
	})
}

func TestAResetOfACurrencyThatIsDeletedMeanwhileIsCancelled(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.left("loyalty_currency_id", w.points, reset.ResetBalances, `{"phase":"accounts"}`)
		if _, err := w.app.Ledger.DeleteCurrency(w.context, w.scope, w.points); err != nil {
			t.Fatal(err)
		}
		if err := w.app.Reset.RunDue(w.context); err != nil {
			t.Fatal(err)
		}
		page, err := w.app.Reset.List(w.context, w.scope, reset.Filter{CurrencyID: w.points}, laurel.PageRequest{Limit: 1})
		if err != nil || len(page.Data) != 1 || page.Data[0].Status != reset.Cancelled || page.Data[0].Message == nil ||
			*page.Data[0].Message != "Loyalty currency not found" {
			t.Errorf("%+v %v", page.Data, err)
		}
	})
}
