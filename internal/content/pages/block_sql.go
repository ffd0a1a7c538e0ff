package pages

import (
	"context"
	"encoding/json"
	"slices"

	"laurel"
	"laurel/internal/store"
)

const blockColumns = `id, organization_id, website_id, type, title, sub_title, is_hidden, sort_id, loyalty_rule_group_id,
	metadata, created_at, updated_at`

type blockRow struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Type           string    `db:"type"`
	Title          *string   `db:"title"`
	SubTitle       *string   `db:"sub_title"`
	Hidden         bool      `db:"is_hidden"`
	SortID         int64     `db:"sort_id"`
	GroupID        laurel.ID `db:"loyalty_rule_group_id"`
	Metadata       string    `db:"metadata"`
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
}

func (r blockRow) block() Block {
	return Block{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Type: r.Type, Title: r.Title,
		SubTitle: r.SubTitle, Hidden: r.Hidden, SortID: r.SortID, GroupID: r.GroupID,
		Metadata: json.RawMessage(r.Metadata), CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt),
	}
}

// findBlock returns a live block. Errors: NotFound "Website page section".
func findBlock(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Block, error) {
	w := store.Live(scope)
	w.Add("id = ?", id)
	var r blockRow
	err := q.Get(ctx, &r, "SELECT "+blockColumns+" FROM website_page_sections"+w.String(), w.Args...)
	if store.IsNoRows(err) {
		return Block{}, errNoBlock()
	}
	return r.block(), err
}

// listBlocks returns a page of blocks by sortId. Errors: Invalid for an unknown cursor.
func listBlocks(
	ctx context.Context, q store.Queryer, scope laurel.Scope, visibleOnly bool, page laurel.PageRequest,
) (laurel.Page[blockRow], error) {
	w := store.Live(scope)
	if err := (cursor{"website_page_sections", page.StartingAfter}).addTo(ctx, q, w, scope); err != nil {
		return laurel.Page[blockRow]{}, err
	}
	if visibleOnly {
		w.Add("NOT is_hidden")
	}
	return store.SelectPage[blockRow](
		ctx, q, page.Limit,
		"SELECT "+blockColumns+" FROM website_page_sections"+w.String()+" ORDER BY sort_id, created_at, id", w.Args...)
}

// saveLayout removes the blocks of before that are not in after, and saves those of after. tx holds the lock of the
// layout.
func saveLayout(ctx context.Context, tx *store.Tx, before, after []Block) error {
	for _, b := range before {
		if slices.ContainsFunc(after, func(a Block) bool { return a.ID == b.ID }) {
			continue
		}
		_, err := tx.Exec(
			ctx, "UPDATE website_page_sections SET deleted_at = ?, updated_at = ? WHERE id = ?",
			store.Micros(tx.Now()), store.Micros(tx.Now()), b.ID,
		)
		if err != nil {
			return err
		}
	}
	for _, b := range after {
		if err := upsertBlock(ctx, tx, b); err != nil {
			return err
		}
	}
	return nil
}

// upsertBlock inserts a block, or updates the one with its id.
func upsertBlock(ctx context.Context, tx *store.Tx, b Block) error {
	_, err := tx.Exec(
		ctx,
		"INSERT INTO website_page_sections ("+blockColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET type = excluded.type, title = excluded.title, sub_title = excluded.sub_title,
		is_hidden = excluded.is_hidden, sort_id = excluded.sort_id,
		loyalty_rule_group_id = excluded.loyalty_rule_group_id, metadata = excluded.metadata,
		updated_at = excluded.updated_at`,
		b.ID, b.OrganizationID, b.WebsiteID, b.Type, b.Title, b.SubTitle, b.Hidden, b.SortID, b.GroupID,
		string(b.Metadata), store.Micros(b.CreatedAt), store.Micros(b.UpdatedAt),
	)
	return err
}
