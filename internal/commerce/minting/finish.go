package minting

import (
	"context"
	"encoding/json"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/commerce/holds"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/transactions"
	"laurel.example/laurel/internal/store"
)

// errFinal refuses to change a mint that has ended.
func errFinal() error { return laurel.Errorf(laurel.Refused, "Mint is already final") }

const maxTxHash = 256

// Report is a caller's report of how an open mint ended.
type Report struct {
	Status string // Minted or Failed
	TxHash string
}

// Reportable lists the statuses that may be reported.
func Reportable() []string { return []string{Failed, Minted} }

// Validate adds a fault for each invalid property of the report.
func (r Report) Validate(f *laurel.Faults) {
	if r.Status == "" {
		f.Add("status", "is required")
	} else {
		checkOneOf(f, "status", r.Status, Reportable())
	}
	f.Text("txHash", r.TxHash, 0, maxTxHash)
}

// Bounds returns what the properties accept, for the API's schema.
func (Report) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Required: []string{"status"}, NotNull: []string{"status"},
		Keywords: map[string]laurel.Keywords{"status": {"enum": Reportable()}, "txHash": {"maxLength": maxTxHash}},
	}
}

// GetMint returns a mint. Errors: NotFound "Mint".
func (s *Service) GetMint(ctx context.Context, scope laurel.Scope, id laurel.ID) (Mint, error) {
	return findMint(ctx, s.DB, scope, id)
}

// Report ends an open mint as minted, or as failed, which gives back what it reserved and what was paid. A report of
// minted also corrects a mint that has failed, except from a client key, which reports only what a member believes.
// Errors: Invalid; NotFound "Mint"; Refused "Mint is already final".
func (s *Service) Report(ctx context.Context, scope laurel.Scope, id laurel.ID, in Report) error {
	var f laurel.Faults
	in.Validate(&f)
	if err := f.Err(); err != nil {
		return err
	}
	return s.finish(ctx, scope, id, outcome{
		status: in.Status, txHash: in.TxHash, mayCorrect: scope.Role != laurel.RoleClient,
	})
}

// finish ends an open mint with an outcome. If the mint has failed and the outcome is minted with mayCorrect, it
// corrects the mint instead (correctionWork). Errors: NotFound "Mint"; Refused "Mint is already final".
func (s *Service) finish(ctx context.Context, scope laurel.Scope, id laurel.ID, o outcome) error {
	var correction *correctionWork
	err := s.Committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		correction = nil
		r, err := findMint(ctx, s.DB, scope, id)
		if err != nil {
			return nil, err
		}
		w := &endWork{row: r, actor: scope.ActorID, outcome: o}
		if !o.correctsFailure(&r) {
			return w, nil
		}
		correction = &correctionWork{endWork: *w}
		if len(r.Paid) > 0 {
			correction.member, err = s.payer(ctx, r)
		}
		return correction, err
	})
	if err == nil && correction != nil {
		correction.warn(s.Logger)
	}
	return err
}

// payer reads the member that pays for a corrected mint, with the present members of its group, from the database.
func (s *Service) payer(ctx context.Context, r Mint) (ledger.Member, error) {
	scope := laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID}
	members, err := s.People(ctx, scope, []transactions.MemberRef{{UserID: r.UserID}}, true)
	if err != nil {
		return ledger.Member{}, err
	}
	return members[0], nil
}

// outcome says how a mint ends.
type outcome struct {
	status                       string // Minted or Failed
	code                         int64  // error code of a failure; 0: none
	message, txHash, relayerTxID string
	mayCorrect                   bool // with Minted: also a mint that has failed may be corrected
}

// correctsFailure reports whether the outcome corrects the mint, which has failed.
func (o outcome) correctsFailure(r *Mint) bool {
	return o.mayCorrect && o.status == Minted && r.Status == Failed
}

// endWork is the Work that ends an open mint. The row that it is prepared on changes only when the mint ends, which
// Judge checks.
type endWork struct {
	row     Mint
	actor   laurel.ID
	outcome outcome
}

func (w *endWork) String() string { return "mint " + w.row.ID.String() }

// newRefund returns the refund that gives each account back what it has paid for the mint.
func (w *endWork) newRefund() holds.Refund {
	return holds.Refund{
		Scope: laurel.Scope{
			OrganizationID: w.row.OrganizationID, WebsiteID: w.row.WebsiteID, ActorID: w.actor,
		},
		CurrencyID: w.row.CurrencyID.ID, Parts: w.row.Paid, Amount: w.row.Paid.Sum(), Type: ledger.TypeDirectMint,
		Description: description, Metadata: w.entryMetadata(),
	}
}

// entryMetadata returns the metadata of the refund's entries. For an item that was won in an auction, it has the
// auction's id too, by which the points return to the lots that they came from.
func (w *endWork) entryMetadata() json.RawMessage {
	if w.row.AuctionID.IsZero() {
		return entryMetadata(w.row.ID)
	}
	return store.JSON(struct {
		ID      laurel.ID `json:"mintingContractAssetMintStatusId"`
		Auction laurel.ID `json:"auctionId"`
	}{w.row.ID, w.row.AuctionID.ID})
}

// rowLocks returns the locks of the rows that change, without the accounts of the refund.
func (w *endWork) rowLocks() []store.Lock {
	locks := []store.Lock{mints.Lock(w.row.ID), assets.Lock(w.row.AssetID)}
	if w.row.Counted {
		locks = slices.Concat(locks, mintCountLocks(w.row))
	}
	if w.row.Allowlisted {
		locks = append(locks, allowlist.Lock(w.row.allowKey()))
	}
	return locks
}

func (w *endWork) Locks() []store.Lock {
	locks := w.rowLocks()
	if len(w.row.Paid) > 0 {
		locks = append(locks, w.newRefund().Locks()...)
	}
	return locks
}

// Judge implements store.Work: with its row locked, it ends an open mint. The mint is completed; or it fails, and then
// what was paid is refunded and the reserved quantity released.
func (w *endWork) Judge(b *store.Batch) error {
	switch r := mints.Row(b, w.row.ID); {
	case w.outcome.correctsFailure(r):
		return store.ErrStale // it failed meanwhile and must be corrected
	case !r.isOpen():
		return errFinal()
	}
	if w.outcome.status == Failed && len(w.row.Paid) > 0 {
		if _, err := w.newRefund().Apply(b); err != nil {
			return err
		}
	}
	r := mints.Changed(b, w.row.ID)
	if w.outcome.status == Minted {
		r.complete(b)
	} else {
		r.fail(b)
	}
	if w.outcome.code != 0 {
		r.ErrorCode = &w.outcome.code
	}
	r.ErrorMessage = textOr(w.outcome.message, r.ErrorMessage)
	w.recordTransaction(b, r)
	return nil
}

// recordTransaction writes the outcome's transaction on the blockchain, and the time, into the mint.
func (w *endWork) recordTransaction(b *store.Batch, r *Mint) {
	r.TxHash = textOr(w.outcome.txHash, r.TxHash)
	r.RelayerTxID = textOr(w.outcome.relayerTxID, r.RelayerTxID)
	r.UpdatedAt.Time = b.Now()
}

// textOr returns the text, or the current one if the text is empty.
func textOr(text string, current *string) *string {
	if text == "" {
		return current
	}
	return &text
}

// fail sets the mint to failed and gives back the items that it has reserved: to the stock, to the limit per user, and
// to the allowlist. It does not refund the price.
func (m *Mint) fail(b *store.Batch) {
	m.Status = Failed
	Stock{m.AssetID}.Return(b, m.Quantity)
	if m.Counted {
		addToCounts(b, *m, -m.Quantity)
	}
	if m.Allowlisted {
		allowlist.Changed(b, m.allowKey()).Reserved -= m.Quantity
	}
}

// CheckCurrencyMove returns Invalid, naming apiPostUrl, if the balances of a currency are to move to an external ledger
// while an open mint may still refund points of it. It does nothing if the balances stay here. It runs in the
// transaction that changes the currency.
func CheckCurrencyMove(ctx context.Context, tx *store.Tx, scope laurel.Scope, c ledger.Currency) error {
	if c.API.PostURL == nil {
		return nil
	}
	open, err := hasOpenPaidMint(ctx, tx, scope, c.ID)
	if err != nil || !open {
		return err
	}
	var f laurel.Faults
	f.Add("apiPostUrl", "cannot be set while mints are under way")
	return f.Err()
}
