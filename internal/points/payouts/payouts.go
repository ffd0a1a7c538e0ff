// Package payouts owns payouts, the token rewards that are owed to wallets (contract 5.5). There is one per entry in a
// token's hidden currency, written in the transaction of the entry. The package sends payouts to the operator's payout
// driver and records the results. It knows neither chains nor keys: the driver pays. Other packages decide who is owed
// a reward.
package payouts

import (
	"context"
	"log/slog"
	"time"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// The states of a payout.
const (
	Waiting = "waiting" // the driver has not taken it yet
	Sent    = "sent"    // the driver has taken it and has not reported the end yet
	Done    = "done"    // paid
	Failed  = "failed"  // refused, or the driver failed too many times in a row; it can be retried
)

// States lists every state of a payout.
func States() []string { return []string{Waiting, Sent, Done, Failed} }

// Payout is a token reward that is owed for one entry.
type Payout struct {
	ID             laurel.ID // also the idempotency key of calls of the driver
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	CurrencyID     laurel.ID
	RuleID         laurel.ID // zero: a badge owes it
	BadgeID        laurel.ID // zero: a rule owes it
	EntryID        laurel.ID
	UserID         laurel.ID
	Wallet         string
	Amount         laurel.Amount
	RelayerID      laurel.ID // zero: the driver chooses
	ContractID     laurel.ID // zero: the network's own token
	Network        string    // "" if the rule names none
	Status         string
	TxHash         string
	Message        string // why it failed, or why the last call failed
	Attempts       int64  // calls of the driver since it was owed or retried
	Faults         int64  // how many of the last calls in a row had no usable result
	DueAt          time.Time
	CreatedAt      time.Time
	UpdatedAt      time.Time // of the last change of Status or TxHash
}

// isOpen reports whether the payout is neither done nor failed.
func (p Payout) isOpen() bool { return p.Status == Waiting || p.Status == Sent }

// NextAttemptAt returns when the driver is called next, or the zero time if the payout has ended.
func (p Payout) NextAttemptAt() time.Time {
	if !p.isOpen() {
		return time.Time{}
	}
	return p.DueAt
}

// DriverResult is the result of a call of the driver: the status is Done, Sent or Failed.
type DriverResult struct {
	Status  string
	TxHash  string // of Done, and of Sent if it is known
	Message string // of Failed
}

// Driver makes a payout. It must be idempotent: called again with the same id it must not pay again, but return the
// result. An error is an outage: the outcome is unknown, and the driver is called again. It is ErrPaused if the
// driver was not called.
type Driver func(ctx context.Context, p Payout) (DriverResult, error)

// Config holds the dependencies and settings of a Service.
type Config struct {
	DB     *store.DB
	Driver Driver // nil: there is none, and payouts wait
	Logger *slog.Logger
}

// Service makes and lists payouts.
type Service struct {
	Config
	queue worker.Runner
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{Config: c}
	s.queue = s.newQueue()
	return s
}

var newPayouts = &store.Sink[Payout]{Name: "payouts", Rank: store.LockRankPayouts, Write: insertPayouts}

// Owe stages a payout in the transaction of its entry. It fills in id, status and times.
func Owe(b *store.Batch, p Payout) {
	p.ID, p.Status, p.CreatedAt, p.UpdatedAt, p.DueAt = b.NewID(), Waiting, b.Now(), b.Now(), b.Now()
	newPayouts.Add(b, p)
}

// Filter narrows List; everything set must hold.
type Filter struct {
	Statuses []string
	RuleIDs  []laurel.ID
	UserIDs  []laurel.ID
	Wallets  []string // as they are stored
}

// List returns a page of the payouts that the filter selects and that the caller may see, newest first.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[Payout], error) {
	rows, err := listPayouts(ctx, s.DB, scope, f, page)
	return laurel.MapPage(rows, row.payout), err
}

// Retry makes a failed payout wait for the driver again, under the same id, and returns it. Errors: NotFound "Payout";
// Refused if it has not failed.
func (s *Service) Retry(ctx context.Context, scope laurel.Scope, id laurel.ID) (Payout, error) {
	var p Payout
	err := s.DB.Write(ctx, scope.Request, func(tx *store.Tx) error {
		retried, err := retryPayout(ctx, tx, scope, id)
		if err != nil {
			return err
		}
		found, err := readPayout(ctx, tx, scope, id)
		if err == nil && !retried {
			err = laurel.Errorf(laurel.Refused, "Payout has not failed")
		}
		p = found.payout()
		return err
	})
	return p, err
}
