package functions

import (
	"context"
	"errors"
	"time"

	"laurel"
	"laurel/internal/functions/sandbox"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// The states of a transaction.
const (
	waiting = "waiting"
	done    = "done"
	refused = "failed"
)

// ErrRefused is the error of a Driver that will not carry a transaction out.
var ErrRefused = errors.New("functions: the payout driver refuses the transaction")

// Transaction is what a run has asked the payout driver for.
type Transaction struct {
	ID             laurel.ID // the idempotency key that the driver is shown
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	FunctionID     laurel.ID
	RunID          laurel.ID
	Call           string // {to, data, value, chainId} as JSON
}

const (
	payLease = time.Minute
	payTries = 12
	payBatch = 16
)

// owe writes down what a run asks the payout driver for, in the transaction that ends it. What an earlier attempt of
// the same event asked for is not asked for again.
func (s *Service) owe(ctx context.Context, tx *store.Tx, b start, asked []sandbox.Transaction) error {
	source := b.source
	if source.IsZero() {
		source = b.row.ID
	}
	if len(asked) == 0 {
		return nil
	}
	if owed, err := owes(ctx, tx, b.row, source); err != nil || owed {
		return err
	}
	now := store.Micros(tx.Now())
	for i, t := range asked {
		err := insertTransaction(ctx, tx, transactionRow{
			ID: tx.NewID(), OrganizationID: b.row.OrganizationID, WebsiteID: b.row.WebsiteID, FunctionID: b.row.FunctionID,
			RunID: b.row.ID, SourceID: source, Position: int64(i), Call: string(store.JSON(t)), Status: waiting,
			DueAt: now, CreatedAt: now, UpdatedAt: now,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// paying hands transactions over, websites side by side.
func (s *Service) paying() worker.Runner {
	return &worker.Queue[transactionRow]{
		Items: &worker.Items[transactionRow]{DB: s.DB, Table: payable, Lease: payLease, Save: saveTransaction},
		Name:  "function_transactions",
		Loop: worker.Loop{
			Every: time.Second, Log: s.Logger, Fault: "transactions of functions could not be handed over; it is tried again",
		},
		Fault: "a transaction of a function could not be handed over", Batch: payBatch, AtOnce: 4,
		Crowd:   worker.Crowd{Owners: 4, Looks: 64},
		Backoff: []time.Duration{5 * time.Second, time.Minute, 10 * time.Minute, time.Hour}, Tries: payTries,
		Do: s.hand,
		GaveUp: func(_ context.Context, tx *store.Tx, h *worker.Item[transactionRow]) error {
			h.Row.Status, h.Row.UpdatedAt = refused, store.Micros(tx.Now())
			h.Row.Message = "The payout driver could not be asked"
			return nil
		},
	}
}

// hand hands a transaction over.
func (s *Service) hand(ctx context.Context, h *worker.Item[transactionRow]) error {
	r := h.Row
	hash, err := s.Driver(ctx, Transaction{
		ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, FunctionID: r.FunctionID, RunID: r.RunID,
		Call: r.Call,
	})
	if err != nil && !errors.Is(err, ErrRefused) {
		return err
	}
	return h.End(ctx, func(tx *store.Tx) error {
		h.Row.Status, h.Row.TxHash, h.Row.UpdatedAt = done, hash, store.Micros(tx.Now())
		if err != nil {
			h.Row.Status, h.Row.Message = refused, err.Error()
		}
		return nil
	})
}
