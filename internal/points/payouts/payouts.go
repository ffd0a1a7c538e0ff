// Package payouts owns what is owed for token rewards (contract 5.5): one obligation per entry in a token's hidden
// currency, written in the transaction of the entry, and what became of handing it over to the operator's payout
// driver. It knows neither chains nor keys: the driver pays. Why somebody is owed something is the business of others.
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
	Sent    = "sent"    // the driver has taken it and has not told the end yet
	Done    = "done"    // paid
	Failed  = "failed"  // refused, or the driver could not be asked often enough; it can be retried
)

// States lists every state of a payout.
func States() []string { return []string{Waiting, Sent, Done, Failed} }

// Payout is what is owed for one entry.
type Payout struct {
	ID             laurel.ID // the idempotency key that the driver is shown
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
	Network        string    // "" where none is named
	Status         string
	TxHash         string
	Message        string // why it failed, or why the last call came to nothing
	Attempts       int64  // calls of the driver since it was owed or retried
	Faults         int64  // of these in a row, those without an answer to go by
	DueAt          time.Time
	CreatedAt      time.Time
	UpdatedAt      time.Time // moves with Status and TxHash alone
}

// isOpen reports whether the driver is asked further.
func (p Payout) isOpen() bool { return p.Status == Waiting || p.Status == Sent }

// NextAttemptAt is when the driver is asked next; zero where it is not asked any more.
func (p Payout) NextAttemptAt() time.Time {
	if !p.isOpen() {
		return time.Time{}
	}
	return p.DueAt
}

// DriverResult is what a driver says of a payout: one of Done, Sent and Failed.
type DriverResult struct {
	Status  string
	TxHash  string // of Done, and of Sent where it is known
	Message string // of Failed
}

// Driver hands a payout over. Asked again with the same id it must not pay again, but tell what became of it. An error
// is an outage: nothing is known, and the driver is asked again; ErrPaused where it was not called at all.
type Driver func(ctx context.Context, p Payout) (DriverResult, error)

// Config is what a Service is made of.
type Config struct {
	DB     *store.DB
	Driver Driver // nil: there is none, and what is owed waits
	Logger *slog.Logger
}

// Service hands payouts over and tells of them.
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

var newPayouts = &store.Sink[Payout]{Name: "payouts", Rank: store.RankPayouts, Write: insertPayouts}

// Owe stages a payout with the entry that it is owed for. Its identity, state and times are filled in.
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

// List returns the payouts that the caller may see, newest first.
func (s *Service) List(
	ctx context.Context,
	scope laurel.Scope,
	f Filter,
	page laurel.PageRequest,
) (laurel.Page[Payout], error) {
	rows, err := listPayouts(ctx, s.DB, scope, f, page)
	return laurel.MapPage(rows, row.payout), err
}

// Retry has a payout that failed handed over again, under the same id. Errors: NotFound "Payout"; Refused where it has
// not failed.
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
