package web

import (
	"io"
	"net/url"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/csvfile"
)

// SheetPart is a page of a list as rows of cells.
type SheetPart struct {
	Rows    [][]string
	HasMore bool
	LastID  laurel.ID // of the part's last item
}

// ExportPageSize is how many items an export reads at a time.
const ExportPageSize = 500

// ExportCSV returns a view that streams a list as CSV: a file of that name, with a heading for each column. read
// returns a page of the list; it is asked for ExportPageSize records at a time. The first of them are read before
// anything is sent, so that a refusal, such as of an invalid filter, is shown as a page.
func ExportCSV(
	fileName string,
	columns []string,
	read func(page laurel.PageRequest) (SheetPart, error),
) (View, error) {
	page := laurel.PageRequest{Limit: ExportPageSize}
	part, err := read(page)
	if err != nil {
		return View{}, err
	}
	stream := func(w io.Writer) error {
		out := csvfile.NewWriter(w)
		if err := out.Write(columns...); err != nil {
			return err
		}
		for {
			for _, row := range part.Rows {
				if err := out.Write(row...); err != nil {
					return err
				}
			}
			if err := out.Flush(); err != nil || !part.HasMore {
				return err
			}
			page.StartingAfter = part.LastID
			if part, err = read(page); err != nil {
				return err
			}
		}
	}
	return View{FileName: fileName, ContentType: csvfile.ContentType, Stream: stream}, nil
}

// PagedRows returns the read function of ExportCSV: it lists a page of records and turns them into rows of cells. id
// returns the id of a record, after which the next page begins.
func PagedRows[T any](
	list func(laurel.PageRequest) (laurel.Page[T], error),
	id func(T) laurel.ID,
	rows func([]T) ([][]string, error),
) func(laurel.PageRequest) (SheetPart, error) {
	return func(page laurel.PageRequest) (SheetPart, error) {
		found, err := list(page)
		if err != nil {
			return SheetPart{}, err
		}
		out, err := rows(found.Data)
		return SheetPart{out, found.HasNextPage, LastID(found, id)}, err
	}
}

// CellsOfEach turns a function that writes the cells of one record into one that writes those of a list of records.
func CellsOfEach[T any](cells func(T) []string) func([]T) ([][]string, error) {
	return func(list []T) ([][]string, error) {
		out := make([][]string, len(list))
		for i, item := range list {
			out[i] = cells(item)
		}
		return out, nil
	}
}

// TimeCell writes a time as a CSV cell; empty if there is none.
func TimeCell(t any) string {
	at, ok := TimeOf(t)
	if !ok {
		return ""
	}
	return at.UTC().Format(time.RFC3339Nano)
}

// MicrosCell writes a time in microseconds as a CSV cell.
func MicrosCell(micros *int64) string {
	if micros == nil {
		return ""
	}
	return TimeCell(time.UnixMicro(*micros))
}

// IdCell writes an id as a CSV cell; empty if it is zero.
func IdCell(id laurel.ID) string {
	if id.IsZero() {
		return ""
	}
	return id.String()
}

// TextCell writes a text; empty if it is nil.
func TextCell(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// Export returns the address that exports this page's list as CSV, with the filters of the page. The place in the list
// and the days of its chart are no filters. parts are the path below the website.
func (s Screen) Export(parts ...any) string {
	query := url.Values{}
	for name, values := range s.URL.Query() {
		if name != "startingAfter" && name != "days" {
			query[name] = values
		}
	}
	if len(query) == 0 {
		return s.SitePath(parts...)
	}
	return s.SitePath(parts...) + "?" + query.Encode()
}

// TimestampCell writes a time as a CSV cell; empty if it is nil.
func TimestampCell(t *laurel.Timestamp) string {
	if t == nil {
		return ""
	}
	return TimeCell(t.Time)
}

// CellRows returns a row of cells for each item. cells writes those of one item.
func CellRows[T any](list []T, cells func(T) []string) [][]string {
	out := make([][]string, len(list))
	for i, item := range list {
		out[i] = cells(item)
	}
	return out
}
