package auctions

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/minting"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// An auction ends in steps. Each is one transaction that locks the auction. The first decides who wins, takes what
// winners pay and makes their mints; a cancellation takes its place. The others refund the other bidders in chunks, so
// that no transaction becomes long. If a node dies between two steps, another one continues.

// refundsPerChunk is how many bidders one transaction refunds.
const refundsPerChunk = 100

// errNotEnded says that an auction has not ended yet. It is a refusal and not a fault, so it is not logged.
var errNotEnded error = laurel.Errorf(laurel.Refused, "Auction has not ended yet")

// closeWork is the Work that closes an auction whose time is over: it decides who wins.
type closeWork struct {
	auction Auction // as it was read with the bids and items; Judge checks that it has not changed
	wins    []win
	unsold  []Item // items without a winner
	wallets map[laurel.ID]string
}

// closeAuction decides who wins an auction whose time is over, takes what winners pay, and makes their mints. It does
// nothing if the auction is not open or does not exist. Errors: errNotEnded if its end has moved to a later time.
func (s *Service) closeAuction(ctx context.Context, id laurel.ID) error {
	return s.Committer.Submit(ctx, nil, func() (store.Work, error) {
		r, found, err := s.auctions.Get(ctx, id)
		if err != nil || !found || r.Status != InProgress {
			return nil, err
		}
		if s.DB.Now().Before(r.EndsAt.Time) {
			return nil, errNotEnded
		}
		w := &closeWork{auction: *r}
		scope := laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID}
		items, err := itemsOf(ctx, s.DB, scope, []laurel.ID{r.ID})
		if err != nil {
			return nil, err
		}
		best, err := bestBidders(ctx, s.DB, scope, r.ID, len(items)+1)
		if err != nil {
			return nil, err
		}
		w.wins = r.winners(best, items)
		w.unsold = items[len(w.wins):]
		users := make([]laurel.ID, len(w.wins))
		for i, won := range w.wins {
			users[i] = won.bidder.UserID
		}
		w.wallets, err = s.Identity.Wallets(ctx, s.DB, scope, users)
		return w, err
	})
}

func (w *closeWork) String() string { return "end of auction " + w.auction.ID.String() }

// newAward returns the mint of the item that a bidder has won.
func (w *closeWork) newAward(won win) minting.Award {
	a := minting.Award{
		Scope:      laurel.Scope{OrganizationID: w.auction.OrganizationID, WebsiteID: w.auction.WebsiteID},
		ContractID: w.auction.ContractID, AssetID: won.item.AssetID, UserID: won.bidder.UserID,
		Quantity: won.item.Quantity, AuctionID: w.auction.ID, CurrencyID: w.auction.CurrencyID,
	}
	if wallet := w.wallets[won.bidder.UserID]; wallet != "" {
		a.Wallet = &wallet
	}
	return a
}

// Locks returns the locks of all rows that the closing may change: the auction, the winning bidders, what their mints
// and the refunds of their surplus change, and the stock of unsold items.
func (w *closeWork) Locks() []store.Lock {
	locks := []store.Lock{auctions.Lock(w.auction.ID)}
	for _, won := range w.wins {
		locks = append(locks, bidders.Lock(won.bidder.key()))
		locks = append(locks, w.newAward(won).Locks()...)
		locks = append(locks, w.auction.newRefund(laurel.ID{}, &won.bidder, reasonSurplus).Locks()...)
	}
	return append(locks, stockLocks(w.unsold)...)
}

// stockLocks returns the locks of the stock that items were reserved from.
func stockLocks(items []Item) []store.Lock {
	var locks []store.Lock
	for _, item := range items {
		locks = append(locks, minting.Stock{AssetID: item.AssetID}.Lock())
	}
	return locks
}

// Judge closes the auction under its lock: it takes the prices of the winners, refunds the rest of their bids, makes
// their mints, and returns the stock of unsold items. It makes the auction due, so that the queue refunds the other
// bidders. If the auction has changed since it was read, it returns store.ErrStale, and the Work is prepared again.
// Errors: errNotEnded if its end has moved to a later time.
func (w *closeWork) Judge(b *store.Batch) error {
	r := auctions.Row(b, w.auction.ID)
	switch {
	case r.Status != InProgress:
		return nil // another node was faster
	case r.Bids != w.auction.Bids, r.Items != w.auction.Items, !r.UpdatedAt.Equal(w.auction.UpdatedAt.Time):
		return store.ErrStale
	case b.Now().Before(r.EndsAt.Time):
		return errNotEnded
	}
	for _, won := range w.wins {
		refund := r.newRefund(laurel.ID{}, &won.bidder, reasonSurplus) // zero: no actor
		refund.Amount -= won.price
		if err := refund.Check(b); err != nil {
			return err
		}
	}
	r = auctions.Changed(b, r.ID)
	for _, won := range w.wins {
		r.reveal(b, &won.bidder)
		refund := r.newRefund(laurel.ID{}, &won.bidder, reasonSurplus)
		refund.Amount -= won.price
		remaining, err := refund.Apply(b)
		if err != nil {
			panic(err) // it was checked
		}
		award := w.newAward(won)
		award.Paid = remaining
		award.Stage(b)
		bidders.Changed(b, won.bidder.key()).clear()
		r.endBid(b, won.bidder.BidID.ID, Fulfilled, won.item.ID)
	}
	returnStock(b, w.unsold)
	r.Status, r.ItemsReserved, r.UpdatedAt.Time, r.DueAt.Time = Completed, false, b.Now(), b.Now()
	return nil
}

// returnStock stages that the quantities reserved for items go back to the stock of their assets.
func returnStock(b *store.Batch, items []Item) {
	for _, item := range items {
		minting.Stock{AssetID: item.AssetID}.Return(b, item.Quantity)
	}
}

// refundWork is the Work that refunds some bidders of an ended or cancelled auction.
type refundWork struct {
	auction     Auction
	bidders     []bidderRow
	items       []Item // of a cancelled auction, whose stock is given back
	isLastChunk bool   // no bidders remain after these
}

// refundChunk refunds up to refundsPerChunk bidders of an ended or cancelled auction, and reports whether there may be
// more. It does nothing if the auction is open or all its bidders are refunded.
func (s *Service) refundChunk(ctx context.Context, id laurel.ID) (more bool, err error) {
	err = s.Committer.Submit(ctx, nil, func() (store.Work, error) {
		r, found, err := s.auctions.Get(ctx, id)
		more = false // the committer may call this again
		if err != nil || !found || r.Status == InProgress || r.DueAt.IsZero() {
			return nil, err
		}
		w := &refundWork{auction: *r}
		scope := laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID}
		if r.ItemsReserved {
			if w.items, err = itemsOf(ctx, s.DB, scope, []laurel.ID{r.ID}); err != nil {
				return nil, err
			}
		}
		w.bidders, err = biddersWithLiveBids(ctx, s.DB, scope, r.ID, refundsPerChunk)
		w.isLastChunk = len(w.bidders) < refundsPerChunk
		more = !w.isLastChunk
		return w, err
	})
	return more, err
}

func (w *refundWork) String() string { return "bidders of auction " + w.auction.ID.String() }

func (w *refundWork) reason() string {
	if w.auction.Status == Cancelled {
		return reasonCancelled
	}
	return reasonLost
}

// Locks returns the locks of all rows that may change: the auction, the stock of its items, the bidders of the chunk,
// and what their refunds change.
func (w *refundWork) Locks() []store.Lock {
	locks := append(stockLocks(w.items), auctions.Lock(w.auction.ID))
	for i := range w.bidders {
		locks = append(locks, bidders.Lock(w.bidders[i].key()))
		locks = append(locks, w.auction.newRefund(laurel.ID{}, &w.bidders[i], w.reason()).Locks()...)
	}
	return locks
}

// Judge refunds the chunk of bidders and, for a cancelled auction, returns the stock of its items. After the last chunk
// nothing is due for the auction any more, and its entries are no longer concealed. If another node has cancelled the
// auction, returned its stock or refunded the last chunk since the auction was read, it returns store.ErrStale, and the
// Work is prepared again.
func (w *refundWork) Judge(b *store.Batch) error {
	r := auctions.Row(b, w.auction.ID)
	if r.Status != w.auction.Status || r.ItemsReserved != w.auction.ItemsReserved || r.DueAt.IsZero() {
		return store.ErrStale
	}
	r = auctions.Changed(b, r.ID)
	if r.ItemsReserved {
		returnStock(b, w.items)
		r.ItemsReserved = false
	}
	for i := range w.bidders {
		bidder := bidders.Row(b, w.bidders[i].key())
		if !bidder.hasLiveBid() {
			continue // another node was faster
		}
		r.reveal(b, bidder)
		mustRefund(b, r.newRefund(laurel.ID{}, bidder, w.reason())) // zero: no actor, as the queue refunds
		r.endBid(b, bidder.BidID.ID, Rejected, laurel.ID{})         // zero: it wins no item
		bidders.Changed(b, bidder.key()).clear()
	}
	if w.isLastChunk {
		r.DueAt = laurel.NullTimestamp{}
		ledger.Bid{AuctionID: r.ID}.RevealAll(b)
	}
	return nil
}

// Cancel ends an auction without winners and refunds all bidders. It waits up to refundWait for the refunds; the queue
// does what is left. Errors: NotFound "Auction"; Refused if the auction has ended or is cancelled.
func (s *Service) Cancel(ctx context.Context, scope laurel.Scope, id laurel.ID) (Auction, error) {
	w := &cancelWork{id: id}
	if err := s.Committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		_, err := s.find(ctx, scope, id)
		return w, err
	}); err != nil {
		return Auction{}, err
	}
	s.refundAll(ctx, id)
	return w.result, nil
}

// cancelWork is the Work that cancels an auction.
type cancelWork struct {
	id     laurel.ID
	result Auction
}

func (w *cancelWork) String() string { return "auction " + w.id.String() }

func (w *cancelWork) Locks() []store.Lock { return []store.Lock{auctions.Lock(w.id)} }

// Judge sets an open auction to cancelled and makes it due, so that its bidders are refunded.
func (w *cancelWork) Judge(b *store.Batch) error {
	if err := auctions.Row(b, w.id).checkNotEnded(b.Now()); err != nil {
		return err
	}
	r := auctions.Changed(b, w.id)
	r.Status, r.UpdatedAt.Time, r.DueAt.Time = Cancelled, b.Now(), b.Now()
	w.result = *r
	return nil
}

// refundWait is how long the caller of Cancel waits for the refunds.
const refundWait = 5 * time.Second

// refundAll refunds the bidders of an ended or cancelled auction, chunk by chunk, for refundWait at most. At the first
// error it logs a warning and stops; the queue refunds the bidders that remain.
func (s *Service) refundAll(ctx context.Context, id laurel.ID) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), refundWait)
	defer stop()
	for more := true; more; {
		var err error
		if more, err = s.refundChunk(ctx, id); err != nil {
			s.Logger.Warn("bidders of an auction are refunded later",
				slog.String("auction", id.String()), slog.Any("error", err))
			return
		}
	}
}

// newQueue makes the queue that closes auctions whose time is over, and refunds their bidders.
func (s *Service) newQueue() worker.Runner {
	return &worker.Queue[Auction]{
		Items:    &worker.Items[Auction]{DB: s.DB, Table: leasedAuctions, LeaseTime: time.Minute},
		Name:     "auctions",
		Loop:     worker.Loop{Every: time.Second, Log: s.Logger, Fault: "auctions could not be ended; they are tried again"},
		Fault:    "an auction could not be ended",
		Batch:    16,
		Fairness: worker.Fairness{MaxOwners: 4, MaxLooks: 256, TimeSlice: 5 * time.Second},
		Backoff:  []time.Duration{5 * time.Second, 30 * time.Second, time.Minute},
		Do: func(ctx context.Context, h *worker.Item[Auction]) error {
			if err := s.closeAuction(ctx, h.Key); err != nil {
				if errors.Is(err, errNotEnded) {
					return s.rescheduleToEnd(ctx, h)
				}
				return err
			}
			for {
				if more, err := s.refundChunk(ctx, h.Key); err != nil || !more {
					return err
				}
			}
		},
	}
}

// rescheduleToEnd makes a leased auction due again at its end, which a late bid has moved. It reads the auction anew,
// because the leased row has the former end.
func (s *Service) rescheduleToEnd(ctx context.Context, h *worker.Item[Auction]) error {
	r, found, err := s.auctions.Get(ctx, h.Key)
	if err != nil || !found {
		return err
	}
	err = h.Reschedule(ctx, r.EndsAt.Time, nil)
	if errors.Is(err, worker.ErrLost) {
		return nil // another node has taken over the auction
	}
	return err
}

// Run closes due auctions until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) { s.queue.Run(ctx) }

// CloseDueBatch closes a batch of the auctions that are due now and refunds their bidders.
func (s *Service) CloseDueBatch(ctx context.Context) error {
	_, err := s.queue.RunOnce(ctx)
	return err
}

// Metrics returns the metrics of the queue of auctions.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }
