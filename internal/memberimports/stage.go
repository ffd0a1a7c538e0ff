package memberimports

import (
	"context"
	"fmt"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/rules/lists"
	"laurel.example/laurel/internal/store"
)

// stage reads the file of a leased import, checks all of its rows, and stores them. From then on the import needs the
// file no more: a node that resumes it imports the same rows, whatever the address has by then.
func (s *Service) stage(ctx context.Context, h *leasedImport) error {
	scope, spec := h.Row.scope(), fileSpec()
	spec.Import, spec.URL = h.Key, h.Row.URL
	file, err := s.Lists.Open(ctx, scope, spec)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	checked, err := s.check(ctx, scope, file)
	if err != nil {
		return err
	}
	currency, err := s.currencyOf(ctx, scope, h.Row.CurrencyID.ID, checked)
	if err != nil {
		return err
	}
	if h.Row.HoldsRows { // an earlier attempt has stored some: the file may be another one now
		if err := s.clear(ctx, h.Key); err != nil {
			return err
		}
	}
	if err := h.Extend(ctx, func(*store.Tx) error {
		h.Row.HoldsRows, h.Row.Total = true, checked.rows
		return nil
	}); err != nil {
		return err
	}
	if err := s.storeRows(ctx, h.Key, file, h.Extend); err != nil {
		return err
	}
	if err := h.Extend(ctx, func(*store.Tx) error {
		h.Row.setStaged(file, currency)
		return nil
	}); err != nil {
		return err
	}
	file.RemoveCopy()
	return nil
}

// setStaged records that all rows of a file are stored.
func (r *importRow) setStaged(file *lists.RowFile, currency laurel.NullID) {
	r.IsStaged, r.Digest, r.CurrencyID, r.IgnoredColumns = true, file.Digest, currency, file.IgnoredColumns()
}

// storeRows stores the rows of a file that was checked, rowsPerPart in each transaction of inTx.
func (s *Service) storeRows(
	ctx context.Context,
	id laurel.ID,
	file *lists.RowFile,
	inTx func(context.Context, func(tx *store.Tx) error) error,
) error {
	part := make([]*memberRow, 0, rowsPerPart)
	flush := func() error {
		if len(part) == 0 {
			return nil
		}
		err := inTx(ctx, func(tx *store.Tx) error {
			_, err := rowTable.InsertAll(ctx, tx, part, "")
			return err
		})
		part = part[:0]
		return err
	}
	now := s.DB.Now()
	err := file.Each(func(line int64, texts []string, problem string) error {
		if problem != "" {
			return fmt.Errorf("row %d was good before: %s", line, problem)
		}
		r, problem := parseRow(line, texts, file.Decimal, now)
		if problem != "" {
			return fmt.Errorf("row %d was good before: %s", line, problem)
		}
		r.ImportID = id
		if part = append(part, &r); len(part) == rowsPerPart {
			return flush()
		}
		return nil
	})
	if err != nil {
		return err
	}
	return flush()
}

// summary returns the message of a complete import.
func (r *importRow) summary() string {
	parts := []string{
		fmt.Sprintf("%d members were imported, %d of them new", r.Written, r.NewMembers),
		fmt.Sprintf("%d opening balances were written", r.Openings),
	}
	if len(r.IgnoredColumns) > 0 {
		parts = append(parts, "columns that were not read: "+strings.Join(shorten(r.IgnoredColumns), ", "))
	}
	return strings.Join(parts, "; ")
}

// maxColumnsShown is how many columns that were not read a message names.
const maxColumnsShown = 10

// shorten returns the first columns, each with at most fifty characters.
func shorten(columns []string) []string {
	var out []string
	for _, column := range columns[:min(len(columns), maxColumnsShown)] {
		if text := []rune(column); len(text) > 50 {
			column = string(text[:50]) + "…"
		}
		out = append(out, column)
	}
	return out
}

// failure returns the message of an import that ends with a fault: how far it has come, if it has written members.
func (r *importRow) failure(message string) string {
	if r.Written == 0 {
		return message + ". Nothing was imported"
	}
	return fmt.Sprintf("%s. %d of %d members were imported before, with %d opening balances",
		message, r.Written, r.Total, r.Openings)
}
