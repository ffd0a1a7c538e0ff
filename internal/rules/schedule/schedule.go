// Package schedule owns the runs of rules: when they are due, how far each has come, and its result (contract 5.3).
// There is one run per rule and time. It walks the rule's members in order, pays a chunk per transaction, and resumes
// where it stopped if a node dies. It does not decide who is paid (completion). Walks say which members a rule type
// considers.
package schedule

import (
	"context"
	"log/slog"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/completion"
	"laurel.example/laurel/internal/rules/referrals"
	"laurel.example/laurel/internal/rules/schema"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// Page asks a walk for the next members.
type Page struct {
	Rule  *catalog.Rule
	At    time.Time // of the run
	After string    // the position of the last member of the page before; empty: the first page
	Limit int
}

// WalkMember is a member that a walk returns.
type WalkMember struct {
	completion.Candidate
	Position string // Page.After for the page after this member
}

// Walk returns the members that runs of a rule type consider, in the order of their positions, each with the facts that
// the type needs. Fewer than the limit means that there are no more. It reads outside of transactions, so the same page
// may differ the next time.
type Walk func(ctx context.Context, scope laurel.Scope, p Page) ([]WalkMember, error)

// NotReady is the error of a walk that cannot list its members yet, such as while a list is imported. The run waits and
// shows the reason.
type NotReady string

// Error returns the reason.
func (n NotReady) Error() string { return string(n) }

// Config holds what New needs.
type Config struct {
	DB          *store.DB
	People      *identity.Service
	Ledger      *ledger.Service
	Rules       *catalog.Service
	Completions *completion.Service
	Referrals   *referrals.Service
	Logger      *slog.Logger
	// Walks are the walks by rule type. Runs of scheduled types without a walk end with "Rule is not setup".
	Walks    map[schema.Type]Walk
	Follower Follower
}

// Follower is what runs need of higher packages.
type Follower interface {
	// CheckReady returns NotReady while the conditions of a rule's chains cannot be judged.
	CheckReady(ctx context.Context, scope laurel.Scope, rule laurel.ID) error
	// RunCompleted is called in the transaction that ends a run as complete.
	RunCompleted(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule laurel.ID) error
}

// Service plans runs and executes them.
type Service struct {
	Config
	databaseQueue worker.Runner // runs whose facts are in the database
	providerQueue worker.Runner // runs that ask a provider about each member
}

// New returns the service. Run must be started for runs to be planned and executed.
func New(c Config) *Service {
	s := &Service{Config: c}
	byRule := worker.Fairness{MaxOwners: maxDatabaseRuns, MaxLooks: 256, TimeSlice: slotTime}
	s.databaseQueue = s.newQueue("runs", databaseRuns, pollEvery, byRule)
	byWebsite := worker.Fairness{MaxOwners: maxProviderWebsites, MaxLooks: 256, TimeSlice: -1} // one run each
	s.providerQueue = s.newQueue("partner_runs", providerRuns, tickEvery, byWebsite)
	return s
}
