package lists

import (
	"context"
	"errors"
	"time"

	"laurel/internal/store"
)

// Prune removes the rows of imports that count no more, and imports that ended long ago, a chunk per transaction.
func (s *Service) Prune(ctx context.Context) error {
	for {
		obsolete, err := selectObsoleteImports(ctx, s.db)
		if err != nil {
			return err
		}
		for i := range obsolete {
			if err := s.deleteRows(ctx, &obsolete[i]); err != nil {
				return err
			}
		}
		if len(obsolete) == 0 {
			break
		}
	}
	return errors.Join(s.queue.Prune(ctx), s.removeOldCopies(s.db.Now().Add(-copyLifetime)))
}

// copyLifetime is how long a copy waits for an import that was interrupted.
const copyLifetime = 24 * time.Hour

func (s *Service) deleteRows(ctx context.Context, imp *importRow) error {
	for done := false; !done; {
		err := s.db.InTx(ctx, func(tx *store.Tx) error {
			n, err := deleteRowChunk(ctx, tx, imp.Kind, imp.ID)
			if done = n < deleteChunk; err != nil || !done {
				return err
			}
			return markRowsDeleted(ctx, tx, imp.ID)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
