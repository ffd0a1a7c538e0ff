package admins

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// newActivity is the record of a change before it is made.
type newActivity struct {
	id, admin       laurel.ID
	action, subject string
}

type activityRow struct {
	ID        laurel.ID `db:"id"`
	Name      string    `db:"name"`
	Email     string    `db:"email"`
	Action    string    `db:"action"`
	Subject   string    `db:"subject"`
	CreatedAt int64     `db:"created_at"`
	EndedAt   *int64    `db:"ended_at"`
}

func (r activityRow) activity() Activity {
	return Activity{r.ID, r.Name, r.Email, r.Action, r.Subject, store.Time(r.CreatedAt), r.EndedAt != nil}
}

// insertActivity writes the record of a change that has begun.
func insertActivity(ctx context.Context, tx *store.Tx, scope laurel.Scope, a newActivity) error {
	_, err := tx.Exec(
		ctx,
		`INSERT INTO admin_acts (id, organization_id, website_id, admin_id, action, subject, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?)`,
		a.id,
		scope.OrganizationID,
		scope.WebsiteID,
		a.admin,
		a.action,
		a.subject,
		store.Micros(tx.Now()),
	)
	return err
}

func endActivity(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "UPDATE admin_acts SET ended_at = ? WHERE id = ?", store.Micros(tx.Now()), id)
	return err
}

func deleteActivity(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM admin_acts WHERE id = ?", id)
	return err
}

const selectActivity = `SELECT a.id, p.name, p.email, a.action, a.subject, a.created_at, a.ended_at
	FROM admin_acts a JOIN admins p ON p.id = a.admin_id`

// selectActivities reads a page of the changes on the scope's website, newest first. Errors: Invalid for an unknown
// cursor.
func selectActivities(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	page laurel.PageRequest,
) (laurel.Page[activityRow], error) {
	var w store.Where
	w.Add("a.website_id = ?", scope.WebsiteID)
	if !page.StartingAfter.IsZero() {
		var cursor activityRow
		err := q.Get(ctx, &cursor, selectActivity+" WHERE a.website_id = ? AND a.id = ?", scope.WebsiteID, page.StartingAfter)
		if store.IsNoRows(err) {
			return laurel.Page[activityRow]{}, laurel.ErrCursor()
		}
		if err != nil {
			return laurel.Page[activityRow]{}, err
		}
		w.After("a.created_at", "a.id", true, cursor.CreatedAt, cursor.ID)
	}
	return store.SelectPage[activityRow](
		ctx,
		q,
		page.Limit,
		selectActivity+w.String()+" ORDER BY a.created_at DESC, a.id DESC",
		w.Args...)
}
