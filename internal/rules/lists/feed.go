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

	"laurel/internal/outbound"
	"laurel/internal/store"
	"laurel/internal/worker"
)

// The limits of a feed (contract 5.14).
const (
	maxPages   = 1000
	maxNext    = 8 << 10
	feedWithin = 15 * time.Minute // of one page
	pageBytes  = 8 << 20
	feedQuiet  = time.Minute // without a byte of a page
)

// place is a page of a feed.
type place struct {
	number  int
	address string
	key     string // that the feed is shown
}

// carryFeed imports a feed page by page. Its position is the number and the address of the next page; it moves when the
// page is written whole, so a page that was interrupted is asked for again and its rows meet themselves.
func (s *Service) carryFeed(ctx context.Context, imp *importRow) error {
	sealed, err := apiKeyOf(ctx, s.db, imp)
	if store.NoRows(err) {
		return worker.ErrLost // the rule names the feed no more
	}
	if err != nil {
		return err
	}
	key, err := s.vault.Reveal(sealed)
	if err != nil {
		return err
	}
	at := place{1, strings.TrimPrefix(imp.URL, feedMark), key}
	if imp.Position != "" {
		text, rest, _ := strings.Cut(imp.Position, " ")
		at.number, _ = strconv.Atoi(text) // this package wrote it
		at.address = rest
	}
	for ; at.address != ""; at.number++ {
		if at.number > maxPages {
			return &listFault{fmt.Sprintf("The feed has more than %d pages", maxPages), nil}
		}
		if at.address, err = s.carryPage(ctx, imp, at); err != nil {
			return err
		}
	}
	total := imp.Read
	imp.Total = &total
	return s.finish(ctx, imp, func() {})
}

// carryPage copies a page to the disk, writes its results, and returns the address of the next one.
func (s *Service) carryPage(ctx context.Context, imp *importRow, at place) (next string, err error) {
	path := filepath.Join(s.folder, fmt.Sprintf("%s-%d.page", imp.ID, imp.Attempts))
	defer func() { _ = os.Remove(path) }()
	call := outbound.Call{
		URL:    at.address,
		Within: feedWithin,
		Quiet:  feedQuiet,
		Limit:  pageBytes,
		Tries:  tries,
		Pause:  pause,
		For:    imp.WebsiteID.String(),
		Header: map[string]string{"Accept": "application/json"},
	}
	if at.key != "" {
		call.Header["x-api-key"] = at.key
	}
	remote, err := s.download(ctx, call, path)
	switch {
	case err != nil:
		return "", err
	case remote != nil && ctx.Err() != nil:
		return "", context.Cause(ctx)
	case errors.Is(remote, outbound.ErrTooLarge):
		return "", &listFault{fmt.Sprintf("A page of the feed is larger than %d bytes", pageBytes), remote}
	case remote != nil:
		return "", &listFault{strings.Replace(unreadable(remote), "File", "The feed", 1), remote}
	}
	file, err := os.Open(path) //nolint:gosec // the name is an id
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }()
	work := s.shift()
	defer work.end()
	if err := work.begin(ctx); err != nil {
		return "", err
	}
	return s.writePage(ctx, imp, at, &paced{file, ctx, work})
}

// nextPage returns the address of the next page, or "". It stays on the feed's own host, which alone is shown the key.
func nextPage(address string, next *string) (string, error) {
	if next == nil || *next == "" {
		return "", nil
	}
	from, err := url.Parse(address)
	if err != nil {
		return "", outbound.Redact(err)
	}
	if len(*next) > maxNext {
		return "", &listFault{fmt.Sprintf("The address of the feed's next page is longer than %d characters", maxNext), nil}
	}
	to, err := from.Parse(*next)
	if err != nil || to.Scheme != from.Scheme || to.Host != from.Host {
		return "", &listFault{"The feed's next page is not on the feed's own host", outbound.Redact(err)}
	}
	return to.String(), nil
}

// writePage writes the results of a page, a chunk per transaction, and returns the address of the next page. How far
// the import has come is told with the last of them.
func (s *Service) writePage(ctx context.Context, imp *importRow, at place, body *paced) (address string, err error) {
	p, err := newPage(body)
	if err != nil {
		return "", notPage(ctx, err)
	}
	whole := *imp // with what the chunks so far count; an interrupted page is counted anew
	for last := false; !last; {
		var rows []row
		var bad []RowError
		if rows, bad, last, err = p.gather(&whole); err != nil {
			return "", notPage(ctx, err)
		}
		if last {
			if address, err = nextPage(at.address, p.next); err != nil {
				return "", err
			}
		}
		if whole.Read > MaxRows {
			return "", &listFault{fmt.Sprintf("The feed has more than %d results", MaxRows), nil}
		}
		if !last && len(rows) == 0 {
			whole.note(bad)
			continue
		}
		var sum importRow
		err := imp.held.Keep(ctx, func(tx *store.Tx) error {
			sum = whole
			err := sum.keep(ctx, tx, rows, bad)
			imp.HoldsRows = sum.HoldsRows
			if last {
				imp.Read, imp.Skipped, imp.Kept, imp.Errors = sum.Read, sum.Skipped, sum.Kept, sum.Errors
				imp.Position = fmt.Sprintf("%d %s", at.number+1, address)
			}
			return err
		})
		if err != nil {
			return "", err
		}
		whole = sum
	}
	return address, nil
}

// notPage tells what ends the reading of a page: the page itself, unless the work was ended.
func notPage(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return &listFault{"The feed did not answer with {next, results}", err}
}

// gather reads up to a chunk of results, good and bad, and counts them as read.
func (p *page) gather(imp *importRow) (rows []row, bad []RowError, last bool, err error) {
	for range chunk {
		r, more, err := p.read()
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
