package contracts

import (
	"context"
	"encoding/json"
	"strings"

	"laurel"
	"laurel/internal/store"
)

const columns = `id, organization_id, website_id, name, address, chain_id, type, abi, icon_url, created_at, updated_at,
	deleted_at`

// withoutABI are the columns without the ABI, which most lists do not need.
var withoutABI = strings.Replace(columns, " abi,", " NULL AS abi,", 1)

type row struct {
	ID             laurel.ID `db:"id"`
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	Name           *string   `db:"name"`
	Address        string    `db:"address"`
	ChainID        *int64    `db:"chain_id"`
	Type           string    `db:"type"`
	ABI            *string   `db:"abi"`
	IconURL        *string   `db:"icon_url"`
	CreatedAt      int64     `db:"created_at"`
	UpdatedAt      int64     `db:"updated_at"`
	DeletedAt      *int64    `db:"deleted_at"`
}

// contract decodes the row.
func (r row) contract() Contract {
	c := Contract{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Name: r.Name, Address: r.Address,
		ChainID: r.ChainID, Type: r.Type, IconURL: r.IconURL, CreatedAt: store.Time(r.CreatedAt),
		UpdatedAt: store.Time(r.UpdatedAt),
	}
	if r.ABI != nil {
		c.ABI = json.RawMessage(*r.ABI)
	}
	if r.DeletedAt != nil {
		c.DeletedAt = store.Time(*r.DeletedAt)
	}
	return c
}

func (c Contract) abi() *string {
	if c.ABI == nil {
		return nil
	}
	text := string(c.ABI)
	return &text
}

// insert writes a new contract, or returns false where the website has a live one with the same address and chain.
func insert(ctx context.Context, tx *store.Tx, c Contract) (bool, error) {
	n, err := tx.Exec(
		ctx,
		"INSERT INTO contracts ("+columns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)
		ON CONFLICT (website_id, address, COALESCE(chain_id, -1)) WHERE deleted_at IS NULL DO NOTHING`,
		c.ID, c.OrganizationID, c.WebsiteID, c.Name, c.Address, c.ChainID, c.Type, c.abi(), c.IconURL,
		store.Micros(c.CreatedAt), store.Micros(c.UpdatedAt),
	)
	return n > 0, err
}

// update writes the changeable columns of a locked contract.
func update(ctx context.Context, tx *store.Tx, c Contract) error {
	var deleted *int64
	if !c.DeletedAt.IsZero() {
		at := store.Micros(c.DeletedAt)
		deleted = &at
	}
	_, err := tx.Exec(
		ctx,
		"UPDATE contracts SET name = ?, type = ?, abi = ?, icon_url = ?, updated_at = ?, deleted_at = ? WHERE id = ?",
		c.Name, c.Type, c.abi(), c.IconURL, store.Micros(c.UpdatedAt), deleted, c.ID,
	)
	return err
}

func liveConditions(scope laurel.Scope) *store.Where {
	w := &store.Where{}
	w.Add("deleted_at IS NULL")
	w.Tenant("", scope)
	return w
}

// find reads a live contract of the scope. lock is a clause such as tx.ForUpdate(), or "" for none. Errors: NotFound
// "Contract".
func find(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID, lock string) (Contract, error) {
	w := liveConditions(scope)
	w.Add("id = ?", id)
	var r row
	err := q.Get(ctx, &r, "SELECT "+columns+" FROM contracts"+w.String()+lock, w.Args...)
	if store.IsNoRows(err) {
		return Contract{}, errNotFound()
	}
	return r.contract(), err
}

// list reads a page of live contracts, newest first. Errors: Invalid for an unknown cursor.
func list(
	ctx context.Context, q store.Queryer, scope laurel.Scope, filter Filter, page laurel.PageRequest,
) (laurel.Page[row], error) {
	w := liveConditions(scope)
	if !page.StartingAfter.IsZero() {
		var c store.Where // a deleted contract still works as a cursor
		c.Add("id = ?", page.StartingAfter)
		c.Tenant("", scope)
		var at int64
		err := q.Get(ctx, &at, "SELECT created_at FROM contracts"+c.String(), c.Args...)
		if store.IsNoRows(err) {
			return laurel.Page[row]{}, laurel.ErrCursor()
		}
		if err != nil {
			return laurel.Page[row]{}, err
		}
		w.After("created_at", "id", true, at, page.StartingAfter)
	}
	if !filter.ID.IsZero() {
		w.Add("id = ?", filter.ID)
	}
	if filter.Search != "" {
		names := store.TextSearch{Table: "contracts", Text: "COALESCE(name, '') || ' ' || COALESCE(address, '')"}
		if err := names.AddContains(ctx, q, w, filter.Search); err != nil {
			return laurel.Page[row]{}, err
		}
	}
	selectedColumns := columns
	if filter.WithoutABI {
		selectedColumns = withoutABI
	}
	return store.SelectPage[row](
		ctx, q, page.Limit, "SELECT "+selectedColumns+" FROM contracts"+w.String()+" ORDER BY created_at DESC, id DESC", w.Args...)
}

// selectByID reads contracts of the organization by their ids, deleted ones too, without their ABIs. Unknown ids are
// left out.
func selectByID(
	ctx context.Context,
	q store.Queryer,
	scope laurel.Scope,
	ids []laurel.ID,
) (map[laurel.ID]Contract, error) {
	out := make(map[laurel.ID]Contract, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	var w store.Where
	store.In(&w, "id", ids)
	w.Add(q.Engine().NoIndexPrefix()+"organization_id = ?", scope.OrganizationID)
	var rows []row
	err := q.Select(ctx, &rows, "SELECT "+withoutABI+" FROM contracts"+w.String(), w.Args...)
	for _, r := range rows {
		out[r.ID] = r.contract()
	}
	return out, err
}

// LiveAmong returns those of the contracts that belong to the scope and are not deleted.
func LiveAmong(ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID) ([]laurel.ID, error) {
	return store.SelectLiveIDs(ctx, q, scope, "contracts", ids)
}
