package engagement

import (
	"context"

	"laurel.example/laurel/internal/engagement/multiplier"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

var headTable = store.NewRecords[memberMultipliers]("multiplier_heads", "Multipliers").As("t")

// Multipliers are the statements of the table of multipliers.
var Multipliers = store.NewRecords[Multiplier]("loyalty_multipliers", "Multiplier")

// where returns the condition for the live multiplier of the scope that is meant.
func (ref multiplierRef) where(scope laurel.Scope) *store.Where {
	if ref.id.IsZero() {
		return store.Live(scope).With("external_identifier = ?", ref.external)
	}
	return store.LiveByID(scope, ref.id)
}

// insertMultiplier inserts a multiplier that a caller grants. It returns Refused if its externalIdentifier exists
// already.
func insertMultiplier(ctx context.Context, tx *store.Tx, m Multiplier) error {
	inserted, err := Multipliers.Insert(ctx, tx, &m, store.IgnoreConflicts)
	if err == nil && !inserted { // the externalIdentifier is the only key that can exist already
		return laurel.Errorf(laurel.Refused, "Multiplier already exists")
	}
	return err
}

// withLockedMultipliers locks the row with the live multipliers of m's user, which payments read. It then calls change,
// which writes to the table of multipliers, and copies the live ones of the user from there into the row. Errors: that
// of change; Refused if the user now has too many multipliers; store.ErrRerun if another transaction has inserted the
// row.
func withLockedMultipliers(ctx context.Context, tx *store.Tx, m Multiplier, change func() error) error {
	var existing []laurel.ID
	if err := tx.Select(
		ctx,
		&existing,
		"SELECT user_id FROM multiplier_heads WHERE website_id = ? AND user_id = ?"+tx.ForUpdate(),
		m.WebsiteID,
		m.UserID,
	); err != nil {
		return err
	}
	if len(existing) == 0 {
		head := memberMultipliers{WebsiteID: m.WebsiteID, UserID: m.UserID, OrganizationID: m.OrganizationID, Live: "[]"}
		head.UpdatedAt.Time = tx.Now()
		inserted, err := headTable.Insert(ctx, tx, &head, store.IgnoreConflicts)
		if err == nil && !inserted {
			err = store.ErrRerun // another transaction came first
		}
		if err != nil {
			return err
		}
	}
	if err := change(); err != nil {
		return err
	}
	return refreshMemberMultipliers(ctx, tx, m.WebsiteID, m.UserID)
}

// refreshMemberMultipliers copies the live multipliers of a member into the locked row that payments read. It returns
// Refused if there are more than multiplier.MaxPerUser.
func refreshMemberMultipliers(ctx context.Context, tx *store.Tx, website, user laurel.ID) error {
	var live store.Where
	live.Add("user_id = ? AND website_id = ? AND deleted_at IS NULL", user, website)
	rows, err := Multipliers.Select(ctx, tx, &live, "created_at, id")
	if err != nil {
		return err
	}
	if len(rows) > multiplier.MaxPerUser {
		return multiplier.ErrTooMany()
	}
	list := make([]multiplier.Live, len(rows))
	for i, m := range rows {
		list[i] = m.live()
	}
	_, err = tx.Exec(
		ctx,
		"UPDATE multiplier_heads SET held = ?, updated_at = ? WHERE website_id = ? AND user_id = ?",
		encodeMultipliers(list),
		store.Micros(tx.Now()),
		website,
		user,
	)
	return err
}

var updateEnded = store.Update{
	Table: "loyalty_multipliers",
	Keys:  store.Columns("id uuid"),
	Set:   store.Columns("deleted_at bigint, updated_at bigint"),
}

// writeEnded writes the time of deletion of multipliers that the Works of a batch have ended.
func writeEnded(ctx context.Context, tx *store.Tx, rows []endedMultiplier) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{r.id, r.at, r.at}
	}
	_, err := tx.UpdateRows(ctx, updateEnded, values)
	return err
}

// writeGranted inserts the multipliers that the Works of a batch have granted. It returns store.ErrRerun if another
// transaction has granted one of them first.
func writeGranted(ctx context.Context, tx *store.Tx, rows []*Multiplier) error {
	n, err := Multipliers.InsertAll(ctx, tx, rows, store.IgnoreConflicts)
	if err == nil && n < int64(len(rows)) {
		return store.ErrRerun // another node has granted the rule's multiplier first
	}
	return err
}
