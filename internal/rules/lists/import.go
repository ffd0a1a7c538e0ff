package lists

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"laurel.example/laurel/internal/csvfile"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// chunkRows is how many rows one transaction writes. A longer one would hold back the change feed, and on SQLite every
// other write.
const chunkRows = 2000

// importList imports a list, or resumes its import where it stopped. It reads the file twice: first to find its layout,
// size and digest, then to import its rows.
func (s *Service) importList(ctx context.Context, imp *importRow) error {
	if strings.HasPrefix(imp.URL, feedPrefix) {
		return s.importFeed(ctx, imp)
	}
	file, err := s.openFile(ctx, imp)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	slot := s.newSlot()
	defer slot.release()
	if err := slot.acquire(ctx); err != nil {
		return err
	}
	file.ReadSeeker = &slotReader{file.ReadSeeker, ctx, slot}
	l, err := detectLayout(file, imp.Kind.form())
	if err != nil {
		return err
	}
	digest, records, err := inspect(file, l)
	if err != nil {
		return err
	}
	if err := s.refuseEmpty(ctx, imp, file, records); err != nil {
		return err
	}
	if records > MaxRows {
		return errTooManyRows()
	}
	if isUnchanged, err := s.beginFile(ctx, imp, digest, records); err != nil || isUnchanged {
		return err
	}
	if err := s.importRows(ctx, imp, file, l); err != nil {
		return err
	}
	return s.finish(ctx, imp, file.removeCopy)
}

// refuseEmpty returns a fault for a file that has bytes but no rows (records is 0). A file without bytes is refused
// only if it would replace a list with rows: most likely its upload or creation broke off.
func (s *Service) refuseEmpty(ctx context.Context, imp *importRow, file io.Seeker, records int64) error {
	if records > 0 {
		return nil
	}
	size, err := file.Seek(0, io.SeekEnd)
	switch {
	case err != nil:
		return err
	case size > 0:
		return &listFault{"File has no rows", nil}
	}
	current, err := selectCurrent(ctx, s.db, imp)
	if err == nil && current.Added > 0 {
		err = &listFault{"File is empty", nil}
	}
	return err
}

// finish marks an import as complete, once all rows were read, and then removes the downloaded copy of its file. It
// returns a fault, with which the import fails, if all rows are bad: the file is probably the wrong one.
func (s *Service) finish(ctx context.Context, imp *importRow, removeCopy func()) error {
	if imp.allRowsBad() {
		return &listFault{"File has no good row", nil}
	}
	if err := s.endImport(ctx, imp, Complete, ""); err != nil && !errors.Is(err, worker.ErrLost) {
		return err
	}
	removeCopy()
	return nil
}

// digestVersion is part of every digest. It changes with the rules for reading rows, so that unchanged files are read
// again then.
const digestVersion = "3 "

// allRowsBad reports whether all rows were bad. Codes that the rule has already are skipped, but are good.
func (r *importRow) allRowsBad() bool {
	return r.Read > 0 && r.Skipped == r.Read && r.Added == 0 && (r.Kind != KindCodes || r.badRows == r.Read)
}

// inspect reads a whole file, before any row is written. It returns a digest of its bytes and the number of its rows
// without the header. It stops once there are more rows than allowed.
func inspect(file io.ReadSeeker, l layout) (digest string, rows int64, err error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "", 0, err
	}
	sum := sha256.New()
	_, _ = io.WriteString(sum, digestVersion)
	for r := csvfile.NewReader(io.TeeReader(file, sum), l.dialect); rows <= MaxRows+1; rows++ {
		_, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", 0, err
		}
	}
	if l.hasHeader {
		rows--
	}
	return hex.EncodeToString(sum.Sum(nil)), rows, nil
}

// errTooManyRows returns the fault of a file with more than MaxRows rows.
func errTooManyRows() error {
	return &listFault{fmt.Sprintf("File has more than %d rows", MaxRows), nil}
}

// errTooLarge returns the fault of a file with more than MaxBytes bytes.
func errTooLarge() error {
	return &listFault{fmt.Sprintf("File is larger than %d bytes", MaxBytes), nil}
}

// beginFile compares the file, by its digest, with the one that the import has begun with. If they differ, the import
// starts again with the new file, which has total rows. But if the file is that of the current import of the list,
// there is nothing to do: the import ends, and isUnchanged is true.
func (s *Service) beginFile(
	ctx context.Context, imp *importRow, digest string, total int64,
) (isUnchanged bool, err error) {
	if imp.Digest == digest {
		return false, nil
	}
	current, err := selectCurrent(ctx, s.db, imp)
	if err != nil {
		return false, err
	}
	if current.Digest == digest && current.URL == imp.URL {
		imp.Digest, imp.Total, imp.Read, imp.Skipped, imp.Added, imp.Errors =
			digest, current.Total, current.Read, current.Skipped, current.Added, current.Errors
		return true, s.endImport(ctx, imp, Complete, msgUnchanged)
	}
	if imp.HoldsRows {
		if err := s.deleteRows(ctx, imp); err != nil {
			return false, err
		}
	}
	imp.Digest, imp.Total, imp.Position, imp.Errors = digest, &total, "", "[]"
	imp.Read, imp.Skipped, imp.Added, imp.HoldsRows, imp.badRows = 0, 0, 0, false, 0
	return false, imp.lease.Extend(ctx, nil)
}

// importRows imports the rows of a file from the import's position on, one chunk per transaction.
func (s *Service) importRows(ctx context.Context, imp *importRow, file io.ReadSeeker, l layout) error {
	r, err := l.reader(file, imp)
	if err != nil {
		return err
	}
	for {
		readCount, rows, bad, err := readChunk(r, l)
		if err != nil || readCount == 0 {
			return err
		}
		err = imp.lease.Extend(ctx, func(tx *store.Tx) error {
			imp.Read += int64(readCount)
			imp.badRows += int64(len(bad))
			imp.Position = fmt.Sprintf("%d %d %d", r.Offset, r.Line, imp.badRows)
			return imp.storeRows(ctx, tx, rows, bad)
		})
		if err != nil {
			return err
		}
	}
}

// detectLayout finds the layout of a file from its beginning. A file without rows has the zero layout.
func detectLayout(file io.ReadSeeker, f form) (layout, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return layout{}, err
	}
	dialect, err := csvfile.Detect(file, f.columns...)
	if refused := (*csvfile.FileError)(nil); errors.As(err, &refused) {
		return layout{}, &listFault{refused.Error(), nil}
	}
	if err != nil {
		return layout{}, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return layout{}, err
	}
	first, err := csvfile.NewReader(file, dialect).Next()
	if err != nil && !errors.Is(err, io.EOF) {
		return layout{}, err
	}
	l, err := f.layoutOf(first)
	l.dialect = dialect
	return l, err
}

// reader returns a reader of the rows after the header, or of those after the import's position if it has one. It also
// sets imp.badRows to the number that the position contains.
func (l layout) reader(file io.ReadSeeker, imp *importRow) (*csvfile.Reader, error) {
	var offset, line int64
	// An empty position leaves all 0. The others are valid, as this package wrote them.
	_, _ = fmt.Sscan(imp.Position, &offset, &line, &imp.badRows)
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return nil, err
	}
	if offset > 0 {
		return csvfile.Resume(file, l.dialect, offset, line), nil
	}
	r := csvfile.NewReader(file, l.dialect)
	if l.hasHeader {
		if _, err := r.Next(); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// readChunk reads at most chunkRows rows and returns how many it has read: 0 at the end of the file. It returns good
// rows, and errors for the others.
func readChunk(r *csvfile.Reader, l layout) (readCount int, rows []row, bad []RowError, err error) {
	for readCount < chunkRows {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, nil, nil, err
		}
		readCount++
		good, problem := l.row(record)
		if problem != "" {
			bad = append(bad, RowError{record.Line, problem})
			continue
		}
		rows = append(rows, good)
	}
	return readCount, rows, bad, nil
}
