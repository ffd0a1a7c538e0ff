package audit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/points/audit"
	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/store"
)

// repeat appends a copy of the last row to the change feed.
func (w *world) repeat() {
	w.exec(`INSERT INTO changes (organization_id, website_id, size, tables, changes, leaves, created_at)
		SELECT organization_id, website_id, size, tables, changes, leaves, created_at FROM changes ORDER BY seq DESC LIMIT 1`)
}

func TestAnEntryThatAHandHadSealedTwiceIsNamed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.post(1)
		w.seal()
		id := w.post(2).Entries[0].ID
		w.repeat()
		says := func(problem string) {
			t.Helper()
			report := w.verify(audit.Trust{})
			if report.FirstBadEntry() != id.String() || len(report.Discrepancies) != 2 ||
				!strings.Contains(report.Discrepancies[0].Problem, problem) {
				t.Errorf("named %q: %v", report.FirstBadEntry(), report.Discrepancies)
			}
		}
		says("it is recorded twice: by the change feed and by the change feed")
		w.seal()
		says("it is recorded twice: by block 2 and by block 2")
		w.repeat()
		says("it is recorded twice: by block 2 and by block 2")
		w.seal()
		if listed := len(w.members(3)); listed != 2 {
			t.Errorf("block 3 lists %d", listed)
		}
		says("it is recorded twice: by block 2 and by block 2")
	})
}

func TestAForgedEntryIsNotHiddenByAnotherThatIsTwiceThere(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.post(1)
		w.seal()
		made := w.post(2)
		w.repeat()
		w.seal()
		w.exec(w.copyEntry(made.Entries[0].ID)) // as many entries as blocks list
		w.exec(strings.Replace(w.copyEntry(made.Entries[0].ID), forged, "01900000-0000-7000-8000-00000000f04f", 1))
		report := w.verify(audit.Trust{})
		if report.Seal.Sealed != report.Entries || report.FirstBadEntry() != forged {
			t.Errorf("named %q of %v: %+v", report.FirstBadEntry(), report.Discrepancies, report.Seal)
		}
	})
}

func TestWhereNothingNamesTheLostEntryNoOtherIsBlamed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.post(1)
		w.seal()
		lost := w.post(1, 2).Entries[0].ID
		w.post(1)
		w.seal()
		members := w.members(2)
		at := slices.IndexFunc(members, func(m seal.BlockEntry) bool { return m.ID == lost })
		w.exec(
			"DELETE FROM loyalty_transaction_entries WHERE id = '"+lost.String()+"'",
			w.relist(2, seal.EncodeBlockEntries(slices.Delete(members, at, at+1))),
		)
		if first := w.verify(audit.Trust{}).FirstBadEntry(); first != lost.String() {
			t.Errorf("while the feed is kept, named %q", first)
		}
		if _, err := feed.NewFeed(w.db, nil).Prune(ctx, w.db.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		if first := w.verify(audit.Trust{}).
			FirstBadEntry(); !strings.HasPrefix(first, "none can be named: organization ") ||
			!strings.HasSuffix(first, ": block 2 sealed 5 entries; 4 are listed") {
			t.Errorf("later, named %q", first)
		}
	})
}

func TestWhatTheFeedRepeatsOfBothBacklogAndBlocksIsSealedOnce(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for i := range 40 { // the feed has all of them, and they exist when sealing begins
			w.post(i, i+1)
		}
		w.seal()
		w.post(1)
		w.seal()
		for _, from := range []int64{0, 20 << 6, 40 << 6} {
			if err := feed.NewFeed(w.db, nil).ReplayFrom(ctx, "sealer", from); err != nil {
				t.Fatal(err)
			}
			w.post(2)
			w.green() // what was handed over is not waited for again
			w.seal()
		}
		// A backlog that is begun anew looks into the blocks too.
		w.exec(
			"UPDATE seal_backlog SET after_id = NULL, done_at = NULL, position = 0, until_id = (SELECT id FROM loyalty_transaction_entries ORDER BY id DESC LIMIT 1)",
		)
		w.green()
		w.seal()
		if report := w.green(); report.Seal.Sealed != 40*3+4*2 || report.Seal.Unsealed != 0 {
			t.Errorf("%+v", report.Seal)
		}
	})
}

func TestWhatAHandMadeUnreadableInTheFeedIsLeftUnsealedAndNamed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.post(1)
		w.seal()
		id := w.post(2).Entries[0].ID
		cut := "substr(leaves, 1, 95)"
		if w.db.Engine() == store.SQLite {
			cut = "CAST(" + cut + " AS BLOB)"
		}
		w.exec(fmt.Sprintf("UPDATE changes SET leaves = %s WHERE seq = (SELECT MAX(seq) FROM changes)", cut))
		w.post(3)
		w.seal()
		if report := w.verify(
			audit.Trust{},
		); report.FirstBadEntry() != id.String() ||
			!strings.Contains(w.log.String(), "the list of entries in the change feed is corrupt") {
			t.Errorf("named %q: %v\n%s", report.FirstBadEntry(), report.Discrepancies, w.log)
		}
	})
}
