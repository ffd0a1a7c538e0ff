package functions

import (
	"context"
	"errors"
	"fmt"
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

// errNotServed refuses transactions of an organization that the payout driver does not serve.
var errNotServed = fmt.Errorf("%w: the driver does not serve the organization", ErrRefused)

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

// Call is one transaction that a handler has added: {to, data, value, chainId}.
type Call = sandbox.Transaction

// Requested is what a run for a rule asks the payout driver for. Nothing of it is handed over before it is owed.
type Requested struct {
	FunctionID laurel.ID
	RunID      laurel.ID
	Calls      []Call
}

// Owe stages what a run for a rule asks the payout driver for, with the payment of the completion: the payment is made
// once, and so is what it owes (contract 7.6).
func Owe(b *store.Batch, scope laurel.Scope, r Requested) {
	source, now := b.NewID(), store.Micros(b.Now())
	for i, t := range r.Calls {
		owed.Add(b, transactionRow{
			ID: b.NewID(), OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, FunctionID: r.FunctionID,
			RunID: r.RunID, SourceID: source, Position: int64(i), Call: string(store.JSON(t)), Status: waiting,
			DueAt: now, CreatedAt: now, UpdatedAt: now,
		})
	}
}

var owed = &store.Sink[transactionRow]{
	Name: "function_transactions", Rank: store.RankFunctionTransactions, Write: insertTransactions,
}

// owe writes down what an event, cron or invoke run asks the payout driver for, in the transaction that ends it. What
// an earlier attempt of the same event asked for is not asked for again.
func (s *Service) owe(ctx context.Context, tx *store.Tx, b start, requested []Call) error {
	source := b.source
	if source.IsZero() {
		source = b.row.ID
	}
	if len(requested) == 0 {
		return nil
	}
	if owed, err := owes(ctx, tx, b.row, source); err != nil || owed {
		return err
	}
	now, rows := store.Micros(tx.Now()), make([]transactionRow, len(requested))
	for i, t := range requested {
		rows[i] = transactionRow{
			ID: tx.NewID(), OrganizationID: b.row.OrganizationID, WebsiteID: b.row.WebsiteID, FunctionID: b.row.FunctionID,
			RunID: b.row.ID, SourceID: source, Position: int64(i), Call: string(store.JSON(t)), Status: waiting,
			DueAt: now, CreatedAt: now, UpdatedAt: now,
		}
	}
	return insertTransactions(ctx, tx, rows)
}

// paying hands transactions over, websites side by side.
func (s *Service) paying() worker.Runner {
	return &worker.Queue[transactionRow]{
		Items: &worker.Items[transactionRow]{DB: s.DB, Table: payable, LeaseTime: payLease, Save: saveTransaction},
		Name:  "function_transactions",
		Loop: worker.Loop{
			Every: time.Second, Log: s.Logger, Fault: "transactions of functions could not be handed over; it is tried again",
		},
		Fault: "a transaction of a function could not be handed over", Batch: payBatch, Concurrency: 4,
		Fairness: worker.Fairness{MaxOwners: 8, MaxLooks: 64, TimeSlice: 5 * time.Second},
		Backoff:  []time.Duration{5 * time.Second, time.Minute, 10 * time.Minute, time.Hour}, Tries: payTries,
		Do: s.hand,
		GiveUp: func(_ context.Context, tx *store.Tx, h *worker.Item[transactionRow]) error {
			h.Row.Status, h.Row.UpdatedAt = refused, store.Micros(tx.Now())
			h.Row.Message = "The payout driver could not be asked"
			return nil
		},
	}
}

// hand hands a transaction over.
func (s *Service) hand(ctx context.Context, h *worker.Item[transactionRow]) error {
	r := h.Row
	hash, err := "", errNotServed
	if s.isPayable(r.OrganizationID) { // the operator may have struck the organization off since
		hash, err = s.Driver(ctx, Transaction{
			ID: r.ID, OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID, FunctionID: r.FunctionID, RunID: r.RunID,
			Call: r.Call,
		})
	}
	if err != nil && !errors.Is(err, ErrRefused) {
		return err
	}
	return h.Finish(ctx, func(tx *store.Tx) error {
		h.Row.Status, h.Row.TxHash, h.Row.UpdatedAt = done, hash, store.Micros(tx.Now())
		if err != nil {
			h.Row.Status, h.Row.Message = refused, err.Error()
		}
		return nil
	})
}
