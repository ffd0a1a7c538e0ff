// Package collections owns the collections of tokens that websites show (contract 3.3). It calls no blockchain and does
// not own what is minted: a minting contract names its collection here.
package collections

import (
	"context"

	"laurel.example/laurel"
	_ "laurel.example/laurel/internal/evm" // the bounds address and network
	"laurel.example/laurel/internal/record"
	"laurel.example/laurel/internal/store"
	_ "laurel.example/laurel/internal/weburl" // the bounds url and fileurl
)

// Collection is a collection of tokens on a network (contract 3.3): a row of website_collections, and what the API
// returns.
type Collection struct {
	ID                    laurel.ID            `db:"id" json:"id"`
	OrganizationID        laurel.ID            `db:"organization_id" json:"organizationId"`
	WebsiteID             laurel.ID            `db:"website_id" json:"websiteId"`
	Address               string               `db:"collection_address" json:"collectionAddress" update:"no" in:"create required min=1 address"`
	Name                  string               `db:"name" json:"name" in:"required min=1 max=1000"`
	Network               string               `db:"network" json:"network" update:"no" in:"create required notblank network"`
	SortID                int64                `db:"sort_id" json:"sortId" in:"required" hint:"Lists go by it, the lowest first"`
	HomeURL               *string              `db:"home_url" json:"homeUrl" in:"url"`
	ImageURL              *string              `db:"image_url" json:"imageUrl" in:"fileurl"`
	ChatServerURL         *string              `db:"chat_server_url" json:"chatServerUrl" in:"url"`
	MessengerURL          *string              `db:"messenger_url" json:"messengerUrl" in:"url"`
	MicroblogUsername     *string              `db:"microblog_username" json:"microblogUsername" in:"max=1000"`
	PhotoPlatformUsername *string              `db:"photo_platform_username" json:"photoPlatformUsername" in:"max=1000"`
	StakingAddress        *string              `db:"staking_address" json:"stakingAddress" in:"address" hint:"The contract that locks its tokens"`
	RoyaltyFeeAddress     *string              `db:"royalty_fee_address" json:"royaltyFeeAddress" in:"address"`
	RoyaltyFee            *laurel.Amount       `db:"royalty_fee" json:"royaltyFee" doc:"Percent" in:"percent" hint:"Percent, 0 to 100"`
	ThemeID               laurel.NullID        `db:"theme_id" json:"themeId" in:""`
	MintingContractID     laurel.NullID        `db:"minting_contract_id" json:"mintingContractId" update:"no"` // written by SetMintingContract
	CreatedAt             laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt             laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
	DeletedAt             laurel.NullTimestamp `db:"deleted_at" json:"deletedAt"`
}

// Patch is what a caller writes of a collection. Rules of type lodging check who locks tokens in its staking address.
type Patch = record.Patch[Collection]

// MaxLive is how many live collections a website may have. It is bounded because the response with a website lists all
// of them.
const MaxLive = 1000

// Service creates, changes and reads the collections of websites.
type Service struct{ db *store.DB }

// New returns a service on the database.
func New(db *store.DB) *Service { return &Service{db: db} }

// Create adds a collection to the scope's website. Errors: Invalid; Refused "Collection already exists" if the
// website has a live one with this address and network, and Refused if it has MaxLive already.
func (s *Service) Create(ctx context.Context, scope laurel.Scope, in Patch) (Collection, error) {
	c := Collection{OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID}
	if err := in.Create(&c).Err(); err != nil {
		return Collection{}, err
	}
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := tx.AdvisoryLock(ctx, "collections of "+scope.WebsiteID.String()); err != nil {
			return err
		}
		if n, err := table.Count(ctx, tx, store.Live(scope)); err != nil || n >= MaxLive {
			return errOrRefused(err, "Website has %d collections already", MaxLive)
		}
		c.ID, c.CreatedAt.Time, c.UpdatedAt.Time = tx.NewID(), tx.Now(), tx.Now()
		if inserted, err := table.Insert(ctx, tx, &c, onConflict); err != nil || !inserted {
			return errOrRefused(err, "Collection already exists")
		}
		return nil
	})
	return c, err
}

// errOrRefused returns err, or else a Refused error with the message.
func errOrRefused(err error, message string, args ...any) error {
	if err != nil {
		return err
	}
	return laurel.Errorf(laurel.Refused, message, args...)
}

// Update changes the properties that the input sets. Address and network cannot be changed. Errors: NotFound
// "Collection", Invalid.
func (s *Service) Update(ctx context.Context, scope laurel.Scope, id laurel.ID, in Patch) (Collection, error) {
	return table.EditLive(ctx, s.db, scope, id, func(_ *store.Tx, c *Collection) error { return in.Update(c).Err() })
}

// Delete marks a collection as deleted. Page sections that show it keep their slots for it, which are empty then.
// Errors: NotFound "Collection".
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id laurel.ID) (Collection, error) {
	return table.EditLive(ctx, s.db, scope, id, func(tx *store.Tx, c *Collection) error {
		c.DeletedAt.Time = tx.Now()
		return nil
	})
}

// Get returns a live collection. Errors: NotFound "Collection".
func (s *Service) Get(ctx context.Context, scope laurel.Scope, id laurel.ID) (Collection, error) {
	return table.Get(ctx, s.db, store.LiveByID(scope, id), "")
}

// List returns live collections by sortId. Errors: Invalid for an unknown cursor.
func (s *Service) List(
	ctx context.Context, scope laurel.Scope, page laurel.PageRequest,
) (laurel.Page[Collection], error) {
	return table.Page(ctx, s.db, bySort(scope), page)
}

// maxInMemory bounds how many collections ListByWebsite returns for more than one website.
const maxInMemory = 5 * MaxLive

// ListByWebsite returns the live collections of each website, by sortId. It stops before the website that would bring
// the total above maxInMemory, so the result may be shorter than the list of websites; it always has the first.
func (s *Service) ListByWebsite(
	ctx context.Context, scope laurel.Scope, websites []laurel.ID,
) (byWebsite [][]Collection, err error) {
	total := 0
	for _, id := range websites {
		page, err := s.List(ctx, scope.At(id), laurel.PageRequest{Limit: MaxLive})
		if err != nil {
			return nil, err
		}
		if total += len(page.Data); total > maxInMemory && len(byWebsite) > 0 {
			break
		}
		byWebsite = append(byWebsite, page.Data)
	}
	return byWebsite, nil
}

// FindLive returns the collections with the ids, keyed by id. It leaves out those that are deleted or of another scope.
func FindLive(
	ctx context.Context, q store.Queryer, scope laurel.Scope, ids []laurel.ID,
) (map[laurel.ID]Collection, error) {
	if len(ids) == 0 {
		return map[laurel.ID]Collection{}, nil
	}
	w := store.Live(scope)
	store.In(w, "id", ids)
	list, err := table.Select(ctx, q, w, "")
	out := make(map[laurel.ID]Collection, len(list))
	for _, c := range list {
		out[c.ID] = c
	}
	return out, err
}
