package main_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"
)

// open opens the database beside the program, as a person with a database shell would.
func open(t testing.TB, database string) *sql.DB {
	t.Helper()
	driver, source := "pgx", database
	if path, ok := strings.CutPrefix(database, "sqlite:"); ok {
		driver, source = "sqlite", "file:"+path+"?_pragma=busy_timeout(10000)"
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func execute(t testing.TB, db *sql.DB, statement string) {
	t.Helper()
	done, err := db.ExecContext(context.Background(), statement)
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	if n, err := done.RowsAffected(); err != nil || n == 0 {
		t.Fatalf("%s: %d rows, %v", statement, n, err)
	}
}

func one(t testing.TB, db *sql.DB, query string) string {
	t.Helper()
	var out string
	if err := db.QueryRowContext(context.Background(), query).Scan(&out); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return out
}

// rowCounts counts the rows that a command line could have added or changed.
func rowCounts(t testing.TB, database string) map[string]string {
	t.Helper()
	db, counts := open(t, database), map[string]string{}
	for _, table := range []string{"organizations", "websites", "users", "api_keys", "loyalty_currencies", "loyalty_accounts", "member_secrets", "changes"} {
		counts[table] = one(t, db, "SELECT CAST(COUNT(*) AS TEXT) FROM "+table)
	}
	counts["revoked"] = one(t, db, "SELECT CAST(COUNT(*) AS TEXT) FROM api_keys WHERE revoked_at IS NOT NULL")
	return counts
}

// written counts the user entries of each transaction and of each idempotency key.
func written(t testing.TB, database string) (transactions, keys map[string]int) {
	t.Helper()
	rows, err := open(t, database).QueryContext(context.Background(),
		"SELECT CAST(loyalty_transaction_id AS TEXT), COALESCE(idempotency_key, '') FROM loyalty_transaction_entries WHERE user_id IS NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	transactions, keys = map[string]int{}, map[string]int{}
	for rows.Next() {
		var transaction, key string
		if err := rows.Scan(&transaction, &key); err != nil {
			t.Fatal(err)
		}
		transactions[transaction]++
		if key != "" {
			keys[key]++
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return transactions, keys
}

// green demands that the ledger is found whole.
func green(t testing.TB, database string) {
	t.Helper()
	if output := run(t, "verify", "--database", database).ok(); !strings.Contains(output, " 0 discrepancies") {
		t.Fatalf("verify printed %s", output)
	}
}

// walletOf is the address of a member.
func walletOf(i int) string { return fmt.Sprintf("0x%040x", i) }
