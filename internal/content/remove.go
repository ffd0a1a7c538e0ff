package content

import (
	"context"
	"errors"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// filesPerTransaction is the number of files that one transaction of the maintenance handles.
const filesPerTransaction = 500

// Delete deletes a file of the scope; a non-zero owner limits that to the files of one user. The bytes are removed once
// the deletion is committed; DeleteExpired resumes a removal that was interrupted. Errors: NotFound "File"; Unavailable
// if the bytes cannot be removed now.
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
		return errUnavailable(err)
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
		if n < filesPerTransaction {
			break
		}
	}
	oldest := s.db.Now().Add(-2 * UploadLifetime) // an upload ends within UploadLifetime: older parts are left over
	return errors.Join(s.eraseRemoved(ctx), s.folder.removeOldParts(oldest))
}

// expire marks announced files that were not sent in time as removed, so that they no longer count: the oldest first,
// up to filesPerTransaction. It returns how many it has marked.
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

// eraseRemoved erases all files that are marked as removed. It skips a file that cannot be erased, and returns its
// error in the end.
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

// erase removes the bytes of files that are marked as removed, and then the rows of those whose bytes are gone.
func (s *Service) erase(ctx context.Context, files []asset) error {
	var faults error
	var removed []laurel.ID
	for i := range files {
		if err := s.files.remove(ctx, files[i].storagePath()); err != nil {
			faults = errors.Join(faults, err)
			continue
		}
		removed = append(removed, files[i].ID)
	}
	return errors.Join(faults, s.db.InTx(ctx, func(tx *store.Tx) error { return deleteRemoved(ctx, tx, removed) }))
}
