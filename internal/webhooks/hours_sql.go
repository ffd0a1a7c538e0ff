package webhooks

import (
	"context"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

const microsPerHour = int64(time.Hour / time.Microsecond)

// addToHour adds n to the counts of a subscription in the present hour. It writes nothing if n is zero.
func addToHour(ctx context.Context, tx *store.Tx, s Subscription, n attemptCounts) error {
	if n == (attemptCounts{}) {
		return nil
	}
	_, err := tx.Exec(ctx, `INSERT INTO subscription_hours (subscription_id, hour, organization_id, website_id, taken, failed)
		VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (subscription_id, hour) DO UPDATE
		SET taken = subscription_hours.taken + excluded.taken, failed = subscription_hours.failed + excluded.failed`,
		s.ID, store.Micros(tx.Now())/microsPerHour*microsPerHour, s.OrganizationID, s.WebsiteID, n.succeeded, n.failed)
	return err
}

type hourRow struct {
	Hour   int64 `db:"hour"`
	Taken  int64 `db:"taken"`
	Failed int64 `db:"failed"`
}

// selectHours returns the hourly counts of a subscription since a moment, oldest first. Hours without attempts are left
// out.
func selectHours(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	id laurel.ID,
	since time.Time,
) (rows []hourRow, err error) {
	var w store.Where
	w.Add("subscription_id = ? AND hour >= ?", id, store.Micros(since))
	w.Tenant("", scope)
	err = q.Select(ctx, &rows, "SELECT hour, taken, failed FROM subscription_hours"+w.String()+" ORDER BY hour", w.Args...)
	return rows, err
}
