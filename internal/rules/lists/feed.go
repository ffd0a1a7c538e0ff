package lists

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel/internal/outbound"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

// The limits of a feed (contract 5.14).
const (
	maxPages       = 1000
	maxNextLength  = 8 << 10
	maxPageTime    = 15 * time.Minute // for one page
	maxPageBytes   = 8 << 20
	maxPageSilence = time.Minute // between two bytes of a page
)

// feedPage is a page of a feed that is to be read.
type feedPage struct {
	number  int
	address string
	key     string // the secret that is sent to the feed
}

// importFeed imports a feed page by page, until a page names no next one. The position of the import is the number and
// the address of the next page. It moves once a page is written completely: after an interruption the page is read
// again, and rows that are stored already are skipped.
func (s *Service) importFeed(ctx context.Context, imp *importRow) error {
	sealed, err := selectAPIKey(ctx, s.db, imp)
	if store.IsNoRows(err) {
		return worker.ErrLost // the rule no longer has the feed
	}
	if err != nil {
		return err
	}
	key, err := s.vault.Reveal(sealed)
	if err != nil {
		return err
	}
	page := feedPage{1, strings.TrimPrefix(imp.URL, feedPrefix), key}
	if imp.Position != "" {
		text, rest, _ := strings.Cut(imp.Position, " ")
		page.number, _ = strconv.Atoi(text) // valid, as this package wrote the position
		page.address = rest
	}
	for ; page.address != ""; page.number++ {
		if page.number > maxPages {
			return &listFault{fmt.Sprintf("The feed has more than %d pages", maxPages), nil}
		}
		if page.address, err = s.importPage(ctx, imp, page); err != nil {
			return err
		}
	}
	total := imp.Read
	imp.Total = &total
	return s.finish(ctx, imp, func() {}) // the copies of pages are removed already
}

// importPage downloads a page to a file, imports its results, removes the file, and returns the address of the next
// page, or "" after the last one. It imports only while it holds one of the node's slots. It returns a listFault if the
// page cannot be used.
func (s *Service) importPage(ctx context.Context, imp *importRow, page feedPage) (next string, err error) {
	path := filepath.Join(s.folder, fmt.Sprintf("%s-%d.page", imp.ID, imp.Attempts))
	defer func() { _ = os.Remove(path) }()
	call := outbound.Call{
		URL:         page.address,
		Timeout:     maxPageTime,
		IdleTimeout: maxPageSilence,
		MaxBytes:    maxPageBytes,
		Tries:       tries,
		Pause:       pause,
		Tenant:      imp.WebsiteID.String(),
		Header:      map[string]string{"Accept": "application/json"},
	}
	if page.key != "" {
		call.Header["x-api-key"] = page.key
	}
	remote, err := s.download(ctx, call, path)
	switch {
	case err != nil:
		return "", err
	case remote != nil && ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.Is(remote, outbound.ErrTooLarge):
		return "", &listFault{fmt.Sprintf("A page of the feed is larger than %d bytes", maxPageBytes), remote}
	case remote != nil:
		return "", &listFault{strings.Replace(ownerMessage(remote), "File", "The feed", 1), remote}
	}
	file, err := os.Open(path) //nolint:gosec // the name is an id
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	slot := s.newSlot()
	defer slot.release()
	if err := slot.acquire(ctx); err != nil {
		return "", err
	}
	return s.importResults(ctx, imp, page, &slotReader{file, ctx, slot})
}

// nextPage returns the absolute address of the page that follows the page at address. next is the property of that name
// of the present page; if it is nil or empty, that page is the last one, and nextPage returns "". The next page must be
// on the host of the feed, because the key is sent to it.
func nextPage(address string, next *string) (string, error) {
	if next == nil || *next == "" {
		return "", nil
	}
	from, err := url.Parse(address)
	if err != nil {
		return "", outbound.Redact(err)
	}
	if len(*next) > maxNextLength {
		return "", &listFault{fmt.Sprintf("The address of the feed's next page is longer than %d characters", maxNextLength), nil}
	}
	to, err := from.Parse(*next)
	if err != nil || to.Scheme != from.Scheme || to.Host != from.Host {
		return "", &listFault{"The feed's next page is not on the feed's own host", outbound.Redact(err)}
	}
	return to.String(), nil
}

// importResults imports the results of a page, one chunk per transaction, and returns the address of the next page, or
// "" after the last one. Every chunk writes its rows. The counts and the position of the import are stored only with
// the last one, so that a page that was interrupted is read and counted again from its start.
func (s *Service) importResults(
	ctx context.Context, imp *importRow, current feedPage, body *slotReader,
) (address string, err error) {
	p, err := newResultReader(body)
	if err != nil {
		return "", pageFault(ctx, err)
	}
	counted := *imp // a copy, for the counts of the chunks so far
	for last := false; !last; {
		var rows []row
		var bad []RowError
		if rows, bad, last, err = p.readChunk(&counted); err != nil {
			return "", pageFault(ctx, err)
		}
		if last {
			if address, err = nextPage(current.address, p.next); err != nil {
				return "", err
			}
		}
		if counted.Read > MaxRows {
			return "", &listFault{fmt.Sprintf("The feed has more than %d results", MaxRows), nil}
		}
		if !last && len(rows) == 0 { // nothing to insert: the errors are stored with a later chunk
			counted.addErrors(bad)
			continue
		}
		var stored importRow // counted, with this chunk
		err := imp.lease.Extend(ctx, func(tx *store.Tx) error {
			stored = counted // also in a further attempt of the transaction
			err := stored.storeRows(ctx, tx, rows, bad)
			imp.HoldsRows = stored.HoldsRows
			if last {
				imp.Read, imp.Skipped, imp.Added, imp.Errors = stored.Read, stored.Skipped, stored.Added, stored.Errors
				imp.Position = fmt.Sprintf("%d %s", current.number+1, address)
			}
			return err
		})
		if err != nil {
			return "", err
		}
		counted = stored
	}
	return address, nil
}

// pageFault returns the error with which an import of a page ends: the cause of the context if it was cancelled, else a
// fault of the page.
func pageFault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return &listFault{"The feed did not answer with {next, results}", err}
}

// readChunk reads at most chunkRows results and counts them in imp. It returns good rows, and errors for the others.
// last is true at the end of the page, and with an error.
func (p *resultReader) readChunk(imp *importRow) (rows []row, bad []RowError, last bool, err error) {
	for range chunkRows {
		r, more, err := p.nextResult()
		if err != nil || !more {
			return rows, bad, true, err
		}
		imp.Read++
		good, problem := r.row(imp.Read)
		if problem != "" {
			bad = append(bad, RowError{imp.Read, problem})
			continue
		}
		rows = append(rows, good)
	}
	return rows, bad, false, nil
}
