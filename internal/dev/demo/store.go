package demo

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/auctions"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/record"
)

// The days on which the store changes, before members come.
const (
	stockedOn  = 18 // the items are created
	mintedOn   = 20 // members mint items
	dinnerOn   = 21 // a sealed auction begins
	dinnerEnds = 23 // the sealed auction has ended, and is closed
	sketchOn   = 28 // an open auction begins; it is in its last minutes when the demo starts
)

// openAuctionRest is how long the open auction goes on after the demo has started.
const openAuctionRest = 12 * time.Minute

// store holds the items and auctions on which members spend points.
type store struct {
	contract                   laurel.ID
	mug, poster                laurel.ID
	seat                       laurel.ID
	dinner, sketch             laurel.ID // items that are only sold in auctions
	sealedAuction, openAuction laurel.ID
}

// makeStoreChanges makes the changes of the store on a day of the month, counted from 0. On most days there are none.
func (b *builder) makeStoreChanges(ctx context.Context, day int) error {
	switch day {
	case stockedOn:
		return b.createItems(ctx)
	case mintedOn:
		return b.mintItems(ctx)
	case dinnerOn:
		return b.startSealedAuction(ctx)
	case dinnerOn + 1: // bids by member and amount
		return b.placeBids(ctx, b.store.sealedAuction, []bidOffer{{0, 70}, {2, 95}, {7, 80}, {9, 60}})
	case dinnerEnds:
		return b.Auctions.CloseDueBatch(ctx)
	case sketchOn:
		return b.startOpenAuction(ctx)
	case sketchOn + 1:
		return b.placeBids(ctx, b.store.openAuction, []bidOffer{{11, 30}, {8, 35}, {12, 45}})
	}
	return nil
}

// createItems creates a minting contract with five items: two hidden ones for the auctions, one with an allowlist, one
// with a stock of two, and one in large stock.
func (b *builder) createItems(ctx context.Context) error {
	store := &b.store
	picture, err := b.storeFile(ctx, "shop.png", "images", drawParcel(color.NRGBA{0x1f, 0x7d, 0x52, 0xff}))
	if err != nil {
		return err
	}
	made, err := b.Minting.CreateContract(ctx, b.program.scope, record.All(minting.Contract{
		Name: "Rewards shop", Kind: minting.Offchain, ImageURL: &picture, IsListed: true, ShowOnMarketplace: true,
		Description: new("What members can get for their points"), PerUserLimit: 2, LimitsPerAsset: true,
	}).Without("tokenType"))
	if err != nil {
		return fmt.Errorf("contract: %w", err)
	}
	store.contract = made.ID
	listingEnds := laurel.NullableTime(b.Clock.present().UTC().AddDate(0, 0, 7))
	for _, item := range []struct {
		id    *laurel.ID // where to store the id of the item
		asset minting.Asset
		color color.NRGBA
	}{
		{&store.dinner, minting.Asset{
			Name: "Dinner with the makers", Description: new("For two people, in the workshop"),
			Price: 150 * laurel.One, Quantity: 4, IsHidden: true,
		}, color.NRGBA{0xa2, 0x47, 0x8f, 0xff}},
		{&store.sketch, minting.Asset{
			Name: "First sketch", Description: new("Pencil on paper, signed"),
			Price: 200 * laurel.One, Quantity: 1, IsHidden: true,
		}, color.NRGBA{0x46, 0x53, 0x4b, 0xff}},
		{&store.seat, minting.Asset{
			Name: "Seat at the tasting", Description: new("For our very first members"), Price: 40 * laurel.One,
			Quantity: 12, IsListed: true, IsAllowlisted: true, ListingEndsAt: listingEnds, IsPhygital: true,
		}, color.NRGBA{0xb5, 0x74, 0x0e, 0xff}},
		{&store.poster, minting.Asset{
			Name: "Signed print", Description: new("Limited to two copies"),
			Price: 50 * laurel.One, Quantity: 2, IsListed: true,
		}, color.NRGBA{0x2f, 0x6f, 0xd0, 0xff}},
		{&store.mug, minting.Asset{
			Name: "Enamel mug", Description: new("For your morning coffee"),
			Price: 30 * laurel.One, Quantity: 40, IsListed: true,
		}, color.NRGBA{0x1f, 0x7d, 0x52, 0xff}},
	} {
		if *item.id, err = b.createItem(ctx, item.asset, item.color); err != nil {
			return err
		}
	}
	one := int64(1)
	var first []minting.AllowEntryInput
	for i := range openingGuests {
		first = append(first, minting.AllowEntryInput{Wallet: memberID(i), Quantity: &one})
	}
	if _, err := b.Minting.AddToAllowlist(ctx, b.program.scope, store.seat, first); err != nil {
		return fmt.Errorf("allowlist: %w", err)
	}
	return b.logActivity(ctx, "created a minting contract", "/store")
}

// createItem creates an item for points with a drawn parcel of the color as its picture, and returns its id.
func (b *builder) createItem(ctx context.Context, item minting.Asset, c color.NRGBA) (laurel.ID, error) {
	picture, err := b.storeFile(ctx, "item.png", "images", drawParcel(c))
	if err != nil {
		return laurel.ID{}, fmt.Errorf("picture of %s: %w", item.Name, err)
	}
	item.ImageURL, item.ContractID, item.CurrencyID = &picture, b.store.contract, laurel.NullableID(b.pointsID)
	made, err := b.Minting.CreateAsset(ctx, b.program.scope, record.All(item))
	if err != nil {
		return laurel.ID{}, fmt.Errorf("item %s: %w", item.Name, err)
	}
	return made.ID, b.logActivity(ctx, "created an item", "/store/"+b.store.contract.String()+"/items")
}

// mintItems mints items for members: two mugs, two prints and a seat.
func (b *builder) mintItems(ctx context.Context) error {
	for _, order := range []struct {
		member int
		asset  laurel.ID
	}{{1, b.store.mug}, {4, b.store.mug}, {2, b.store.poster}, {6, b.store.poster}, {0, b.store.seat}} {
		_, err := b.Minting.Mint(ctx, b.scope, minting.Order{
			ContractID: b.store.contract, AssetID: order.asset, User: identity.Ref{Wallet: memberID(order.member)}, Quantity: 1,
		})
		if err != nil {
			return fmt.Errorf("member %d buys: %w", order.member, err)
		}
	}
	return nil
}

// startSealedAuction creates the sealed auction of two dinners, which ends in 47 hours.
func (b *builder) startSealedAuction(ctx context.Context) (err error) {
	now := b.Clock.Now()
	b.store.sealedAuction, err = b.createAuction(ctx, auctions.Auction{
		Name: "An evening in the workshop", Type: auctions.SecondPrice,
		Description: "Two dinners for two. The two highest bidders each pay the next-highest bid.",
		StartsAt:    laurel.Timestamp{Time: now}, EndsAt: laurel.Timestamp{Time: now.Add(47 * time.Hour)},
		MinBid: 40 * laurel.One, ReservePrice: new(50 * laurel.One),
	}, b.store.dinner, b.store.dinner)
	return err
}

// startOpenAuction creates an auction that begins in two days, and the open auction, which starts now and gets two
// bids.
func (b *builder) startOpenAuction(ctx context.Context) error {
	soon := b.Clock.present().UTC().AddDate(0, 0, 2).Truncate(time.Hour)
	_, err := b.createAuction(ctx, auctions.Auction{
		Name: "Another dinner", Type: auctions.FirstPrice, StartsAt: laurel.Timestamp{Time: soon},
		EndsAt: laurel.Timestamp{Time: soon.AddDate(0, 0, 1)}, MinBid: 40 * laurel.One,
	}, b.store.dinner)
	if err != nil {
		return err
	}
	b.store.openAuction, err = b.createAuction(ctx, auctions.Auction{
		Name: "The first sketch", Type: auctions.English, Description: "Shows the bottle that started it all",
		StartsAt: laurel.Timestamp{Time: b.Clock.Now()},
		EndsAt:   laurel.Timestamp{Time: b.Clock.present().Add(openAuctionRest)},
		MinBid:   20 * laurel.One, MinIncrement: new(5 * laurel.One), Extension: new(int64(60)),
	}, b.store.sketch)
	if err != nil {
		return err
	}
	return b.placeBids(ctx, b.store.openAuction, []bidOffer{{8, 20}, {11, 25}})
}

// createAuction creates an auction of items for points, and returns its id.
func (b *builder) createAuction(ctx context.Context, a auctions.Auction, assets ...laurel.ID) (laurel.ID, error) {
	a.CurrencyID, a.ContractID = b.pointsID, b.store.contract
	items := make([]auctions.NewAuctionItem, len(assets))
	for i, id := range assets {
		items[i].AssetID = id
	}
	made, err := b.Auctions.Create(ctx, b.program.scope, record.All(a), items)
	if err != nil {
		return laurel.ID{}, fmt.Errorf("auction %s: %w", a.Name, err)
	}
	return made.ID, b.logActivity(ctx, "created an auction", "/auctions")
}

// bidOffer is a bid of a member.
type bidOffer struct {
	member int
	amount laurel.Amount // points
}

// placeBids places the bids of members, one after the other.
func (b *builder) placeBids(ctx context.Context, auction laurel.ID, offers []bidOffer) error {
	for _, offer := range offers {
		_, err := b.Auctions.Bid(ctx, b.scope, auctions.Offer{
			AuctionID: auction, User: identity.Ref{Wallet: memberID(offer.member)}, Amount: offer.amount * laurel.One,
		})
		if err != nil {
			return fmt.Errorf("member %d bids %d: %w", offer.member, offer.amount, err)
		}
	}
	return nil
}

// placeLastBids places five bids in the open auction, as if in the last half hour before the present. Bids that would
// be before lastDay, the beginning of today, are placed at its beginning.
func (b *builder) placeLastBids(ctx context.Context, lastDay time.Time) error {
	for _, one := range []struct {
		before time.Duration
		bidOffer
	}{
		{28 * time.Minute, bidOffer{9, 50}}, {19 * time.Minute, bidOffer{11, 60}}, {11 * time.Minute, bidOffer{8, 65}},
		{4 * time.Minute, bidOffer{12, 75}}, {time.Minute, bidOffer{9, 80}},
	} {
		at := b.Clock.present().Add(-one.before)
		if at.Before(lastDay) {
			at = lastDay
		}
		b.Clock.set(at)
		if err := b.placeBids(ctx, b.store.openAuction, []bidOffer{one.bidOffer}); err != nil {
			return err
		}
	}
	return nil
}

// drawParcel returns a PNG picture of a parcel: a square of the color with a white ribbon.
func drawParcel(c color.NRGBA) []byte {
	const size, edge, ribbon = 128, 8, 9
	picture := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := edge; y < size-edge; y++ {
		for x := edge; x < size-edge; x++ {
			pixel := c
			if across := x - size*2/5; across > -ribbon && across < ribbon || y > size*2/5-ribbon && y < size*2/5+ribbon {
				pixel = color.NRGBA{0xff, 0xff, 0xff, 0xff}
			}
			picture.SetNRGBA(x, y, pixel)
		}
	}
	return encodePNG(picture)
}
