// Package awards works out who has earned a badge (contract 5.17): it reads the change feed for what conditions name,
// judges the members whom a change could concern, has badges granted to those who meet all conditions, and judges all
// members of a website, or all wallets of a list, when a badge is made. It owns the members who are due a badge and the
// jobs. Badges, and granting them, belong to badges; the facts come from chains, lists of wallets from lists.
package awards

import (
	"context"
	"log/slog"
	"sync"

	"laurel"
	"laurel/internal/engagement/badges"
	"laurel/internal/engagement/conditions"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/rules/catalog"
	"laurel/internal/rules/chains"
	"laurel/internal/rules/lists"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// Config is what a Service is made of.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	People    *identity.Service
	Ledger    *ledger.Service
	Rules     *catalog.Service
	Chains    *chains.Service
	Lists     *lists.Service
	Badges    *badges.Service
	Logger    *slog.Logger
}

// Service judges members.
type Service struct {
	Config
	wakeDues chan struct{} // wakes the queue of dues
	plans    store.Loader[planKey, *badges.Plan]
	dues     worker.Runner
	jobs     worker.Runner
}

// New makes the service.
func New(c Config) *Service {
	s := &Service{Config: c, wakeDues: make(chan struct{}, 1)}
	s.plans = store.NewLoader(s.loadPlans)
	s.dues, s.jobs = s.newGrantQueue(), s.newJobQueue()
	return s
}

// Run grants badges that are due and carries jobs on until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var both sync.WaitGroup
	defer both.Wait()
	both.Go(func() { s.jobs.Run(ctx) })
	s.dues.Run(ctx)
}

// RunDue carries on the jobs that are due and grants what is due, until nothing is.
func (s *Service) RunDue(ctx context.Context) error {
	for {
		granted, err := s.dues.RunOnce(ctx)
		if err != nil {
			return err
		}
		worked, err := s.jobs.RunOnce(ctx)
		if err != nil || granted+worked == 0 {
			return err
		}
	}
}

// Metrics are those of the queues.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.dues, s.jobs} }

// Prune removes jobs that ended long ago. It is for a periodic worker.
func (s *Service) Prune(ctx context.Context) error { return s.jobs.Prune(ctx) }

// Progress returns how far users are with badges of the scope's website as it is now, by badge and user.
func (s *Service) Progress(
	ctx context.Context,
	scope laurel.Scope,
	list []badges.Badge,
	users []laurel.ID,
) (map[laurel.ID]map[laurel.ID][]conditions.State, error) {
	out := make(map[laurel.ID]map[laurel.ID][]conditions.State, len(list))
	people, err := s.resolveUsers(ctx, scope, users)
	if err != nil {
		return nil, err
	}
	facts, err := s.gatherFacts(ctx, scope, list, people)
	if err != nil {
		return nil, err
	}
	for _, b := range list {
		out[b.ID] = make(map[laurel.ID][]conditions.State, len(people))
		for i, p := range people {
			out[b.ID][p.UserID] = statesOf(b, facts[i])
		}
	}
	return out, nil
}

// resolveUsers resolves users by their ids.
func (s *Service) resolveUsers(ctx context.Context, scope laurel.Scope, users []laurel.ID) ([]identity.Person, error) {
	refs := make([]identity.Ref, len(users))
	for i, id := range users {
		refs[i] = identity.Ref{UserID: id}
	}
	return s.People.ResolveMany(ctx, s.DB, scope, refs)
}
