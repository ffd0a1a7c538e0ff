package engagement

import (
	"context"
	"encoding/json"
	"fmt"

	"laurel/internal/engagement/multiplier"

	"laurel"
	"laurel/internal/store"
)

const selectMemberMultipliers = "SELECT t.website_id, t.user_id, t.organization_id, t.held FROM multiplier_heads t"

var insertMemberMultipliers = store.Insert{Table: "multiplier_heads", Conflict: store.IgnoreConflicts,
	Columns: store.Columns("website_id uuid, user_id uuid, organization_id uuid, held text, updated_at bigint")}

var updateMemberMultipliers = store.Update{
	Table: "multiplier_heads",
	Keys:  store.Columns("website_id uuid, user_id uuid"),
	Set:   store.Columns("held text, updated_at bigint"),
}

// saveMemberMultipliers inserts the rows that are new, and updates the others, which are locked. It returns
// store.ErrRerun if another transaction has inserted one of the new ones.
func saveMemberMultipliers(ctx context.Context, tx *store.Tx, rows []*memberMultipliers) error {
	var added, changed [][]any
	for _, m := range rows {
		if m.isNew {
			added = append(added, []any{m.WebsiteID, m.UserID, m.OrganizationID, m.Live, store.Micros(tx.Now())})
		} else {
			changed = append(changed, []any{m.WebsiteID, m.UserID, m.Live, store.Micros(tx.Now())})
		}
	}
	n, err := tx.InsertRows(ctx, insertMemberMultipliers, added)
	if err != nil {
		return err
	}
	if n < int64(len(added)) {
		return store.ErrRerun
	}
	_, err = tx.UpdateRows(ctx, updateMemberMultipliers, changed)
	return err
}

// multiplierRow is a multiplier as it is stored.
type multiplierRow struct {
	ID                 laurel.ID     `db:"id"`
	OrganizationID     laurel.ID     `db:"organization_id"`
	WebsiteID          laurel.ID     `db:"website_id"`
	UserID             laurel.ID     `db:"user_id"`
	Value              laurel.Amount `db:"multiplier"`
	Title              *string       `db:"title"`
	Description        *string       `db:"description"`
	ExternalIdentifier *string       `db:"external_identifier"`
	CurrencyIDs        string        `db:"loyalty_currency_ids"`
	RuleID             laurel.ID     `db:"loyalty_rule_id"`
	BadgeID            laurel.ID     `db:"loyalty_badge_id"`
	CreatedAt          int64         `db:"created_at"`
	UpdatedAt          int64         `db:"updated_at"`
	DeletedAt          *int64        `db:"deleted_at"`
}

const selectMultiplier = `SELECT id, organization_id, website_id, user_id, multiplier, title, description, external_identifier, loyalty_currency_ids,
	loyalty_rule_id, loyalty_badge_id, created_at, updated_at, deleted_at FROM loyalty_multipliers`

// multiplier returns the Multiplier of the row, and an error if its list of currencies is not valid JSON.
func (r multiplierRow) multiplier() (Multiplier, error) {
	m := Multiplier{
		ID:                 r.ID,
		OrganizationID:     r.OrganizationID,
		WebsiteID:          r.WebsiteID,
		UserID:             r.UserID,
		Value:              r.Value,
		Title:              r.Title,
		Description:        r.Description,
		ExternalIdentifier: r.ExternalIdentifier,
		RuleID:             r.RuleID,
		BadgeID:            r.BadgeID,
		CreatedAt:          store.Time(r.CreatedAt),
		UpdatedAt:          store.Time(r.UpdatedAt),
	}
	if r.DeletedAt != nil {
		m.DeletedAt = store.Time(*r.DeletedAt)
	}
	return m, json.Unmarshal([]byte(r.CurrencyIDs), &m.CurrencyIDs)
}

// readMultiplier reads a live multiplier. It returns NotFound "Multiplier" if there is none.
func readMultiplier(ctx context.Context, q store.Queryer, scope laurel.Scope, ref multiplierRef) (Multiplier, error) {
	var w store.Where
	if ref.id.IsZero() {
		w.Add("external_identifier = ?", ref.external)
	} else {
		w.Add("id = ?", ref.id)
	}
	w.Tenant("", scope)
	w.Add("deleted_at IS NULL")
	var row multiplierRow
	err := q.Get(ctx, &row, selectMultiplier+w.String(), w.Args...)
	if store.IsNoRows(err) {
		return Multiplier{}, laurel.Missing("Multiplier")
	}
	if err != nil {
		return Multiplier{}, err
	}
	return row.multiplier()
}

var insertMultipliers = store.Insert{
	Table:    "loyalty_multipliers",
	Conflict: store.IgnoreConflicts,
	Columns: store.Columns(`id uuid, organization_id uuid,
	website_id uuid, user_id uuid, multiplier bigint, title text, description text, external_identifier text, loyalty_currency_ids text, loyalty_rule_id uuid,
	loyalty_badge_id uuid, created_at bigint, updated_at bigint, deleted_at bigint`),
}

// values returns the row that insertMultipliers inserts for m, in the order of its columns.
func (m Multiplier) values() []any {
	var deleted any
	if !m.DeletedAt.IsZero() {
		deleted = store.Micros(m.DeletedAt)
	}
	return []any{
		m.ID,
		m.OrganizationID,
		m.WebsiteID,
		m.UserID,
		m.Value,
		m.Title,
		m.Description,
		m.ExternalIdentifier,
		encodeIDs(m.CurrencyIDs),
		m.RuleID,
		m.BadgeID,
		store.Micros(m.CreatedAt),
		store.Micros(m.UpdatedAt),
		deleted,
	}
}

// encodeIDs returns ids as a JSON array, never null.
func encodeIDs(ids []laurel.ID) string {
	return string(store.JSON(append([]laurel.ID{}, ids...)))
}

// insertMultiplier inserts a multiplier that a caller grants. It returns Refused if its externalIdentifier exists
// already.
func insertMultiplier(ctx context.Context, tx *store.Tx, m Multiplier) error {
	n, err := tx.InsertRows(ctx, insertMultipliers, [][]any{m.values()})
	if err == nil && n == 0 { // the externalIdentifier is the only key that can exist already
		return laurel.Errorf(laurel.Refused, "Multiplier already exists")
	}
	return err
}

// updateMultiplier saves the properties of a multiplier and its time of deletion.
func updateMultiplier(ctx context.Context, tx *store.Tx, m Multiplier) error {
	var deleted any
	if !m.DeletedAt.IsZero() {
		deleted = store.Micros(m.DeletedAt)
	}
	_, err := tx.Exec(
		ctx,
		"UPDATE loyalty_multipliers SET multiplier = ?, title = ?, description = ?, loyalty_currency_ids = ?, updated_at = ?, deleted_at = ? WHERE id = ?",
		m.Value,
		m.Title,
		m.Description,
		encodeIDs(m.CurrencyIDs),
		store.Micros(m.UpdatedAt),
		deleted,
		m.ID,
	)
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
		n, err := tx.InsertRows(
			ctx,
			insertMemberMultipliers,
			[][]any{{m.WebsiteID, m.UserID, m.OrganizationID, "[]", store.Micros(tx.Now())}},
		)
		if err != nil {
			return err
		}
		if n == 0 {
			return store.ErrRerun // another transaction came first
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
	var rows []multiplierRow
	err := tx.Select(
		ctx,
		&rows,
		selectMultiplier+" WHERE user_id = ? AND website_id = ? AND deleted_at IS NULL ORDER BY created_at, id",
		user,
		website,
	)
	if err != nil {
		return err
	}
	if len(rows) > multiplier.MaxPerUser {
		return multiplier.ErrTooMany()
	}
	list := make([]multiplier.Live, len(rows))
	for i, r := range rows {
		m, err := r.multiplier()
		if err != nil {
			return fmt.Errorf("multiplier %s: %w", r.ID, err)
		}
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
	values := make([][]any, len(rows))
	for i, m := range rows {
		values[i] = m.values()
	}
	n, err := tx.InsertRows(ctx, insertMultipliers, values)
	if err == nil && n < int64(len(rows)) {
		return store.ErrRerun // another node has granted the rule's multiplier first
	}
	return err
}
