// Package payouts owns payouts, the token rewards that are owed to wallets (contract 5.5). There is one per entry in a
// token's hidden currency, written in the transaction of the entry. The package sends payouts to the operator's payout
// driver and records the results. It knows neither chains nor keys: the driver pays. Other packages decide who is owed
// a reward.
package payouts

import (
	"context"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
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

// Payout is a token reward that is owed for one entry: a row of payouts, and what the API returns.
type Payout struct {
	ID             laurel.ID        `db:"id" json:"id" doc:"The idempotencyKey that the payout driver receives"`
	OrganizationID laurel.ID        `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID        `db:"website_id" json:"websiteId"`
	CurrencyID     laurel.ID        `db:"loyalty_currency_id" json:"loyaltyCurrencyId" update:"no" doc:"The hidden currency of the token"`
	RuleID         laurel.NullID    `db:"loyalty_rule_id" json:"loyaltyRuleId" update:"no" doc:"null if a badge granted the reward"`
	BadgeID        laurel.NullID    `db:"loyalty_badge_id" json:"loyaltyBadgeId" update:"no" doc:"null if a rule granted the reward"`
	EntryID        laurel.ID        `db:"loyalty_transaction_entry_id" json:"loyaltyTransactionEntryId" update:"no"`
	UserID         laurel.ID        `db:"user_id" json:"userId" update:"no"`
	Wallet         string           `db:"wallet_address" json:"walletAddress" update:"no"`
	Amount         laurel.Amount    `db:"amount" json:"amount" update:"no"`
	RelayerID      laurel.NullID    `db:"relayer_id" json:"relayerId" update:"no" doc:"null if a badge granted the reward"` // none: the driver chooses
	ContractID     laurel.NullID    `db:"contract_id" json:"contractId" update:"no"`                                        // none: the network's own token
	Network        laurel.NullText  `db:"network" json:"network" update:"no"`                                               // none: the rule names none
	Status         string           `db:"status" json:"status" enum:"waiting,sent,done,failed"`
	TxHash         laurel.NullText  `db:"tx_hash" json:"txHash"`
	Message        string           `db:"message" json:"message"` // why it failed, or why the last call failed
	Attempts       int64            `db:"attempts" json:"attempts" doc:"Calls of the driver since the payout was created or retried"`
	Faults         int64            `db:"faults" json:"-"`             // how many of the last calls in a row had no usable result
	DueAt          laurel.Timestamp `db:"due_at" json:"-" update:"no"` // written by the queue
	CreatedAt      laurel.Timestamp `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp `db:"updated_at" json:"updatedAt" doc:"Moves with status and txHash"`
}

// isOpen reports whether the payout is neither done nor failed.
func (p Payout) isOpen() bool { return p.Status == Waiting || p.Status == Sent }

// NextAttemptAt returns when the driver is called next, or the zero time if the payout has ended.
func (p Payout) NextAttemptAt() time.Time {
	if !p.isOpen() {
		return time.Time{}
	}
	return p.DueAt.Time
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

var newPayouts = &store.Sink[*Payout]{Name: "payouts", Rank: store.LockRankPayouts, Write: table.Write}

// Owe stages a payout in the transaction of its entry. It fills in id, status and times.
func Owe(b *store.Batch, p Payout) {
	p.ID, p.Status, p.CreatedAt.Time, p.UpdatedAt.Time, p.DueAt.Time = b.NewID(), Waiting, b.Now(), b.Now(), b.Now()
	newPayouts.Add(b, &p)
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
	return listPayouts(ctx, s.DB, scope, f, page)
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
		p, err = readPayout(ctx, tx, scope, id)
		if err == nil && !retried {
			err = laurel.Errorf(laurel.Refused, "Payout has not failed")
		}
		return err
	})
	return p, err
}
