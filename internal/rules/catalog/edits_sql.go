package catalog

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/vault"
)

var editTable = store.NewRecords[Edit]("rule_edits", "Rule edit")

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

// readEdit reads an edit of the scope. It returns NotFound "Rule edit" if there is none.
func readEdit(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Edit, error) {
	return editTable.Get(ctx, q, store.OfTenant(scope).With("id = ?", id), "")
}

// listEdits reads a page of the edits of a rule, newest first.
func listEdits(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	rule laurel.ID,
	page laurel.PageRequest,
) (laurel.Page[Edit], error) {
	w := store.OfTenant(scope).With("loyalty_rule_id = ?", rule)
	return editTable.Page(ctx, q, store.List{Where: w, Cursors: w, Order: []string{"edited_at", "id"}, Newest: true}, page)
}
