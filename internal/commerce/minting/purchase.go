package minting

import (
	"encoding/json"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/holds"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// mintTimeout is the time after which a mint fails whose end was not reported.
const mintTimeout = time.Hour

// purchaseWork is the Work that buys items of an asset.
type purchaseWork struct {
	id               laurel.ID
	scope            laurel.Scope
	order            Order
	terms            terms
	member           ledger.Member
	ownedCollections map[GatingCollection]bool
	hasDriver        bool
	result           Mint
}

func (w *purchaseWork) String() string { return "mint of asset " + w.order.AssetID.String() }

// newSpend returns the payment of the price, if it is in points.
func (w *purchaseWork) newSpend(price laurel.Amount) holds.Spend {
	return holds.Spend{
		Scope: w.scope, Member: w.member, CurrencyID: w.terms.asset.CurrencyID.ID, Amount: price, Type: ledger.TypeDirectMint,
		Description: description, Metadata: entryMetadata(w.id),
	}
}

// description is the description of a mint's transactions.
const description = "Mint"

// entryMetadata is the metadata of the entries that pay for a mint.
func entryMetadata(mint laurel.ID) json.RawMessage {
	return store.JSON(struct {
		ID laurel.ID `json:"mintingContractAssetMintStatusId"`
	}{mint})
}

// newMint returns a Mint with the ids and the texts of the purchase; Judge sets its price and quantity.
func (w *purchaseWork) newMint() Mint {
	return Mint{
		ID: w.id, OrganizationID: w.scope.OrganizationID, WebsiteID: w.scope.WebsiteID, ContractID: w.order.ContractID,
		AssetID: w.order.AssetID, UserID: w.member.UserID, CustomInput: nilIfEmpty(w.order.CustomInput),
		Email: nilIfEmpty(w.order.Email), ShippingID: laurel.NullableID(w.order.ShippingID),
		ShippingType: nilIfEmpty(w.order.ShippingType), AgreedToSendW9: w.order.AgreedToSendW9,
	}
}

func nilIfEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Locks returns the locks of all rows that the purchase reads or changes.
func (w *purchaseWork) Locks() []store.Lock {
	locks := slices.Concat(
		w.member.Locks, mintCountLocks(w.newMint()), badges.HolderLocks(w.terms.contract.BadgeIDs, w.member.UserID),
		[]store.Lock{contracts.Lock(w.order.ContractID), assets.Lock(w.order.AssetID)},
	)
	if w.member.Wallet != "" {
		locks = append(locks, allowlist.Lock(allowKey{w.order.AssetID, w.member.Wallet}))
	}
	if !w.terms.asset.CurrencyID.IsZero() {
		locks = append(locks, w.newSpend(1).Locks()...) // the locks do not depend on the amount
	}
	return locks
}

// facts reads from the locked rows all that the decision on the purchase depends on. It returns store.ErrStale if the
// contract's gates, the currency or the member have changed since the locks were chosen, and NotFound if the asset or
// its contract was deleted.
func (w *purchaseWork) facts(b *store.Batch) (facts, error) {
	f := facts{
		asset: assets.Row(b, w.order.AssetID), now: b.Now(), order: w.order, blocked: w.member.Blocked,
		ownedCollections: w.ownedCollections,
		heldBadges:       map[laurel.ID]bool{}, hasDriver: w.hasDriver,
	}
	if err := w.member.Check(b); err != nil {
		return f, err
	}
	contract := *contracts.Row(b, w.order.ContractID)
	f.contract = contract
	if !slices.Equal(contract.BadgeIDs, w.terms.contract.BadgeIDs) ||
		!slices.Equal(contract.Collections, w.terms.contract.Collections) ||
		f.asset.CurrencyID != w.terms.asset.CurrencyID {
		return f, store.ErrStale
	}
	if !f.asset.isLive(w.scope) || !contract.DeletedAt.IsZero() {
		return f, errNoAsset()
	}
	for _, id := range contract.BadgeIDs {
		f.heldBadges[id] = badges.IsHolder(b, id, w.member.UserID)
	}
	if w.member.Wallet != "" {
		f.allowEntry = allowlist.Row(b, allowKey{w.order.AssetID, w.member.Wallet})
	}
	subject := w.order.ContractID
	if contract.LimitsPerAsset {
		subject = w.order.AssetID
	}
	f.alreadyMinted = counts.Row(b, countKey{subject, w.member.UserID}).Quantity
	return f, nil
}

// Judge decides on the purchase under the locks: it refuses it, or takes the price, counts and reserves the items, and
// stages the mint.
func (w *purchaseWork) Judge(b *store.Batch) error {
	w.result = Mint{}
	f, err := w.facts(b)
	if err != nil {
		return err
	}
	if err := f.refusal(); err != nil {
		return err
	}
	price, err := f.price()
	if err != nil {
		return err
	}
	m := w.newMint()
	m.Price, m.CurrencyID, m.Quantity = &price, f.asset.CurrencyID, w.order.Quantity
	if m.CurrencyID.IsZero() || price == 0 {
		err = w.member.Admit(b) // nothing is debited, but the member may be a new user
	} else {
		m.Paid, m.TransactionID.ID, err = w.newSpend(price).Take(b)
	}
	if err != nil {
		return err
	}
	m.Counted, m.Allowlisted, m.Wallet = true, f.asset.IsAllowlisted, nilIfEmpty(w.member.Wallet)
	addToCounts(b, m, m.Quantity)
	Stock{m.AssetID}.reserve(b, m.Quantity)
	if m.Allowlisted {
		allowlist.Changed(b, m.allowKey()).Reserved += m.Quantity
	}
	m.start(b, f.contract.Kind)
	m.ExpiresAt.Time = b.Now().Add(mintTimeout)
	newMints.Add(b, &m)
	w.result = m
	return nil
}

// Award is a mint that a member has won, such as in an auction. Its items were reserved and paid before. It has no
// timeout; the payment is refunded if the driver refuses to mint it. A Work holds its Locks and calls Stage in its
// Judge.
type Award struct {
	Scope      laurel.Scope // of one website
	ContractID laurel.ID
	AssetID    laurel.ID
	UserID     laurel.ID
	Wallet     *string
	Quantity   int64
	AuctionID  laurel.ID
	CurrencyID laurel.ID   // of Paid
	Paid       holds.Parts // what each account paid
}

// Locks names the rows that Stage reads and changes.
func (a Award) Locks() []store.Lock {
	return []store.Lock{contracts.Lock(a.ContractID), assets.Lock(a.AssetID)}
}

// Stage stages the mint, even if its asset was deleted meanwhile, and returns the mint's id.
func (a Award) Stage(b *store.Batch) laurel.ID {
	m := Mint{
		ID: b.NewID(), OrganizationID: a.Scope.OrganizationID, WebsiteID: a.Scope.WebsiteID, ContractID: a.ContractID,
		AssetID: a.AssetID, UserID: a.UserID, Wallet: a.Wallet, Quantity: a.Quantity,
		CurrencyID: laurel.NullableID(a.CurrencyID), Paid: a.Paid, AuctionID: laurel.NullableID(a.AuctionID),
	}
	m.start(b, contracts.Row(b, a.ContractID).Kind)
	newMints.Add(b, &m)
	return m.ID
}

// start sets the first status of a new mint, whose items are reserved: minted in an OFFCHAIN contract, and in an
// ONCHAIN one generatingSignature, due at once, so that the queue calls the driver.
func (m *Mint) start(b *store.Batch, kind string) {
	m.CreatedAt.Time, m.UpdatedAt.Time, m.Status, m.DueAt.Time = b.Now(), b.Now(), Generating, b.Now()
	if kind == Offchain {
		m.complete(b)
	}
}

// complete sets the mint to minted and turns the items that it has reserved into minted ones.
func (m *Mint) complete(b *store.Batch) {
	m.Status, m.DueAt = Minted, laurel.NullTimestamp{}
	Stock{m.AssetID}.mintReserved(b, m.Quantity)
	if m.Allowlisted {
		allowed := allowlist.Changed(b, m.allowKey())
		allowed.Reserved -= m.Quantity
		allowed.Minted += m.Quantity
	}
}
