package auctions

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/commerce/minting"
	"laurel/internal/points/ledger"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// An auction ends in steps, each of which is one transaction that holds it. The first decides who wins, takes what
// winners pay and makes their mints; a cancellation takes its place. The others give back what losers paid, some of
// them at a time, so that a crowd of bidders is no long transaction. Whoever dies between two steps is followed by
// another node.

// refundsPerChunk is how many bidders a step gives back to.
const refundsPerChunk = 100

// errNotEnded tells that an auction has not ended yet: no fault, so that no log tells of it.
var errNotEnded error = laurel.Errorf(laurel.Refused, "Auction has not ended yet")

// closeWork decides an auction that has ended.
type closeWork struct {
	auction row // as it was read, with the bids and items that follow: nothing may have changed since
	wins    []win
	unsold  []itemRow // that nobody wins
	wallets map[laurel.ID]string
}

// closeAuction decides an auction that has ended. Errors: errNotEnded.
func (s *Service) closeAuction(ctx context.Context, id laurel.ID) error {
	return s.Committer.Submit(ctx, nil, func() (store.Work, error) {
		r, found, err := s.auctions.Get(ctx, id)
		if err != nil || !found || r.Status != InProgress {
			return nil, err
		}
		if s.DB.Now().Before(store.Time(r.EndsAt)) {
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

// award returns the mint of the item that a bidder has won.
func (w *closeWork) award(won win) minting.Award {
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

func (w *closeWork) Locks() []store.Lock {
	locks := []store.Lock{auctions.Lock(w.auction.ID)}
	for _, won := range w.wins {
		locks = append(locks, bidders.Lock(won.bidder.key()))
		locks = append(locks, w.award(won).Locks()...)
		locks = append(locks, w.auction.refund(laurel.ID{}, &won.bidder, reasonSurplus).Locks()...)
	}
	return append(locks, stockLocks(w.unsold)...)
}

func stockLocks(items []itemRow) []store.Lock {
	var locks []store.Lock
	for _, item := range items {
		locks = append(locks, minting.Stock{AssetID: item.AssetID}.Lock())
	}
	return locks
}

func (w *closeWork) Judge(b *store.Batch) error {
	r := auctions.Row(b, w.auction.ID)
	switch {
	case r.Status != InProgress:
		return nil // another node was faster
	case r.Bids != w.auction.Bids, r.Items != w.auction.Items, r.UpdatedAt != w.auction.UpdatedAt:
		return store.ErrStale
	case store.Micros(b.Now()) < r.EndsAt:
		return errNotEnded
	}
	for _, won := range w.wins {
		back := r.refund(laurel.ID{}, &won.bidder, reasonSurplus)
		back.Amount -= won.price
		if err := back.Check(b); err != nil {
			return err
		}
	}
	r = auctions.Changed(b, r.ID)
	for _, won := range w.wins {
		r.reveal(b, &won.bidder)
		back := r.refund(laurel.ID{}, &won.bidder, reasonSurplus)
		back.Amount -= won.price
		left, err := back.Give(b)
		if err != nil {
			panic(err) // it was checked
		}
		award := w.award(won)
		award.Paid = left
		award.Stage(b)
		bidders.Changed(b, won.bidder.key()).clear()
		r.endBid(b, won.bidder.BidID, Fulfilled, won.item.ID)
	}
	returnStock(b, w.unsold)
	now := store.Micros(b.Now())
	r.Status, r.ItemsReserved, r.UpdatedAt, r.DueAt = Completed, false, now, &now
	return nil
}

func returnStock(b *store.Batch, items []itemRow) {
	for _, item := range items {
		minting.Stock{AssetID: item.AssetID}.Return(b, item.Quantity)
	}
}

// refundWork gives some bidders of an auction that is over back what they paid.
type refundWork struct {
	auction     row
	bidders     []bidderRow
	items       []itemRow // whose stock goes back, of an auction that was cancelled
	isLastChunk bool      // there are no more
}

// mustRefund gives back to some bidders, and reports whether there may be more.
func (s *Service) refundChunk(ctx context.Context, id laurel.ID) (more bool, err error) {
	err = s.Committer.Submit(ctx, nil, func() (store.Work, error) {
		r, found, err := s.auctions.Get(ctx, id)
		if more = false; err != nil || !found || r.Status == InProgress || r.DueAt == nil {
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

func (w *refundWork) Locks() []store.Lock {
	locks := append(stockLocks(w.items), auctions.Lock(w.auction.ID))
	for i := range w.bidders {
		locks = append(locks, bidders.Lock(w.bidders[i].key()))
		locks = append(locks, w.auction.refund(laurel.ID{}, &w.bidders[i], w.reason()).Locks()...)
	}
	return locks
}

func (w *refundWork) Judge(b *store.Batch) error {
	r := auctions.Row(b, w.auction.ID)
	if r.Status != w.auction.Status || r.ItemsReserved != w.auction.ItemsReserved || r.DueAt == nil {
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
		mustRefund(b, r.refund(laurel.ID{}, bidder, w.reason()))
		r.endBid(b, bidder.BidID, Rejected, laurel.ID{})
		bidders.Changed(b, bidder.key()).clear()
	}
	if w.isLastChunk {
		r.DueAt = nil
		ledger.Bid{AuctionID: r.ID}.Forget(b)
	}
	return nil
}

// Cancel ends an auction in which nobody wins, and gives back all that bidders have paid: when it returns, or, of a
// crowd, soon after. Errors: NotFound "Auction"; Refused where it has ended or is cancelled.
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

// cancelWork ends an auction without winners.
type cancelWork struct {
	id     laurel.ID
	result Auction
}

func (w *cancelWork) String() string { return "auction " + w.id.String() }

func (w *cancelWork) Locks() []store.Lock { return []store.Lock{auctions.Lock(w.id)} }

func (w *cancelWork) Judge(b *store.Batch) (err error) {
	if err := auctions.Row(b, w.id).checkNotEnded(b.Now()); err != nil {
		return err
	}
	r := auctions.Changed(b, w.id)
	now := store.Micros(b.Now())
	r.Status, r.UpdatedAt, r.DueAt = Cancelled, now, &now
	w.result, err = r.auction()
	return err
}

// refundWait is for how long a caller waits for a crowd of bidders to be paid back.
const refundWait = 5 * time.Second

// refundAll gives back what an auction that is over holds. What it leaves, by a fault or in a crowd, the queue goes on
// with.
func (s *Service) refundAll(ctx context.Context, id laurel.ID) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), refundWait)
	defer stop()
	for more := true; more; {
		var err error
		if more, err = s.refundChunk(ctx, id); err != nil {
			s.Logger.Warn("what an auction holds goes back later",
				slog.String("auction", id.String()), slog.Any("error", err))
			return
		}
	}
}

// newQueue ends auctions whose time is over, and gives back what those that are over hold.
func (s *Service) newQueue() worker.Runner {
	return &worker.Queue[row]{
		Items:   &worker.Items[row]{DB: s.DB, Table: leasedAuctions, Lease: time.Minute},
		Name:    "auctions",
		Loop:    worker.Loop{Every: time.Second, Log: s.Logger, Fault: "auctions could not be ended; they are tried again"},
		Fault:   "an auction could not be ended",
		Batch:   16,
		Crowd:   worker.Crowd{Owners: 4, Looks: 256, Turn: 5 * time.Second},
		Backoff: []time.Duration{5 * time.Second, 30 * time.Second, time.Minute},
		Do: func(ctx context.Context, h *worker.Item[row]) error {
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

// rescheduleToEnd puts off an auction whose end has moved. Its row has the new end by itself; a lease may have hidden it.
func (s *Service) rescheduleToEnd(ctx context.Context, h *worker.Item[row]) error {
	r, found, err := s.auctions.Get(ctx, h.Key)
	if err != nil || !found {
		return err
	}
	err = h.PutOff(ctx, store.Time(r.EndsAt), nil)
	if errors.Is(err, worker.ErrLost) {
		return nil
	}
	return err
}

// Run ends auctions until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) { s.queue.Run(ctx) }

// RunDue ends a batch of the auctions that are due now.
func (s *Service) RunDue(ctx context.Context) error {
	_, err := s.queue.Once(ctx)
	return err
}

// Metrics are those of the queue of auctions that end.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.queue} }
