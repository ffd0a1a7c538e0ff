package auctions

import (
	"context"

	"laurel"
	"laurel/internal/commerce/minting"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
)

// Create makes an auction with its items, whose stock it reserves. Errors: Invalid, "<Thing> not found" among them;
// Refused "Not enough quantity left".
func (s *Service) Create(ctx context.Context, scope laurel.Scope, in Input, items []NewAuctionItem) (Auction, error) {
	a := Auction{
		OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, Status: InProgress, CreatedByID: scope.ActorID,
	}
	var f laurel.Faults
	in.create(&a, &f)
	check(&f, items)
	if a.Type == English && len(items) > 1 {
		f.Add("auctionItems", "must have one item in an english auction")
	}
	if err := f.Err(); err != nil {
		return Auction{}, err
	}
	if err := s.there(ctx, scope, a); err != nil {
		return Auction{}, err
	}
	w := &creating{auction: a, adding: adding{scope: scope, items: items}}
	err := s.Committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		w.auction.ID = s.DB.NewID()
		return w, s.assetsIn(ctx, scope, a.ContractID, items)
	})
	return w.auction, err
}

// there notes what the auction names and what is not there, or cannot be bid in.
func (s *Service) there(ctx context.Context, scope laurel.Scope, a Auction) error {
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

// assetsIn notes items whose asset is not a live one of the contract. The contract of an asset never changes.
func (s *Service) assetsIn(ctx context.Context, scope laurel.Scope, contract laurel.ID, items []NewAuctionItem) error {
	ids := make([]laurel.ID, len(items))
	for i, item := range items {
		ids[i] = item.AssetID
	}
	found, err := s.Minting.AssetsOf(ctx, scope, ids)
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

// creating is a new auction on its way through the committer.
type creating struct {
	auction Auction
	adding
}

func (w *creating) String() string { return "auction " + w.auction.ID.String() }

func (w *creating) Locks() []store.Lock {
	return append(w.stock(), ledger.CurrencyLock(w.auction.CurrencyID), auctions.LockPresumedAbsent(w.auction.ID))
}

func (w *creating) Judge(b *store.Batch) error {
	if c := w.auction.CurrencyID; !ledger.LiveCurrency(b, w.scope, c) || ledger.Outside(b, c) {
		return laurel.Unknown("loyaltyCurrencyId", "Loyalty currency") // it was another one a moment ago
	}
	if err := w.reserve(b); err != nil {
		return err
	}
	a := &w.auction
	a.CreatedAt, a.UpdatedAt = b.Now(), b.Now()
	r := auctions.Changed(b, a.ID)
	*r = row{
		ID: a.ID, OrganizationID: a.OrganizationID, WebsiteID: a.WebsiteID, Type: a.Type, Status: InProgress,
		CurrencyID: a.CurrencyID, CurrencyAddress: a.CurrencyAddress, Network: a.Network, ContractID: a.ContractID,
		CreatedByID: a.CreatedByID, ItemsReserved: true, CreatedAt: store.Micros(a.CreatedAt),
		UpdatedAt: store.Micros(a.UpdatedAt), fresh: true,
	}
	r.take(*a)
	r.DueAt = &r.EndsAt
	w.add(b, r)
	a.Items = r.Items
	return nil
}

// adding are items that are added to an auction.
type adding struct {
	scope laurel.Scope
	items []NewAuctionItem
	made  []Item
}

func (w *adding) stock() []store.Lock {
	var locks []store.Lock
	for _, item := range w.items {
		locks = append(locks, minting.Stock{AssetID: item.AssetID}.Lock())
	}
	return locks
}

// quantity is what the winner of an item gets.
func (i NewAuctionItem) quantity() int64 {
	if i.Quantity == nil {
		return 1
	}
	return *i.Quantity
}

// reserve keeps the stock of all items, or, with an error, of none.
func (w *adding) reserve(b *store.Batch) error {
	sums := map[laurel.ID]int64{}
	for _, item := range w.items {
		sums[item.AssetID] += item.quantity()
	}
	for id, n := range sums {
		if err := (minting.Stock{AssetID: id}).Available(b, w.scope, n); err != nil {
			return err
		}
	}
	for id, n := range sums {
		if err := (minting.Stock{AssetID: id}).Reserve(b, w.scope, n); err != nil {
			panic(err) // it was available
		}
	}
	return nil
}

// add stages the items of an auction that is held, and whose stock is reserved.
func (w *adding) add(b *store.Batch, r *row) {
	w.made = nil
	for _, item := range w.items {
		i := itemRow{
			ID: b.NewID(), OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, AuctionID: r.ID, AssetID: item.AssetID,
			SortID: r.Items, Quantity: item.quantity(), CreatedAt: store.Micros(b.Now()), UpdatedAt: store.Micros(b.Now()),
		}
		if item.SortID != nil {
			i.SortID = *item.SortID
		}
		r.Items++
		newItems.Add(b, i)
		w.made = append(w.made, i.item())
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
	check(&f, items)
	if err := f.Err(); err != nil {
		return nil, err
	}
	w := &extending{adding: adding{items: items}}
	err := s.Committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		r, err := s.find(ctx, scope, id)
		if err != nil {
			return nil, err
		}
		w.auction, w.scope = r.ID, scope.At(r.WebsiteID)
		return w, s.assetsIn(ctx, w.scope, r.ContractID, items)
	})
	return w.made, err
}

// extending adds items to an auction.
type extending struct {
	auction laurel.ID
	adding
}

func (w *extending) String() string { return "items of auction " + w.auction.String() }

func (w *extending) Locks() []store.Lock { return append(w.stock(), auctions.Lock(w.auction)) }

func (w *extending) Judge(b *store.Batch) error {
	r := auctions.Row(b, w.auction)
	if err := r.closed(b.Now()); err != nil {
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
	r.UpdatedAt = store.Micros(b.Now())
	w.add(b, r)
	return nil
}

// Update changes what the input names. Errors: NotFound "Auction"; Invalid; Refused where its times would change and it
// has ended, is cancelled or has bids.
func (s *Service) Update(ctx context.Context, scope laurel.Scope, id laurel.ID, in Input) (Auction, error) {
	w := &updating{id: id, in: in}
	err := s.Committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		_, err := s.find(ctx, scope, id)
		return w, err
	})
	return w.made, err
}

// updating changes an auction.
type updating struct {
	id   laurel.ID
	in   Input
	made Auction
}

func (w *updating) String() string { return "auction " + w.id.String() }

func (w *updating) Locks() []store.Lock { return []store.Lock{auctions.Lock(w.id)} }

// Follow names what hiding the bids of an english auction changes, or showing them: the accounts that have paid for the
// best bid.
func (w *updating) Follow(b *store.Batch) []store.Lock {
	r := auctions.Row(b, w.id)
	if !w.in.HideBids.Set || r.Type != English || r.BestUserID.IsZero() {
		return nil
	}
	best := seatKey{r.ID, r.BestUserID}
	if !b.Holds(seats.Lock(best)) {
		return []store.Lock{seats.Lock(best)}
	}
	return ledger.BidPartLocks(r.CurrencyID, seats.Row(b, best).paid().BidParts())
}

// setConcealed conceals what the auction holds, or shows it, where the change of its row says so.
func (w *updating) setConcealed(b *store.Batch, r *row, was bool) {
	if r.concealed() == was {
		return
	}
	var paid []ledger.BidPart
	if !r.BestUserID.IsZero() {
		paid = seats.Row(b, seatKey{r.ID, r.BestUserID}).paid().BidParts()
	}
	r.bidOf(laurel.ID{}).SetConcealed(b, r.CurrencyID, paid)
}

func (w *updating) Judge(b *store.Batch) error {
	r := auctions.Row(b, w.id)
	a, err := r.auction()
	if err != nil {
		return err
	}
	starts, ends := a.StartsAt, a.EndsAt
	var f laurel.Faults
	w.in.write(&a, &f)
	if len(f) > 0 {
		return f.Err()
	}
	if moved := !a.StartsAt.Equal(starts) || !a.EndsAt.Equal(ends); moved {
		if err := r.closed(b.Now()); err != nil {
			return err
		}
		if r.Bids > 0 {
			return refused("Auction has bids")
		}
	}
	was := r.concealed()
	r = auctions.Changed(b, w.id)
	r.take(a)
	w.setConcealed(b, r, was)
	r.UpdatedAt = store.Micros(b.Now())
	if r.Status == InProgress {
		r.DueAt = &r.EndsAt
	}
	w.made, err = r.auction()
	return err
}
