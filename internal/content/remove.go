package content

import (
	"context"
	"errors"

	"laurel"
	"laurel/internal/store"
)

// maxBatch is the number of files that one transaction of the maintenance handles.
const maxBatch = 500

// Delete deletes a file of the scope; a non-zero owner limits that to the files of one user. The bytes are removed
// after the decision is committed; DeleteExpired resumes a removal that was interrupted. Errors: NotFound "File";
// Unavailable if the disk fails.
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id, owner laurel.ID) error {
	a, err := findAsset(ctx, s.db, scope, id, owner)
	if err != nil {
		return err
	}
	err = s.inUsageTx(ctx, scope.Request, func(tx *store.Tx) error {
		removed, err := markRemoved(ctx, tx, id)
		if err != nil || !removed { // another request was first: only the bytes remain to be removed
			return err
		}
		return releaseUsage(ctx, tx, []asset{a})
	})
	if err != nil {
		return err
	}
	if err := s.erase(ctx, []asset{a}); err != nil {
		return unavailable(err)
	}
	return nil
}

// DeleteExpired removes announced files that were not uploaded in time, the bytes of deleted files, and parts of
// interrupted uploads. Any number of nodes may run it.
func (s *Service) DeleteExpired(ctx context.Context) error {
	for {
		n, err := s.expire(ctx)
		if err != nil {
			return err
		}
		if n < maxBatch {
			break
		}
	}
	return errors.Join(s.eraseRemoved(ctx), s.folder.removeOldParts(s.db.Now().Add(-2*UploadLifetime)))
}

// expire marks announced files that were not uploaded in time as removed, at most maxBatch of them, the oldest first,
// and returns how many. They no longer count.
func (s *Service) expire(ctx context.Context) (n int, err error) {
	err = s.inUsageTx(ctx, nil, func(tx *store.Tx) error {
		files, err := markExpired(ctx, tx)
		if n = len(files); err != nil || n == 0 {
			return err
		}
		return releaseUsage(ctx, tx, files)
	})
	return n, err
}

// eraseRemoved erases all files that are marked as removed. A file that cannot be erased is skipped.
func (s *Service) eraseRemoved(ctx context.Context) error {
	var faults error
	for after := (laurel.ID{}); ; {
		files, err := findRemoved(ctx, s.db, after)
		if err != nil || len(files) == 0 {
			return errors.Join(faults, err)
		}
		faults = errors.Join(faults, s.erase(ctx, files))
		after = files[len(files)-1].ID
	}
}

// erase removes the bytes of files that are marked as removed, and then their rows.
func (s *Service) erase(ctx context.Context, files []asset) error {
	var faults error
	var removed []laurel.ID
	for i := range files {
		if err := s.files.remove(ctx, files[i].name()); err != nil {
			faults = errors.Join(faults, err)
			continue
		}
		removed = append(removed, files[i].ID)
	}
	return errors.Join(faults, s.db.InTx(ctx, func(tx *store.Tx) error { return deleteRemoved(ctx, tx, removed) }))
}
