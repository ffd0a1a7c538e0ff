package audit_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/audit"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/store"
)

// plant changes rows past the foreign keys of SQLite, as another program that opens the file does.
func (w *world) plant(statement string) {
	w.t.Helper()
	if w.db.Engine() == store.Postgres {
		w.exec(statement)
		return
	}
	if err := w.past(statement); err != nil {
		w.t.Fatalf("%s: %v", statement, err)
	}
}

// past changes rows of SQLite past its foreign keys.
func (w *world) past(statement string) error {
	w.t.Helper()
	file, err := sql.Open(
		"sqlite",
		"file:"+strings.TrimPrefix(w.address, "sqlite:")+"?_pragma=foreign_keys(OFF)&_pragma=busy_timeout(10000)",
	)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	_, err = file.ExecContext(ctx, statement)
	return err
}

// stray is a row that is put where it does not belong, what verification must say of it, and whether SQLite's keys
// forbid it.
type stray struct {
	name, statement, says string
	refused               bool
}

func TestVerifyFindsWhatBelongsToNothingOrToAnother(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		other, coins := w.program("Other")
		strays := w.strays(other, coins)
		w.green()
		for _, s := range strays {
			w.plant(s.statement)
			var findings strings.Builder
			for _, d := range w.verify(audit.Trust{}).Discrepancies {
				fmt.Fprintln(&findings, d)
			}
			if !strings.Contains(findings.String(), s.says+"\n") {
				t.Errorf("%s: %q is not in\n%s", s.name, s.says, findings.String())
			}
		}
	})
}

func TestSQLiteRefusesWhatPostgreSQLLeavesToVerification(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		if w.db.Engine() != store.SQLite {
			return // it has no such keys, which is why verification looks
		}
		other, coins := w.program("Other")
		for _, s := range w.strays(other, coins) {
			err := w.db.InTx(ctx, func(tx *store.Tx) error {
				_, err := tx.Exec(ctx, s.statement)
				return err
			})
			if s.refused && (err == nil || !strings.Contains(err.Error(), "FOREIGN KEY")) {
				t.Errorf("%s: %v", s.name, err)
			}
		}
	})
}

// strays lists them, each with a transaction of its own.
func (w *world) strays(other laurel.Scope, coins laurel.ID) []stray {
	w.t.Helper()
	give := func(key string) ledger.Transaction {
		made, err := w.app.Transactions.Post(
			ctx,
			w.scope,
			transactions.Input{Description: "A gift", CurrencyID: w.points, Entries: []transactions.Entry{
				{Member: transactions.MemberRef{Wallet: fmt.Sprintf("0x%040x", 1)}, Amount: laurel.One, Key: key}}},
		)
		if err != nil {
			w.t.Fatal(err)
		}
		return made
	}
	set := func(table, column string, value, id laurel.ID) string {
		return fmt.Sprintf("UPDATE %s SET %s = '%s' WHERE id = '%s'", table, column, value, id)
	}
	const entries, booked = "loyalty_transaction_entries", "loyalty_transactions"
	unknown := mustID(forged)
	account := give("").Entries[0].AccountID
	var out []stray
	entry := func(name, column string, value laurel.ID, says string, refused bool) {
		id := give("").Entries[0].ID
		at := account
		if column == "loyalty_account_id" {
			at = value
		}
		out = append(
			out,
			stray{name, set(entries, column, value, id), fmt.Sprintf("account %s, entry %s: %s", at, id, says), refused},
		)
	}
	entry("an entry without account", "loyalty_account_id", unknown, "its account is gone", true)
	entry("an entry without transaction", "loyalty_transaction_id", unknown, "its transaction is gone", true)
	entry(
		"an entry of another organization",
		"organization_id",
		other.OrganizationID,
		"its organization is not its account's",
		false,
	)
	entry("an entry of another website", "website_id", other.WebsiteID, "its website is not its account's", true)
	entry("an entry of another currency", "loyalty_currency_id", coins, "its currency is not its account's", false)
	entry("an entry of another user", "user_id", unknown, "its user is not its account's", false)

	moved := give("")
	says := fmt.Sprintf("account %s, entry %s: its website is not its transaction's", account, moved.Entries[0].ID)
	out = append(
		out,
		stray{"a transaction of another website", set(booked, "website_id", other.WebsiteID, moved.ID), says, true},
	)
	moved = give("")
	says = fmt.Sprintf("account %s, entry %s: its organization is not its transaction's", account, moved.Entries[0].ID)
	out = append(
		out,
		stray{
			"a transaction of another organization",
			set(booked, "organization_id", other.OrganizationID, moved.ID),
			says,
			true,
		},
	)
	moved = give("")
	says = fmt.Sprintf("transaction %s: its organization has no such website", moved.ID)
	out = append(out, stray{"a transaction of no website", set(booked, "website_id", unknown, moved.ID), says, true})

	key := func(name, column string, value laurel.ID, says string, refused bool) {
		made := give(name)
		website, transaction := w.scope.WebsiteID, made.ID
		switch column {
		case "website_id":
			website = value
		case "loyalty_transaction_id":
			transaction = value
		}
		out = append(
			out,
			stray{name, fmt.Sprintf("UPDATE ledger_keys SET %s = '%s' WHERE idempotency_key = '%s'", column, value, name),
				fmt.Sprintf("transaction %s: website %s, key %s: %s", transaction, website, name, says), refused},
		)
	}
	key("a key of no transaction", "loyalty_transaction_id", unknown, "the transaction that it names is gone", false)
	key("a key of no website", "website_id", unknown, "its organization has no such website", true)
	key(
		"a key of another organization",
		"organization_id",
		other.OrganizationID,
		"its organization has no such website",
		true,
	)
	others, err := w.app.Transactions.Post(
		ctx,
		other,
		transactions.Input{Description: "A gift", CurrencyID: coins, Entries: []transactions.Entry{
			{Member: transactions.MemberRef{Wallet: fmt.Sprintf("0x%040x", 1)}, Amount: laurel.One}}},
	)
	if err != nil {
		w.t.Fatal(err)
	}
	key(
		"a key of a transaction elsewhere",
		"loyalty_transaction_id",
		others.ID,
		"the transaction that it names is another website's",
		false,
	)
	return out
}
