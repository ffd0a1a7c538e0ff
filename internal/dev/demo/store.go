package demo

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"time"

	"laurel"
	"laurel/internal/commerce/auctions"
	"laurel/internal/commerce/minting"
	"laurel/internal/identity"
)

// The days of the store, of which each begins before members come.
const (
	stockedOn  = 18
	soldOn     = 20
	dinnerOn   = 21 // a sealed auction begins
	dinnerEnds = 23
	sketchOn   = 28 // a rising auction begins, which is in its last minutes when the demo starts
)

// lastPart is how long the rising auction goes on after the demo has started.
const lastPart = 12 * time.Minute

// store is what members can get for points.
type store struct {
	contract       laurel.ID
	mug, poster    laurel.ID
	seat           laurel.ID
	dinner, sketch laurel.ID // items that are only sold in auctions
	evening, line  laurel.ID // auctions: the sealed one, and the rising one
}

// trade is what happens in the store on a day.
func (t *teller) trade(ctx context.Context, day int) error {
	switch day {
	case stockedOn:
		return t.stockUp(ctx)
	case soldOn:
		return t.sell(ctx)
	case dinnerOn:
		return t.offerDinner(ctx)
	case dinnerOn + 1:
		return t.bids(ctx, t.store.evening, []offer{{0, 70}, {2, 95}, {7, 80}, {9, 60}})
	case dinnerEnds:
		return t.Auctions.RunDue(ctx)
	case sketchOn:
		return t.offerSketch(ctx)
	case sketchOn + 1:
		return t.bids(ctx, t.store.line, []offer{{11, 30}, {8, 35}, {12, 45}})
	}
	return nil
}

// stockUp makes the contract with its items: one that many can get, one of which there are two, and one for few.
func (t *teller) stockUp(ctx context.Context) error {
	s := &t.store
	picture, err := t.keep(ctx, "shop.png", "images", ware(color.NRGBA{0x1f, 0x7d, 0x52, 0xff}))
	if err != nil {
		return err
	}
	made, err := t.Minting.CreateContract(ctx, t.office.scope, minting.ContractInput{
		Name: laurel.Some("Rewards shop"), Kind: laurel.Some(minting.Offchain), ImageURL: laurel.Some(picture),
		Description: laurel.Some("What points are good for"), IsListed: laurel.Some(true),
		ShowOnMarketplace: laurel.Some(true), PerUserLimit: laurel.Some(int64(2)), LimitsPerAsset: laurel.Some(true),
	})
	if err != nil {
		return fmt.Errorf("contract: %w", err)
	}
	s.contract = made.ID
	over := laurel.Timestamp{Time: t.Clock.present().UTC().AddDate(0, 0, 7)}
	for _, item := range []struct {
		id *laurel.ID
		in minting.AssetInput
		of color.NRGBA
	}{
		{&s.dinner, minting.AssetInput{
			Name: laurel.Some("Dinner with the makers"), Description: laurel.Some("For two, in the workshop"),
			Price: laurel.Some(150 * laurel.One), Quantity: laurel.Some(int64(4)), IsHidden: laurel.Some(true),
		}, color.NRGBA{0xa2, 0x47, 0x8f, 0xff}},
		{&s.sketch, minting.AssetInput{
			Name: laurel.Some("First sketch"), Description: laurel.Some("Pencil on paper, signed"),
			Price: laurel.Some(200 * laurel.One), Quantity: laurel.Some(int64(1)), IsHidden: laurel.Some(true),
		}, color.NRGBA{0x46, 0x53, 0x4b, 0xff}},
		{&s.seat, minting.AssetInput{
			Name: laurel.Some("Seat at the tasting"), Description: laurel.Some("For members of the first hour"),
			Price: laurel.Some(40 * laurel.One), Quantity: laurel.Some(int64(12)), IsListed: laurel.Some(true),
			IsAllowlisted: laurel.Some(true), ListingEndsAt: laurel.Some(over), IsPhygital: laurel.Some(true),
		}, color.NRGBA{0xb5, 0x74, 0x0e, 0xff}},
		{&s.poster, minting.AssetInput{
			Name: laurel.Some("Signed print"), Description: laurel.Some("Two of them, and no more"),
			Price: laurel.Some(50 * laurel.One), Quantity: laurel.Some(int64(2)), IsListed: laurel.Some(true),
		}, color.NRGBA{0x2f, 0x6f, 0xd0, 0xff}},
		{&s.mug, minting.AssetInput{
			Name: laurel.Some("Enamel mug"), Description: laurel.Some("Holds what the morning needs"),
			Price: laurel.Some(30 * laurel.One), Quantity: laurel.Some(int64(40)), IsListed: laurel.Some(true),
		}, color.NRGBA{0x1f, 0x7d, 0x52, 0xff}},
	} {
		if *item.id, err = t.item(ctx, item.in, item.of); err != nil {
			return err
		}
	}
	one := int64(1)
	var first []minting.AllowEntryInput
	for i := range guests {
		first = append(first, minting.AllowEntryInput{Wallet: wallet(i), Quantity: &one})
	}
	if _, err := t.Minting.AddToAllowlist(ctx, t.office.scope, s.seat, first); err != nil {
		return fmt.Errorf("allowlist: %w", err)
	}
	return t.note(ctx, "created a minting contract", "/store")
}

// item makes an item with a picture of a colour.
func (t *teller) item(ctx context.Context, in minting.AssetInput, c color.NRGBA) (laurel.ID, error) {
	name := in.Name.Value
	picture, err := t.keep(ctx, "item.png", "images", ware(c))
	if err != nil {
		return laurel.ID{}, fmt.Errorf("picture of %s: %w", name, err)
	}
	in.ImageURL, in.ContractID, in.CurrencyID = laurel.Some(picture), laurel.Some(t.store.contract), laurel.Some(t.points)
	made, err := t.Minting.CreateAsset(ctx, t.office.scope, in)
	if err != nil {
		return laurel.ID{}, fmt.Errorf("item %s: %w", name, err)
	}
	return made.ID, t.note(ctx, "created an item", "/store/"+t.store.contract.String()+"/items")
}

// sell has members buy: two a mug, two the prints, and one a seat.
func (t *teller) sell(ctx context.Context) error {
	for _, o := range []struct {
		member int
		asset  laurel.ID
	}{{1, t.store.mug}, {4, t.store.mug}, {2, t.store.poster}, {6, t.store.poster}, {0, t.store.seat}} {
		_, err := t.Minting.Mint(ctx, t.scope, minting.Order{
			ContractID: t.store.contract, AssetID: o.asset, User: identity.Ref{Wallet: wallet(o.member)}, Quantity: 1,
		})
		if err != nil {
			return fmt.Errorf("member %d buys: %w", o.member, err)
		}
	}
	return nil
}

// offerDinner begins the sealed auction of two dinners.
func (t *teller) offerDinner(ctx context.Context) (err error) {
	now := t.Clock.Now()
	t.store.evening, err = t.offerItems(ctx, auctions.Input{
		Name: laurel.Some("An evening in the workshop"), Type: laurel.Some(auctions.SecondPrice),
		Description: laurel.Some("Two dinners for two. The best bidders pay the next lower bid."),
		StartsAt:    laurel.Some(laurel.Timestamp{Time: now}),
		EndsAt:      laurel.Some(laurel.Timestamp{Time: now.Add(47 * time.Hour)}),
		MinBid:      laurel.Some(40 * laurel.One), ReservePrice: laurel.Some(50 * laurel.One),
	}, t.store.dinner, t.store.dinner)
	return err
}

// offerSketch announces an auction, and begins the rising one.
func (t *teller) offerSketch(ctx context.Context) error {
	soon := t.Clock.present().UTC().AddDate(0, 0, 2).Truncate(time.Hour)
	_, err := t.offerItems(ctx, auctions.Input{
		Name: laurel.Some("Dinner, once more"), Type: laurel.Some(auctions.FirstPrice),
		StartsAt: laurel.Some(laurel.Timestamp{Time: soon}),
		EndsAt:   laurel.Some(laurel.Timestamp{Time: soon.AddDate(0, 0, 1)}), MinBid: laurel.Some(40 * laurel.One),
	}, t.store.dinner)
	if err != nil {
		return err
	}
	t.store.line, err = t.offerItems(ctx, auctions.Input{
		Name: laurel.Some("The first sketch"), Type: laurel.Some(auctions.English),
		Description: laurel.Some("Of the bottle that began it all"),
		StartsAt:    laurel.Some(laurel.Timestamp{Time: t.Clock.Now()}),
		EndsAt:      laurel.Some(laurel.Timestamp{Time: t.Clock.present().Add(lastPart)}),
		MinBid:      laurel.Some(20 * laurel.One), MinIncrement: laurel.Some(5 * laurel.One),
		Extension: laurel.Some(int64(60)),
	}, t.store.sketch)
	if err != nil {
		return err
	}
	return t.bids(ctx, t.store.line, []offer{{8, 20}, {11, 25}})
}

// offerItems makes an auction of items for points.
func (t *teller) offerItems(ctx context.Context, in auctions.Input, assets ...laurel.ID) (laurel.ID, error) {
	in.CurrencyID, in.ContractID = laurel.Some(t.points), laurel.Some(t.store.contract)
	items := make([]auctions.NewAuctionItem, len(assets))
	for i, id := range assets {
		items[i].AssetID = id
	}
	made, err := t.Auctions.Create(ctx, t.office.scope, in, items)
	if err != nil {
		return laurel.ID{}, fmt.Errorf("auction %s: %w", in.Name.Value, err)
	}
	return made.ID, t.note(ctx, "created an auction", "/auctions")
}

// offer is a bid of a member.
type offer struct {
	member int
	amount laurel.Amount // points
}

// bids has members bid, one after the other.
func (t *teller) bids(ctx context.Context, auction laurel.ID, offers []offer) error {
	for _, o := range offers {
		_, err := t.Auctions.Bid(ctx, t.scope, auctions.Offer{
			AuctionID: auction, User: identity.Ref{Wallet: wallet(o.member)}, Amount: o.amount * laurel.One,
		})
		if err != nil {
			return fmt.Errorf("member %d bids %d: %w", o.member, o.amount, err)
		}
	}
	return nil
}

// lastBids has members bid in the last half hour before the demo starts, but not before the last day.
func (t *teller) lastBids(ctx context.Context, lastDay time.Time) error {
	for _, one := range []struct {
		before time.Duration
		offer
	}{
		{28 * time.Minute, offer{9, 50}}, {19 * time.Minute, offer{11, 60}}, {11 * time.Minute, offer{8, 65}},
		{4 * time.Minute, offer{12, 75}}, {time.Minute, offer{9, 80}},
	} {
		at := t.Clock.present().Add(-one.before)
		if at.Before(lastDay) {
			at = lastDay
		}
		t.Clock.goTo(at)
		if err := t.bids(ctx, t.store.line, []offer{one.offer}); err != nil {
			return err
		}
	}
	return nil
}

// ware draws a parcel: a square with a ribbon.
func ware(c color.NRGBA) []byte {
	const size, edge, ribbon = 128, 8, 9
	picture := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := edge; y < size-edge; y++ {
		for x := edge; x < size-edge; x++ {
			at := c
			if across := x - size*2/5; across > -ribbon && across < ribbon || y > size*2/5-ribbon && y < size*2/5+ribbon {
				at = color.NRGBA{0xff, 0xff, 0xff, 0xff}
			}
			picture.SetNRGBA(x, y, at)
		}
	}
	return inPNG(picture)
}
