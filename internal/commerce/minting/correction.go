package minting

import (
	"log/slog"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/holds"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/store"
)

// correctionWork is the Work that completes a failed mint which was minted on a blockchain nevertheless (contract
// 5.19). It takes price and stock again as far as balance and stock suffice, and records the rest as unpaid. It refuses
// only a mint that has been corrected before.
type correctionWork struct {
	endWork
	member    ledger.Member // pays again if points were paid
	corrected Mint          // the result; row stays as it was prepared, since Judge may run again
}

// newSpend returns the payment that is made again: the reverse of the refund of the failed mint, with the same
// metadata.
func (w *correctionWork) newSpend() holds.Spend {
	r := w.newRefund()
	return holds.Spend{
		Scope: r.Scope, Member: w.member, CurrencyID: r.CurrencyID, Amount: r.Amount, Type: r.Type,
		Description: r.Description, Metadata: r.Metadata,
	}
}

func (w *correctionWork) Locks() []store.Lock {
	locks := w.rowLocks()
	if len(w.row.Paid) > 0 {
		locks = slices.Concat(locks, w.newSpend().Locks())
	}
	return locks
}

// Judge corrects the failed mint under its lock: it debits as much of the price as the balance covers, sets the mint to
// minted, takes its items from the stock, and records what is unpaid. Errors: Refused if it has been corrected
// already.
func (w *correctionWork) Judge(b *store.Batch) error {
	if mints.Row(b, w.row.ID).Status != Failed {
		return errFinal()
	}
	var paid holds.Parts
	var transaction laurel.ID
	if len(w.row.Paid) > 0 {
		var err error
		if paid, transaction, err = w.newSpend().TakeMost(b); err != nil {
			return err
		}
	}
	r := mints.Changed(b, w.row.ID)
	r.Paid, r.TransactionID.ID, r.UnpaidAmount = paid, transaction, w.row.Paid.Sum()-paid.Sum()
	r.completeAfterFailure(b)
	r.ErrorCode, r.ErrorMessage = nil, nil
	w.recordTransaction(b, r)
	r.CorrectedAt.Timestamp = r.UpdatedAt
	w.corrected = *r
	return nil
}

// completeAfterFailure sets a failed mint to minted and takes again what it had given back. The limit per user and the
// allowlist count the full quantity, even beyond what they allow; the stock gives the items that it has, and the others
// are recorded as unpaid.
func (m *Mint) completeAfterFailure(b *store.Batch) {
	m.Status = Minted
	stock := Stock{m.AssetID}
	available := min(m.Quantity, assets.Row(b, m.AssetID).remaining())
	if m.UnpaidQuantity = m.Quantity - available; available > 0 {
		stock.reserve(b, available)
		stock.mintReserved(b, available)
	}
	if m.Counted {
		addToCounts(b, *m, m.Quantity)
	}
	if m.Allowlisted {
		allowlist.Changed(b, m.allowKey()).Minted += m.Quantity
	}
}

// warn logs a warning if the corrected mint is not paid in full.
func (w *correctionWork) warn(log *slog.Logger) {
	m := &w.corrected
	if m.UnpaidAmount == 0 && m.UnpaidQuantity == 0 {
		return
	}
	log.Warn(
		"a mint that had failed was reported as minted, and is not paid in full",
		slog.String("mint", m.ID.String()), slog.String("website", m.WebsiteID.String()),
		slog.String("currency", m.CurrencyID.String()), slog.String("unpaid", m.UnpaidAmount.String()),
		slog.Int64("items_without_stock", m.UnpaidQuantity),
	)
}
