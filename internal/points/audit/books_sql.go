package audit

import (
	"context"
	"fmt"

	"laurel.example/laurel/internal/store"
)

// signedAmount is the SQL expression for the amount that an entry adds to its account.
const signedAmount = "CASE WHEN direction = 'credit' THEN amount ELSE -amount END"

// sumOf returns the SQL expression for the sum of an expression, which may exceed 64 bits if someone wrote large values
// into the database by hand. SQLite's SUM fails on that, so the upper and the lower 32 bits are summed apart there.
func sumOf(engine store.Engine, expression string) string {
	if engine == store.Postgres {
		return "SUM(" + expression + ")"
	}
	return fmt.Sprintf("(SUM((%[1]s) / 4294967296) * 4294967296 + SUM((%[1]s) %% 4294967296))", expression)
}

// countAccounts sets the number of accounts in the report.
func countAccounts(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	return q.Get(ctx, &report.Accounts, "SELECT COUNT(*) FROM loyalty_accounts")
}

// verifyUsers checks the accounts of users. The entries of each account must have the versions 1, 2, 3 …, each must
// start at the balance at which the one before ended, and dates must not go back. The balance and version of each
// account must be those that follow from its entries.
func verifyUsers(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	err := addFindings(ctx, q, report, `SELECT loyalty_account_id AS account, id AS entry, CASE
			WHEN lock_version <> n THEN 'its version is not the next one'
			WHEN start_amount <> former THEN 'its start differs from the end before it'
			WHEN end_amount <> CAST(start_amount AS NUMERIC) + moved THEN 'its end is not its start plus its amount'
			ELSE 'it is dated before the entry before it' END AS problem
		FROM (SELECT id, loyalty_account_id, lock_version, start_amount, end_amount, created_at, `+signedAmount+` AS moved,
				ROW_NUMBER() OVER w AS n, COALESCE(LAG(end_amount) OVER w, 0) AS former, COALESCE(LAG(created_at) OVER w, 0) AS earlier
			FROM loyalty_transaction_entries WHERE user_id IS NOT NULL WINDOW w AS (PARTITION BY loyalty_account_id ORDER BY lock_version, id)) e
		WHERE lock_version <> n OR start_amount <> former OR end_amount <> CAST(start_amount AS NUMERIC) + moved OR created_at < earlier LIMIT ?`)
	if err != nil {
		return err
	}
	return addFindings(
		ctx,
		q,
		report,
		`SELECT a.id AS account, NULL AS entry, 'its balance or version differs from its entries' AS problem
		FROM loyalty_accounts a LEFT JOIN (SELECT loyalty_account_id, `+sumOf(q.Engine(), signedAmount)+` AS total, COUNT(*) AS n
			FROM loyalty_transaction_entries WHERE user_id IS NOT NULL GROUP BY loyalty_account_id) e ON e.loyalty_account_id = a.id
		WHERE a.user_id IS NOT NULL AND (a.amount <> COALESCE(e.total, 0) OR a.lock_version <> COALESCE(e.n, 0)) LIMIT ?`,
	)
}

// verifyMainAccounts checks that the balance of each main account, which is one without a user, is the sum of its
// entries, and its version their number. Both are stored in two parts: those of the account, and deltas that are not
// added to the account yet.
func verifyMainAccounts(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	return addFindings(
		ctx,
		q,
		report,
		`SELECT a.id AS account, NULL AS entry, 'the main account differs from its entries' AS problem
		FROM loyalty_accounts a
		LEFT JOIN (SELECT loyalty_account_id, `+sumOf(q.Engine(), "amount")+` AS total, SUM(entries) AS n FROM main_account_deltas GROUP BY loyalty_account_id) d ON d.loyalty_account_id = a.id
		LEFT JOIN (SELECT loyalty_account_id, `+sumOf(q.Engine(), signedAmount)+` AS total, COUNT(*) AS n
			FROM loyalty_transaction_entries WHERE user_id IS NULL GROUP BY loyalty_account_id) e ON e.loyalty_account_id = a.id
		WHERE a.user_id IS NULL AND (a.amount + COALESCE(d.total, 0) <> COALESCE(e.total, 0) OR a.lock_version + COALESCE(d.n, 0) <> COALESCE(e.n, 0)) LIMIT ?`,
	)
}

// verifySums checks that the entries of each transaction sum to zero per currency, credits minus debits. It reports the
// transaction, because the sum does not show which of its entries was changed or removed.
func verifySums(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	return addFindings(
		ctx,
		q,
		report,
		`SELECT loyalty_transaction_id AS txn, 'its entries do not sum to zero' AS problem FROM loyalty_transaction_entries
		GROUP BY loyalty_transaction_id, loyalty_currency_id HAVING `+sumOf(q.Engine(), signedAmount)+` <> 0 LIMIT ?`,
	)
}

// verifyReferences checks that the account and the transaction of each entry exist and have the same tenant, currency
// and user. PostgreSQL has no foreign keys there (docs/decisions/0013).
func verifyReferences(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	return addFindings(ctx, q, report, `SELECT e.loyalty_account_id AS account, e.id AS entry, CASE
			WHEN a.id IS NULL THEN 'its account is gone'
			WHEN t.id IS NULL THEN 'its transaction is gone'
			WHEN e.organization_id <> a.organization_id THEN 'its organization is not its account''s'
			WHEN e.website_id <> a.website_id THEN 'its website is not its account''s'
			WHEN e.loyalty_currency_id <> a.loyalty_currency_id THEN 'its currency is not its account''s'
			WHEN e.user_id IS DISTINCT FROM a.user_id THEN 'its user is not its account''s'
			WHEN e.organization_id <> t.organization_id THEN 'its organization is not its transaction''s'
			ELSE 'its website is not its transaction''s' END AS problem
		FROM loyalty_transaction_entries e LEFT JOIN loyalty_accounts a ON a.id = e.loyalty_account_id LEFT JOIN loyalty_transactions t ON t.id = e.loyalty_transaction_id
		WHERE a.id IS NULL OR t.id IS NULL OR e.organization_id <> a.organization_id OR e.website_id <> a.website_id OR e.loyalty_currency_id <> a.loyalty_currency_id
			OR e.user_id IS DISTINCT FROM a.user_id OR e.organization_id <> t.organization_id OR e.website_id <> t.website_id LIMIT ?`)
}

// verifyTransactions checks that the website of each transaction exists and belongs to its organization.
func verifyTransactions(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	return addFindings(ctx, q, report, `SELECT t.id AS txn, 'its organization has no such website' AS problem
		FROM loyalty_transactions t LEFT JOIN websites w ON w.id = t.website_id AND w.organization_id = t.organization_id WHERE w.id IS NULL LIMIT ?`)
}

// verifyKeys checks that the website of each business key exists, and that its transaction, if it has one, exists in
// the same website.
func verifyKeys(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	return addFindings(
		ctx,
		q,
		report,
		`SELECT k.loyalty_transaction_id AS txn, 'website ' || CAST(k.website_id AS TEXT) || ', key ' || k.idempotency_key || ': ' || CASE
			WHEN w.id IS NULL THEN 'its organization has no such website'
			WHEN t.id IS NULL THEN 'the transaction that it names is gone'
			ELSE 'the transaction that it names is another website''s' END AS problem
		FROM ledger_keys k LEFT JOIN websites w ON w.id = k.website_id AND w.organization_id = k.organization_id
		LEFT JOIN loyalty_transactions t ON t.id = k.loyalty_transaction_id
		WHERE w.id IS NULL OR (k.loyalty_transaction_id IS NOT NULL AND (t.id IS NULL OR t.website_id <> k.website_id)) LIMIT ?`,
	)
}

// addFindings runs a query whose rows are discrepancies and adds them to the report, until that is full. The query's
// only placeholder is its LIMIT. Of the columns organization, account, entry, txn and problem it may leave out all but
// problem. An id that is malformed in the database is appended to the problem.
func addFindings(ctx context.Context, q store.Queryer, report *VerifyReport, query string) error {
	limit := maxDiscrepancies - len(report.Discrepancies)
	if limit <= 0 {
		return nil
	}
	var rows []struct {
		Organization lenientID `db:"organization"`
		Account      lenientID `db:"account"`
		Entry        lenientID `db:"entry"`
		Transaction  lenientID `db:"txn"`
		Problem      string    `db:"problem"`
	}
	if err := q.Select(ctx, &rows, query, limit); err != nil {
		return err
	}
	for _, r := range rows {
		d := Discrepancy{
			OrganizationID: r.Organization.ID, AccountID: r.Account.ID, EntryID: r.Entry.ID,
			TransactionID: r.Transaction.ID, Problem: r.Problem,
		}
		for _, id := range []string{r.Organization.corrupt, r.Account.corrupt, r.Entry.corrupt, r.Transaction.corrupt} {
			if id != "" {
				d.Problem += ", and its id is " + id
			}
		}
		report.Discrepancies = append(report.Discrepancies, d)
	}
	return nil
}
