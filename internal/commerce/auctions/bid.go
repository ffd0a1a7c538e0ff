package auctions

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/holds"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/store"
)

// Offer is a bid as a caller sends it.
type Offer struct {
	AuctionID laurel.ID
	ItemID    laurel.ID // recorded; zero: none
	User      identity.Ref
	Amount    laurel.Amount
}

// Validate adds a fault for each invalid property of the bid.
func (o Offer) Validate(f *laurel.Faults) {
	if o.AuctionID.IsZero() {
		f.Add("auctionId", "is required")
	}
	if o.Amount <= 0 {
		f.Add("amount", "must be greater than 0")
	}
	o.User.Validate(f)
}

// Bid makes a bid and holds its amount. If the member has a live bid, that one is replaced and only the difference is
// taken. In an english auction the same transaction refunds the best bid before it. Errors: Invalid; NotFound
// "Auction", "User"; Refused as contract 5.18 lists it.
func (s *Service) Bid(ctx context.Context, scope laurel.Scope, o Offer) (Bid, error) {
	var f laurel.Faults
	o.Validate(&f)
	if err := f.Err(); err != nil {
		return Bid{}, err
	}
	w := &bidWork{offer: o}
	tries := 0
	err := s.Committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		tries++
		return w, s.prepare(ctx, scope, w, tries > 1) // a retry reads the member from the database
	})
	return w.result, err
}

// prepare reads into w what the bid needs: the auction, the item, the member, and whether the member owns a required
// token. With current the member is read from the database; without it, a copy that this node read before may be used.
func (s *Service) prepare(ctx context.Context, scope laurel.Scope, w *bidWork, current bool) error {
	r, err := s.find(ctx, scope, w.offer.AuctionID)
	if err != nil {
		return err
	}
	w.auction, w.scope = *r, scope.At(r.WebsiteID)
	if !w.offer.ItemID.IsZero() {
		item, err := findItem(ctx, s.DB, w.scope, w.offer.ItemID)
		if laurel.CodeOf(err) == laurel.NotFound || err == nil && item.AuctionID != r.ID {
			var f laurel.Faults
			f.AddText("auctionItemId", "Auction item not found")
			err = f.Err()
		}
		if err != nil {
			return err
		}
	}
	members, err := s.People(
		ctx, w.scope, []transactions.MemberRef{{UserID: w.offer.User.UserID, Wallet: w.offer.User.Wallet}}, current)
	if err != nil {
		return err
	}
	w.member, w.id = members[0], s.DB.NewID()
	w.ownsToken, err = s.ownsRequiredToken(ctx, w.scope, w.auction, w.member)
	return err
}

// ownsRequiredToken reports whether the bidder, or another member of its group, owns a token of one of the collections
// that the auction requires. It returns true if the auction requires none, and otherwise false if no blockchain can be
// read (s.Owns is nil).
func (s *Service) ownsRequiredToken(
	ctx context.Context,
	scope laurel.Scope,
	a Auction,
	member ledger.Member,
) (bool, error) {
	if len(a.Collections) == 0 {
		return true, nil
	}
	if s.Owns == nil {
		return false, nil
	}
	walletsByUser, err := s.Identity.Wallets(ctx, s.DB, scope, member.Spenders)
	if err != nil {
		return false, err
	}
	var wallets []string
	for _, wallet := range walletsByUser {
		wallets = append(wallets, wallet)
	}
	slices.Sort(wallets)
	network := ""
	if a.Network != nil {
		network = *a.Network
	}
	for _, address := range a.Collections {
		collection := minting.GatingCollection{Address: address, Network: network}
		if owns, err := s.Owns(ctx, collection, wallets); err != nil || owns {
			return owns, err
		}
	}
	return false, nil
}

// bidWork is the Work that makes a bid.
type bidWork struct {
	id        laurel.ID
	scope     laurel.Scope
	offer     Offer
	auction   Auction // as it was read; only columns that never change are used
	member    ledger.Member
	ownsToken bool
	result    Bid
}

func (w *bidWork) String() string { return "bid of user " + w.member.UserID.String() }

func (w *bidWork) bidderKey() bidderKey { return bidderKey{w.auction.ID, w.member.UserID} }

// newSpend returns the payment of an amount for the bid.
func (w *bidWork) newSpend(amount laurel.Amount) holds.Spend {
	return holds.Spend{
		Scope: w.scope, Member: w.member, CurrencyID: w.auction.CurrencyID, Amount: amount, Type: ledger.TypeAuctionBid,
		Description: "Bid on " + w.auction.Name, Metadata: json.RawMessage(entryMetadata(w.auction.ID, w.id, reasonBid)),
	}
}

func (w *bidWork) Locks() []store.Lock {
	// The locks of a spend do not depend on its amount.
	return append(w.newSpend(1).Locks(), auctions.Lock(w.auction.ID), bidders.Lock(w.bidderKey()))
}

// LateLocks returns further rows to lock, known only once the rows of Locks are locked: those that change when the best
// bid before this one is refunded. It first returns only the row of the outbid bidder, which says which accounts have
// paid; the batch locks it and calls LateLocks again. It returns nil if this bid outbids nobody.
func (w *bidWork) LateLocks(b *store.Batch) []store.Lock {
	r := auctions.Row(b, w.auction.ID)
	key, outbids := w.outbidKey(r)
	if !outbids {
		return nil
	}
	if !b.Holds(bidders.Lock(key)) {
		return []store.Lock{bidders.Lock(key)}
	}
	return r.newRefund(w.scope.ActorID, bidders.Row(b, key), reasonOutbid).Locks()
}

// outbidKey returns the bidder whose best bid ends if this one is accepted, or false if there is none: in sealed
// auctions, before the first bid, and if the best bid is the member's own.
func (w *bidWork) outbidKey(r *Auction) (bidderKey, bool) {
	best := r.BestUserID.ID
	return bidderKey{r.ID, best}, r.Type == English && !best.IsZero() && best != w.member.UserID
}

// Judge decides on the bid under the locks: it refuses it, checking in the order of contract 5.18, or takes its points
// and stages it. In an english auction it also refunds the bid that is outbid.
func (w *bidWork) Judge(b *store.Batch) error {
	w.result = Bid{}
	r := auctions.Row(b, w.auction.ID)
	bidder := bidders.Row(b, w.bidderKey())
	if err := w.member.Check(b); err != nil {
		return err
	}
	if err := r.checkBiddable(b.Now()); err != nil {
		return err
	}
	if minimum := r.minimumBid(bidder.Amount); w.offer.Amount < minimum {
		return refused("Bid must be at least %s", minimum)
	}
	if !w.ownsToken {
		return refused("You must own a token of the required collections")
	}
	spend := w.newSpend(w.offer.Amount - bidder.Amount)
	spend.Bid = r.ledgerBid(w.member.UserID)
	if err := spend.Check(b); err != nil {
		return err
	}
	if w.member.Blocked {
		return holds.ErrBlocked()
	}
	outbid, err := w.outbidBidder(b, r)
	if err != nil {
		return err
	}
	paid, _, err := spend.Take(b)
	if err != nil {
		return err
	}
	w.accept(b, paid)
	if outbid != nil {
		refund := auctions.Row(b, r.ID).newRefund(w.scope.ActorID, outbid, reasonOutbid)
		refund.Bid = r.ledgerBid(outbid.UserID)
		mustRefund(b, refund)
		r.endBid(b, outbid.BidID.ID, Rejected, laurel.ID{}) // zero: it wins no item
		bidders.Changed(b, outbid.key()).clear()
	}
	return nil
}

// outbidBidder returns the row of the bidder that is outbid, or nil if nobody is. It returns an error if that
// bidder cannot be refunded.
func (w *bidWork) outbidBidder(b *store.Batch, r *Auction) (*bidderRow, error) {
	key, outbids := w.outbidKey(r)
	if !outbids {
		return nil, nil
	}
	best := bidders.Row(b, key)
	return best, r.newRefund(w.scope.ActorID, best, reasonOutbid).Check(b)
}

// mustRefund applies a refund that Check has accepted. If it fails nevertheless, it panics, which rolls back the whole
// transaction.
func mustRefund(b *store.Batch, refund holds.Refund) {
	if _, err := refund.Apply(b); err != nil {
		panic(fmt.Errorf("what a bid took does not go back: %w", err))
	}
}

// accept stages the accepted bid, whose points are taken already, and rejects the bid of the same member that it
// replaces. In an english auction the new bid becomes the best one and may extend the auction.
func (w *bidWork) accept(b *store.Batch, paid holds.Parts) {
	r, bidder := auctions.Changed(b, w.auction.ID), bidders.Changed(b, w.bidderKey())
	if bidder.hasLiveBid() {
		r.endBid(b, bidder.BidID.ID, Rejected, laurel.ID{}) // zero: it wins no item
	}
	r.Bids++
	bidder.OrganizationID, bidder.WebsiteID = r.OrganizationID, r.WebsiteID
	bidder.Parts = bidder.Parts.Plus(paid)
	bidder.BidID.ID, bidder.Amount, bidder.Place = w.id, w.offer.Amount, r.Bids
	if r.Type == English {
		r.BestAmount, r.BestUserID.ID = w.offer.Amount, w.member.UserID
		r.extend(b.Now())
	}
	at := laurel.Timestamp{Time: b.Now()}
	made := &Bid{
		ID: w.id, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, AuctionID: r.ID,
		ItemID: laurel.NullableID(w.offer.ItemID), UserID: w.member.UserID, Amount: w.offer.Amount, Place: r.Bids,
		Status: Accepted, CreatedAt: at, UpdatedAt: at,
	}
	newBids.Add(b, made)
	feed.Changes.Add(b, r.bidChange(w.id, feed.Created, Accepted))
	w.result = *made
}

// extend moves the end of an auction after a bid, so that at least r.Extension seconds remain from now. It never moves
// the end to an earlier time, and does nothing if r has no extension.
func (a *Auction) extend(now time.Time) {
	if a.Extension == nil || *a.Extension == 0 {
		return
	}
	if to := now.Add(time.Duration(*a.Extension) * time.Second); to.After(a.EndsAt.Time) {
		a.EndsAt.Time, a.DueAt.Time, a.UpdatedAt.Time = to, to, now
	}
}
