package minting

import (
	"context"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

var mintTable = store.NewRecords[Mint]("minting_mints", "Mint")

// MintTable reads mints t, also for lists elsewhere.
var MintTable = mintTable.As("t")

// mints is the table of mints for Works that end them.
var mints = &store.Table[laurel.ID, Mint]{
	Name: "mints", Rank: store.LockRankOpenMints,
	Compare: laurel.ID.Compare,
	Query:   MintTable.Query(),
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(r *Mint) laurel.ID { return r.ID },
	New:     func(laurel.ID) *Mint { return &Mint{} },
	Save:    saveMints,
}

var newMints = &store.Sink[Mint]{Name: "new mints", Rank: store.LockRankNewMints, Write: insertMints}

// allowKey names the allowlist entry that the mint counts toward.
func (m *Mint) allowKey() allowKey {
	if m.Wallet == nil {
		return allowKey{m.AssetID, ""}
	}
	return allowKey{m.AssetID, *m.Wallet}
}

// isOpen reports whether the mint has neither succeeded nor failed.
func (m *Mint) isOpen() bool { return m.Status == Generating || m.Status == Minting }

var insertMint = store.Insert{
	Table: "minting_mints",
	Columns: store.Columns(`id uuid, organization_id uuid, website_id uuid, minting_contract_id uuid, minting_asset_id uuid,
	user_id uuid, wallet_address text, quantity bigint, status text, price bigint, custom_input_value text,
	email_address text, shipping_id uuid, shipping_order_type text, agreed_to_send_w9 boolean, auction_id uuid,
	loyalty_currency_id uuid, paid text, loyalty_transaction_id uuid, counted boolean, allowlisted boolean,
	attempts bigint, due_at bigint, expires_at bigint, created_at bigint, updated_at bigint`),
}

// insertMints writes new mints.
func insertMints(ctx context.Context, tx *store.Tx, rows []Mint) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{
			r.ID, r.OrganizationID, r.WebsiteID, r.ContractID, r.AssetID, r.UserID, store.OrNull(r.Wallet), r.Quantity,
			r.Status, store.OrNull(r.Price), store.OrNull(r.CustomInput), store.OrNull(r.Email), r.ShippingID,
			store.OrNull(r.ShippingType), r.AgreedToSendW9, r.AuctionID, r.CurrencyID, jsonArray(r.Paid), r.TransactionID,
			r.Counted, r.Allowlisted, r.Attempts, r.DueAt, r.ExpiresAt, r.CreatedAt, r.UpdatedAt,
		}
	}
	_, err := tx.InsertRows(ctx, insertMint, values)
	return err
}

var updateMints = store.Update{
	Table: "minting_mints",
	Keys:  store.Columns("id uuid"),
	Set: store.Columns(`status text, error_code bigint, error_message text, relayer_tx_id text, tx_hash text, signature text,
	updated_at bigint, paid text, loyalty_transaction_id uuid, corrected_at bigint, unpaid_amount bigint,
	unpaid_quantity bigint`),
}

// saveMints writes those columns of locked mints that change when a mint ends. The queue writes their due times.
func saveMints(ctx context.Context, tx *store.Tx, rows []*Mint) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{
			r.ID, r.Status, store.OrNull(r.ErrorCode), store.OrNull(r.ErrorMessage), store.OrNull(r.RelayerTxID),
			store.OrNull(r.TxHash), laurel.NullText(r.Signature), r.UpdatedAt, jsonArray(r.Paid), r.TransactionID,
			r.CorrectedAt, r.UnpaidAmount, r.UnpaidQuantity,
		}
	}
	_, err := tx.UpdateRows(ctx, updateMints, values)
	return err
}

// leasedMints describes the queue of open mints.
var leasedMints = worker.QueueTable{
	Table: "minting_mints", Key: "id", Due: "due_at", Open: "status IN ('generatingSignature', 'minting')",
	Filter: "due_at IS NOT NULL", Attempts: "attempts", OwnerColumn: "website_id", Columns: mintTable.Columns(),
}

// findMint reads a mint of the scope. Errors: NotFound "Mint".
func findMint(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Mint, error) {
	return mintTable.Get(ctx, q, store.OfTenant(scope).With("id = ?", id), "")
}

// hasOpenPaidMint reports whether there is an open mint that was paid in a currency, so that its failure would refund
// points of it.
func hasOpenPaidMint(ctx context.Context, q store.Queryer, scope laurel.Scope, currency laurel.ID) (bool, error) {
	var w store.Where
	w.Add("loyalty_currency_id = ?", currency)
	w.Tenant(q.Engine().NoIndexPrefix(), scope)
	w.Add("status IN ('generatingSignature', 'minting') AND paid <> '[]'")
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT id FROM minting_mints"+w.String()+" LIMIT 1", w.Args...)
	return len(ids) > 0, err
}
