package content

import (
	"context"
	"errors"

	"laurel"
	"laurel/internal/store"
)

// maxBatch is how many files one transaction of the upkeep takes.
const maxBatch = 500

// Delete removes a file of the scope for good; owner narrows that to the files of one user, zero to nobody's. Its
// bytes leave the disk after the decision is committed; Forget goes on where that was cut off. Errors: NotFound
// "File"; Unavailable where the disk fails.
func (s *Service) Delete(ctx context.Context, scope laurel.Scope, id, owner laurel.ID) error {
	a, err := findAsset(ctx, s.db, scope, id, owner)
	if err != nil {
		return err
	}
	err = s.inUsageTx(ctx, scope.Request, func(tx *store.Tx) error {
		removed, err := markRemoved(ctx, tx, id)
		if err != nil || !removed { // somebody else was first: what is left is to see it gone
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

// DeleteExpired removes every announced file that was not sent in time, what is left of deleted files, and of uploads
// that were cut off. Any number of nodes may run it.
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

// expire decides that announced files go that were not sent in time, and returns how many: at most batch, the oldest
// first. They count no more.
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

// eraseRemoved sees all files gone that are decided to go. One that cannot be removed is passed over.
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

// erase removes the bytes of files that are decided to go, and then what is known of them.
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
