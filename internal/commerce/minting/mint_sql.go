package minting

import (
	"context"
	"encoding/json"
	"fmt"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// MintRow is the stored form of a mint.
type MintRow struct {
	ID             laurel.ID      `db:"id"`
	OrganizationID laurel.ID      `db:"organization_id"`
	WebsiteID      laurel.ID      `db:"website_id"`
	ContractID     laurel.ID      `db:"minting_contract_id"`
	AssetID        laurel.ID      `db:"minting_asset_id"`
	UserID         laurel.ID      `db:"user_id"`
	Wallet         *string        `db:"wallet_address"`
	Quantity       int64          `db:"quantity"`
	Status         string         `db:"status"`
	Price          *laurel.Amount `db:"price"`
	ErrorCode      *int64         `db:"error_code"`
	ErrorMessage   *string        `db:"error_message"`
	RelayerTxID    *string        `db:"relayer_tx_id"`
	TxHash         *string        `db:"tx_hash"`
	Signature      *string        `db:"signature"`
	CustomInput    *string        `db:"custom_input_value"`
	Email          *string        `db:"email_address"`
	ShippingID     laurel.ID      `db:"shipping_id"`
	ShippingType   *string        `db:"shipping_order_type"`
	AgreedToSendW9 bool           `db:"agreed_to_send_w9"`
	AuctionID      laurel.ID      `db:"auction_id"`
	CurrencyID     laurel.ID      `db:"loyalty_currency_id"`
	Paid           string         `db:"paid"`
	TransactionID  laurel.ID      `db:"loyalty_transaction_id"`
	Counted        bool           `db:"counted"`
	Allowlisted    bool           `db:"allowlisted"`
	Attempts       int64          `db:"attempts"`
	DueAt          *int64         `db:"due_at"`
	ExpiresAt      *int64         `db:"expires_at"`
	CreatedAt      int64          `db:"created_at"`
	UpdatedAt      int64          `db:"updated_at"`
	CorrectedAt    *int64         `db:"corrected_at"`
	UnpaidAmount   laurel.Amount  `db:"unpaid_amount"`
	UnpaidQuantity int64          `db:"unpaid_quantity"`
}

const mintColumns = `id, organization_id, website_id, minting_contract_id, minting_asset_id, user_id, wallet_address, quantity,
	status, price, error_code, error_message, relayer_tx_id, tx_hash, signature, custom_input_value, email_address,
	shipping_id, shipping_order_type, agreed_to_send_w9, auction_id, loyalty_currency_id, paid, loyalty_transaction_id,
	counted, allowlisted, attempts, due_at, expires_at, created_at, updated_at, corrected_at, unpaid_amount,
	unpaid_quantity`

// SelectMint is the beginning of a statement that reads MintRows.
const SelectMint = `SELECT t.id, t.organization_id, t.website_id, t.minting_contract_id, t.minting_asset_id, t.user_id,
	t.wallet_address, t.quantity, t.status, t.price, t.error_code, t.error_message, t.relayer_tx_id, t.tx_hash,
	t.signature, t.custom_input_value, t.email_address, t.shipping_id, t.shipping_order_type, t.agreed_to_send_w9,
	t.auction_id, t.loyalty_currency_id, t.paid, t.loyalty_transaction_id, t.counted, t.allowlisted, t.attempts, t.due_at,
	t.expires_at, t.created_at, t.updated_at, t.corrected_at, t.unpaid_amount, t.unpaid_quantity FROM minting_mints t`

// mints is the table of mints for Works that end them.
var mints = &store.Table[laurel.ID, MintRow]{
	Name: "mints", Rank: store.LockRankOpenMints,
	Compare: laurel.ID.Compare,
	Query:   SelectMint,
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(r *MintRow) laurel.ID { return r.ID },
	New:     func(laurel.ID) *MintRow { return &MintRow{} },
	Save:    saveMints,
}

var newMints = &store.Sink[MintRow]{Name: "new mints", Rank: store.LockRankNewMints, Write: insertMints}

// newMintRow returns the row of a new mint with the texts of its order. Status, times and payment are set later.
func newMintRow(m Mint, o Order) MintRow {
	return MintRow{
		ID: m.ID, OrganizationID: m.OrganizationID, WebsiteID: m.WebsiteID, ContractID: m.ContractID, AssetID: m.AssetID,
		UserID: m.UserID, Quantity: m.Quantity, Price: m.Price, CustomInput: nilIfEmpty(o.CustomInput),
		Email:      nilIfEmpty(o.Email),
		ShippingID: o.ShippingID, ShippingType: nilIfEmpty(o.ShippingType), AgreedToSendW9: o.AgreedToSendW9,
		CurrencyID: m.CurrencyID,
	}
}

func nilIfEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Mint decodes the row.
func (r MintRow) Mint() (Mint, error) {
	m := Mint{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, ContractID: r.ContractID, AssetID: r.AssetID,
		UserID: r.UserID, Wallet: r.Wallet, Quantity: r.Quantity, Status: r.Status, Price: r.Price,
		CurrencyID: r.CurrencyID, ErrorCode: r.ErrorCode, ErrorMessage: r.ErrorMessage, RelayerTxID: r.RelayerTxID,
		TxHash: r.TxHash, CustomInput: r.CustomInput, Email: r.Email, ShippingID: r.ShippingID, AuctionID: r.AuctionID,
		Unpaid:    Unpaid{r.UnpaidAmount, r.UnpaidQuantity},
		CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt),
	}
	if r.Signature != nil {
		m.Signature = json.RawMessage(*r.Signature)
	}
	if err := json.Unmarshal([]byte(r.Paid), &m.Paid); err != nil {
		return m, fmt.Errorf("what was paid for mint %s: %w", r.ID, err)
	}
	return m, nil
}

// allowKey names the allowlist entry that the mint counts toward.
func (r *MintRow) allowKey() allowKey {
	if r.Wallet == nil {
		return allowKey{r.AssetID, ""}
	}
	return allowKey{r.AssetID, *r.Wallet}
}

// isOpen reports whether the mint has neither succeeded nor failed.
func (r *MintRow) isOpen() bool { return r.Status == Generating || r.Status == Minting }

var insertMint = store.Insert{
	Table: "minting_mints",
	Columns: store.Columns(`id uuid, organization_id uuid, website_id uuid, minting_contract_id uuid, minting_asset_id uuid,
	user_id uuid, wallet_address text, quantity bigint, status text, price bigint, custom_input_value text,
	email_address text, shipping_id uuid, shipping_order_type text, agreed_to_send_w9 boolean, auction_id uuid,
	loyalty_currency_id uuid, paid text, loyalty_transaction_id uuid, counted boolean, allowlisted boolean,
	attempts bigint, due_at bigint, expires_at bigint, created_at bigint, updated_at bigint`),
}

// insertMints writes new mints.
func insertMints(ctx context.Context, tx *store.Tx, rows []MintRow) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{
			r.ID, r.OrganizationID, r.WebsiteID, r.ContractID, r.AssetID, r.UserID, store.OrNull(r.Wallet), r.Quantity,
			r.Status, store.OrNull(r.Price), store.OrNull(r.CustomInput), store.OrNull(r.Email), r.ShippingID,
			store.OrNull(r.ShippingType), r.AgreedToSendW9, r.AuctionID, r.CurrencyID, r.Paid, r.TransactionID, r.Counted,
			r.Allowlisted, r.Attempts, store.OrNull(r.DueAt), store.OrNull(r.ExpiresAt), r.CreatedAt, r.UpdatedAt,
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
func saveMints(ctx context.Context, tx *store.Tx, rows []*MintRow) error {
	values := make([][]any, len(rows))
	for i, r := range rows {
		values[i] = []any{
			r.ID, r.Status, store.OrNull(r.ErrorCode), store.OrNull(r.ErrorMessage), store.OrNull(r.RelayerTxID),
			store.OrNull(r.TxHash), store.OrNull(r.Signature), r.UpdatedAt, r.Paid, r.TransactionID,
			store.OrNull(r.CorrectedAt), r.UnpaidAmount, r.UnpaidQuantity,
		}
	}
	_, err := tx.UpdateRows(ctx, updateMints, values)
	return err
}

// leasedMints describes the queue of open mints.
var leasedMints = worker.QueueTable{
	Table: "minting_mints", Key: "id", Due: "due_at", Open: "status IN ('generatingSignature', 'minting')",
	Filter: "due_at IS NOT NULL", Attempts: "attempts", OwnerColumn: "website_id", Columns: mintColumns,
}

// findMint reads a mint of the scope. Errors: NotFound "Mint".
func findMint(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (MintRow, error) {
	var w store.Where
	w.Add("t.id = ?", id)
	w.Tenant("t.", scope)
	var r MintRow
	err := q.Get(ctx, &r, SelectMint+w.String(), w.Args...)
	if store.IsNoRows(err) {
		err = laurel.Missing("Mint")
	}
	return r, err
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
