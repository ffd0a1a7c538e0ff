package external

import (
	"context"
	"time"

	"laurel"
	"laurel/internal/worker"
)

const (
	tickEvery = time.Second
	share     = 16 // posts of a currency that are carried on at once
	crowd     = 64 // currencies that a node carries on at once
)

// unfinished carries posts of currencies on that nobody carries on: a system that takes its time delays none but its
// own.
func (s *Service) unfinished() *worker.Rota {
	return &worker.Rota{
		Loop: worker.Loop{
			Every: tickEvery,
			Log:   s.Logger,
			Fault: "posts to balances kept outside met a fault; they are tried again",
		},
		Crowd: crowd,
		Looks: crowd,
		Next: func(ctx context.Context, after laurel.ID) (worker.Owner, bool, error) {
			id, err := dueAfter(ctx, s.DB, after, s.DB.Now())
			return worker.Owner{ID: id}, true, err
		},
		Share: s.runShare,
	}
}

// Run carries on what nobody carries on, until ctx ends. Any number of nodes may run it.
func (s *Service) Run(ctx context.Context) { s.rota.Run(ctx) }

// RunDue carries on the posts that are due now, at most a share of each currency. That the outside is down is no error.
func (s *Service) RunDue(ctx context.Context) error { return s.rota.Once(ctx) }

// runShare carries on posts of a currency that are due, and reports whether there may be more.
func (s *Service) runShare(ctx context.Context, currency laurel.ID) (more bool, err error) {
	ids, err := due(ctx, s.DB, currency, s.DB.Now())
	if err != nil {
		return false, err
	}
	err = worker.Together(ids, share, func(id laurel.ID) error {
		p, mine, err := s.take(ctx, id, false)
		if err == nil && mine {
			err = s.carry(ctx, p)
		}
		if laurel.CodeOf(err) == laurel.Unavailable {
			return nil
		}
		return err
	})
	return len(ids) == share, err
}
