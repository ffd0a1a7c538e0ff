package expiry

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/store"
)

const (
	releaseChunk = 256
	releaseRetry = time.Hour // until the release of a lot is tried again
	maxReason    = 1000
)

// currencyDeleted is the reason of cancellations without a caller.
const currencyDeleted = "The currency was deleted"

// errNotPending refuses to change a lot that is not pending any more.
func errNotPending() error { return laurel.Errorf(laurel.Refused, "Lot is not pending") }

// releaseDue releases all held points that are due, one currency after the other.
func (s *Service) releaseDue(ctx context.Context) error {
	for {
		due, err := lots.ToRelease(ctx, s.db, s.db.Now(), releaseChunk)
		if err != nil || len(due) == 0 {
			return errors.Join(err, ctx.Err())
		}
		slices.SortStableFunc(due, func(a, b lots.Lot) int { return bytes.Compare(a.CurrencyID[:], b.CurrencyID[:]) })
		for len(due) > 0 {
			n := 1
			for n < len(due) && due[n].CurrencyID == due[0].CurrencyID {
				n++
			}
			if err := s.releaseOrCancel(ctx, due[:n]); err != nil {
				return err
			}
			due = due[n:]
		}
	}
}

// releaseOrCancel releases held lots of one currency. If release is Refused, it cancels them if the currency was
// deleted, and postpones them otherwise. Invalid means that some lot would take a balance out of range: it finds that
// lot by halving the list, releases the others, and postpones that one.
func (s *Service) releaseOrCancel(ctx context.Context, due []lots.Lot) error {
	scope := laurel.Scope{OrganizationID: due[0].OrganizationID, WebsiteID: due[0].WebsiteID}
	_, err := s.release(ctx, scope, due)
	switch {
	case laurel.CodeOf(err) == laurel.Refused:
		return s.db.InTx(ctx, func(tx *store.Tx) error { return s.cancelOrReschedule(ctx, tx, scope, due) })
	case laurel.CodeOf(err) != laurel.Invalid:
		return err
	case len(due) > 1: // one of them would take a balance out of range
		half := len(due) / 2
		return errors.Join(s.releaseOrCancel(ctx, due[:half]), s.releaseOrCancel(ctx, due[half:]))
	}
	return s.db.InTx(
		ctx,
		func(tx *store.Tx) error { return lots.Reschedule(ctx, tx, due[0].ID, tx.Now().Add(releaseRetry)) },
	)
}

// cancelOrReschedule handles lots whose release was refused: it cancels them if their currency was deleted, and
// otherwise postpones their release, since the reason may pass.
func (s *Service) cancelOrReschedule(ctx context.Context, tx *store.Tx, scope laurel.Scope, due []lots.Lot) error {
	live, err := s.ledger.IsLiveCurrencyIn(ctx, tx, scope, due[0].CurrencyID)
	if err != nil {
		return err
	}
	ids := make([]laurel.ID, len(due))
	for i, l := range due {
		ids[i] = l.ID
		if live {
			err = errors.Join(err, lots.Reschedule(ctx, tx, l.ID, tx.Now().Add(releaseRetry)))
		}
	}
	if live {
		return err
	}
	return lots.Cancel(ctx, tx, ids, currencyDeleted)
}

// release credits those lots in due that are still pending, all of one currency, and returns them as released. Each is
// credited by a ledger transaction of its own, which names the same rule as the transaction that granted the lot.
func (s *Service) release(ctx context.Context, scope laurel.Scope, due []lots.Lot) (released []lots.Lot, err error) {
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) (err error) {
		var users, ids []laurel.ID
		for _, l := range due {
			users, ids = append(users, l.UserID), append(ids, l.ID)
		}
		if _, err := s.ledger.LockAccounts(ctx, tx, scope, due[0].CurrencyID, users); err != nil {
			return err
		}
		if released, err = lots.LockHeldLots(ctx, tx, ids); err != nil {
			return err
		}
		metadata, err := s.history.HeldLotMetadata(ctx, tx, scope, released)
		if err != nil {
			return err
		}
		postings := make([]ledger.Posting, len(released))
		for i := range released {
			postings[i] = releasePosting(&released[i], metadata[released[i].ID])
		}
		made, err := s.ledger.PostIn(ctx, tx, scope, postings...)
		if err != nil {
			return err
		}
		for i := range released {
			released[i].Release(made[i].Entries[0].ID)
		}
		return lots.SaveReleased(ctx, tx, released)
	})
	return released, err
}

// releasePosting returns the posting that releases a lot. Its entry has the metadata of the entry that granted the lot.
func releasePosting(l *lots.Lot, metadata json.RawMessage) ledger.Posting {
	p := ledger.Posting{
		Type: ledger.TypeLoyaltyRule, Cause: ledger.CauseReward, Description: l.Description, RuleID: l.RuleID,
		CreditNow: true,
	}
	if l.RuleType != nil {
		p.RuleType = *l.RuleType
	}
	p.Lines = []ledger.Line{
		{Member: ledger.LockedMember(l.UserID), CurrencyID: l.CurrencyID, Direction: ledger.Credit, Amount: l.Amount,
			Metadata: ledger.LotMetadata(metadata, l, ledger.LotReleased)},
	}
	return p
}

// Release credits the held points of one lot before they are due, and returns the released lot. Errors: NotFound "Lot";
// Refused "Lot is not pending", "Loyalty currency not found".
func (s *Service) Release(ctx context.Context, scope laurel.Scope, id laurel.ID) (lots.Lot, error) {
	l, err := lots.Find(ctx, s.db, scope, id)
	if err != nil {
		return l, err
	}
	released, err := s.release(ctx, scope.At(l.WebsiteID), []lots.Lot{l})
	if err != nil {
		return l, err
	}
	if len(released) == 0 {
		return l, errNotPending()
	}
	return released[0], nil
}

// Cancel cancels the held points of one lot, which are then never credited, and returns the cancelled lot. Errors:
// Invalid; NotFound "Lot"; Refused "Lot is not pending".
func (s *Service) Cancel(ctx context.Context, scope laurel.Scope, id laurel.ID, reason string) (lots.Lot, error) {
	var f laurel.Faults
	f.Text("reason", reason, 0, maxReason)
	if err := f.Err(); err != nil {
		return lots.Lot{}, err
	}
	var l lots.Lot
	err := s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		var err error
		if l, err = lots.Find(ctx, tx, scope, id); err != nil {
			return err
		}
		held, err := lots.LockHeldLots(ctx, tx, []laurel.ID{id})
		if err != nil {
			return err
		}
		if len(held) == 0 {
			return errNotPending()
		}
		if err := lots.Cancel(ctx, tx, []laurel.ID{id}, reason); err != nil {
			return err
		}
		l, err = lots.Find(ctx, tx, scope, id)
		return err
	})
	return l, err
}
