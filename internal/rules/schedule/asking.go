package schedule

import (
	"context"

	"laurel"
	"laurel/internal/store"
	"laurel/internal/worker"
)

const (
	crowd = 16  // websites whose runs a node has ask outside at once
	looks = 256 // at websites, per tick
)

// asking works on runs that ask a provider, a turn of one run of a website at a time: they keep neither other
// websites waiting nor runs whose facts are in the database, however slow the answers are.
func (s *Service) asking() *worker.Rota {
	return &worker.Rota{
		Loop:  s.loop(),
		Crowd: crowd,
		Looks: looks,
		Next: func(ctx context.Context, after laurel.ID) (worker.Owner, bool, error) {
			website, err := asksAfter(ctx, s.DB, after, s.DB.Now())
			return worker.Owner{ID: website}, true, err
		},
		Share: func(ctx context.Context, website laurel.ID) (bool, error) {
			_, err := s.carryOn(ctx, website)
			return false, err // its place is for others until the next round
		},
	}
}

// carryOn works for a turn on the run of a website that asks outside, or, without a website, on one whose facts are in
// the database. It reports whether one was due.
func (s *Service) carryOn(ctx context.Context, website laurel.ID) (bool, error) {
	var r runRow
	taken := false
	if err := s.DB.InTx(ctx, func(tx *store.Tx) (err error) {
		r, taken, err = takeRun(ctx, tx, s.DB.NewID(), website)
		return err
	}); err != nil || !taken {
		return false, err
	}
	return true, s.turn(ctx, &r)
}
