package minting

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"laurel"
	"laurel/internal/store"
)

// contractRow is the stored form of a contract.
type contractRow struct {
	Contract
	MustOwn    string `db:"must_own_collections"`
	Badges     string `db:"badge_ids"`
	RevealedAt *int64 `db:"reveal_available_at"`
	Created    int64  `db:"created_at"`
	Updated    int64  `db:"updated_at"`
	Deleted    *int64 `db:"deleted_at"`
}

// contractUpdateColumns are the columns that insertContract and updateContract write.
const contractUpdateColumns = `name text, address text, network text, symbol text, description text, image_url text,
	external_link_url text, pre_reveal_media text, per_user_mint_limit bigint, is_per_asset_mint_limit boolean,
	must_own_collections text, require_holding_all boolean, badge_ids text, is_free_for_badge_holders boolean,
	is_free_for_token_holders boolean, is_listed boolean, show_on_marketplace boolean, hide_inactive_listings boolean,
	enable_gasless boolean, is_soulbound boolean, has_reveal_mechanic boolean, should_collect_email boolean,
	reveal_available_at bigint, primary_sale_recipient_address text, royalty_fee_address text, royalty_fee bigint,
	relayer_id uuid, sort_id bigint, website_collection_id uuid, updated_at bigint, deleted_at bigint`

const selectContract = `SELECT t.id, t.organization_id, t.website_id, t.name, t.contract_kind, t.address, t.network,
	t.symbol, t.description, t.image_url, t.external_link_url, t.pre_reveal_media, t.token_type, t.per_user_mint_limit,
	t.is_per_asset_mint_limit, t.must_own_collections, t.require_holding_all, t.badge_ids, t.is_free_for_badge_holders,
	t.is_free_for_token_holders, t.is_listed, t.show_on_marketplace, t.hide_inactive_listings, t.enable_gasless,
	t.is_soulbound, t.has_reveal_mechanic, t.should_collect_email, t.reveal_available_at,
	t.primary_sale_recipient_address, t.royalty_fee_address, t.royalty_fee, t.relayer_id, t.sort_id,
	t.website_collection_id, t.created_at, t.updated_at, t.deleted_at FROM minting_contracts t`

// contracts is the table of contracts for Works. Their locks keep the gates and terms from changing between a decision
// and its commit.
var contracts = &store.Table[laurel.ID, contractRow]{
	Name: "minting contracts", Rank: store.LockRankMintingContracts,
	Compare: laurel.ID.Compare,
	Query:   selectContract,
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(r *contractRow) laurel.ID { return r.ID },
	New:     func(laurel.ID) *contractRow { return &contractRow{} },
}

func (r contractRow) contract() (Contract, error) {
	c := r.Contract
	c.RevealAvailableAt = timeOrNil(r.RevealedAt)
	c.CreatedAt, c.UpdatedAt, c.DeletedAt = store.Time(r.Created), store.Time(r.Updated), timeOrZero(r.Deleted)
	return c, errors.Join(json.Unmarshal([]byte(r.MustOwn), &c.Collections), json.Unmarshal([]byte(r.Badges), &c.BadgeIDs))
}

// updateValues returns the values of contractUpdateColumns, in their order.
func (c Contract) updateValues() []any {
	return []any{
		c.Name, store.OrNull(c.Address), store.OrNull(c.Network), c.Symbol, store.OrNull(c.Description),
		store.OrNull(c.ImageURL), store.OrNull(c.ExternalLinkURL), store.OrNull(c.PreRevealMedia), c.PerUserLimit,
		c.LimitsPerAsset, jsonArray(c.Collections), c.RequiresAll, jsonArray(c.BadgeIDs), c.FreeForBadgeHolders,
		c.FreeForTokenHolders, c.IsListed, c.ShowOnMarketplace, c.HideInactiveListings, c.EnableGasless, c.IsSoulbound,
		c.HasRevealMechanic, c.CollectsEmail, microsOf(c.RevealAvailableAt), c.SaleRecipient, c.RoyaltyFeeAddress,
		c.RoyaltyFee, c.RelayerID, store.OrNull(c.SortID), c.CollectionID, store.Micros(c.UpdatedAt), orNull(c.DeletedAt),
	}
}

// jsonArray writes a list as a JSON array; nil is the empty array, never null.
func jsonArray[T any](list []T) string { return string(store.JSON(append([]T{}, list...))) }

func timeOf(in laurel.Optional[laurel.Timestamp]) *time.Time {
	if in.Null {
		return nil
	}
	return &in.Value.Time
}

func microsOf(t *time.Time) any {
	if t == nil {
		return nil
	}
	return store.Micros(*t)
}

func orNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return store.Micros(t)
}

// insertContract writes a new contract, whose first asset will have the number 1.
func insertContract(ctx context.Context, tx *store.Tx, c Contract) error {
	_, err := tx.InsertRows(ctx, store.Insert{
		Table: "minting_contracts",
		Columns: store.Columns("id uuid, organization_id uuid, website_id uuid, contract_kind text, token_type text, " +
			"next_asset_nr bigint, created_at bigint, " + contractUpdateColumns),
	}, [][]any{append(
		[]any{c.ID, c.OrganizationID, c.WebsiteID, c.Kind, c.TokenType, 1, store.Micros(c.CreatedAt)}, c.updateValues()...)})
	return err
}

func updateContract(ctx context.Context, tx *store.Tx, c Contract) error {
	_, err := tx.UpdateRows(ctx, store.Update{
		Table: "minting_contracts", Keys: store.Columns("id uuid"), Set: store.Columns(contractUpdateColumns),
	}, [][]any{append([]any{c.ID}, c.updateValues()...)})
	return err
}

// lockContract waits until no Work is minting from the contract, and keeps others out until the transaction ends.
func lockContract(ctx context.Context, tx *store.Tx, id laurel.ID) error {
	return contracts.LockExclusively(ctx, tx, id)
}

// readContract reads a live contract of the scope. lock is a clause such as tx.ForUpdate(), or "" for none. Errors:
// NotFound "Minting contract".
func readContract(
	ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID, lock string,
) (Contract, error) {
	var w store.Where
	w.Add("t.id = ? AND t.deleted_at IS NULL", id)
	w.Tenant("t.", scope)
	var r contractRow
	err := q.Get(ctx, &r, selectContract+w.String()+lock, w.Args...)
	if store.IsNoRows(err) {
		return Contract{}, errNoContract()
	}
	if err != nil {
		return Contract{}, err
	}
	return r.contract()
}

func countContracts(ctx context.Context, q store.Queryer, scope laurel.Scope) (n int, err error) {
	var w store.Where
	w.Add("deleted_at IS NULL")
	w.Tenant("", scope)
	err = q.Get(ctx, &n, "SELECT COUNT(*) FROM minting_contracts"+w.String(), w.Args...)
	return n, err
}

// listContracts reads a page of contracts, newest first. Errors: Invalid for an unknown cursor.
func listContracts(
	ctx context.Context, q store.Queryer, scope laurel.Scope, f ContractFilter, page laurel.PageRequest,
) (laurel.Page[Contract], error) {
	none := laurel.PageOf[Contract](nil, page.Limit)
	var w store.Where
	w.Tenant("t.", scope)
	if !page.StartingAfter.IsZero() {
		var created int64
		err := q.Get(ctx, &created, "SELECT t.created_at FROM minting_contracts t"+w.String()+" AND t.id = ?",
			append(w.Args, page.StartingAfter)...)
		if store.IsNoRows(err) {
			return none, laurel.ErrCursor()
		}
		if err != nil {
			return none, err
		}
		w.After("t.created_at", "t.id", true, created, page.StartingAfter) // true: descending
	}
	if !f.WithDeleted {
		w.Add("t.deleted_at IS NULL")
	}
	if f.OnMarketplace != nil {
		w.Add("t.show_on_marketplace = ?", *f.OnMarketplace)
	}
	rows, err := store.SelectPage[contractRow](
		ctx, q, page.Limit, selectContract+w.String()+" ORDER BY t.created_at DESC, t.id DESC", w.Args...)
	if err != nil {
		return none, err
	}
	out := laurel.Page[Contract]{Data: make([]Contract, len(rows.Data)), HasNextPage: rows.HasNextPage}
	for i, r := range rows.Data {
		if out.Data[i], err = r.contract(); err != nil {
			return none, err
		}
	}
	return out, nil
}
