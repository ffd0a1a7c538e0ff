package memberimports

import (
	"context"
	"errors"
	"io"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/store"
)

// File is a file of members that a command has opened, or an admin has uploaded.
type File struct {
	Name       string
	Content    io.ReadSeekCloser // is closed in any case
	CurrencyID laurel.ID         // of the opening balances; zero: the website's only currency
	// Again says that a file that was imported already is imported once more, with its opening balances.
	Again bool
}

// commandTime is how long a command may store the rows of its file, before its import counts as interrupted.
const commandTime = time.Hour

// busyPause is the pause before a command looks again whether its import can be leased, or has ended.
const busyPause = 200 * time.Millisecond

// ImportFile imports a file, as StartFile does, and returns the import once it has ended.
func (s *Service) ImportFile(
	ctx context.Context, scope laurel.Scope, in File,
) (imported Import, isEarlier bool, err error) {
	started, isEarlier, err := s.StartFile(ctx, scope, in)
	if err != nil {
		return started, isEarlier, err
	}
	imported, err = s.finish(ctx, scope, started.ID)
	return imported, isEarlier, err
}

// StartFile checks a file, stores its rows, and puts an import of them in the queue. If the same bytes were imported
// already, or are being imported, it returns that import, so that no balance counts twice; isEarlier reports this.
// Errors: Invalid if the file cannot be imported, and then nothing is written.
func (s *Service) StartFile(
	ctx context.Context, scope laurel.Scope, in File,
) (started Import, isEarlier bool, err error) {
	file, err := lists.OpenLocal(in.Content, fileSpec())
	if err != nil {
		return Import{}, false, asInvalid(err)
	}
	defer func() { _ = file.Close() }()
	checked, err := s.check(ctx, scope, file)
	if err != nil {
		return Import{}, false, asInvalid(err)
	}
	currency, err := s.currencyOf(ctx, scope, in.CurrencyID, checked)
	if err != nil {
		return Import{}, false, asInvalid(err)
	}
	if !in.Again {
		earlier, found, err := findEarlierImport(ctx, s.DB, scope, file.Digest, currency.ID)
		if err != nil || found {
			return earlier.toImport(), found, err
		}
	}
	id, err := s.storeFile(ctx, scope, in.Name, file, stagedFile{checked.rows, currency})
	if err != nil {
		return Import{}, false, err
	}
	s.wakeup.Wake()
	started, err = s.Get(ctx, scope, id)
	return started, false, err
}

// asInvalid returns the reason why a file cannot be imported as an Invalid error, and any other error as it is.
func asInvalid(err error) error {
	if message, ok := faultMessage(err); ok {
		return laurel.Errorf(laurel.Invalid, "%s", message)
	}
	return err
}

// stagedFile is what an import says of its file besides the rows.
type stagedFile struct {
	rows     int64
	currency laurel.NullID
}

// storeFile makes an import of a file that was checked, stores its rows and makes it due. If that fails, the import
// ends as failed; if the process dies meanwhile, a server ends it after commandTime.
func (s *Service) storeFile(
	ctx context.Context, scope laurel.Scope, name string, file *lists.RowFile, staged stagedFile,
) (laurel.ID, error) {
	var id laurel.ID
	err := s.DB.InTx(ctx, func(tx *store.Tx) error {
		r := newRow(tx, scope, staged.currency.ID)
		r.FileName, r.HoldsRows, r.DueAt.Time = name, true, tx.Now().Add(commandTime)
		id = r.ID
		_, err := importTable.Insert(ctx, tx, &r, "")
		return err
	})
	if err != nil {
		return id, err
	}
	err = s.storeRows(ctx, id, file, s.DB.InTx)
	if err == nil {
		err = s.editPending(ctx, id, func(tx *store.Tx, r *importRow) {
			r.Total, r.DueAt.Time = staged.rows, tx.Now()
			r.setStaged(file, staged.currency)
		})
	}
	if err == nil {
		return id, nil
	}
	cleanup := context.WithoutCancel(ctx)
	failed := s.editPending(cleanup, id, func(tx *store.Tx, r *importRow) {
		r.end(tx.Now(), Failed, r.failure(msgInterrupted))
	})
	if failed == nil {
		failed = s.clear(cleanup, id)
	}
	return id, errors.Join(err, failed)
}

// editPending changes an import that no node works on yet.
func (s *Service) editPending(ctx context.Context, id laurel.ID, edit func(tx *store.Tx, r *importRow)) error {
	return s.DB.InTx(ctx, func(tx *store.Tx) error {
		r, err := lockPending(ctx, tx, id)
		if err != nil {
			return err
		}
		edit(tx, &r)
		if err := saveImport(ctx, tx, &r); err != nil {
			return err
		}
		return makeDue(ctx, tx, &r)
	})
}

// finish returns an import once it has ended. It works on the import itself, unless a server does.
func (s *Service) finish(ctx context.Context, scope laurel.Scope, id laurel.ID) (Import, error) {
	for {
		imported, err := s.Get(ctx, scope, id)
		if err != nil || !imported.IsOpen() {
			return imported, err
		}
		item, err := s.queue.LeaseByKey(ctx, id, false)
		if err != nil {
			return imported, err
		}
		if item != nil {
			if err := s.queue.Process(ctx, []*leasedImport{item}); err != nil {
				return imported, err
			}
			continue
		}
		select {
		case <-ctx.Done():
			return imported, context.Cause(ctx)
		case <-time.After(busyPause):
		}
	}
}
