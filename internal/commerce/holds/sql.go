package holds

import (
	"context"
	"encoding/json"
	"fmt"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// Columns are the columns of Row, for packages that list holds.
const Columns = `t.id, t.organization_id, t.website_id, t.user_id, t.loyalty_currency_id, t.amount, t.captured_amount, t.status,
	t.description, t.metadata, t.parts, t.loyalty_transaction_id, t.expires_at, t.due_at, t.created_at, t.updated_at`

const (
	columnNames = "id, organization_id, website_id, user_id, loyalty_currency_id, amount, captured_amount, status, description, metadata, parts, loyalty_transaction_id, expires_at, due_at, created_at, updated_at"
	selectHold  = "SELECT " + Columns + " FROM loyalty_holds t"
)

// Row is the stored form of a hold.
type Row struct {
	ID             laurel.ID     `db:"id"`
	OrganizationID laurel.ID     `db:"organization_id"`
	WebsiteID      laurel.ID     `db:"website_id"`
	UserID         laurel.ID     `db:"user_id"`
	CurrencyID     laurel.ID     `db:"loyalty_currency_id"`
	Amount         laurel.Amount `db:"amount"`
	CapturedAmount laurel.Amount `db:"captured_amount"`
	Status         string        `db:"status"`
	Description    *string       `db:"description"`
	Metadata       string        `db:"metadata"`
	Parts          string        `db:"parts"`
	TransactionID  laurel.ID     `db:"loyalty_transaction_id"`
	ExpiresAt      int64         `db:"expires_at"`
	DueAt          int64         `db:"due_at"`
	CreatedAt      int64         `db:"created_at"`
	UpdatedAt      int64         `db:"updated_at"`
	isNew          bool          // not in the database yet
}

// Hold decodes the row.
func (r Row) Hold() (Hold, error) {
	h := Hold{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, UserID: r.UserID, CurrencyID: r.CurrencyID,
		Amount: r.Amount, CapturedAmount: r.CapturedAmount, Status: r.Status, Description: r.Description,
		Metadata: json.RawMessage(r.Metadata), TransactionID: r.TransactionID, ExpiresAt: store.Time(r.ExpiresAt),
		CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt),
	}
	if err := json.Unmarshal([]byte(r.Parts), &h.Parts); err != nil {
		return h, fmt.Errorf("parts of hold %s: %w", r.ID, err)
	}
	return h, nil
}

// row returns the stored form of a new hold.
func (h Hold) row() Row {
	return Row{
		ID: h.ID, OrganizationID: h.OrganizationID, WebsiteID: h.WebsiteID, UserID: h.UserID, CurrencyID: h.CurrencyID,
		Amount: h.Amount, CapturedAmount: h.CapturedAmount, Status: h.Status, Description: h.Description,
		Metadata: string(h.Metadata), Parts: string(store.JSON(h.Parts)), TransactionID: h.TransactionID,
		ExpiresAt: store.Micros(h.ExpiresAt), DueAt: store.Micros(h.ExpiresAt), CreatedAt: store.Micros(h.CreatedAt),
		UpdatedAt: store.Micros(h.UpdatedAt), isNew: true,
	}
}

// rows is the table of holds for Works.
var rows = &store.Table[laurel.ID, Row]{
	Name: "holds", Rank: store.LockRankPointHolds,
	Compare: laurel.ID.Compare,
	Query:   selectHold,
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(r *Row) laurel.ID { return r.ID },
	New:     func(id laurel.ID) *Row { return &Row{ID: id, isNew: true} },
	Save:    saveRows,
}

// leasedHolds describes the queue of holds that expire.
var leasedHolds = worker.QueueTable{Table: "loyalty_holds", Key: "id", Due: "due_at", Open: "status = 'held'", Columns: columnNames,
	OwnerColumn: "website_id"}

var insertRow = store.Insert{Table: "loyalty_holds", Columns: store.Columns(`id uuid, organization_id uuid, website_id uuid, user_id uuid,
	loyalty_currency_id uuid, amount bigint, captured_amount bigint, status text, description text, metadata text, parts text,
	loyalty_transaction_id uuid, expires_at bigint, due_at bigint, created_at bigint, updated_at bigint`)}

var updateRow = store.Update{Table: "loyalty_holds", Keys: store.Columns("id uuid"),
	Set: store.Columns("status text, captured_amount bigint, updated_at bigint")}

// saveRows inserts the changed holds that are new, and writes the final status of the others, which are locked.
func saveRows(ctx context.Context, tx *store.Tx, changed []*Row) error {
	var added, ended [][]any
	for _, r := range changed {
		if !r.isNew {
			ended = append(ended, []any{r.ID, r.Status, r.CapturedAmount, r.UpdatedAt})
			continue
		}
		added = append(added, []any{r.ID, r.OrganizationID, r.WebsiteID, r.UserID, r.CurrencyID, r.Amount, r.CapturedAmount,
			r.Status, store.OrNull(r.Description), r.Metadata, r.Parts, r.TransactionID, r.ExpiresAt, r.DueAt, r.CreatedAt,
			r.UpdatedAt})
	}
	if _, err := tx.UpdateRows(ctx, updateRow, ended); err != nil {
		return err
	}
	_, err := tx.InsertRows(ctx, insertRow, added)
	return err
}

// findHold reads a hold of the scope. Errors: NotFound "Hold".
func findHold(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Hold, error) {
	return readHold(ctx, q, scope, "t.id = ?", id)
}

// holdOfTransaction reads the hold whose amount a transaction has debited.
func holdOfTransaction(ctx context.Context, q store.Queryer, scope laurel.Scope, transaction laurel.ID) (Hold, error) {
	return readHold(ctx, q, scope, "t.loyalty_transaction_id = ?", transaction)
}

// readHold reads a hold of the scope. condition is a WHERE condition that selects it, in which id replaces the one "?".
// Errors: NotFound "Hold".
func readHold(ctx context.Context, q store.Queryer, scope laurel.Scope, condition string, id laurel.ID) (Hold, error) {
	var w store.Where
	w.Add(condition, id)
	w.Tenant(q.Engine().NoIndexPrefix()+"t.", scope)
	var r Row
	err := q.Get(ctx, &r, selectHold+w.String(), w.Args...)
	if store.IsNoRows(err) {
		return Hold{}, laurel.Missing("Hold")
	}
	if err != nil {
		return Hold{}, err
	}
	return r.Hold()
}

// hasOpenHold reports whether points of a currency are held.
func hasOpenHold(ctx context.Context, q store.Queryer, scope laurel.Scope, currency laurel.ID) (bool, error) {
	var w store.Where
	w.Add("loyalty_currency_id = ? AND status = 'held'", currency)
	w.Tenant(q.Engine().NoIndexPrefix(), scope)
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT id FROM loyalty_holds"+w.String()+" LIMIT 1", w.Args...)
	return len(ids) > 0, err
}
