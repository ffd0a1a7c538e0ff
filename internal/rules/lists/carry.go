package lists

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"laurel/internal/store"
	"laurel/internal/worker"
)

// chunk is how many rows one transaction writes: a long one would hold back the change feed, and on SQLite every other
// write.
const chunk = 2000

// carry imports a list from where it was left.
func (s *Service) carry(ctx context.Context, imp *importRow) error {
	if strings.HasPrefix(imp.URL, feedMark) {
		return s.carryFeed(ctx, imp)
	}
	file, err := s.open(ctx, imp)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	work := s.shift()
	defer work.end()
	if err := work.begin(ctx); err != nil {
		return err
	}
	file.ReadSeeker = &paced{file.ReadSeeker, ctx, work}
	digest, records, err := inspect(file)
	if err != nil {
		return err
	}
	l, err := layoutIn(file, imp.Kind.form())
	if err != nil {
		return err
	}
	if err := s.wiped(ctx, imp, records); err != nil {
		return err
	}
	if l.header {
		records--
	}
	if records > MaxRows {
		return errLong()
	}
	if same, err := s.begin(ctx, imp, digest, records); err != nil || same {
		return err
	}
	if err := s.rows(ctx, imp, file, l); err != nil {
		return err
	}
	return s.finish(ctx, imp, file.done)
}

// wiped refuses a file without anything in it where it would take the place of a list that holds rows: it is more often
// one whose writing broke off than a list that is empty on purpose, which has a header.
func (s *Service) wiped(ctx context.Context, imp *importRow, records int64) error {
	if records > 0 {
		return nil
	}
	current, err := currentOf(ctx, s.db, imp)
	if err == nil && current.Kept > 0 {
		err = &listFault{"File is empty", nil}
	}
	return err
}

// finish ends an import that has read everything. A list of nothing but bad rows is some other file, such as a page
// that tells of an error: it counts for nothing.
func (s *Service) finish(ctx context.Context, imp *importRow, done func()) error {
	if imp.Read > 0 && imp.Skipped == imp.Read && imp.Kept == 0 {
		return &listFault{"File has no good row", nil}
	}
	if err := s.end(ctx, imp, Complete, ""); err != nil && !errors.Is(err, worker.ErrLost) {
		return err
	}
	done()
	return nil
}

// inspect reads a file once before anything of it is written: how many records it has, a header included, and what
// stands for its bytes. Far beyond the limit it stops.
func inspect(file io.ReadSeeker) (digest string, records int64, err error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "", 0, err
	}
	sum := sha256.New()
	for r := NewReader(io.TeeReader(file, sum), 0, 1); records <= MaxRows+1; records++ {
		_, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", 0, err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)), records, nil
}

func errLong() error { return &listFault{fmt.Sprintf("File has more than %d rows", MaxRows), nil} }

func errLarge() error { return &listFault{fmt.Sprintf("File is larger than %d bytes", MaxBytes), nil} }

// begin notes what is read. Where the file is another than the one that was begun with, the import begins anew; where
// it is the one that counts already there is nothing to do, and the import ends.
func (s *Service) begin(ctx context.Context, imp *importRow, digest string, total int64) (same bool, err error) {
	if imp.Digest == digest {
		return false, nil
	}
	current, err := currentOf(ctx, s.db, imp)
	if err != nil {
		return false, err
	}
	if current.Digest == digest && current.URL == imp.URL {
		imp.Digest, imp.Total, imp.Read, imp.Skipped, imp.Kept, imp.Errors =
			digest, current.Total, current.Read, current.Skipped, current.Kept, current.Errors
		return true, s.end(ctx, imp, Complete, unchanged)
	}
	if imp.HoldsRows {
		if err := s.forget(ctx, imp); err != nil {
			return false, err
		}
	}
	imp.Digest, imp.Total, imp.Position, imp.Errors, imp.Read, imp.Skipped, imp.Kept, imp.HoldsRows = digest, &total, "", "[]", 0, 0, 0, false
	return false, imp.held.Keep(ctx, nil)
}

// rows writes what the file holds from the position on, a chunk per transaction.
func (s *Service) rows(ctx context.Context, imp *importRow, file io.ReadSeeker, l layout) error {
	offset, line := position(imp.Position)
	if _, err := file.Seek(offset, io.SeekStart); err != nil {
		return err
	}
	r := NewReader(file, offset, line)
	if l.header && offset == 0 {
		if _, err := r.Next(); err != nil {
			return err
		}
	}
	for {
		read, rows, bad, err := gather(r, l)
		if err != nil || read == 0 {
			return err
		}
		err = imp.held.Keep(ctx, func(tx *store.Tx) error {
			imp.Position = fmt.Sprintf("%d %d", r.Offset, r.Line)
			imp.Read += int64(read)
			return imp.keep(ctx, tx, rows, bad)
		})
		if err != nil {
			return err
		}
	}
}

// layoutIn reads the layout from the beginning of a file; one without rows has none to read.
func layoutIn(file io.ReadSeeker, f form) (layout, error) {
	if err := looksLikePage(file); err != nil {
		return layout{}, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return layout{}, err
	}
	first, err := NewReader(file, 0, 1).Next()
	if err != nil && !errors.Is(err, io.EOF) {
		return layout{}, err
	}
	return f.layoutOf(first)
}

// looksLikePage refuses what is answered with status 200 in place of a file, such as a page that asks for a login: its
// lines would pass for wallets. It looks at bytes, as the first line of a page is seldom a well-formed row.
func looksLikePage(file io.ReadSeeker) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	start, err := io.ReadAll(io.LimitReader(file, maxRecord))
	if err == nil && bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(start, mark)), []byte("<")) {
		return &listFault{"File is a page, not a list", nil}
	}
	return err
}

// position is where the next chunk begins: byte and line.
func position(text string) (offset, line int64) {
	at, on, _ := strings.Cut(text, " ")
	offset, _ = strconv.ParseInt(at, 10, 64) // this package wrote it
	line, _ = strconv.ParseInt(on, 10, 64)
	return offset, max(line, 1)
}

// gather reads up to a chunk of rows, good and bad.
func gather(r *Reader, l layout) (read int, rows []row, bad []RowError, err error) {
	for read < chunk {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return 0, nil, nil, err
		}
		read++
		good, problem := l.row(record)
		if problem != "" {
			bad = append(bad, RowError{record.Line, problem})
			continue
		}
		rows = append(rows, good)
	}
	return read, rows, bad, nil
}
