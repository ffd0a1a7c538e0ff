package bench

import (
	"context"
	"database/sql"
	"strconv"
)

// balances tells the number and the balance of every account of the data set, in no order.
func (d *dataset) balances(ctx context.Context) func(each func(n int, amount int64) error) error {
	return func(each func(n int, amount int64) error) error {
		return onPostgres(ctx, d.database, func(db *sql.DB) error {
			rows, err := db.QueryContext(ctx, "SELECT right(id::text, 12), amount FROM loyalty_accounts WHERE id BETWEEN $1 AND $2",
				idOf(kindAccount, 0), idOf(kindAccount, d.shape.accounts-1))
			if err != nil {
				return err
			}
			defer func() { _ = rows.Close() }()
			for rows.Next() {
				var digits string
				var amount int64
				if err := rows.Scan(&digits, &amount); err != nil {
					return err
				}
				n, err := strconv.ParseInt(digits, 16, 64)
				if err != nil {
					return err
				}
				if err := each(int(n), amount); err != nil {
					return err
				}
			}
			return rows.Err()
		})
	}
}

// top answers the numbers of the accounts with the most points.
func (d *dataset) top(ctx context.Context) ([]int, error) {
	var out []int
	err := onPostgres(ctx, d.database, func(db *sql.DB) error {
		rows, err := db.QueryContext(ctx, `SELECT right(id::text, 12) FROM loyalty_accounts WHERE loyalty_currency_id = $1 AND ranked AND id BETWEEN $2 AND $3
			ORDER BY amount DESC LIMIT 5000`, d.site.LoyaltyCurrencyID, idOf(kindAccount, 0), idOf(kindAccount, d.shape.accounts-1))
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var digits string
			if err := rows.Scan(&digits); err != nil {
				return err
			}
			n, err := strconv.ParseInt(digits, 16, 64)
			if err != nil {
				return err
			}
			out = append(out, int(n))
		}
		return rows.Err()
	})
	return out, err
}
