package auctions

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// Create makes an auction with its items and reserves their stock. Errors: Invalid, also for a currency, contract or
// asset that does not exist; Refused "Not enough quantity left".
func (s *Service) Create(ctx context.Context, scope laurel.Scope, in Patch, items []NewAuctionItem) (Auction, error) {
	a := Auction{
		OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, Status: InProgress,
		CreatedByID: laurel.NullableID(scope.ActorID), ItemsReserved: true, isNew: true,
	}
	f := in.Create(&a)
	a.checkPeriod(in, &f)
	validateItems(&f, items)
	if a.Type == English && len(items) > 1 {
		f.Add("auctionItems", "must have one item in an english auction")
	}
	if err := f.Err(); err != nil {
		return Auction{}, err
	}
	if err := s.checkReferences(ctx, scope, a); err != nil {
		return Auction{}, err
	}
	w := &createWork{auction: a, addition: addition{scope: scope, items: items}}
	err := s.Committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		w.auction.ID = s.DB.NewID()
		return w, s.checkAssets(ctx, scope, a.ContractID, items)
	})
	return w.auction, err
}

// checkReferences returns a fault for the currency of the auction if it does not exist, is deleted or cannot be bid in,
// and for the minting contract if it does not exist.
func (s *Service) checkReferences(ctx context.Context, scope laurel.Scope, a Auction) error {
	var f laurel.Faults
	c, err := s.Ledger.Currency(ctx, scope, a.CurrencyID)
	switch {
	case laurel.CodeOf(err) == laurel.NotFound, err == nil && (!c.DeletedAt.IsZero() || c.IsTokenRewardCurrency):
		f.AddText("loyaltyCurrencyId", "Loyalty currency not found")
	case err != nil:
		return err
	case c.API.PostURL != nil:
		f.Add("loyaltyCurrencyId", "must be a currency whose balances are kept here")
	}
	if _, err := s.Minting.Contract(ctx, scope, a.ContractID); laurel.CodeOf(err) == laurel.NotFound {
		f.AddText("mintingContractId", "Minting contract not found")
	} else if err != nil {
		return err
	}
	return f.Err()
}

// checkAssets returns a fault for each item whose asset is deleted or does not belong to the contract. An asset never
// moves to another contract, so this can be checked before anything is locked.
func (s *Service) checkAssets(
	ctx context.Context,
	scope laurel.Scope,
	contract laurel.ID,
	items []NewAuctionItem,
) error {
	ids := make([]laurel.ID, len(items))
	for i, item := range items {
		ids[i] = item.AssetID
	}
	found, err := s.Minting.AssetsByID(ctx, scope, ids)
	if err != nil {
		return err
	}
	live := map[laurel.ID]bool{}
	for _, a := range found {
		live[a.ID] = a.ContractID == contract && a.DeletedAt.IsZero()
	}
	var f laurel.Faults
	for i, id := range ids {
		if !live[id] {
			f.AddText(itemPath(i, "mintingContractAssetId"), "Asset not found")
		}
	}
	return f.Err()
}

// createWork is the Work that makes an auction.
type createWork struct {
	auction Auction
	addition
}

func (w *createWork) String() string { return "auction " + w.auction.ID.String() }

func (w *createWork) Locks() []store.Lock {
	return append(w.stockLocks(), ledger.CurrencyLock(w.auction.CurrencyID), auctions.LockPresumedAbsent(w.auction.ID))
}

// Judge checks the currency again under its lock, reserves the stock of the items, and stages the auction with its
// items.
func (w *createWork) Judge(b *store.Batch) error {
	if c := w.auction.CurrencyID; !ledger.IsLiveCurrency(b, w.scope, c) || ledger.IsExternal(b, c) {
		return laurel.Unknown("loyaltyCurrencyId", "Loyalty currency") // it has changed since checkReferences
	}
	if err := w.reserve(b); err != nil {
		return err
	}
	a := &w.auction
	a.CreatedAt.Time, a.UpdatedAt.Time, a.DueAt.Timestamp, a.Items = b.Now(), b.Now(), a.EndsAt, 0
	w.stageItems(b, a)
	*auctions.Changed(b, a.ID) = *a
	return nil
}

// addition is the part of a Work that adds items to an auction.
type addition struct {
	scope laurel.Scope
	items []NewAuctionItem
	added []Item
}

// stockLocks returns the locks of the stock that the new items reserve from.
func (w *addition) stockLocks() []store.Lock {
	var locks []store.Lock
	for _, item := range w.items {
		locks = append(locks, minting.Stock{AssetID: item.AssetID}.Lock())
	}
	return locks
}

// quantityOrOne returns how many of the asset the winner of the item gets.
func (i NewAuctionItem) quantityOrOne() int64 {
	if i.Quantity == nil {
		return 1
	}
	return *i.Quantity
}

// reserve reserves the stock of all items, or returns an error and reserves none.
func (w *addition) reserve(b *store.Batch) error {
	quantities := map[laurel.ID]int64{}
	for _, item := range w.items {
		quantities[item.AssetID] += item.quantityOrOne()
	}
	for asset, quantity := range quantities {
		if err := (minting.Stock{AssetID: asset}).Available(b, w.scope, quantity); err != nil {
			return err
		}
	}
	for asset, quantity := range quantities {
		if err := (minting.Stock{AssetID: asset}).Reserve(b, w.scope, quantity); err != nil {
			panic(err) // it was available
		}
	}
	return nil
}

// stageItems stages the new items of auction r, which is locked, and adds their number to r.Items. Their stock is
// reserved already. An item without a sortId gets its index among all items of the auction.
func (w *addition) stageItems(b *store.Batch, r *Auction) {
	w.added = nil
	for _, item := range w.items {
		i := &Item{
			ID: b.NewID(), OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, AuctionID: r.ID, AssetID: item.AssetID,
			SortID: r.Items, Quantity: item.quantityOrOne(), CreatedAt: laurel.Timestamp{Time: b.Now()},
			UpdatedAt: laurel.Timestamp{Time: b.Now()},
		}
		if item.SortID != nil {
			i.SortID = *item.SortID
		}
		r.Items++
		newItems.Add(b, i)
		w.added = append(w.added, *i)
	}
}

// AddItems adds items to an auction that has not ended, and reserves their stock. Errors: Invalid; NotFound "Auction";
// Refused once it has ended or is cancelled, and "Not enough quantity left".
func (s *Service) AddItems(
	ctx context.Context, scope laurel.Scope, id laurel.ID, items []NewAuctionItem,
) ([]Item, error) {
	var f laurel.Faults
	if len(items) == 0 {
		f.Add("auctionItems", "is required")
	}
	validateItems(&f, items)
	if err := f.Err(); err != nil {
		return nil, err
	}
	w := &addItemsWork{addition: addition{items: items}}
	err := s.Committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		r, err := s.find(ctx, scope, id)
		if err != nil {
			return nil, err
		}
		w.auction, w.scope = r.ID, scope.At(r.WebsiteID)
		return w, s.checkAssets(ctx, w.scope, r.ContractID, items)
	})
	return w.added, err
}

// addItemsWork is the Work that adds items to an existing auction.
type addItemsWork struct {
	auction laurel.ID
	addition
}

func (w *addItemsWork) String() string { return "items of auction " + w.auction.String() }

func (w *addItemsWork) Locks() []store.Lock { return append(w.stockLocks(), auctions.Lock(w.auction)) }

// Judge checks that the auction is open and has room for the new items, reserves their stock, and stages them.
func (w *addItemsWork) Judge(b *store.Batch) error {
	r := auctions.Row(b, w.auction)
	if err := r.checkNotEnded(b.Now()); err != nil {
		return err
	}
	var f laurel.Faults
	switch n := r.Items + int64(len(w.items)); {
	case r.Type == English && n > 1:
		f.Add("auctionItems", "must have one item in an english auction")
	case n > maxItems:
		f.Add("auctionItems", "must have at most %d items", maxItems)
	}
	if err := f.Err(); err != nil {
		return err
	}
	if err := w.reserve(b); err != nil {
		return err
	}
	r = auctions.Changed(b, w.auction)
	r.UpdatedAt.Time = b.NowAfter(r.UpdatedAt.Time)
	w.stageItems(b, r)
	return nil
}

// Update changes the properties that are in the input. Errors: NotFound "Auction"; Invalid; Refused if the input
// changes the start or end of an auction that has ended, is cancelled or has bids.
func (s *Service) Update(ctx context.Context, scope laurel.Scope, id laurel.ID, in Patch) (Auction, error) {
	w := &updateWork{scope: scope, id: id, in: in}
	err := s.Committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		_, err := s.find(ctx, scope, id)
		return w, err
	})
	return w.result, err
}

// updateWork is the Work that changes an auction.
type updateWork struct {
	scope  laurel.Scope
	id     laurel.ID
	in     Patch
	result Auction
}

func (w *updateWork) String() string { return "auction " + w.id.String() }

func (w *updateWork) Locks() []store.Lock { return []store.Lock{auctions.Lock(w.id)} }

// LateLocks returns further rows to lock, known only once the auction is locked: the accounts that have paid for the
// best bid of an english auction, if the update may hide or show it. It first returns only the row of the best bidder,
// which names these accounts; the batch locks it and calls LateLocks again. Otherwise it returns nil.
func (w *updateWork) LateLocks(b *store.Batch) []store.Lock {
	r := auctions.Row(b, w.id)
	if !w.in.Has("hideBids") || r.Type != English || r.BestUserID.IsZero() {
		return nil
	}
	best := bidderKey{r.ID, r.BestUserID.ID}
	if !b.Holds(bidders.Lock(best)) {
		return []store.Lock{bidders.Lock(best)}
	}
	return ledger.BidPartLocks(r.CurrencyID, bidders.Row(b, best).Parts.BidParts())
}

// setConcealed conceals or reveals the points that the auction holds, if the update has changed whether they are
// concealed: wasConcealed says how it was before. r has the new settings already.
func (w *updateWork) setConcealed(b *store.Batch, r *Auction, wasConcealed bool) {
	if r.concealsWhileOpen() == wasConcealed {
		return
	}
	var paid []ledger.BidPart
	if !r.BestUserID.IsZero() {
		paid = bidders.Row(b, bidderKey{r.ID, r.BestUserID.ID}).Parts.BidParts()
	}
	r.ledgerBid(laurel.ID{}).SetConcealed(b, r.CurrencyID, paid) // zero: the bids of all members
}

// Judge applies the input to the auction under its lock. Start and end can only change while it is open and has no
// bids. An open auction becomes due at its new end.
func (w *updateWork) Judge(b *store.Batch) error {
	r := auctions.Row(b, w.id)
	if err := w.scope.CheckUnchanged(r.ID, r.UpdatedAt.Time); err != nil {
		return err
	}
	a := *r
	f := w.in.Update(&a)
	a.checkPeriod(w.in, &f)
	if len(f) > 0 {
		return f.Err()
	}
	if moved := !a.StartsAt.Equal(r.StartsAt.Time) || !a.EndsAt.Equal(r.EndsAt.Time); moved {
		if err := r.checkNotEnded(b.Now()); err != nil {
			return err
		}
		if r.Bids > 0 {
			return refused("Auction has bids")
		}
	}
	w.setConcealed(b, &a, r.concealsWhileOpen())
	a.UpdatedAt.Time = b.NowAfter(r.UpdatedAt.Time)
	if a.Status == InProgress {
		a.DueAt.Timestamp = a.EndsAt
	}
	w.result, *auctions.Changed(b, w.id) = a, a
	return nil
}
