package lists

import (
	"errors"
	"io"
	"strings"
	"unicode"

	"laurel"
	"laurel/internal/csvfile"
)

// Head is what the beginning of a file shows before it becomes a list.
type Head struct {
	Header bool       // the first row names a column of the list
	Odd    bool       // some of the first rows do not look like identifiers
	Rows   [][]string // the first ones behind the header, at most five
}

const (
	headRows  = 2000 // that are read
	headShown = 5
)

// siblings are the kinds whose headers stand for another list of the same rule.
var siblings = map[Kind]Kind{Allotment: Codes, Codes: Allotment, Rewards: Allotment}

// ReadHead reads the beginning of a file as an import of the kind would, and stands at its beginning afterwards.
// Errors: Invalid, with why an import of it would fail, or why it is another list.
func ReadHead(kind Kind, file io.ReadSeeker) (Head, error) {
	head, err := readHead(kind.form(), file)
	var fault *listFault
	if errors.As(err, &fault) {
		err = laurel.Errorf(laurel.Invalid, "%s", fault.message)
	}
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	return head, err
}

func readHead(f form, file io.ReadSeeker) (Head, error) {
	l, err := layoutIn(file, f)
	if err != nil {
		return Head{}, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return Head{}, err
	}
	out, good, why := Head{Header: l.header}, 0, ""
	rows := csvfile.NewReader(file, l.dialect)
	for n := range headRows {
		record, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return out, err
		}
		if n == 0 {
			if fault := f.first(record, l); fault != nil {
				return out, fault
			}
			if l.header {
				continue
			}
		}
		if len(out.Rows) < headShown && record.Fault == "" {
			out.Rows = append(out.Rows, append([]string(nil), record.Fields...))
		}
		read, problem := l.row(record)
		switch {
		case problem == "":
			good++
			out.Odd = out.Odd || n <= headShown && !plausible(read.key)
		case why == "":
			why = problem
		}
	}
	if good == 0 && why != "" {
		return out, &listFault{"File has no good row: " + why, nil}
	}
	return out, nil
}

// first tells of a first row that is no text, or the header of another list.
func (f form) first(record csvfile.Record, l layout) error {
	if record.Fault == csvfile.FaultText {
		return &listFault{"File is no text in UTF-8", nil}
	}
	if l.header {
		return nil
	}
	for kind, other := range siblings {
		if forms[kind].columns[0] != f.columns[0] {
			continue
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

// plausible reports whether a text may be a wallet, a code or a token: one word of letters, digits and signs.
func plausible(key string) bool {
	return !strings.ContainsFunc(key, func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r) || r == '<' || r == '{'
	})
}
