package lists

import (
	"context"
	"errors"
	"fmt"
	"io"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/csvfile"
)

// Head is a preview of a file before it is used as a list.
type Head struct {
	Header  bool       // the first row is a header with a column of the list
	Problem string     // the first problem, or doubt, in the first rows, with its line; "": none
	Rows    [][]string // the first rows after the header, at most five
}

const (
	maxHeadRows  = 2000 // rows that are read
	maxShownRows = 5
)

// confusableLists maps a kind to another kind of list that a rule may have, whose header would show a mix-up.
var confusableLists = map[Kind]Kind{KindAllotment: KindCodes, KindCodes: KindAllotment, KindRewards: KindAllotment}

// ReadHead previews the beginning of a file as a list of the kind, and rewinds the file. It returns Invalid with the
// reason why an import would fail, or with the name of another list that the file looks like.
func (s *Service) ReadHead(ctx context.Context, scope laurel.Scope, kind Kind, file io.ReadSeeker) (Head, error) {
	head, check, err := readHead(kind.form(), file)
	if err == nil {
		err = s.checkHead(ctx, scope, &head, check)
	}
	var fault *listFault
	if errors.As(err, &fault) {
		err = laurel.Errorf(laurel.Invalid, "%s", fault.message)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	return head, err
}

// headCheck holds the rows that readHead has read.
type headCheck struct {
	goodRows      []row
	badRows       []RowError
	doubtfulCodes []RowError // good rows among the shown ones that look like headers or totals
	lastShownLine int64      // the line of the last row that is shown
}

// readHead reads at most maxHeadRows rows from the start of a file. head gets the first maxShownRows of them, and check
// what checkHead needs about all of them.
func readHead(f form, file io.ReadSeeker) (head Head, check headCheck, err error) {
	l, err := detectLayout(file, f)
	if err != nil {
		return head, check, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return head, check, err
	}
	head.Header = l.hasHeader
	rows := csvfile.NewReader(file, l.dialect)
	for i := range maxHeadRows {
		record, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return head, check, err
		}
		if i == 0 {
			if fault := f.checkFirstRow(record, l); fault != nil {
				return head, check, fault
			}
			if l.hasHeader {
				continue
			}
		}
		if len(head.Rows) < maxShownRows && record.Fault == "" {
			head.Rows, check.lastShownLine = append(head.Rows, append([]string(nil), record.Fields...)), record.Line
		}
		check.add(l, record, i <= maxShownRows)
	}
	return head, check, nil
}

// add adds a record of the file to the good or to the bad rows. isShown says whether people see it in the preview.
func (c *headCheck) add(l layout, record csvfile.Record, isShown bool) {
	good, problem := l.row(record)
	if problem != "" {
		c.badRows = append(c.badRows, RowError{record.Line, problem})
		return
	}
	c.goodRows = append(c.goodRows, good)
	// Codes and tokens are imported whatever they look like. The preview alone warns of those that look wrong.
	if doubt := memberDoubt(good.key); l.form.doubt == nil && isShown && doubt != "" {
		c.doubtfulCodes = append(c.doubtfulCodes, RowError{record.Line, doubt})
	}
}

// checkHead sets the first problem of the shown rows on head. It returns a fault if no row is good.
func (s *Service) checkHead(ctx context.Context, scope laurel.Scope, head *Head, check headCheck) error {
	doubts, err := findDoubts(ctx, s.db, scope, check.goodRows)
	if err != nil {
		return err
	}
	bad := check.badRows
	for line, doubt := range doubts {
		bad = append(bad, RowError{line, doubt})
	}
	sortByLine(bad)
	if len(bad) > 0 && len(doubts) == len(check.goodRows) { // all good rows are doubted
		return &listFault{"File has no good row: " + bad[0].text(), nil}
	}
	bad = append(bad, check.doubtfulCodes...)
	sortByLine(bad)
	if len(bad) > 0 && bad[0].Line <= check.lastShownLine {
		head.Problem = bad[0].text()
	}
	return nil
}

func (e RowError) text() string { return fmt.Sprintf("line %d: %s", e.Line, e.Message) }

// checkFirstRow returns a fault if the first row is not text. It also returns one if the row is not the header of this
// list, but that of another list that people may confuse with it.
func (f form) checkFirstRow(record csvfile.Record, l layout) error {
	if record.Fault == csvfile.FaultText {
		return &listFault{"File is no text in UTF-8", nil}
	}
	if l.hasHeader {
		return nil
	}
	for kind, other := range confusableLists {
		if forms[kind].columns[0] != f.columns[0] {
			continue // not the kind of list that is expected
		}
		for _, field := range record.Fields {
			if csvfile.IsColumn(field, forms[other].columns[0]) {
				return &listFault{"File has the column " + forms[other].columns[0] + " of another list, and no column " +
					f.columns[0], nil}
			}
		}
	}
	return nil
}
