package lists

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"laurel"
	"laurel/internal/csvfile"
	"laurel/internal/identity"
	"laurel/internal/rules/codes"
	"laurel/internal/store"
)

// row is a row of a list: whose or what it is, and how much.
type row struct {
	line   int64
	key    string
	amount *laurel.Amount
	doubt  string // why the key looks like no name; it is a bad row unless a member has it
}

// form says what the rows of a kind are and where they are kept.
type form struct {
	columns []string // the first is needed
	needed  int      // how many of the columns are
	key     func(string) (string, string)
	doubt   func(key string) string // tells why a key looks like no name; nil: all do
	heading func(key string) string // tells why the first row, which names no column, is a header nevertheless; or nil
	keep    func(ctx context.Context, tx *store.Tx, imp *importRow, rows []row) (kept int, twice []row, err error)
}

var forms = map[Kind]form{
	Allotment: {columns: []string{"walletAddress", "amount"}, needed: 1, key: wallet, doubt: noMember, keep: keepAllotments},
	Codes:     {columns: []string{"code"}, needed: 1, key: codeText, heading: noCode, keep: keepCodes},
	// the same files may serve
	Condition: {columns: []string{"walletAddress", "amount"}, needed: 1, key: wallet, doubt: noMember, keep: keepAllotments},
	Rewards:   {columns: []string{"tokenId", "reward"}, needed: 2, key: tokenID, keep: keepRewards},
}

const (
	maxCode  = 255 // characters
	maxToken = 78  // digits of the largest 256-bit number: no form of it is longer but by zeros before it
)

func wallet(text string) (key, problem string) {
	return identity.NormalizeWallet(text), laurel.IdentifierProblem(text)
}

func codeText(text string) (key, problem string) { return text, laurel.NameProblem(text, maxCode) }

// tokenID brings a number to its one decimal form. How long it is is looked at first: reading a long number takes the
// square of its length.
func tokenID(text string) (key, problem string) {
	text = strings.TrimPrefix(strings.TrimSpace(text), "+")
	n, ok := new(big.Int), false
	switch {
	case len(text) > maxToken:
	case strings.TrimLeft(text, "0123456789") == "": // a leading 0 is no sign of another base
		n, ok = n.SetString(text, 10)
	case !strings.Contains(text, "_"):
		n, ok = n.SetString(text, 0)
	}
	if !ok || n.Sign() < 0 || n.BitLen() > 256 {
		return "", "must be a whole number of at most 256 bits"
	}
	return n.String(), ""
}

// layout says in which field each column of a form stands, -1: in none.
type layout struct {
	form    form
	dialect csvfile.Dialect
	at      []int
	width   int // how many fields a row has at most
	header  bool
	first   int64 // the line of the first row or header
}

// layoutOf reads the first row: a header where it names a column of the form, else the first row of the list.
func (f form) layoutOf(first csvfile.Record) (layout, error) {
	l := layout{form: f, at: make([]int, len(f.columns)), first: first.Line}
	found := 0
	for i, column := range f.columns {
		l.at[i] = -1
		for at, field := range first.Fields {
			if csvfile.IsColumn(field, column) {
				l.at[i] = at
				found++
			}
		}
	}
	if found == 0 {
		for i := range l.at {
			l.at[i] = i
		}
		l.width = len(l.at)
		return l, nil
	}
	l.header, l.width = true, len(first.Fields)
	for i, column := range f.columns[:f.needed] {
		if l.at[i] < 0 {
			return l, &listFault{fmt.Sprintf("File has no column %s", column), nil}
		}
	}
	return l, nil
}

// row reads a record, or tells what is wrong with it.
func (l layout) row(r csvfile.Record) (out row, problem string) {
	texts, problem := l.texts(r)
	if problem != "" {
		return row{line: r.Line}, problem
	}
	out, problem = l.form.row(r.Line, texts)
	if problem == "" && r.Line == l.first && l.form.heading != nil {
		problem = l.form.heading(out.key)
	}
	return out, problem
}

// texts returns what stands in the columns of a record, or what is wrong with it. The first is a name and is judged as
// it stands; the others are amounts.
func (l layout) texts(r csvfile.Record) (texts []string, problem string) {
	if r.Fault != "" {
		return nil, r.Fault
	}
	if len(r.Fields) > l.width && strings.TrimSpace(strings.Join(r.Fields[l.width:], "")) != "" {
		return nil, fmt.Sprintf("the row has %d fields and may have %d", len(r.Fields), l.width)
	}
	texts = make([]string, len(l.at))
	for i, at := range l.at {
		if at < 0 || at >= len(r.Fields) {
			continue
		}
		texts[i] = csvfile.Unguarded(r.Fields[at])
		if i > 0 {
			texts[i] = l.dialect.Decimal(strings.TrimSpace(texts[i]))
		}
	}
	return texts, ""
}

// lacks tells which column is empty and must not be.
func (f form) lacks(texts []string) (problem string) {
	for i, column := range f.columns[:f.needed] {
		if strings.TrimSpace(texts[i]) == "" {
			return column + " is required"
		}
	}
	return ""
}

func (f form) row(line int64, texts []string) (out row, problem string) {
	out.line = line
	if problem = f.lacks(texts); problem != "" {
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

// note keeps the first errors of an import.
func (r *importRow) note(errs []RowError) {
	r.Skipped += int64(len(errs))
	known := r.errors()
	if room := maxErrors - len(known); room > 0 && len(errs) > 0 {
		r.Errors = string(store.JSON(append(known, errs[:min(room, len(errs))]...)))
	}
}

// keep writes rows of an import and counts them: each is kept or skipped. Those that look like no name and are no
// member are bad ones. Those that stand in the list already are skipped and told, but for codes that the rule has
// already: the same file may be read twice.
func (r *importRow) keep(ctx context.Context, tx *store.Tx, rows []row, bad []RowError) error {
	f := r.Kind.form()
	rows, unbelieved, err := r.believed(ctx, tx, rows)
	if err != nil {
		return err
	}
	bad = slices.Concat(bad, unbelieved)
	kept, twice, err := f.keep(ctx, tx, r, rows)
	if err != nil {
		return err
	}
	for _, t := range twice {
		bad = append(bad, RowError{t.line, fmt.Sprintf("%s stands in the list already", f.columns[0])})
	}
	sortByLine(bad)
	r.Kept += int64(kept)
	r.Skipped += int64(len(rows) - kept - len(twice))
	r.note(bad)
	return nil
}

// keepCodes gives the rule its codes.
func keepCodes(ctx context.Context, tx *store.Tx, imp *importRow, rows []row) (int, []row, error) {
	texts := make([]string, len(rows))
	for i, r := range rows {
		texts[i] = r.key
	}
	n, err := codes.Add(ctx, tx, imp.scope(), imp.OwnerID, texts)
	return n, nil, err
}
