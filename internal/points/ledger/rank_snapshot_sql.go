package ledger

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/rank"
	"laurel.example/laurel/internal/store"
)

// span is the time after From up to and with To.
type span struct{ From, To int64 }

// snapshotGap is the time from a snapshot to a later moment, with the snapshot's floor.
type snapshotGap struct {
	span
	Floor laurel.Amount
}

// selectSnapshotCurrencies returns all currencies with the moment of their newest snapshot.
func selectSnapshotCurrencies(ctx context.Context, q store.Queryer) ([]snapshotCurrency, error) {
	var list []snapshotCurrency
	err := q.Select(ctx, &list, `SELECT c.id, c.organization_id, c.website_id,
		(SELECT MAX(r.taken_at) FROM rank_snapshots r WHERE r.loyalty_currency_id = c.id) AS newest FROM loyalty_currencies c`)
	return list, err
}

// fromUsersEntries are the entries of users' accounts in a currency; its conditions fit the index entries_of_currency.
const fromUsersEntries = " FROM loyalty_transaction_entries WHERE website_id = ? AND loyalty_currency_id = ? AND user_id IS NOT NULL"

// countEntries counts the entries of users in a currency within a span, oldest first, up to limit. It returns the
// number and the moment of the last entry that it counted, or 0 and the span's beginning if there is none.
func countEntries(
	ctx context.Context, q store.Queryer, c snapshotCurrency, within span, limit int,
) (int, int64, error) {
	var row struct {
		N    int    `db:"n"`
		Last *int64 `db:"last"`
	}
	err := q.Get(ctx, &row, "SELECT COUNT(*) AS n, MAX(created_at) AS last FROM (SELECT created_at"+fromUsersEntries+
		" AND created_at > ? AND created_at <= ? ORDER BY created_at, id LIMIT ?) e", c.WebsiteID, c.ID, within.From, within.To, limit)
	if err != nil || row.Last == nil {
		return 0, within.From, err
	}
	return row.N, *row.Last, nil
}

// balancesAfterEntries returns, for the entries in the gap after a snapshot, the account and its balance after the
// entry, at most limit of them. Snapshot.Balances needs no credits that end at or below the snapshot's floor; these,
// which are most entries, are left out.
func balancesAfterEntries(
	ctx context.Context,
	q store.Queryer,
	c snapshotCurrency,
	gap snapshotGap,
	limit int,
) ([]changedBalance, error) {
	var list []changedBalance
	err := q.Select(ctx, &list, "SELECT loyalty_account_id, end_amount AS amount, lock_version"+fromUsersEntries+
		" AND created_at > ? AND created_at <= ? AND (direction = 'debit' OR end_amount > ?) LIMIT ?", c.WebsiteID, c.ID, gap.From, gap.To, gap.Floor, limit)
	return list, err
}

// balancesBeforeEntries returns, for the entries after a moment, the account and its balance before the entry, at most
// limit of them. The versions are negated, so that Snapshot.Balances, which takes the highest version, takes the first
// entry of each account: before it the account had its balance of the moment.
func balancesBeforeEntries(
	ctx context.Context,
	q store.Queryer,
	c snapshotCurrency,
	after int64,
	limit int,
) ([]changedBalance, error) {
	var list []changedBalance
	err := q.Select(
		ctx,
		&list,
		"SELECT loyalty_account_id, start_amount AS amount, -lock_version AS lock_version"+fromUsersEntries+
			" AND created_at > ? LIMIT ?",
		c.WebsiteID,
		c.ID,
		after,
		limit,
	)
	return list, err
}

// highestBalances returns the accounts with the highest balances of a currency now, blocked members' included, at most
// limit of them, the highest first. Each half of the query walks an index from the top.
func highestBalances(ctx context.Context, q store.Queryer, currency laurel.ID, limit int) ([]accountBalance, error) {
	var rows []struct {
		Account laurel.ID     `db:"id"`
		Amount  laurel.Amount `db:"amount"`
	}
	const half = "SELECT * FROM (SELECT id, amount FROM loyalty_accounts WHERE loyalty_currency_id = ? AND "
	err := q.Select(ctx, &rows, half+"ranked ORDER BY amount DESC LIMIT ?) r UNION ALL "+
		half+"NOT ranked AND user_id IS NOT NULL ORDER BY amount DESC LIMIT ?) b ORDER BY amount DESC LIMIT ?", currency, limit, currency, limit, limit)
	out := make([]accountBalance, len(rows))
	for i, r := range rows {
		out[i] = accountBalance(r)
	}
	return out, err
}

// insertSnapshot stores a rank snapshot of a currency. One of the same moment, which another node took, stays.
func insertSnapshot(ctx context.Context, tx *store.Tx, c snapshotCurrency, s snapshot) error {
	_, err := tx.Exec(
		ctx,
		`INSERT INTO rank_snapshots (loyalty_currency_id, taken_at, organization_id, website_id, floor, accounts)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
		c.ID,
		s.At,
		c.OrganizationID,
		c.WebsiteID,
		s.Floor,
		rank.Pack(s.Top),
	)
	return err
}

// hasSnapshotsAfter reports whether any currency has a rank snapshot of a moment after at.
func hasSnapshotsAfter(ctx context.Context, q store.Queryer, at int64) (bool, error) {
	var n int
	err := q.Get(
		ctx,
		&n,
		`SELECT COUNT(*) FROM loyalty_currencies c WHERE EXISTS (SELECT 1 FROM rank_snapshots r WHERE r.loyalty_currency_id = c.id AND r.taken_at > ?)`,
		at,
	)
	return n > 0, err
}

// removeSnapshots deletes the snapshots of all currencies that are later than a moment, and returns how many there
// were.
func removeSnapshots(ctx context.Context, tx *store.Tx, after int64) (int64, error) {
	return tx.Exec(ctx, "DELETE FROM rank_snapshots WHERE taken_at > ?", after)
}

// readSnapshot returns the newest snapshot at or before a moment, or rank.Genesis, the empty one, if there is none.
func readSnapshot(ctx context.Context, q store.Queryer, currency laurel.ID, at int64) (snapshot, error) {
	var row struct {
		At       int64         `db:"taken_at"`
		Floor    laurel.Amount `db:"floor"`
		Accounts []byte        `db:"accounts"`
	}
	err := q.Get(
		ctx,
		&row,
		`SELECT taken_at, floor, accounts FROM rank_snapshots WHERE loyalty_currency_id = ? AND taken_at <= ?
		ORDER BY taken_at DESC LIMIT 1`,
		currency,
		at,
	)
	if store.IsNoRows(err) {
		return rank.Genesis, nil
	}
	return snapshot{At: row.At, Floor: row.Floor, Top: rank.Unpack(row.Accounts)}, err
}
