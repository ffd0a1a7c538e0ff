package audit_test

import (
	"fmt"
	"slices"
	"testing"

	"laurel.example/laurel/internal/points/audit"
	"laurel.example/laurel/internal/store"
)

// spoilt are rows whose columns are spoilt one by one. If all is set, each must be reported, except the columns in but.
var spoilt = []struct {
	table, row string
	all        bool
	but        []string
}{
	{"loyalty_transaction_entries", "lock_version = 2", true, nil},
	// these explain, and do not prove (docs/decisions/0022, 0075)
	{"loyalty_transactions", "description = 'A gift'", true, []string{"facts", "cause"}},
	{"seal_blocks", "number = 2", true, nil},
	{"seal_heads", "number = 3", true, nil},
	{"loyalty_accounts", "user_id IS NOT NULL", false, nil},
	{"seal_backlog", "name = 'entries'", false, nil},
	{"main_account_deltas", "1 = 1", false, nil},
	{"changes", "seq = (SELECT MAX(seq) FROM changes)", false, nil},
}

func TestVerifyTellsOfWhatIsNoLongerOfItsTypeAndGoesOn(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		if w.db.Engine() != store.SQLite {
			return // it keeps every column to its type
		}
		for range 3 {
			w.post(1, 2)
			w.seal()
		}
		w.post(1)
		w.green()
		for _, s := range spoilt {
			var columns []string
			if err := w.db.Select(
				ctx,
				&columns,
				"SELECT name FROM pragma_table_info(?)",
				s.table,
			); err != nil ||
				len(columns) == 0 {
				t.Fatalf("%s: %v", s.table, err)
			}
			rowid := w.text("SELECT CAST(MIN(rowid) AS TEXT) FROM " + s.table + " WHERE " + s.row)
			for _, column := range columns {
				was := w.text(fmt.Sprintf("SELECT quote(%s) FROM %s WHERE rowid = %s", column, s.table, rowid))
				set := func(value string) error {
					return w.past(fmt.Sprintf("UPDATE %s SET %s = %s WHERE rowid = %s", s.table, column, value, rowid))
				}
				for _, value := range []string{"'abc'", "X'35'", "5.5", "NULL"} {
					if value == was || set(value) != nil { // some are refused
						continue
					}
					report, err := w.app.Audit.Verify(ctx, audit.Trust{})
					if err != nil || s.all && !slices.Contains(s.but, column) && len(report.Discrepancies) == 0 {
						t.Errorf("%s.%s = %s: %v %v", s.table, column, value, report.Discrepancies, err)
					}
				}
				if err := set(was); err != nil {
					t.Fatal(err)
				}
			}
			if report := w.verify(audit.Trust{}); len(report.Discrepancies) > 0 {
				t.Fatal(report.Discrepancies)
			}
		}
	})
}

func (w *world) text(query string) string {
	w.t.Helper()
	var text string
	if err := w.db.Get(ctx, &text, query); err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
	return text
}

func TestVerifyNamesAnEntryWhoseAmountWasMadeTextOrTooLarge(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.post(1)
		id := w.post(1).Entries[0].ID
		w.post(1)
		w.seal()
		values := []string{"9223372036854775807"}
		if w.db.Engine() == store.SQLite {
			values = append(values, "'a lot'")
		}
		for _, value := range values {
			for _, column := range []string{"amount", "start_amount", "end_amount"} {
				was := w.text(
					"SELECT CAST(" + column + " AS TEXT) FROM loyalty_transaction_entries WHERE id = '" + id.String() + "'",
				)
				w.exec(fmt.Sprintf("UPDATE loyalty_transaction_entries SET %s = %s WHERE id = '%s'", column, value, id))
				if report := w.verify(audit.Trust{}); report.FirstBadEntry() != id.String() {
					t.Errorf("%s = %s: named %q of %v", column, value, report.FirstBadEntry(), report.Discrepancies)
				}
				w.exec(fmt.Sprintf("UPDATE loyalty_transaction_entries SET %s = %s WHERE id = '%s'", column, was, id))
				w.green()
			}
		}
	})
}
