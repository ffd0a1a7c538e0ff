package events

import (
	"context"

	"laurel/internal/store"
)

var changeInsert = store.Insert{Table: "changes", Columns: store.Columns(
	"organization_id uuid, website_id uuid, table_name text, entity_id uuid, action text, data text, created_at bigint")}

func insertChanges(ctx context.Context, tx *store.Tx, changes []Change) error {
	rows := make([][]any, len(changes))
	for i, c := range changes {
		data := "{}"
		if len(c.Data) > 0 {
			data = string(c.Data)
		}
		rows[i] = []any{c.OrganizationID, c.WebsiteID, string(c.Table), c.EntityID, string(c.Action), data, store.Micros(tx.Now())}
	}
	_, err := tx.InsertRows(ctx, changeInsert, rows)
	return err
}
