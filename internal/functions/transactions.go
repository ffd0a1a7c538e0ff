package functions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/functions/sandbox"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// The states of a transaction.
const (
	transactionWaiting = "waiting"
	transactionDone    = "done"
	transactionFailed  = "failed"
)

// ErrRefused is the error of a Driver that refuses a transaction for good.
var ErrRefused = errors.New("functions: the payout driver refuses the transaction")

// errNotServed refuses transactions of an organization that the payout driver does not serve.
var errNotServed = fmt.Errorf("%w: the driver does not serve the organization", ErrRefused)

// Transaction is a transaction that a run requested from the payout driver.
type Transaction struct {
	ID             laurel.ID `db:"id"` // the driver's idempotency key
	OrganizationID laurel.ID `db:"organization_id"`
	WebsiteID      laurel.ID `db:"website_id"`
	FunctionID     laurel.ID `db:"function_id"`
	RunID          laurel.ID `db:"run_id"`
	Call           string    `db:"call"` // {to, data, value, chainId} as JSON
}

const (
	transactionLeaseTime = time.Minute
	maxTransactionTries  = 12
	transactionsPerBatch = 16
)

// Call is one transaction that a handler has added: {to, data, value, chainId}.
type Call = sandbox.Transaction

// RequestedTransactions are the transactions that a run for a rule requested. They are sent only if the completion is
// paid.
type RequestedTransactions struct {
	FunctionID laurel.ID
	RunID      laurel.ID
	Calls      []Call
}

// StageTransactions adds the requested transactions of a run for a rule to the batch that pays the completion. The
// payment is made once, and so are its transactions (contract 7.6).
func StageTransactions(b *store.Batch, scope laurel.Scope, r RequestedTransactions) {
	requested := Transaction{
		OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, FunctionID: r.FunctionID, RunID: r.RunID,
	}
	source := b.NewID() // this payment
	for _, row := range requested.rows(b.NewID, b.Now(), source, r.Calls) {
		transactionSink.Add(b, row)
	}
}

// rows returns the rows of calls that the run of t requested. The ids are new ones.
func (t Transaction) rows(newID func() laurel.ID, now time.Time, source laurel.ID, calls []Call) []transactionRow {
	rows, at := make([]transactionRow, len(calls)), store.Micros(now)
	for i, call := range calls {
		t.ID, t.Call = newID(), string(store.JSON(call))
		rows[i] = transactionRow{
			Transaction: t, SourceID: source, Position: int64(i), Status: transactionWaiting, DueAt: at, CreatedAt: at,
			UpdatedAt: at,
		}
	}
	return rows
}

var transactionSink = &store.Sink[transactionRow]{
	Name: "function_transactions", Rank: store.LockRankFunctionTransactions, Write: insertTransactions,
}

// requestTransactions stores the transactions that an event, cron or invoke run requested, in the database transaction
// that ends the run. Their source is the event, or the run itself; a source requests transactions once, so that those
// of a later attempt for the same event are dropped.
func (s *Service) requestTransactions(ctx context.Context, tx *store.Tx, p pendingRun, requested []Call) error {
	source := p.source
	if source.IsZero() {
		source = p.run.ID
	}
	if len(requested) == 0 {
		return nil
	}
	if exist, err := hasTransactions(ctx, tx, p.run, source); err != nil || exist {
		return err
	}
	of := Transaction{
		OrganizationID: p.run.OrganizationID, WebsiteID: p.run.WebsiteID, FunctionID: p.run.FunctionID, RunID: p.run.ID,
	}
	return insertTransactions(ctx, tx, of.rows(tx.NewID, tx.Now(), source, requested))
}

// newTransactionQueue returns the queue of transactions that are to be sent to the payout driver.
func (s *Service) newTransactionQueue() worker.Runner {
	return &worker.Queue[transactionRow]{
		Items: &worker.Items[transactionRow]{
			DB: s.DB, Table: transactionLeases, LeaseTime: transactionLeaseTime, Save: saveTransaction,
		},
		Name: "function_transactions",
		Loop: worker.Loop{
			Every: time.Second, Log: s.Logger, Fault: "transactions of functions could not be handed over; it is tried again",
		},
		Fault: "a transaction of a function could not be handed over", Batch: transactionsPerBatch, Concurrency: 4,
		Fairness: worker.Fairness{MaxOwners: 8, MaxLooks: 64, TimeSlice: 5 * time.Second},
		Backoff:  []time.Duration{5 * time.Second, time.Minute, 10 * time.Minute, time.Hour}, Tries: maxTransactionTries,
		Do: s.sendTransaction,
		Abandon: func(_ context.Context, tx *store.Tx, item *worker.Item[transactionRow]) error { // after the last try
			item.Row.Status, item.Row.UpdatedAt = transactionFailed, store.Micros(tx.Now())
			item.Row.Message = "The payout driver could not be asked"
			return nil
		},
	}
}

// sendTransaction hands a leased transaction to the payout driver and stores whether it is done or refused. After any
// other error the queue tries again.
func (s *Service) sendTransaction(ctx context.Context, item *worker.Item[transactionRow]) error {
	row := item.Row
	hash, err := "", errNotServed
	if s.canRequestTransactions(row.OrganizationID) { // the operator may have removed the organization since
		hash, err = s.Driver(ctx, row.Transaction)
	}
	if err != nil && !errors.Is(err, ErrRefused) {
		return err
	}
	return item.Finish(ctx, func(tx *store.Tx) error {
		item.Row.Status, item.Row.TxHash, item.Row.UpdatedAt = transactionDone, hash, store.Micros(tx.Now())
		if err != nil {
			item.Row.Status, item.Row.Message = transactionFailed, err.Error()
		}
		return nil
	})
}
