package admins

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// findDailyLimit reads the daily limit of adjustments on the scope's website, or returns the default if none is set.
func findDailyLimit(ctx context.Context, q store.Queryer, scope laurel.Scope) (laurel.Amount, error) {
	limit := DefaultDailyAdjustment
	err := q.Get(
		ctx,
		&limit,
		"SELECT adjust_a_day FROM admin_limits WHERE website_id = ? AND organization_id = ?",
		scope.WebsiteID,
		scope.OrganizationID,
	)
	if store.IsNoRows(err) {
		return DefaultDailyAdjustment, nil
	}
	return limit, err
}

// upsertDailyLimit writes the daily limit of adjustments on the scope's website.
func upsertDailyLimit(ctx context.Context, tx *store.Tx, scope laurel.Scope, limit laurel.Amount) error {
	_, err := tx.Exec(
		ctx,
		`INSERT INTO admin_limits (website_id, organization_id, adjust_a_day) VALUES (?, ?, ?)
		ON CONFLICT (website_id) DO UPDATE SET adjust_a_day = excluded.adjust_a_day`,
		scope.WebsiteID,
		scope.OrganizationID,
		limit,
	)
	return err
}

// findAdjustment reads an adjustment that was counted, or returns sql.ErrNoRows.
func findAdjustment(ctx context.Context, tx *store.Tx, scope laurel.Scope, id laurel.ID) (Adjustment, error) {
	var row struct {
		AdminID    laurel.ID     `db:"admin_id"`
		CurrencyID laurel.ID     `db:"loyalty_currency_id"`
		Amount     laurel.Amount `db:"amount"`
	}
	err := tx.Get(
		ctx,
		&row,
		"SELECT admin_id, loyalty_currency_id, amount FROM admin_adjustments WHERE website_id = ? AND id = ?",
		scope.WebsiteID,
		id,
	)
	return Adjustment{id, row.AdminID, row.CurrencyID, row.Amount}, err
}

// sumAdjustments returns the sum of the adjustments that were counted since a time, for the same admin and currency as
// a.
func sumAdjustments(
	ctx context.Context,
	tx *store.Tx,
	scope laurel.Scope,
	a Adjustment,
	since time.Time,
) (sum laurel.Amount, err error) {
	err = tx.Get(
		ctx,
		&sum,
		`SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM admin_adjustments
		WHERE website_id = ? AND admin_id = ? AND loyalty_currency_id = ? AND created_at >= ?`,
		scope.WebsiteID,
		a.AdminID,
		a.CurrencyID,
		store.Micros(since),
	)
	return sum, err
}

// insertAdjustment writes an adjustment that counts from now on.
func insertAdjustment(ctx context.Context, tx *store.Tx, scope laurel.Scope, a Adjustment) error {
	_, err := tx.Exec(
		ctx,
		`INSERT INTO admin_adjustments (id, organization_id, website_id, admin_id, loyalty_currency_id, amount, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		a.ID,
		scope.OrganizationID,
		scope.WebsiteID,
		a.AdminID,
		a.CurrencyID,
		a.Amount,
		store.Micros(tx.Now()),
	)
	return err
}

// deleteAdjustment deletes a counted adjustment with the id and the admin of a.
func deleteAdjustment(ctx context.Context, tx *store.Tx, scope laurel.Scope, a Adjustment) error {
	_, err := tx.Exec(
		ctx,
		"DELETE FROM admin_adjustments WHERE website_id = ? AND id = ? AND admin_id = ?",
		scope.WebsiteID,
		a.ID,
		a.AdminID,
	)
	return err
}
