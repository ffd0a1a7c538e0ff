package lists

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/csvfile"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/rules/codes"
	"laurel.example/laurel/internal/store"
)

// row is a good row of a list: its key, and an amount.
type row struct {
	line   int64
	key    string
	amount *laurel.Amount
	doubt  string // why the key looks like no member; the row is bad unless a member has this key
}

// form describes the rows of a kind of list: their columns, how a key is checked, and where they are stored.
type form struct {
	columns []string // the first holds the key
	needed  int      // how many of the columns, from the first on, must be there
	// needsHeader says that the file names its columns in its first row, and that the columns hold texts: amounts are
	// converted by RowFile.Decimal.
	needsHeader bool
	key         func(string) (string, string) // returns the normalized key, or what is wrong with the text
	// doubt returns why a key looks like no member; nil: no key is doubted.
	doubt func(key string) string
	// headerProblem returns why the first row is a header although it names no column; nil: it never is one.
	headerProblem func(key string) string
	// store writes rows and returns how many are new, and those whose key another line of the list has.
	store func(ctx context.Context, tx *store.Tx, imp *importRow, rows []row) (added int, duplicates []row, err error)
}

var forms = map[Kind]form{
	KindAllotment: {columns: []string{"walletAddress", "amount"}, needed: 1, key: wallet, doubt: memberDoubt, store: storeAllotments},
	KindCodes:     {columns: []string{"code"}, needed: 1, key: codeText, headerProblem: codeHeaderProblem, store: storeCodes},
	// the same columns as Allotment, so that one file may serve both
	KindCondition: {columns: []string{"walletAddress", "amount"}, needed: 1, key: wallet, doubt: memberDoubt, store: storeAllotments},
	KindRewards:   {columns: []string{"tokenId", "reward"}, needed: 2, key: tokenID, store: storeRewards},
}

const (
	maxCode  = 255 // characters
	maxToken = 78  // digits of the largest 256-bit number; only leading zeros make a form of it longer
)

// wallet normalizes a wallet or id.
func wallet(text string) (key, problem string) {
	return identity.NormalizeWallet(text), laurel.IdentifierProblem(text)
}

// codeText checks the text of a code.
func codeText(text string) (key, problem string) { return text, laurel.NameProblem(text, maxCode) }

// tokenID returns the decimal form of a token's number. problem is "", or says what is wrong with the text. It checks
// the length first, because the time to parse a number grows with the square of its length.
func tokenID(text string) (key, problem string) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "+")
	n, ok := new(big.Int), false
	switch {
	case len(text) > maxToken: // ok stays false
	case strings.TrimLeft(text, "0123456789") == "": // decimal even with a leading 0, which Go reads as octal
		n, ok = n.SetString(text, 10)
	case !strings.Contains(text, "_"):
		n, ok = n.SetString(text, 0)
	}
	if !ok || n.Sign() < 0 || n.BitLen() > 256 {
		return "", "must be a whole number of at most 256 bits"
	}
	return n.String(), ""
}

// layout describes a file: its dialect, its header, and the field that holds each column of the form, -1 if none does.
type layout struct {
	form          form
	dialect       csvfile.Dialect
	fieldOfColumn []int
	width         int // the most fields of a row
	hasHeader     bool
	firstLine     int64    // the line of the first row or header
	ignored       []string // columns of the header that the form does not have, if it needs a header
}

// layoutOf returns the layout of a file by its first row: a header if a field is the name of a column; otherwise the
// fields are the columns in their order. It returns a fault if the header misses a required column.
func (f form) layoutOf(first csvfile.Record) (layout, error) {
	l := layout{form: f, fieldOfColumn: make([]int, len(f.columns)), firstLine: first.Line}
	found := 0
	for i, column := range f.columns {
		l.fieldOfColumn[i] = -1
		for at, field := range first.Fields {
			if csvfile.IsColumn(field, column) {
				l.fieldOfColumn[i] = at
				found++
			}
		}
	}
	if f.needsHeader {
		err := l.setHeader(first)
		return l, err
	}
	if found == 0 {
		for i := range l.fieldOfColumn {
			l.fieldOfColumn[i] = i
		}
		l.width = len(l.fieldOfColumn)
		return l, nil
	}
	l.hasHeader, l.width = true, len(first.Fields)
	for i, column := range f.columns[:f.needed] {
		if l.fieldOfColumn[i] < 0 {
			return l, &listFault{fmt.Sprintf("File has no column %s", column), nil}
		}
	}
	return l, nil
}

// setHeader takes the first row of a file for the header that its form needs. It returns a fault if the header lacks a
// required column or has a column twice.
func (l *layout) setHeader(first csvfile.Record) error {
	l.hasHeader, l.width = true, len(first.Fields)
	for i, column := range l.form.columns[:l.form.needed] {
		if l.fieldOfColumn[i] < 0 {
			return &listFault{fmt.Sprintf("File has no header with the column %s", column), nil}
		}
	}
	for at, field := range first.Fields {
		i := slices.IndexFunc(l.form.columns, func(column string) bool { return csvfile.IsColumn(field, column) })
		switch {
		case i >= 0 && l.fieldOfColumn[i] != at:
			return &listFault{fmt.Sprintf("File has the column %s twice", l.form.columns[i]), nil}
		case i < 0 && strings.TrimSpace(field) != "":
			l.ignored = append(l.ignored, strings.TrimSpace(field))
		}
	}
	return nil
}

// row parses a record of the file. problem says what is wrong with a bad one; "" if it is good. The first row is bad,
// too, if it is a header that names none of the columns.
func (l layout) row(r csvfile.Record) (out row, problem string) {
	texts, problem := l.texts(r)
	if problem != "" {
		return row{line: r.Line}, problem
	}
	out, problem = l.form.row(r.Line, texts)
	if problem == "" && r.Line == l.firstLine && l.form.headerProblem != nil {
		problem = l.form.headerProblem(out.key)
	}
	return out, problem
}

// texts returns the text of each column of a record, "" for a column that it does not have, or what is wrong with the
// record. The first column holds a key and is taken as it is. The others hold amounts, which are converted to the
// decimal form of Go, or the texts of a form that needs a header.
func (l layout) texts(r csvfile.Record) (texts []string, problem string) {
	if r.Fault != "" {
		return nil, r.Fault
	}
	if len(r.Fields) > l.width && strings.TrimSpace(strings.Join(r.Fields[l.width:], "")) != "" {
		return nil, fmt.Sprintf("the row has %d fields and may have %d", len(r.Fields), l.width)
	}
	texts = make([]string, len(l.fieldOfColumn))
	for i, at := range l.fieldOfColumn {
		if at < 0 || at >= len(r.Fields) {
			continue
		}
		texts[i] = csvfile.Unguard(r.Fields[at])
		if i > 0 {
			texts[i] = strings.TrimSpace(texts[i])
		}
		if i > 0 && !l.form.needsHeader {
			texts[i] = l.dialect.Decimal(texts[i])
		}
	}
	return texts, ""
}

// missingColumn returns the fault for the first required column that is empty, or "".
func (f form) missingColumn(texts []string) (problem string) {
	for i, column := range f.columns[:f.needed] {
		if strings.TrimSpace(texts[i]) == "" {
			return column + " is required"
		}
	}
	return ""
}

// row makes a row from the texts of the columns, or returns what is wrong with them.
func (f form) row(line int64, texts []string) (out row, problem string) {
	out.line = line
	if problem = f.missingColumn(texts); problem != "" {
		return out, problem
	}
	if out.key, problem = f.key(texts[0]); problem != "" {
		return out, f.columns[0] + " " + problem
	}
	if f.doubt != nil {
		out.doubt = f.doubt(out.key)
	}
	if len(texts) == 1 || texts[1] == "" {
		return out, ""
	}
	amount, err := laurel.ParseAmount(texts[1])
	if err != nil {
		return out, f.columns[1] + " " + err.Error()
	}
	if amount < 0 {
		return out, f.columns[1] + " must be at least 0"
	}
	out.amount = &amount
	return out, ""
}

// addErrors counts bad rows as skipped and adds their errors to those of the import, which has at most maxErrors.
func (r *importRow) addErrors(errs []RowError) {
	r.Skipped += int64(len(errs))
	noted := r.errors()
	if room := maxErrors - len(noted); room > 0 && len(errs) > 0 {
		r.Errors = string(store.JSON(append(noted, errs[:min(room, len(errs))]...)))
	}
}

// storeRows writes a chunk of an import: rows, and the errors of its bad rows. It counts all of them as added or
// skipped. Rows with a doubtful key are bad unless a member has the key. Rows whose key is in the list already are
// skipped with an error; but codes that the rule has already are skipped without one, as the same file may be read
// twice.
func (r *importRow) storeRows(ctx context.Context, tx *store.Tx, rows []row, bad []RowError) error {
	f := r.Kind.form()
	rows, doubtful, err := r.splitDoubtful(ctx, tx, rows)
	if err != nil {
		return err
	}
	bad = slices.Concat(bad, doubtful)
	added, duplicates, err := f.store(ctx, tx, r, rows)
	if err != nil {
		return err
	}
	for _, duplicate := range duplicates {
		bad = append(bad, RowError{duplicate.line, fmt.Sprintf("%s stands in the list already", f.columns[0])})
	}
	sortByLine(bad)
	r.Added += int64(added)
	r.Skipped += int64(len(rows) - added - len(duplicates))
	r.addErrors(bad)
	return nil
}

// storeCodes adds codes to the rule and returns how many are new. Codes that exist already are not returned as
// duplicates.
func storeCodes(ctx context.Context, tx *store.Tx, imp *importRow, rows []row) (int, []row, error) {
	texts := make([]string, len(rows))
	for i, r := range rows {
		texts[i] = r.key
	}
	n, err := codes.Add(ctx, tx, imp.scope(), imp.OwnerID, texts)
	return n, nil, err
}
