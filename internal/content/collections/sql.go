package collections

import (
	"context"

	"laurel"
	"laurel/internal/store"
)

const columns = `id, organization_id, website_id, collection_address, name, network, sort_id, home_url, image_url,
	chat_server_url, messenger_url, microblog_username, photo_platform_username, staking_address, royalty_fee_address,
	royalty_fee, theme_id, minting_contract_id, created_at, updated_at, deleted_at`

type row struct {
	ID                    laurel.ID      `db:"id"`
	OrganizationID        laurel.ID      `db:"organization_id"`
	WebsiteID             laurel.ID      `db:"website_id"`
	Address               string         `db:"collection_address"`
	Name                  string         `db:"name"`
	Network               string         `db:"network"`
	SortID                int64          `db:"sort_id"`
	HomeURL               *string        `db:"home_url"`
	ImageURL              *string        `db:"image_url"`
	ChatServerURL         *string        `db:"chat_server_url"`
	MessengerURL          *string        `db:"messenger_url"`
	MicroblogUsername     *string        `db:"microblog_username"`
	PhotoPlatformUsername *string        `db:"photo_platform_username"`
	StakingAddress        *string        `db:"staking_address"`
	RoyaltyFeeAddress     *string        `db:"royalty_fee_address"`
	RoyaltyFee            *laurel.Amount `db:"royalty_fee"`
	ThemeID               laurel.ID      `db:"theme_id"`
	MintingContractID     laurel.ID      `db:"minting_contract_id"`
	CreatedAt             int64          `db:"created_at"`
	UpdatedAt             int64          `db:"updated_at"`
	DeletedAt             *int64         `db:"deleted_at"`
}

// collection returns the collection that the row stores.
func (r row) collection() Collection {
	c := Collection{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, Address: r.Address, Name: r.Name,
		Network: r.Network, SortID: r.SortID, HomeURL: r.HomeURL, ImageURL: r.ImageURL, ChatServerURL: r.ChatServerURL,
		MessengerURL: r.MessengerURL, MicroblogUsername: r.MicroblogUsername,
		PhotoPlatformUsername: r.PhotoPlatformUsername, StakingAddress: r.StakingAddress,
		RoyaltyFeeAddress: r.RoyaltyFeeAddress, RoyaltyFee: r.RoyaltyFee, ThemeID: r.ThemeID,
		MintingContractID: r.MintingContractID, CreatedAt: store.Time(r.CreatedAt), UpdatedAt: store.Time(r.UpdatedAt),
	}
	if r.DeletedAt != nil {
		c.DeletedAt = store.Time(*r.DeletedAt)
	}
	return c
}

// insert returns false if the website already has a live collection with the same network and address.
func insert(ctx context.Context, tx *store.Tx, c Collection) (bool, error) {
	n, err := tx.Exec(
		ctx,
		"INSERT INTO website_collections ("+columns+`)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)
		ON CONFLICT (website_id, network, collection_address) WHERE deleted_at IS NULL DO NOTHING`,
		c.ID, c.OrganizationID, c.WebsiteID, c.Address, c.Name, c.Network, c.SortID, c.HomeURL, c.ImageURL,
		c.ChatServerURL, c.MessengerURL, c.MicroblogUsername, c.PhotoPlatformUsername, c.StakingAddress,
		c.RoyaltyFeeAddress, c.RoyaltyFee, c.ThemeID, c.MintingContractID, store.Micros(c.CreatedAt),
		store.Micros(c.UpdatedAt),
	)
	return n > 0, err
}

// update saves the columns that can change. The transaction has locked the collection.
func update(ctx context.Context, tx *store.Tx, c Collection) error {
	var deleted *int64
	if !c.DeletedAt.IsZero() {
		at := store.Micros(c.DeletedAt)
		deleted = &at
	}
	_, err := tx.Exec(
		ctx,
		`UPDATE website_collections SET name = ?, sort_id = ?, home_url = ?, image_url = ?, chat_server_url = ?,
		messenger_url = ?, microblog_username = ?, photo_platform_username = ?, staking_address = ?,
		royalty_fee_address = ?, royalty_fee = ?, theme_id = ?, updated_at = ?, deleted_at = ? WHERE id = ?`,
		c.Name, c.SortID, c.HomeURL, c.ImageURL, c.ChatServerURL, c.MessengerURL, c.MicroblogUsername,
		c.PhotoPlatformUsername, c.StakingAddress, c.RoyaltyFeeAddress, c.RoyaltyFee, c.ThemeID,
		store.Micros(c.UpdatedAt), deleted, c.ID,
	)
	return err
}

// whereLive returns the condition for live collections of the scope.
func whereLive(scope laurel.Scope) *store.Where {
	w := &store.Where{}
	w.Add("deleted_at IS NULL")
	w.Tenant("", scope)
	return w
}

func count(ctx context.Context, q store.Queryer, scope laurel.Scope) (n int, err error) {
	w := whereLive(scope)
	err = q.Get(ctx, &n, "SELECT COUNT(*) FROM website_collections"+w.String(), w.Args...)
	return n, err
}

// find returns a live collection; lock is the suffix that locks its row, or "". Errors: NotFound "Collection".
func find(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID, lock string) (Collection, error) {
	w := whereLive(scope)
	w.Add("id = ?", id)
	var r row
	err := q.Get(ctx, &r, "SELECT "+columns+" FROM website_collections"+w.String()+lock, w.Args...)
	if store.IsNoRows(err) {
		return Collection{}, errNotFound()
	}
	return r.collection(), err
}

// selectByID returns the rows of live collections with the ids.
func selectByID(ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID) ([]row, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	w := whereLive(scope)
	store.In(w, "id", ids)
	var rows []row
	err := q.Select(ctx, &rows, "SELECT "+columns+" FROM website_collections"+w.String(), w.Args...)
	return rows, err
}

// list returns a page of live collections by sortId. Errors: Invalid for an unknown cursor.
func list(
	ctx context.Context, q store.Queryer, scope laurel.Scope, page laurel.PageRequest,
) (laurel.Page[row], error) {
	w := whereLive(scope)
	if !page.StartingAfter.IsZero() {
		var c store.Where // without deleted_at: a deleted collection is a valid cursor
		c.Add("id = ?", page.StartingAfter)
		c.Tenant("", scope)
		var after struct {
			SortID    int64 `db:"sort_id"`
			CreatedAt int64 `db:"created_at"`
		}
		err := q.Get(ctx, &after, "SELECT sort_id, created_at FROM website_collections"+c.String(), c.Args...)
		if store.IsNoRows(err) {
			return laurel.Page[row]{}, laurel.ErrCursor()
		}
		if err != nil {
			return laurel.Page[row]{}, err
		}
		w.Add("(sort_id, created_at, id) > (?, ?, ?)", after.SortID, after.CreatedAt, page.StartingAfter)
	}
	return store.SelectPage[row](
		ctx, q, page.Limit,
		"SELECT "+columns+" FROM website_collections"+w.String()+" ORDER BY sort_id, created_at, id", w.Args...)
}

// SetMintingContract stores which minting contract mints the tokens of a live collection. The zero contract clears it.
// With the zero collection it does nothing. It runs in the transaction that changes the contract.
func SetMintingContract(ctx context.Context, tx *store.Tx, scope laurel.Scope, collection, contract laurel.ID) error {
	if collection.IsZero() {
		return nil
	}
	w := whereLive(scope)
	w.Add("id = ?", collection)
	_, err := tx.Exec(
		ctx,
		"UPDATE website_collections SET minting_contract_id = ?, updated_at = ?"+w.String(),
		append([]any{contract, store.Micros(tx.Now())}, w.Args...)...)
	return err
}
