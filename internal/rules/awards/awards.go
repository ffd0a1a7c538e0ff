// Package awards finds out who has earned a badge (contract 5.17). It reads the change feed for what conditions refer
// to, judges the members that a change may affect, and grants badges to those who meet all conditions. When a badge is
// created, jobs judge all members of the website, or all wallets of a list. The package owns the due grants and the
// jobs. It does not own badges and their grants (badges), the facts for conditions (chains), or lists of wallets
// (lists).
package awards

import (
	"context"
	"log/slog"
	"sync"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/rewardhistory"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/rules/chains"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// Config holds what a Service is made from.
type Config struct {
	DB        *store.DB
	Committer *store.Committer
	People    *identity.Service
	Ledger    *ledger.Service
	Rules     *catalog.Service
	Chains    *chains.Service
	Lists     *lists.Service
	Badges    *badges.Service
	Rewards   *rewardhistory.Service // knows what badges have paid
	Logger    *slog.Logger
}

// Service judges whether members have earned badges.
type Service struct {
	Config
	wakeDues worker.Wakeup // of the queue of due grants
	plans    store.Loader[planKey, *badges.Plan]
	dues     worker.Runner
	jobs     worker.Runner
}

// New returns a Service.
func New(c Config) *Service {
	s := &Service{Config: c, wakeDues: worker.NewWakeup()}
	s.plans = store.NewLoader(s.loadPlans)
	s.dues, s.jobs = s.newGrantQueue(), s.newJobQueue()
	return s
}

// Run grants due badges and runs jobs until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) {
	var both sync.WaitGroup
	defer both.Wait()
	both.Go(func() { s.jobs.Run(ctx) })
	s.dues.Run(ctx)
}

// RunDue runs due jobs and grants due badges until nothing is due.
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

// Metrics returns the metrics of the queues.
func (s *Service) Metrics() []worker.Metrics { return []worker.Metrics{s.dues, s.jobs} }

// Prune deletes jobs that ended long ago. A worker calls it periodically.
func (s *Service) Prune(ctx context.Context) error { return s.jobs.Prune(ctx) }

// Progress returns the present progress of users toward badges of the scope's website: the state of each condition, by
// the ids of badge and user.
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

// resolveUsers returns the people with some user ids, in the order of the ids.
func (s *Service) resolveUsers(ctx context.Context, scope laurel.Scope, users []laurel.ID) ([]identity.Person, error) {
	refs := make([]identity.Ref, len(users))
	for i, id := range users {
		refs[i] = identity.Ref{UserID: id}
	}
	return s.People.ResolveMany(ctx, s.DB, scope, refs)
}
