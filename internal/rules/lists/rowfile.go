package lists

import (
	"context"
	"errors"
	"io"

	"laurel"
)

// RowFile is a file of rows that another package imports: it is found, copied, bounded and read as a list is, and what
// its rows mean is the business of that package.
type RowFile struct {
	Digest string // of its bytes
	Rows   int64  // good and bad ones
	file   *listFile
	layout layout
}

// RowFileSpec names a file for Open. Its rows have all of the columns.
type RowFileSpec struct {
	Import  laurel.ID // names the copy of a file from outside, which lasts until Done
	URL     string
	Columns []string
}

// Open opens a file of the scope's website. What is wrong with the file is an error that Told knows.
func (s *Service) Open(ctx context.Context, scope laurel.Scope, w RowFileSpec) (*RowFile, error) {
	file, err := s.openFile(ctx, &importRow{
		ID: w.Import, OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, URL: w.URL,
	})
	if err != nil {
		return nil, err
	}
	t := &RowFile{file: file}
	if err := t.inspect(form{columns: w.Columns, needed: len(w.Columns)}); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

func (t *RowFile) inspect(f form) (err error) {
	if t.layout, err = detectLayout(t.file, f); err != nil {
		return err
	}
	if t.Digest, t.Rows, err = inspect(t.file, t.layout); err != nil {
		return err
	}
	if t.Rows > MaxRows {
		return errTooManyRows()
	}
	return nil
}

// Each hands every row to f, which gets the texts of the columns or what is wrong with the row.
func (t *RowFile) Each(f func(line int64, texts []string, problem string) error) error {
	rows, err := t.layout.reader(t.file, &importRow{})
	if err != nil {
		return err
	}
	for {
		record, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		texts, problem := t.layout.texts(record)
		if problem == "" {
			problem = t.layout.form.missingColumn(texts)
		}
		if err := f(record.Line, texts, problem); err != nil {
			return err
		}
	}
}

// Close closes the file. A copy stays for an import that goes on after a stop.
func (t *RowFile) Close() error { return t.file.Close() }

// RemoveCopy removes the copy of a file that is needed no more.
func (t *RowFile) RemoveCopy() { t.file.removeCopy() }

// FaultMessage returns what the owner of a list sees of an error; not ok where the error is no fault of the list.
func FaultMessage(err error) (message string, ok bool) {
	var fault *listFault
	if errors.As(err, &fault) {
		return fault.message, true
	}
	return "", false
}
