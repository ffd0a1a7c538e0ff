package catalog

import (
	"context"
	"encoding/json"

	"laurel"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
	"laurel/internal/vault"
)

const selectEdit = `SELECT id, organization_id, website_id, loyalty_rule_id, edited_by_user_id, edited_at, action, data, previous_data, comment FROM rule_edits`

// SealedColumns lists the columns of rules and of their edits that contain sealed secrets, for changing the key that
// seals them.
var SealedColumns = []vault.SealedColumns{
	{
		Table:   "loyalty_rules",
		ID:      "id",
		PlaceID: "id",
		Columns: []string{"metadata"},
		Where:   "metadata" + likeSecretName,
		Reseal:  resealMetadata,
	},
	{
		Table:   "loyalty_rules",
		ID:      "id",
		PlaceID: "id",
		Columns: []string{"record"},
		Where:   "record" + likeSecretName,
		Reseal:  resealProperties,
	},
	{Table: "rule_edits", ID: "id", PlaceID: "loyalty_rule_id", Columns: []string{"data", "previous_data"},
		Where: "(data" + likeSecretName + " OR previous_data" + likeSecretName + ")", Reseal: resealProperties},
}

// likeSecretName is the SQL condition for texts that mention a secret property.
const likeSecretName = " LIKE '%" + schema.RewardsKey + "%'"

// editRow is an edit as it is stored.
type editRow struct {
	ID             laurel.ID  `db:"id"`
	OrganizationID laurel.ID  `db:"organization_id"`
	WebsiteID      laurel.ID  `db:"website_id"`
	RuleID         laurel.ID  `db:"loyalty_rule_id"`
	EditedByID     laurel.ID  `db:"edited_by_user_id"`
	EditedAt       int64      `db:"edited_at"`
	Action         EditAction `db:"action"`
	Data           string     `db:"data"`
	PreviousData   *string    `db:"previous_data"`
	Comment        *string    `db:"comment"`
}

// edit decodes the row.
func (r editRow) edit() Edit {
	e := Edit{
		ID:             r.ID,
		OrganizationID: r.OrganizationID,
		WebsiteID:      r.WebsiteID,
		RuleID:         r.RuleID,
		EditedByID:     r.EditedByID,
		EditedAt:       store.Time(r.EditedAt),
		Action:         r.Action,
		Data:           json.RawMessage(r.Data),
	}
	if r.PreviousData != nil {
		e.PreviousData = json.RawMessage(*r.PreviousData)
	}
	if r.Comment != nil {
		e.Comment = *r.Comment
	}
	return e
}

// insertEdit inserts an edit.
func insertEdit(ctx context.Context, tx *store.Tx, e Edit) error {
	var previous, comment any
	if e.PreviousData != nil {
		previous = string(e.PreviousData)
	}
	if e.Comment != "" {
		comment = e.Comment
	}
	_, err := tx.Exec(
		ctx,
		`INSERT INTO rule_edits (id, organization_id, website_id, loyalty_rule_id, edited_by_user_id, edited_at, action, data, previous_data, comment)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		e.ID,
		e.OrganizationID,
		e.WebsiteID,
		e.RuleID,
		e.EditedByID,
		store.Micros(e.EditedAt),
		string(e.Action),
		string(e.Data),
		previous,
		comment,
	)
	return err
}

// readEdit reads an edit of the scope. It returns NotFound "Rule edit" if there is none.
func readEdit(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Edit, error) {
	var w store.Where
	w.Add("id = ?", id)
	w.Tenant("", scope)
	var row editRow
	err := q.Get(ctx, &row, selectEdit+w.String(), w.Args...)
	if store.IsNoRows(err) {
		return Edit{}, laurel.Missing("Rule edit")
	}
	return row.edit(), err
}

// listEdits reads a page of the edits of a rule, newest first.
func listEdits(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	page laurel.PageRequest,
) (laurel.Page[Edit], error) {
	var none laurel.Page[Edit]
	var w store.Where
	w.Tenant("", scope)
	w.Add("loyalty_rule_id = ?", rule)
	if !page.StartingAfter.IsZero() {
		after, err := readEdit(ctx, q, scope, page.StartingAfter)
		if laurel.CodeOf(err) == laurel.NotFound || err == nil && after.RuleID != rule {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		w.After("edited_at", "id", true, store.Micros(after.EditedAt), after.ID)
	}
	found, err := store.SelectPage[editRow](
		ctx,
		q,
		page.Limit,
		selectEdit+w.String()+" ORDER BY edited_at DESC, id DESC",
		w.Args...)
	return laurel.MapPage(found, editRow.edit), err
}
