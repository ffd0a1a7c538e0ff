package memberimports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/rules/ruletypes"
	"laurel.example/laurel/internal/store"
)

// membersPerChunk is how many members three transactions write. A longer one would hold back the change feed, and on
// SQLite every other write.
const membersPerChunk = 500

// write writes the stored rows of an import after its position, chunk by chunk. It ends after the last row.
func (s *Service) write(ctx context.Context, h *leasedImport) error {
	for {
		rows, err := rowsAfter(ctx, s.DB, h.Key, h.Row.Position, membersPerChunk)
		if err != nil || len(rows) == 0 {
			return err
		}
		if err := s.writeChunk(ctx, h, rows); err != nil {
			return err
		}
	}
}

// writeChunk writes the members of some rows in three transactions, since each locks rows in the order of payments:
// first the members, then what is known of them, and then their opening balances. The third moves the import's position
// past the rows. If the node dies between them, the first two are repeated, which changes nothing.
func (s *Service) writeChunk(ctx context.Context, h *leasedImport, rows []memberRow) error {
	scope := h.Row.scope()
	wallets, profiles := make([]string, len(rows)), make([]identity.ImportedProfile, len(rows))
	for i, r := range rows {
		wallets[i], profiles[i] = r.Wallet, r.profile()
	}
	err := h.Extend(ctx, func(tx *store.Tx) error {
		n, err := s.People.AdmitMany(ctx, tx, scope, wallets)
		h.Row.NewMembers += int64(n)
		return err
	})
	if err != nil {
		return err
	}
	err = h.Extend(ctx, func(tx *store.Tx) error { return s.People.ImportProfiles(ctx, tx, scope, profiles) })
	if err != nil {
		return err
	}
	err = h.Extend(ctx, func(tx *store.Tx) error {
		n, err := s.writeOpenings(ctx, tx, &h.Row, rows)
		h.Row.Openings += int64(n)
		h.Row.Written += int64(len(rows))
		h.Row.Position = rows[len(rows)-1].Line
		h.Row.Message = fmt.Sprintf("%d of %d members are imported", h.Row.Written, h.Row.Total)
		return err
	})
	if laurel.IsRefusal(err) { // the currency is gone, or a balance would be out of range
		return &importFault{err.Error()}
	}
	return err
}

// writeOpenings writes the opening balances of some rows that were not written before, and returns their number.
// Errors: those of ledger.Posting.Stage.
func (s *Service) writeOpenings(
	ctx context.Context, tx *store.Tx, imp *importRow, rows []memberRow,
) (written int, err error) {
	var refs []identity.Ref
	var balances []laurel.Amount
	for _, r := range rows {
		if r.Balance > 0 {
			refs, balances = append(refs, identity.Ref{Wallet: r.Wallet}), append(balances, r.Balance)
		}
	}
	if len(refs) == 0 {
		return 0, nil
	}
	scope := imp.scope()
	people, err := s.People.ResolveMany(ctx, tx, scope, refs)
	if err != nil {
		return 0, err
	}
	w := &openingsWork{scope: scope, importID: imp.ID}
	for i, p := range people {
		w.postings = append(w.postings, opening(scope, imp, p, balances[i]))
	}
	err = store.Run(ctx, tx, w)
	if errors.Is(err, store.ErrStale) {
		err = store.ErrRerun
	}
	return w.written, err
}

// Description is that of the transactions of opening balances.
const Description = "Opening balance"

// opening returns the transaction of a member's opening balance. Its key keeps a member from getting a second one of
// the same import.
func opening(scope laurel.Scope, imp *importRow, p identity.Person, balance laurel.Amount) ledger.Posting {
	return ledger.Posting{
		Scope: scope, Type: ledger.TypeAPIKey, Cause: ledger.CauseOpening, Description: Description,
		Lines: []ledger.Line{{
			Member: ruletypes.ToLedgerMember(p, scope), CurrencyID: imp.CurrencyID.ID, Direction: ledger.Credit,
			Amount: balance, Key: "import " + imp.ID.String() + " " + p.UserID.String(),
			Metadata: json.RawMessage(`{"opening":true,"importId":"` + imp.ID.String() + `"}`),
		}},
	}
}

// openingsWork is the Work that writes opening balances, each in a transaction of its own.
type openingsWork struct {
	scope    laurel.Scope
	importID laurel.ID
	postings []ledger.Posting
	written  int
}

func (w *openingsWork) String() string { return "opening balances of import " + w.importID.String() }

func (w *openingsWork) keyOf(p ledger.Posting) ledger.KeyID {
	return ledger.KeyID{WebsiteID: w.scope.WebsiteID, Key: p.Lines[0].Key}
}

// Locks names the rows of all postings and of their keys.
func (w *openingsWork) Locks() []store.Lock {
	var locks []store.Lock
	for _, p := range w.postings {
		locks = append(append(locks, p.Locks()...), ledger.Keys.Lock(w.keyOf(p)))
	}
	return locks
}

// Judge runs once the rows are locked: it stages each posting whose key was not used before. After an error, some may
// be staged already, so the transaction must be rolled back.
func (w *openingsWork) Judge(b *store.Batch) error {
	w.written = 0
	for _, p := range w.postings {
		key := w.keyOf(p)
		if ledger.Keys.Row(b, key).IsUsed() {
			continue
		}
		t, err := p.Stage(b)
		if err != nil {
			return err
		}
		ledger.UseKey(b, w.scope, ledger.KeyUse{Key: key.Key, Hash: "import", TransactionID: t.ID})
		w.written++
	}
	return nil
}
