package dashboard

import (
	"io"
	"net/url"
	"time"

	"laurel"
	"laurel/internal/csvfile"
	"laurel/internal/points/lots"
)

// sheet is a list as a file of comma-separated values.
type sheet struct {
	name    string   // of the file
	columns []string // what the columns are called
	read    func(page laurel.PageRequest) (sheetPart, error)
}

// sheetPart is a piece of a list, in cells.
type sheetPart struct {
	rows    [][]string
	hasMore bool
	lastID  laurel.ID // of the piece's last item
}

// exportPageSize is how many items a file reads at a time.
const exportPageSize = 500

// exportCSV sends a list as a file, piece by piece. The first piece is read before anything is sent: what is refused,
// such as a filter that is no id, is a page and no broken file.
func (c *request) exportCSV(s sheet) (view, error) {
	page := laurel.PageRequest{Limit: exportPageSize}
	piece, err := s.read(page)
	if err != nil {
		return view{}, err
	}
	stream := func(w io.Writer) error {
		out := csvfile.NewWriter(w)
		if err := out.Write(s.columns...); err != nil {
			return err
		}
		for {
			for _, row := range piece.rows {
				if err := out.Write(row...); err != nil {
					return err
				}
			}
			if err := out.Flush(); err != nil || !piece.hasMore {
				return err
			}
			page.StartingAfter = piece.lastID
			if piece, err = s.read(page); err != nil {
				return err
			}
		}
	}
	return view{fileName: s.name, contentType: csvfile.ContentType, stream: stream}, nil
}

// pagedRows makes of a list of a service what a sheet reads. rows writes the cells of what one read found.
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

// cellsOfEach makes of cells for one item those of many.
func cellsOfEach[T any](one func(T) []string) func([]T) ([][]string, error) {
	return func(list []T) ([][]string, error) {
		out := make([][]string, len(list))
		for i, item := range list {
			out[i] = one(item)
		}
		return out, nil
	}
}

// timeCell writes a time into a cell; nothing where there is none.
func timeCell(t any) string {
	at, ok := timeOf(t)
	if !ok {
		return ""
	}
	return at.UTC().Format(time.RFC3339Nano)
}

// microsCell writes a time that is kept in microseconds.
func microsCell(micros *int64) string { return timeCell(lots.Moment(micros)) }

// idCell writes an id into a cell; nothing for none.
func idCell(id laurel.ID) string {
	if id.IsZero() {
		return ""
	}
	return id.String()
}

// textCell writes a text that may be absent.
func textCell(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// Export is the address of the list of this page as a file, with the filters of the page.
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
