package minting

import (
	"context"
	"maps"
	"net/mail"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/holds"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/store"
)

// The statuses of a mint (contract 2).
const (
	Generating = "generatingSignature" // the driver has not signed it yet
	Minting    = "minting"             // signed; the owner of the signature carries it out
	Minted     = "minted"
	Failed     = "failed"
)

// Statuses lists every status of a mint.
func Statuses() []string { return []string{Generating, Minting, Minted, Failed} }

// Mint is one purchase of an asset and its delivery (contract 3.26): a row of minting_mints.
type Mint struct {
	ID             laurel.ID            `db:"id" json:"id"`
	OrganizationID laurel.ID            `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID            `db:"website_id" json:"websiteId"`
	ContractID     laurel.ID            `db:"minting_contract_id" json:"mintingContractId" update:"no"`
	AssetID        laurel.ID            `db:"minting_asset_id" json:"mintingContractAssetId" update:"no"`
	UserID         laurel.ID            `db:"user_id" json:"userId" update:"no"`
	Wallet         *string              `db:"wallet_address" json:"walletAddress" update:"no"`
	Quantity       int64                `db:"quantity" json:"quantity" update:"no"`
	Status         string               `db:"status" json:"status"`
	Price          *laurel.Amount       `db:"price" json:"price" update:"no"` // for the whole quantity; nil: won, not bought
	ErrorCode      *int64               `db:"error_code" json:"errorCode"`
	ErrorMessage   *string              `db:"error_message" json:"errorMessage"`
	RelayerTxID    *string              `db:"relayer_tx_id" json:"relayerTxId"`
	TxHash         *string              `db:"tx_hash" json:"txHash"`
	Signature      laurel.RawJSON       `db:"signature" json:"-"` // as the driver returned it; nil: none
	CustomInput    *string              `db:"custom_input_value" json:"customInputValue" update:"no"`
	Email          *string              `db:"email_address" json:"-" update:"no"`
	ShippingID     laurel.NullID        `db:"shipping_id" json:"shippingId" update:"no"`
	ShippingType   *string              `db:"shipping_order_type" json:"-" update:"no"`
	AgreedToSendW9 bool                 `db:"agreed_to_send_w9" json:"-" update:"no"`
	AuctionID      laurel.NullID        `db:"auction_id" json:"-" update:"no"`          // the auction in which it was won
	CurrencyID     laurel.NullID        `db:"loyalty_currency_id" json:"-" update:"no"` // of the price; none: paid on a blockchain
	Paid           holds.Parts          `db:"paid" json:"-"`                            // what accounts paid, to be refunded if the mint fails
	TransactionID  laurel.NullID        `db:"loyalty_transaction_id" json:"-"`
	Counted        bool                 `db:"counted" json:"-" update:"no"`     // its items count toward the limits per user
	Allowlisted    bool                 `db:"allowlisted" json:"-" update:"no"` // its items count toward the entry of its wallet on the allowlist
	Attempts       int64                `db:"attempts" json:"-" update:"no"`
	DueAt          laurel.NullTimestamp `db:"due_at" json:"-" update:"no"`
	ExpiresAt      laurel.NullTimestamp `db:"expires_at" json:"-" update:"no"` // none: it never times out
	CreatedAt      laurel.Timestamp     `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp     `db:"updated_at" json:"updatedAt"`
	CorrectedAt    laurel.NullTimestamp `db:"corrected_at" json:"-"`
	UnpaidAmount   laurel.Amount        `db:"unpaid_amount" json:"-"`   // points that the balance did not cover when it was corrected
	UnpaidQuantity int64                `db:"unpaid_quantity" json:"-"` // items that the stock did not have then
}

// Order is a caller's order to mint an asset.
type Order struct {
	AssetID        laurel.ID
	ContractID     laurel.ID
	User           identity.Ref
	Quantity       int64
	Email          string
	CustomInput    string
	ShippingID     laurel.ID
	ShippingType   string // recorded
	AgreedToSendW9 bool   // recorded
}

const (
	maxAtOnce = 100
	maxEmail  = 320
)

// Bounds returns what the properties accept, for the API's schema.
func (Order) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"assetId", "contractId"},
		NotNull:  []string{"assetId", "contractId"},
		Keywords: map[string]laurel.Keywords{
			"quantity":          {"minimum": 1, "maximum": maxAtOnce, "default": 1},
			"emailAddress":      {"format": "email", "maxLength": maxEmail},
			"customInputValue":  {"maxLength": maxDescription},
			"shippingOrderType": {"maxLength": maxName},
		},
	}
}

// Validate adds a fault for each invalid property of the order.
func (o Order) Validate(f *laurel.Faults) {
	if o.AssetID.IsZero() {
		f.Add("assetId", "is required")
	}
	if o.ContractID.IsZero() {
		f.Add("contractId", "is required")
	}
	o.User.Validate(f)
	checkBetween(f, "quantity", o.Quantity, 1, maxAtOnce)
	if o.Email != "" {
		f.Text("emailAddress", o.Email, 0, maxEmail)
		if a, err := mail.ParseAddress(o.Email); err != nil || a.Address != o.Email {
			f.Add("emailAddress", "must be a valid email address")
		}
	}
	f.Text("customInputValue", o.CustomInput, 0, maxDescription)
	f.Text("shippingOrderType", o.ShippingType, 0, maxName)
}

// Mint buys items of an asset for a user; an unknown wallet becomes a user. In an OFFCHAIN contract the points are
// debited and the items are minted at once. In an ONCHAIN one both are reserved, and the driver is called in the
// background. Errors: Invalid; NotFound "Asset", "User"; Refused as contract 5.19 lists it.
func (s *Service) Mint(ctx context.Context, scope laurel.Scope, o Order) (Mint, error) {
	var f laurel.Faults
	o.Validate(&f)
	if err := f.Err(); err != nil {
		return Mint{}, err
	}
	w := &purchaseWork{order: o, hasDriver: s.Driver != nil}
	err := s.Committer.Submit(ctx, scope.Request, func() (_ store.Work, err error) {
		if w.terms, err = s.readTerms(ctx, scope, o); err != nil {
			return nil, err
		}
		w.scope = scope.At(w.terms.asset.WebsiteID)
		refs := []transactions.MemberRef{{UserID: o.User.UserID, Wallet: o.User.Wallet}}
		// true: from the database, so that the member has its present wallet, by which allowlists are looked up
		members, err := s.People(ctx, w.scope, refs, true)
		if err != nil {
			return nil, err
		}
		w.member = members[0]
		w.ownedCollections, err = s.ownedCollections(ctx, w.scope, w.terms.contract.Collections, w.member)
		w.id = s.DB.NewID()
		return w, err
	})
	return w.result, err
}

// terms are an asset and its contract as they were read.
type terms struct {
	asset    Asset
	contract Contract
}

// readTerms reads the asset and the contract that the order names; the asset must be a live one of the contract.
// Errors: NotFound "Asset".
func (s *Service) readTerms(ctx context.Context, scope laurel.Scope, o Order) (t terms, err error) {
	asset, found, err := s.assets.Get(ctx, o.AssetID)
	if err != nil {
		return t, err
	}
	if !found || !asset.isLive(scope) || asset.ContractID != o.ContractID {
		return t, errNoAsset()
	}
	contract, found, err := s.contracts.Get(ctx, o.ContractID)
	if err != nil {
		return t, err
	}
	if !found {
		return t, errNoAsset()
	}
	return terms{*asset, *contract}, nil
}

// ownedCollections returns for each collection whether the member, or another one of its group, owns a token of it.
// If no blockchain can be read, none is owned.
func (s *Service) ownedCollections(
	ctx context.Context, scope laurel.Scope, collections []GatingCollection, member ledger.Member,
) (map[GatingCollection]bool, error) {
	out := map[GatingCollection]bool{}
	if s.Owns == nil || len(collections) == 0 {
		return out, nil
	}
	walletsByUser, err := s.Identity.Wallets(ctx, s.DB, scope, member.Spenders)
	if err != nil {
		return nil, err
	}
	wallets := slices.Sorted(maps.Values(walletsByUser))
	for _, c := range collections {
		if out[c], err = s.Owns(ctx, c, wallets); err != nil {
			return nil, err
		}
	}
	return out, nil
}
