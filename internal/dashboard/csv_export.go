package dashboard

import (
	"io"
	"net/url"
	"time"

	"laurel"
	"laurel/internal/csvfile"
	"laurel/internal/points/lots"
)

// sheetPart is a page of a list as rows of cells.
type sheetPart struct {
	rows    [][]string
	hasMore bool
	lastID  laurel.ID // of the part's last item
}

// exportPageSize is how many items an export reads at a time.
const exportPageSize = 500

// exportCSV returns a view that streams a list as CSV: a file of that name, with a heading for each column. read
// returns a page of the list; it is asked for exportPageSize records at a time. The first of them are read before
// anything is sent, so that a refusal, such as of an invalid filter, is shown as a page.
func exportCSV(
	fileName string,
	columns []string,
	read func(page laurel.PageRequest) (sheetPart, error),
) (view, error) {
	page := laurel.PageRequest{Limit: exportPageSize}
	part, err := read(page)
	if err != nil {
		return view{}, err
	}
	stream := func(w io.Writer) error {
		out := csvfile.NewWriter(w)
		if err := out.Write(columns...); err != nil {
			return err
		}
		for {
			for _, row := range part.rows {
				if err := out.Write(row...); err != nil {
					return err
				}
			}
			if err := out.Flush(); err != nil || !part.hasMore {
				return err
			}
			page.StartingAfter = part.lastID
			if part, err = read(page); err != nil {
				return err
			}
		}
	}
	return view{fileName: fileName, contentType: csvfile.ContentType, stream: stream}, nil
}

// pagedRows returns the read function of exportCSV: it lists a page of records and turns them into rows of cells. id
// returns the id of a record, after which the next page begins.
func pagedRows[T any](
	list func(laurel.PageRequest) (laurel.Page[T], error),
	id func(T) laurel.ID,
	rows func([]T) ([][]string, error),
) func(laurel.PageRequest) (sheetPart, error) {
	return func(page laurel.PageRequest) (sheetPart, error) {
		found, err := list(page)
		if err != nil {
			return sheetPart{}, err
		}
		out, err := rows(found.Data)
		return sheetPart{out, found.HasNextPage, lastID(found, id)}, err
	}
}

// cellsOfEach turns a function that writes the cells of one record into one that writes those of a list of records.
func cellsOfEach[T any](cells func(T) []string) func([]T) ([][]string, error) {
	return func(list []T) ([][]string, error) {
		out := make([][]string, len(list))
		for i, item := range list {
			out[i] = cells(item)
		}
		return out, nil
	}
}

// timeCell writes a time as a CSV cell; empty if there is none.
func timeCell(t any) string {
	at, ok := timeOf(t)
	if !ok {
		return ""
	}
	return at.UTC().Format(time.RFC3339Nano)
}

// microsCell writes a time in microseconds as a CSV cell.
func microsCell(micros *int64) string { return timeCell(lots.TimeOrZero(micros)) }

// idCell writes an id as a CSV cell; empty if it is zero.
func idCell(id laurel.ID) string {
	if id.IsZero() {
		return ""
	}
	return id.String()
}

// textCell writes a text; empty if it is nil.
func textCell(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// Export returns the address that exports this page's list as CSV, with the filters of the page. The place in the list
// and the days of its chart are no filters. parts are the path below the website.
func (s screen) Export(parts ...any) string {
	query := url.Values{}
	for name, values := range s.URL.Query() {
		if name != "startingAfter" && name != "days" {
			query[name] = values
		}
	}
	if len(query) == 0 {
		return s.sitePath(parts...)
	}
	return s.sitePath(parts...) + "?" + query.Encode()
}
