// Package schedule owns the runs of rules: when they are due, how far each has come and what became of it (contract
// 5.3). A run is made once per rule and time, walks the rule's members in order, a chunk per transaction, and goes on
// where it stopped when a node dies. Whom a rule pays and how much is decided by completions; what members a type has
// to look at is told by walks.
package schedule

import (
	"context"
	"log/slog"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/completion"
	"laurel/internal/rules/referrals"
	"laurel/internal/rules/schema"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// Page asks a walk for the members that come next.
type Page struct {
	Rule  *catalog.Rule
	After string // the position of the last member that was looked at; empty: begin
	Limit int
}

// Step is a member of a walk.
type Step struct {
	completion.Candidate
	Position string // that a page after this member begins with
}

// Walk returns the members that a run of a type looks at, in the order of their positions, and with each the facts that
// the type goes by. Fewer than the limit are the last ones. It reads outside of transactions; the same page asked again
// may be answered by what is there then.
type Walk func(ctx context.Context, scope laurel.Scope, p Page) ([]Step, error)

// NotYet is the error of a walk that cannot tell its members for now: the run waits and shows why.
type NotYet string

func (n NotYet) Error() string { return string(n) }

// Config is what a Service is made of.
type Config struct {
	DB          *store.DB
	People      *identity.Service
	Ledger      *ledger.Service
	Rules       *catalog.Service
	Completions *completion.Service
	Referrals   *referrals.Service
	Logger      *slog.Logger
	// Walks are by type. Runs of scheduled types that are not here, and that this package has none for, end with "Rule is
	// not setup".
	Walks map[schema.Type]Walk
	// Ready returns NotYet while conditions before a rule cannot be judged; nil: they always can.
	Ready func(ctx context.Context, scope laurel.Scope, rule laurel.ID) error
	// Ran is called in the transaction that ends a run that has looked at everybody; nil: nobody follows.
	Ran func(ctx context.Context, tx *store.Tx, scope laurel.Scope, rule laurel.ID) error
}

// Service plans and carries out runs.
type Service struct {
	Config
	runs   worker.Runner // whose facts are in the database
	asking worker.Runner // that ask a provider
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{Config: c}
	s.runs = s.queue("runs", inDatabase, lookEvery, worker.Fairness{MaxOwners: runsAtOnce, MaxLooks: 256, TimeSlice: turnWithin})
	s.asking = s.queue("partner_runs", asking, tickEvery, worker.Fairness{MaxOwners: askingAtOnce, MaxLooks: 256, TimeSlice: -1})
	return s
}
