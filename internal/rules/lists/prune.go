package lists

import (
	"context"
	"errors"
	"time"

	"laurel.example/laurel/internal/store"
)

// Prune deletes the rows of imports that are no longer used, imports that ended more than 30 days ago and hold no rows,
// and copies of files that are older than copyLifetime.
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

// copyLifetime is how long a downloaded copy is kept for an import that was interrupted.
const copyLifetime = 24 * time.Hour

// deleteRows deletes all rows of an import, a chunk per transaction.
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
