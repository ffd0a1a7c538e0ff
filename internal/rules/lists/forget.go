package lists

import (
	"context"
	"errors"
	"time"

	"laurel/internal/store"
)

// Forget removes the rows of imports that count no more, and imports that ended long ago, a chunk per transaction.
func (s *Service) Forget(ctx context.Context) error {
	for {
		over, err := withRows(ctx, s.db)
		if err != nil {
			return err
		}
		for i := range over {
			if err := s.forget(ctx, &over[i]); err != nil {
				return err
			}
		}
		if len(over) == 0 {
			break
		}
	}
	return errors.Join(s.queue.Prune(ctx), s.sweep(s.db.Now().Add(-copiesKept)))
}

// copiesKept is how long a copy waits for an import that was interrupted.
const copiesKept = 24 * time.Hour

func (s *Service) forget(ctx context.Context, imp *importRow) error {
	for done := false; !done; {
		err := s.db.InTx(ctx, func(tx *store.Tx) error {
			n, err := forgetRows(ctx, tx, imp.Kind, imp.ID)
			if done = n < forgetChunk; err != nil || !done {
				return err
			}
			return setHoldsNone(ctx, tx, imp.ID)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
