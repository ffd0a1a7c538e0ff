package badges

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

// pendingRevocation is a deleted badge that still has holders.
type pendingRevocation struct {
	BadgeID        laurel.ID `db:"loyalty_badge_id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
}

func (r pendingRevocation) scope() laurel.Scope {
	return laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID}
}

// deleteBadge marks a locked badge as deleted. It also deletes its watches, the list of records that its conditions
// refer to, so that a change of these no longer leads to the badge.
func deleteBadge(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	at := store.Micros(tx.Now())
	if _, err := tx.Exec(
		ctx,
		"UPDATE loyalty_badges SET deleted_at = ?, updated_at = ?, version = version + 1 WHERE id = ?",
		at,
		at,
		id,
	); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "DELETE FROM badge_watches WHERE badge_id = ?", id)
	return err
}

// selectBadgeHolders reads up to limit holders of a deleted badge, newest first.
func selectBadgeHolders(
	ctx context.Context, q store.Queryer, revocation pendingRevocation, limit int,
) (holders []laurel.ID, err error) {
	var w store.Where
	w.Add("loyalty_badge_id = ?", revocation.BadgeID)
	w.Tenant(q.Engine().NoIndexPrefix(), revocation.scope())
	w.Add("status = '" + Active + "'")
	err = q.Select(
		ctx,
		&holders,
		"SELECT user_id FROM loyalty_badge_users"+w.String()+" ORDER BY created_at DESC, id DESC LIMIT ?",
		append(w.Args, limit)...)
	return holders, err
}

// insertRevocation stores that a deleted badge still has holders.
func insertRevocation(ctx context.Context, tx *store.Tx, r pendingRevocation) error {
	_, err := tx.Exec(
		ctx,
		"INSERT INTO badge_endings (loyalty_badge_id, organization_id, website_id, created_at) VALUES (?, ?, ?, ?)",
		r.BadgeID,
		r.OrganizationID,
		r.WebsiteID,
		store.Micros(tx.Now()),
	)
	return err
}

// selectPendingRevocations reads up to 16 deleted badges that still have holders, oldest first.
func selectPendingRevocations(ctx context.Context, q store.Queryer) (rows []pendingRevocation, err error) {
	err = q.Select(
		ctx,
		&rows,
		"SELECT loyalty_badge_id, organization_id, website_id FROM badge_endings ORDER BY created_at, loyalty_badge_id LIMIT 16",
	)
	return rows, err
}

// lockRevocation locks a pending revocation until tx ends. It returns false if another node holds the lock or has
// finished it.
func lockRevocation(ctx context.Context, tx *store.Tx, badge laurel.ID) (bool, error) {
	var ids []laurel.ID
	err := tx.Select(
		ctx,
		&ids,
		"SELECT loyalty_badge_id FROM badge_endings WHERE loyalty_badge_id = ?"+tx.ForUpdateSkip(),
		badge,
	)
	return len(ids) > 0, err
}

// deleteRevocation removes a revocation that is complete.
func deleteRevocation(ctx context.Context, tx *store.Tx, badge laurel.ID) error {
	_, err := tx.Exec(ctx, "DELETE FROM badge_endings WHERE loyalty_badge_id = ?", badge)
	return err
}
