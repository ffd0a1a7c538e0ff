package audit

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// signedAmount is what an entry adds to its account.
const signedAmount = "CASE WHEN direction = 'credit' THEN amount ELSE -amount END"

func verifyCounts(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	if err := q.Get(ctx, &report.Accounts, "SELECT COUNT(*) FROM loyalty_accounts"); err != nil {
		return err
	}
	return q.Get(ctx, &report.Entries, "SELECT COUNT(*) FROM loyalty_transaction_entries")
}

// verifyUsers checks every user's entries one after the other, then the account against their sum.
func verifyUsers(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	err := find(ctx, q, report, `SELECT loyalty_account_id AS account, id AS entry, CASE
			WHEN lock_version <> n THEN 'its version is not the next one'
			WHEN start_amount <> former THEN 'its start differs from the end before it'
			WHEN end_amount <> start_amount + moved THEN 'its end is not its start plus its amount'
			ELSE 'it is dated before the entry before it' END AS problem
		FROM (SELECT id, loyalty_account_id, lock_version, start_amount, end_amount, created_at, `+signedAmount+` AS moved,
				ROW_NUMBER() OVER w AS n, COALESCE(LAG(end_amount) OVER w, 0) AS former, COALESCE(LAG(created_at) OVER w, 0) AS earlier
			FROM loyalty_transaction_entries WHERE user_id IS NOT NULL WINDOW w AS (PARTITION BY loyalty_account_id ORDER BY lock_version, id)) e
		WHERE lock_version <> n OR start_amount <> former OR end_amount <> start_amount + moved OR created_at < earlier LIMIT ?`)
	if err != nil {
		return err
	}
	return find(ctx, q, report, `SELECT a.id AS account, NULL AS entry, 'its balance or version differs from its entries' AS problem
		FROM loyalty_accounts a LEFT JOIN (SELECT loyalty_account_id, SUM(`+signedAmount+`) AS total, COUNT(*) AS n
			FROM loyalty_transaction_entries WHERE user_id IS NOT NULL GROUP BY loyalty_account_id) e ON e.loyalty_account_id = a.id
		WHERE a.user_id IS NOT NULL AND (a.amount <> COALESCE(e.total, 0) OR a.lock_version <> COALESCE(e.n, 0)) LIMIT ?`)
}

// verifyMainAccounts checks the folded part plus the deltas of each main account against its entries.
func verifyMainAccounts(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	return find(ctx, q, report, `SELECT a.id AS account, NULL AS entry, 'the main account differs from its entries' AS problem
		FROM loyalty_accounts a
		LEFT JOIN (SELECT loyalty_account_id, SUM(amount) AS total, SUM(entries) AS n FROM main_account_deltas GROUP BY loyalty_account_id) d ON d.loyalty_account_id = a.id
		LEFT JOIN (SELECT loyalty_account_id, SUM(`+signedAmount+`) AS total, COUNT(*) AS n
			FROM loyalty_transaction_entries WHERE user_id IS NULL GROUP BY loyalty_account_id) e ON e.loyalty_account_id = a.id
		WHERE a.user_id IS NULL AND (a.amount + COALESCE(d.total, 0) <> COALESCE(e.total, 0) OR a.lock_version + COALESCE(d.n, 0) <> COALESCE(e.n, 0)) LIMIT ?`)
}

// verifySums checks that nothing appeared or vanished: per transaction and currency the entries sum to zero. It names the first entry.
func verifySums(ctx context.Context, q store.Queryer, report *VerifyReport) error {
	return find(ctx, q, report, `SELECT account, entry, 'its transaction does not sum to zero' AS problem
		FROM (SELECT loyalty_account_id AS account, id AS entry, SUM(`+signedAmount+`) OVER (PARTITION BY loyalty_transaction_id, loyalty_currency_id) AS total,
				ROW_NUMBER() OVER (PARTITION BY loyalty_transaction_id, loyalty_currency_id ORDER BY id) AS n
			FROM loyalty_transaction_entries) e
		WHERE total <> 0 AND n = 1 LIMIT ?`)
}

func find(ctx context.Context, q store.Queryer, report *VerifyReport, query string) error {
	room := maxDiscrepancies - len(report.Discrepancies)
	if room <= 0 {
		return nil
	}
	var rows []struct {
		Account laurel.ID `db:"account"`
		Entry   laurel.ID `db:"entry"`
		Problem string    `db:"problem"`
	}
	if err := q.Select(ctx, &rows, query, room); err != nil {
		return err
	}
	for _, r := range rows {
		report.Discrepancies = append(report.Discrepancies, Discrepancy{AccountID: r.Account, EntryID: r.Entry, Problem: r.Problem})
	}
	return nil
}
