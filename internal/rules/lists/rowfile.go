package lists

import (
	"context"
	"errors"
	"io"
	"slices"

	"laurel.example/laurel"
)

// RowFile is a file of rows that another package imports. It is downloaded, limited and parsed like a list; that
// package decides what its rows mean.
type RowFile struct {
	Digest string // a digest of the bytes
	Rows   int64  // all rows, good and bad
	file   *listFile
	layout layout
}

// RowFileSpec names a file for Open. Its rows must have all of the columns.
type RowFileSpec struct {
	Import  laurel.ID // names the downloaded copy of a file, which is kept until RemoveCopy
	URL     string
	Columns []string // the first holds a key, which is taken as it is
	// Optional are columns that a file may have besides. With them, the file needs a header, and all columns hold texts:
	// amounts are converted by RowFile.Decimal.
	Optional []string
}

// form returns the description of the rows.
func (s RowFileSpec) form() form {
	return form{
		columns: slices.Concat(s.Columns, s.Optional), needed: len(s.Columns), needsHeader: len(s.Optional) > 0,
	}
}

// Open opens a file for the scope's website and counts its rows, for which it reads the whole file. If the file cannot
// be used, FaultMessage returns the reason from the error.
func (s *Service) Open(ctx context.Context, scope laurel.Scope, spec RowFileSpec) (*RowFile, error) {
	file, err := s.openFile(ctx, &importRow{
		ID: spec.Import, OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, URL: spec.URL,
	})
	if err != nil {
		return nil, err
	}
	t := &RowFile{file: file}
	if err := t.inspect(spec.form()); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// OpenLocal is Open for a file that the caller has opened. Close closes it.
func OpenLocal(file io.ReadSeekCloser, spec RowFileSpec) (*RowFile, error) {
	size, err := file.Seek(0, io.SeekEnd)
	if err == nil && size > MaxBytes {
		err = errTooLarge()
	}
	t := &RowFile{file: &listFile{file, file, ""}}
	if err == nil {
		err = t.inspect(spec.form())
	}
	if err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// IgnoredColumns returns the columns in the header of the file that its spec does not name. Only files with Optional
// columns have some.
func (t *RowFile) IgnoredColumns() []string { return t.layout.ignored }

// Decimal returns an amount of the file with a decimal point, as csvfile.Dialect.Decimal does.
func (t *RowFile) Decimal(amount string) string { return t.layout.dialect.Decimal(amount) }

// WalletDoubt returns why the text of a row does not look like a member's wallet or id, or "". Members may have odd ids
// nevertheless.
func WalletDoubt(text string) string { return memberDoubt(text) }

// inspect finds the layout, the digest and the number of rows of the file. It returns a fault if there are more than
// MaxRows rows.
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

// Each calls f with the line number and the texts of the columns of each row, or with the problem of a bad row. It
// stops at the first error of f and returns it.
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

// Close closes the file. A downloaded copy stays for an import that resumes.
func (t *RowFile) Close() error { return t.file.Close() }

// RemoveCopy removes the downloaded copy of the file.
func (t *RowFile) RemoveCopy() { t.file.removeCopy() }

// FaultMessage returns the message of an error for the owner of a list. ok is false if the error is not about the list
// but a fault of the server.
func FaultMessage(err error) (message string, ok bool) {
	var fault *listFault
	if errors.As(err, &fault) {
		return fault.message, true
	}
	return "", false
}
