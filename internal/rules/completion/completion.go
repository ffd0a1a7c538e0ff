// Package completion decides whether members have earned the rewards of rules, and pays each reward exactly once. It
// owns the pipeline of a completion: preparing it, deciding it under locks, staging the payment, and asking external
// ledgers and providers on the way. It does not own the order of the checks (decision), the rule types (ruletypes),
// rules (catalog), progress and paid windows (progress), points (ledger) or users (identity).
package completion

import (
	"context"
	"log/slog"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/reversals"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/chains"
	"laurel.example/laurel/internal/rules/completionjobs"
	"laurel.example/laurel/internal/rules/decision"
	"laurel.example/laurel/internal/rules/providers"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// Service completes rules for members and writes their progress.
type Service struct {
	db             *store.DB
	committer      *store.Committer
	people         *identity.Service
	ledger         *ledger.Service
	reversals      *reversals.Service
	rules          *catalog.Service
	engagement     *engagement.Service
	chains         *chains.Service
	external       *external.Service
	badgePlans     store.Loader[badgeKey, *badges.Plan]
	owePayouts     func(*store.Batch, *catalog.Rule, string, []ledger.Entry)
	verifiers      providers.Registry
	refusalCounter func(laurel.Scope, laurel.ID, string)
	decimals       func(context.Context, laurel.Scope, laurel.ID) (int, error)
	deployerOf     func(context.Context, uint64, string) (string, error)
	deps           *ruletypes.Deps
	steps          sharedSteps
	askIfNeeded    *verifier // of completions
	askAlways      *verifier // of simulations
	log            *slog.Logger
	jobs           []worker.Runner
}

// Config holds what New needs.
type Config struct {
	DB         *store.DB
	Committer  *store.Committer
	People     *identity.Service
	Ledger     *ledger.Service
	Reversals  *reversals.Service // says what of a payment can be taken back
	Rules      *catalog.Service
	Engagement *engagement.Service
	Chains     *chains.Service
	Badges     *badges.Service
	External   *external.Service  // posts payments in currencies of external ledgers
	Verifiers  providers.Registry // verify members for rules that need a provider
	// OwePayouts stages the payouts that are owed to a wallet for the entries of a rule that pays a token, in the
	// transaction of the entries.
	OwePayouts func(b *store.Batch, rule *catalog.Rule, wallet string, entries []ledger.Entry)
	// CountRefusal counts a refused call, by the name of the check that refused it, or Other.
	CountRefusal func(scope laurel.Scope, rule laurel.ID, reason string)
	// Decimals returns the decimals of the token whose registered contract has the id; 0 if it is no fungible token.
	Decimals func(ctx context.Context, scope laurel.Scope, contract laurel.ID) (int, error)
	// DeployerOf returns who has deployed a contract; "" if nobody has. Errors: Unanswered until it is known.
	DeployerOf func(ctx context.Context, chainID uint64, address string) (string, error)
	Logger     *slog.Logger
}

// New returns the service. Run must be started for jobs to be decided.
func New(c Config) *Service {
	s := &Service{
		db:             c.DB,
		committer:      c.Committer,
		people:         c.People,
		ledger:         c.Ledger,
		reversals:      c.Reversals,
		rules:          c.Rules,
		engagement:     c.Engagement,
		chains:         c.Chains,
		external:       c.External,
		badgePlans:     newPlanLoader(c.Badges),
		verifiers:      c.Verifiers,
		owePayouts:     c.OwePayouts,
		refusalCounter: c.CountRefusal,
		decimals:       c.Decimals,
		deployerOf:     c.DeployerOf,
		deps: &ruletypes.Deps{
			DB: c.DB, People: c.People, Engagement: c.Engagement, Loaders: ruletypes.NewLoaders(c.DB),
		},
		log: c.Logger,
	}
	s.steps = newSharedSteps(s)
	s.askIfNeeded = &verifier{verify: s.verifyIfNeeded, check: checkVerification}
	s.askAlways = &verifier{verify: s.verifyAlways}
	s.jobs = completionjobs.New(completionjobs.Config{
		DB: c.DB, Logger: c.Logger, Decide: s.decideJob, FaultMessage: decision.MsgFault,
	})
	return s
}
