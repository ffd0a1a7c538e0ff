package auctions

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// row is the stored form of an auction.
type row struct {
	ID              laurel.ID      `db:"id"`
	OrganizationID  laurel.ID      `db:"organization_id"`
	WebsiteID       laurel.ID      `db:"website_id"`
	Name            string         `db:"name"`
	Description     string         `db:"description"`
	Type            string         `db:"type"`
	Status          string         `db:"status"`
	StartsAt        int64          `db:"starts_at"`
	EndsAt          int64          `db:"ends_at"`
	CurrencyID      laurel.ID      `db:"loyalty_currency_id"`
	CurrencyAddress *string        `db:"currency_address"`
	Network         *string        `db:"network"`
	MinBid          laurel.Amount  `db:"min_bid_amount"`
	MinIncrement    *laurel.Amount `db:"min_bid_increment"`
	ReservePrice    *laurel.Amount `db:"reserve_price"`
	Extension       *int64         `db:"extended_seconds"`
	HideBids        bool           `db:"hide_bids"`
	Collections     string         `db:"collections"`
	ContractID      laurel.ID      `db:"minting_contract_id"`
	CreatedByID     laurel.ID      `db:"user_id"`
	Items           int64          `db:"items"`
	ItemsReserved   bool           `db:"items_reserved"`
	Bids            int64          `db:"bids"`
	BestAmount      laurel.Amount  `db:"best_amount"`
	BestUserID      laurel.ID      `db:"best_user_id"`
	DueAt           *int64         `db:"due_at"`
	CreatedAt       int64          `db:"created_at"`
	UpdatedAt       int64          `db:"updated_at"`
	isNew           bool           // not in the database yet
}

const columns = `t.id, t.organization_id, t.website_id, t.name, t.description, t.type, t.status, t.starts_at, t.ends_at,
	t.loyalty_currency_id, t.currency_address, t.network, t.min_bid_amount, t.min_bid_increment, t.reserve_price,
	t.extended_seconds, t.hide_bids, t.collections, t.minting_contract_id, t.user_id, t.items, t.items_reserved, t.bids,
	t.best_amount, t.best_user_id, t.due_at, t.created_at, t.updated_at`

const selectAuction = "SELECT " + columns + " FROM auctions t"

// auction decodes the row.
func (r *row) auction() (Auction, error) {
	a := Auction{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Name: r.Name, Description: r.Description,
		Type: r.Type, Status: r.Status,
		StartsAt:   laurel.Timestamp{Time: store.Time(r.StartsAt)},
		EndsAt:     laurel.Timestamp{Time: store.Time(r.EndsAt)},
		CurrencyID: r.CurrencyID, CurrencyAddress: r.CurrencyAddress, Network: r.Network, MinBid: r.MinBid,
		MinIncrement: r.MinIncrement, ReservePrice: r.ReservePrice, Extension: r.Extension, HideBids: r.HideBids,
		ContractID: r.ContractID, CreatedByID: r.CreatedByID, Items: r.Items, Bids: r.Bids, BestAmount: r.BestAmount,
		BestUserID: r.BestUserID, CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt),
	}
	if err := json.Unmarshal([]byte(r.Collections), &a.Collections); err != nil {
		return a, fmt.Errorf("collections of auction %s: %w", r.ID, err)
	}
	return a, nil
}

// applySettings sets the columns of the row that callers may change.
func (r *row) applySettings(a Auction) {
	r.Name, r.Description = a.Name, a.Description
	r.StartsAt, r.EndsAt = store.Micros(a.StartsAt.Time), store.Micros(a.EndsAt.Time)
	r.MinBid, r.MinIncrement, r.ReservePrice, r.Extension = a.MinBid, a.MinIncrement, a.ReservePrice, a.Extension
	r.HideBids, r.Collections = a.HideBids, string(store.JSON(append([]string{}, a.Collections...)))
}

// settingColumns are the columns that applySettings sets.
const settingColumns = `name text, description text, starts_at bigint, ends_at bigint, min_bid_amount bigint,
	min_bid_increment bigint, reserve_price bigint, extended_seconds bigint, hide_bids boolean, collections text`

func (r *row) settingValues() []any {
	return []any{
		r.Name, r.Description, r.StartsAt, r.EndsAt, r.MinBid, store.OrNull(r.MinIncrement), store.OrNull(r.ReservePrice),
		store.OrNull(r.Extension), r.HideBids, r.Collections,
	}
}

// stateColumns are the columns that bids and the end of the auction change.
const stateColumns = `status text, items bigint, items_reserved boolean, bids bigint, best_amount bigint, best_user_id uuid,
	due_at bigint, updated_at bigint`

func (r *row) stateValues() []any {
	return []any{
		r.Status, r.Items, r.ItemsReserved, r.Bids, r.BestAmount, r.BestUserID, store.OrNull(r.DueAt), r.UpdatedAt,
	}
}

var insertAuction = store.Insert{
	Table: "auctions",
	Columns: store.Columns(`id uuid, organization_id uuid, website_id uuid, type text, loyalty_currency_id uuid,
	currency_address text, network text, minting_contract_id uuid, user_id uuid, created_at bigint, ` + settingColumns + ", " + stateColumns),
}

var updateAuction = store.Update{
	Table: "auctions", Keys: store.Columns("id uuid"), Set: store.Columns(settingColumns + ", " + stateColumns),
}

// saveAuctions inserts the changed auctions that are new, and updates the others, which are locked.
func saveAuctions(ctx context.Context, tx *store.Tx, changed []*row) error {
	var added, updated [][]any
	for _, r := range changed {
		if !r.isNew {
			updated = append(updated, append(append([]any{r.ID}, r.settingValues()...), r.stateValues()...))
			continue
		}
		fixed := []any{
			r.ID, r.OrganizationID, r.WebsiteID, r.Type, r.CurrencyID, store.OrNull(r.CurrencyAddress),
			store.OrNull(r.Network), r.ContractID, r.CreatedByID, r.CreatedAt,
		}
		added = append(added, append(append(fixed, r.settingValues()...), r.stateValues()...))
	}
	if _, err := tx.UpdateRows(ctx, updateAuction, updated); err != nil {
		return err
	}
	_, err := tx.InsertRows(ctx, insertAuction, added)
	return err
}

// leasedAuctions describes the queue of auctions that are to be closed, or have bidders to refund.
var leasedAuctions = worker.QueueTable{
	Table: "auctions", Key: "id", Due: "due_at", Open: "due_at IS NOT NULL", OwnerColumn: "website_id",
	Columns: strings.ReplaceAll(columns, "t.", ""),
}

// addCursor adds to w the condition that a page of auctions, newest first, begins after the auction with the id after.
// If after is zero, it adds nothing. Errors: Invalid for an unknown auction.
func addCursor(ctx context.Context, q store.Queryer, w *store.Where, scope laurel.Scope, after laurel.ID) error {
	if after.IsZero() {
		return nil
	}
	var at store.Where
	at.Add("t.id = ?", after)
	at.Tenant("t.", scope)
	var created int64
	err := q.Get(ctx, &created, "SELECT t.created_at FROM auctions t"+at.String(), at.Args...)
	if store.IsNoRows(err) {
		return laurel.ErrCursor()
	}
	w.After("t.created_at", "t.id", true, created, after) // true: descending
	return err
}

// listAuctions reads a page of auctions, newest first. Errors: Invalid for an unknown cursor.
func listAuctions(
	ctx context.Context, db *store.DB, scope laurel.Scope, f Filter, page laurel.PageRequest,
) (laurel.Page[row], error) {
	var w store.Where
	w.Tenant("t.", scope)
	if f.Status != "" {
		w.Add("t.status = ?", f.Status)
	}
	if f.Type != "" {
		w.Add("t.type = ?", f.Type)
	}
	if f.Begun != nil {
		comparison := " > ?"
		if *f.Begun {
			comparison = " <= ?"
		}
		w.Add("t.starts_at"+comparison, store.Micros(db.Now()))
	}
	if err := addCursor(ctx, db, &w, scope, page.StartingAfter); err != nil {
		return laurel.Page[row]{}, err
	}
	return store.SelectPage[row](
		ctx, db, page.Limit, selectAuction+w.String()+" ORDER BY t.created_at DESC, t.id DESC", w.Args...)
}

// hasOpenAuction reports whether an auction in a currency is open, or has ended and has bidders to refund.
func hasOpenAuction(ctx context.Context, q store.Queryer, scope laurel.Scope, currency laurel.ID) (bool, error) {
	var w store.Where
	w.Add("loyalty_currency_id = ? AND due_at IS NOT NULL", currency)
	w.Tenant(q.Engine().NoIndexPrefix(), scope)
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT id FROM auctions"+w.String()+" LIMIT 1", w.Args...)
	return len(ids) > 0, err
}

// cancelOpenAuctions cancels the open auctions of a currency and makes them due, so that the queue refunds their
// bidders. It locks them in the order of their ids, as Works do, to avoid deadlocks. (An open auction always has a
// due_at; the condition on it lets an index find the few rows.)
func cancelOpenAuctions(ctx context.Context, tx *store.Tx, scope laurel.Scope, currency laurel.ID) error {
	var w store.Where
	w.Add("loyalty_currency_id = ? AND due_at IS NOT NULL", currency)
	w.Tenant(tx.Engine().NoIndexPrefix(), scope)
	w.Add("status = '" + InProgress + "'")
	var ids []laurel.ID
	if err := tx.Select(
		ctx, &ids, "SELECT id FROM auctions"+w.String()+" ORDER BY id"+tx.ForUpdate(), w.Args...); err != nil {
		return err
	}
	now := store.Micros(tx.Now())
	rows := make([][]any, len(ids))
	for i, id := range ids {
		rows[i] = []any{id, Cancelled, now, now}
	}
	_, err := tx.UpdateRows(ctx, store.Update{
		Table: "auctions", Keys: store.Columns("id uuid"),
		Set: store.Columns("status text, due_at bigint, updated_at bigint"),
	}, rows)
	return err
}
