package audit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dev/wait"
	"laurel.example/laurel/internal/points/audit"
	"laurel.example/laurel/internal/points/seal"
)

// forged is an entry that somebody copies under a new id.
const forged = "01900000-0000-7000-8000-00000000f04e"

// tampered is a change by hand, what verification must say of it, and the entry that it must name first.
type tampered struct {
	name       string
	statements []string
	first      laurel.ID
	says       []string
	trust      audit.Trust
}

// named is the first bad entry as it is reported; none where a block as a whole is bad.
func (c tampered) named() string {
	switch {
	case !c.first.IsZero():
		return c.first.String()
	case strings.Contains(c.says[0], "5 are listed"):
		return "none can be named"
	}
	return ""
}

func TestVerifyNamesWhatSomebodyChangedByHand(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.post(1, 2)
		w.seal()
		middle := w.post(1, 2, 3)
		w.post(4)
		w.seal()
		w.post(1)
		w.seal()
		tail := w.post(2, 5)
		report := w.green()
		if report.Seal.Blocks != 3 || report.Seal.Sealed != 3+4+2+2 || report.Seal.Unsealed != 3 {
			t.Fatalf("%+v", report.Seal)
		}
		w.keep()
		head := report.Seal.Heads[0]
		for _, c := range w.tampering(middle.Entries[1].ID, middle.ID, tail.Entries[1].ID, head) {
			w.exec(c.statements...)
			got := w.verify(c.trust)
			var findings strings.Builder
			for _, d := range got.Discrepancies {
				fmt.Fprintln(&findings, d)
			}
			first, _, _ := strings.Cut(got.FirstBadEntry(), ":")
			if len(got.Discrepancies) == 0 || first != c.named() {
				t.Errorf("%s: named %q first, want %q:\n%s", c.name, first, c.named(), findings.String())
			}
			for _, part := range c.says {
				if !strings.Contains(findings.String(), part) {
					t.Errorf("%s: %q is not in\n%s", c.name, part, findings.String())
				}
			}
			w.restore()
			w.green()
		}
	})
}

// tampering lists the changes. entry and transaction are in block 2, tail is in none yet, head is block 3.
func (w *world) tampering(entry, transaction, tail laurel.ID, head seal.Block) []tampered {
	of := func(id laurel.ID) string { return " WHERE id = '" + id.String() + "'" }
	two, three := w.members(2), w.members(3)
	at := slices.IndexFunc(two, func(m seal.BlockEntry) bool { return m.ID == entry })
	with := func(leaf seal.Hash) string {
		changed := slices.Clone(two)
		changed[at].Leaf = leaf
		return w.relist(2, seal.EncodeBlockEntries(changed))
	}
	without := w.relist(2, seal.EncodeBlockEntries(slices.Delete(slices.Clone(two), at, at+1)))
	swapped := slices.Clone(two)
	swapped[0], swapped[5] = swapped[5], swapped[0]
	listed := seal.EncodeBlockEntries(two)
	counter := w.id(
		"SELECT id FROM loyalty_transaction_entries WHERE user_id IS NULL AND loyalty_transaction_id = '" + transaction.String() + "'",
	)
	first2, third := two[0].ID, three[0].ID
	tailTransaction := w.id("SELECT loyalty_transaction_id FROM loyalty_transaction_entries" + of(tail))
	entries := "loyalty_transaction_entries"
	other := key(9).Seal(seal.Block{OrganizationID: head.OrganizationID, Number: head.Number, Size: head.Size, Root: head.Root, PreviousHash: head.PreviousHash, CreatedAt: head.CreatedAt})
	resigned := []string{
		fmt.Sprintf(
			"UPDATE seal_blocks SET public_key = '%s', hash = '%s', signature = '%s' WHERE number = 3",
			other.PublicKey,
			other.Hash,
			other.Signature,
		),
		fmt.Sprintf("UPDATE seal_heads SET hash = '%s'", other.Hash),
	}
	isNot := "entry " + entry.String() + ": it is not what was sealed in block 2"
	return []tampered{
		{
			"an amount",
			[]string{"UPDATE " + entries + " SET amount = amount + 1" + of(entry)},
			entry,
			[]string{isNot},
			audit.Trust{},
		},
		{
			"a balance and all that follows from it",
			[]string{
				"UPDATE " + entries + " SET amount = amount + 1, end_amount = end_amount + 1" + of(entry),
			},
			entry,
			[]string{isNot},
			audit.Trust{},
		},
		{
			"metadata",
			[]string{"UPDATE " + entries + ` SET metadata = '{"why":"a bribe"}'` + of(entry)},
			entry,
			[]string{isNot},
			audit.Trust{},
		},
		{
			"metadata away",
			[]string{"UPDATE " + entries + " SET metadata = NULL" + of(entry)},
			entry,
			[]string{isNot},
			audit.Trust{},
		},
		{
			"a time",
			[]string{"UPDATE " + entries + " SET created_at = created_at - 1" + of(entry)},
			entry,
			[]string{isNot},
			audit.Trust{},
		},
		{
			"a counter-entry's type",
			[]string{"UPDATE " + entries + " SET type = 'order'" + of(counter)},
			counter,
			[]string{"not what was sealed"},
			audit.Trust{},
		},
		{
			"an entry away",
			[]string{"DELETE FROM " + entries + of(entry)},
			entry,
			[]string{"it was sealed in block 2 and is gone"},
			audit.Trust{},
		},
		{
			"an entry put in",
			[]string{w.copyEntry(entry)},
			mustID(forged),
			[]string{"it was put there by hand"},
			audit.Trust{},
		},
		{
			"a pair of entries put into a sealed transaction",
			[]string{w.copyEntry(counter)},
			mustID(forged),
			[]string{"it was put there by hand"},
			audit.Trust{},
		},
		{
			"an entry put into the unsealed tail",
			[]string{w.copyEntry(tail)},
			mustID(forged),
			[]string{"it was put there by hand"},
			audit.Trust{},
		},
		{
			"the tail's last entry away",
			[]string{"DELETE FROM " + entries + of(tail)},
			tail,
			[]string{"the change feed has it, but it is gone", "its balance or version differs"},
			audit.Trust{},
		},
		{
			"the tail's transaction away",
			[]string{"DELETE FROM " + entries + " WHERE loyalty_transaction_id = '" + tailTransaction.String() + "'"},
			w.id(
				"SELECT id FROM " + entries + " WHERE user_id IS NOT NULL AND loyalty_transaction_id = '" + tailTransaction.String() + "' ORDER BY id LIMIT 1",
			),
			[]string{tail.String()},
			audit.Trust{},
		},
		{
			"the tail's amount and its balance",
			[]string{"UPDATE " + entries + " SET amount = amount + 1, end_amount = end_amount + 1" + of(tail)},
			tail,
			[]string{"it is not what the change feed says was posted"},
			audit.Trust{},
		},
		{
			"the tail's metadata",
			[]string{"UPDATE " + entries + ` SET metadata = '{"why":"a bribe"}'` + of(tail)},
			tail,
			[]string{"it is not what the change feed says was posted"},
			audit.Trust{},
		},
		{
			"a leaf",
			[]string{with(two[0].Leaf)},
			entry,
			[]string{"it is what was sealed in block 2, but its leaf was changed"},
			audit.Trust{},
		},
		{"a leaf that is none", []string{with(seal.Hash{})}, entry, []string{"its leaf was changed"}, audit.Trust{}},
		{
			"an entry and its leaf",
			[]string{"UPDATE " + entries + " SET amount = amount + 1" + of(entry), with(seal.Hash{})},
			entry,
			[]string{"block 2: its root does not fit the leaves of its entries", isNot},
			audit.Trust{},
		},
		{
			"a membership away",
			[]string{without},
			entry,
			[]string{"block 2 sealed 6 entries; 5 are listed", "it was put there by hand, or is what a block no longer lists"},
			audit.Trust{},
		},
		{
			"an entry and its membership away",
			[]string{"DELETE FROM " + entries + of(entry), without},
			entry,
			[]string{
				"block 2 sealed 6 entries; 5 are listed",
				"it was sealed and is gone, and no block lists it any more",
			},
			audit.Trust{},
		},
		{
			"members in another order",
			[]string{w.relist(2, seal.EncodeBlockEntries(swapped))},
			laurel.ID{},
			[]string{"block 2: its root does not fit"},
			audit.Trust{},
		},
		{
			"members cut short",
			[]string{w.relist(2, listed[:len(listed)-1])},
			two[5].ID,
			[]string{"block 2 sealed 6 entries; 5 are listed"},
			audit.Trust{},
		},
		{
			"all members away",
			[]string{w.relist(2, nil)},
			first2,
			[]string{"block 2 sealed 6 entries; 0 are listed"},
			audit.Trust{},
		},
		{
			"a byte behind the members",
			[]string{w.relist(2, append(slices.Clone(listed), 0))},
			laurel.ID{},
			[]string{"block 2 sealed 6 entries; 6 are listed, and something else"},
			audit.Trust{},
		},
		{"an entry listed twice", []string{w.relist(2, two[at].Append(slices.Clone(listed)))}, entry,
			[]string{"block 2 sealed 6 entries; 7 are listed", "it is recorded twice: by block 2 and by block 2"}, audit.Trust{}},
		{"an entry listed in another block", []string{w.relist(3, two[at].Append(seal.EncodeBlockEntries(three)))}, entry,
			[]string{"block 3 sealed 2 entries; 3 are listed", "it is recorded twice: by block 2 and by block 3"}, audit.Trust{}},
		{
			"an entry listed in the place of another",
			[]string{w.relist(2, seal.EncodeBlockEntries(append(slices.Clone(two[:5]), two[at])))},
			entry,
			[]string{
				"it is recorded twice",
				"entry " + two[5].ID.String() + ": it is in no block",
				"block 2: its root",
			},
			audit.Trust{},
		},
		{"a membership moved to another block", []string{without, w.relist(3, two[at].Append(seal.EncodeBlockEntries(three)))}, laurel.ID{},
			[]string{"block 2 sealed 6 entries; 5 are listed", "block 3 sealed 2 entries; 3 are listed"}, audit.Trust{}},
		{
			"the first id of a block",
			[]string{"UPDATE seal_blocks SET first_id = (SELECT first_id FROM seal_blocks WHERE number = 1) WHERE number = 2"},
			laurel.ID{},
			[]string{"block 2: the first and last id that are kept for it are not those of its entries"},
			audit.Trust{},
		},
		{
			"the last id of a block",
			[]string{"UPDATE seal_blocks SET last_id = NULL WHERE number = 2"},
			laurel.ID{},
			[]string{"block 2: the first and last id"},
			audit.Trust{},
		},
		{
			"a block away",
			[]string{"DELETE FROM seal_blocks WHERE number = 2"},
			first2,
			[]string{"block 2 is gone", "it was put there by hand"},
			audit.Trust{},
		},
		{
			"the last block away, cleanly",
			[]string{
				"DELETE FROM seal_blocks WHERE number = 3",
				"UPDATE seal_heads SET number = 2, hash = (SELECT hash FROM seal_blocks WHERE number = 2)",
			},
			third,
			[]string{"it was put there by hand"},
			audit.Trust{},
		},
		{"the last block away and its head logged", []string{"DELETE FROM seal_blocks WHERE number = 3",
			"UPDATE seal_heads SET number = 2, hash = (SELECT hash FROM seal_blocks WHERE number = 2)"}, third,
			[]string{"block " + head.Hash.String() + " is in no chain"}, audit.Trust{Heads: []seal.Hash{head.Hash}}},
		{
			"an entry put in and all trace of the backlog away",
			[]string{w.copyEntry(entry), "DELETE FROM seal_backlog"},
			mustID(forged),
			[]string{"it was put there by hand"},
			audit.Trust{},
		},
		{
			"a root",
			[]string{"UPDATE seal_blocks SET root = (SELECT root FROM seal_blocks WHERE number = 1) WHERE number = 2"},
			laurel.ID{},
			[]string{"block 2: its hash does not fit its fields", "its root does not fit"},
			audit.Trust{},
		},
		{
			"a size",
			[]string{"UPDATE seal_blocks SET size = 0 WHERE number = 2"},
			laurel.ID{},
			[]string{"block 2 sealed 0 entries"},
			audit.Trust{},
		},
		{
			"a hash",
			[]string{"UPDATE seal_blocks SET hash = 'none' WHERE number = 2"},
			laurel.ID{},
			[]string{"block 2: its hash", "block 3 does not follow"},
			audit.Trust{},
		},
		{
			"a signature of another block",
			[]string{"UPDATE seal_blocks SET signature = (SELECT signature FROM seal_blocks WHERE number = 1) WHERE number = 2"},
			laurel.ID{},
			[]string{"block 2: its signature does not fit"},
			audit.Trust{},
		},
		{
			"a head",
			[]string{"UPDATE seal_heads SET number = 4"},
			laurel.ID{},
			[]string{"block 4 was the last one and is not"},
			audit.Trust{},
		},
		{
			"the last block signed anew",
			resigned,
			laurel.ID{},
			[]string{"block 3 is signed with another key: " + key(9).Public().String()},
			audit.Trust{Keys: []seal.PublicKey{key(1).Public()}},
		},
		{
			"the last block made anew and its head logged",
			resigned,
			laurel.ID{},
			[]string{head.Hash.String() + " is in no chain"},
			audit.Trust{Heads: []seal.Hash{head.Hash}},
		},
	}
}

func mustID(text string) laurel.ID {
	id, err := laurel.ParseID(text)
	if err != nil {
		panic(err)
	}
	return id
}

// copyEntry puts the same entry in again under another id.
func (w *world) copyEntry(id laurel.ID) string {
	const rest = `organization_id, website_id, loyalty_transaction_id, loyalty_account_id, loyalty_currency_id, user_id, direction, type, loyalty_rule_id,
		loyalty_rule_type, amount, start_amount, end_amount, lock_version, idempotency_key, metadata, created_at`
	literal := "'" + forged + "'"
	if w.db.Engine() == "postgres" {
		literal += "::uuid"
	}
	return "INSERT INTO loyalty_transaction_entries (id, " + rest + ") SELECT " + literal + ", " + rest + " FROM loyalty_transaction_entries WHERE id = '" + id.String() + "'"
}

func TestAChangedTransactionNamesItsEntries(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		made := w.post(1, 2)
		w.post(3)
		w.seal()
		w.exec("UPDATE loyalty_transactions SET description = 'A theft' WHERE id = '" + made.ID.String() + "'")
		got := w.verify(audit.Trust{})
		if len(got.Discrepancies) != 3 || got.Discrepancies[0].EntryID != made.Entries[0].ID {
			t.Errorf("%v", got.Discrepancies)
		}
	})
}

func TestAKeyThatSignedEarlierBlocksStaysGoodBesideTheNext(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.post(1)
		w.seal()
		w.post(1)
		n := w.node()
		stop := n.run(t, key(2))
		wait.Until(t, "all is sealed", func() bool { return n.state(t).Entries == 0 })
		stop()
		both := w.verify(audit.Trust{Keys: []seal.PublicKey{key(1).Public(), key(2).Public()}})
		if len(both.Discrepancies) != 0 || len(both.Seal.Keys) != 2 {
			t.Errorf("%v, signed with %v", both.Discrepancies, both.Seal.Keys)
		}
		if got := w.verify(
			audit.Trust{Keys: []seal.PublicKey{key(2).Public()}},
		).Discrepancies; len(got) != 1 ||
			!strings.Contains(got[0].Problem, "block 1 is signed with another key") {
			t.Errorf("%v", got)
		}
	})
}
