package minting

import (
	"context"
	"encoding/json"
	"slices"

	"laurel"
	"laurel/internal/commerce/holds"
	"laurel/internal/points/ledger"
	"laurel/internal/points/transactions"
	"laurel/internal/store"
)

// errFinal refuses what would change a mint that is over.
func errFinal() error { return laurel.Errorf(laurel.Refused, "Mint is already final") }

const maxTxHash = 256

// Report is what a caller tells of a mint that is under way.
type Report struct {
	Status string // Minted or Failed
	TxHash string
}

// Reportable lists the statuses that may be reported.
func Reportable() []string { return []string{Failed, Minted} }

// Validate notes what is wrong with the report.
func (r Report) Validate(f *laurel.Faults) {
	if r.Status == "" {
		f.Add("status", "is required")
	} else {
		oneOf(f, "status", r.Status, Reportable())
	}
	f.Text("txHash", r.TxHash, 0, maxTxHash)
}

// Bounds returns what the properties accept.
func (Report) Bounds() laurel.Bounds {
	return laurel.Bounds{
		Needed: []string{"status"}, Filled: []string{"status"},
		Keywords: map[string]laurel.Keywords{"status": {"enum": Reportable()}, "txHash": {"maxLength": maxTxHash}},
	}
}

// MintOf returns a mint. Errors: NotFound "Mint".
func (s *Service) MintOf(ctx context.Context, scope laurel.Scope, id laurel.ID) (Mint, error) {
	r, err := findMint(ctx, s.DB, scope, id)
	if err != nil {
		return Mint{}, err
	}
	return r.Mint()
}

// Report ends a mint that is under way: minted, or failed, which gives back what was reserved and paid. minted corrects
// what has failed, unless a client key says so, which tells what a member believes. Errors: Invalid; NotFound "Mint";
// Refused "Mint is already final".
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

// finish ends a mint, or corrects it. Errors: NotFound "Mint"; Refused "Mint is already final".
func (s *Service) finish(ctx context.Context, scope laurel.Scope, id laurel.ID, o outcome) error {
	var correction *correctionWork
	err := s.Committer.Submit(ctx, scope.Request, func() (store.Work, error) {
		correction = nil
		r, err := findMint(ctx, s.DB, scope, id)
		if err != nil {
			return nil, err
		}
		w, err := newEndWork(r, scope.ActorID, o)
		if err != nil || !o.correctsFailure(&r) {
			return w, err
		}
		correction = &correctionWork{endWork: *w}
		if len(w.paid) > 0 {
			correction.member, err = s.payer(ctx, r)
		}
		return correction, err
	})
	if err == nil && correction != nil {
		correction.warn(s.Logger)
	}
	return err
}

// payer returns who pays for a mint again: the member, with its group of now.
func (s *Service) payer(ctx context.Context, r MintRow) (ledger.Member, error) {
	scope := laurel.Scope{OrganizationID: r.OrganizationID, WebsiteID: r.WebsiteID}
	members, err := s.People(ctx, scope, []transactions.MemberRef{{UserID: r.UserID}}, true)
	if err != nil {
		return ledger.Member{}, err
	}
	return members[0], nil
}

// outcome is what became of a mint.
type outcome struct {
	status                       string // Minted or Failed
	code                         int64  // of a failure; 0: none
	message, txHash, relayerTxID string
	mayCorrect                   bool // of Minted: it also mends a mint that has failed
}

// correctsFailure reports whether the outcome corrects the mint.
func (o outcome) correctsFailure(r *MintRow) bool {
	return o.mayCorrect && o.status == Minted && r.Status == Failed
}

// endWork ends a mint that is under way. What it is prepared on never changes: a mint ends once, and only then anything
// moves.
type endWork struct {
	row     MintRow
	paid    holds.Parts
	actor   laurel.ID
	outcome outcome
}

func newEndWork(r MintRow, actor laurel.ID, o outcome) (*endWork, error) {
	w := &endWork{row: r, actor: actor, outcome: o}
	return w, json.Unmarshal([]byte(r.Paid), &w.paid)
}

func (w *endWork) String() string { return "mint " + w.row.ID.String() }

func (w *endWork) refund() holds.Refund {
	return holds.Refund{
		Scope: laurel.Scope{
			OrganizationID: w.row.OrganizationID, WebsiteID: w.row.WebsiteID, ActorID: w.actor,
		},
		CurrencyID: w.row.CurrencyID, Parts: w.paid, Amount: w.paid.Sum(), Type: ledger.TypeDirectMint,
		Description: description, Metadata: w.entryMetadata(),
	}
}

// entryMetadata is the metadata of the entries that give back. What was won was paid in an auction, which tells the lots that
// the points return to.
func (w *endWork) entryMetadata() json.RawMessage {
	if w.row.AuctionID.IsZero() {
		return entryMetadata(w.row.ID)
	}
	return store.JSON(struct {
		ID      laurel.ID `json:"mintingContractAssetMintStatusId"`
		Auction laurel.ID `json:"auctionId"`
	}{w.row.ID, w.row.AuctionID})
}

func (w *endWork) mint() Mint {
	return Mint{
		OrganizationID: w.row.OrganizationID, WebsiteID: w.row.WebsiteID, ContractID: w.row.ContractID,
		AssetID: w.row.AssetID, UserID: w.row.UserID,
	}
}

// rowLocks names the rows that change, but for those of points.
func (w *endWork) rowLocks() []store.Lock {
	locks := []store.Lock{mints.Lock(w.row.ID), assets.Lock(w.row.AssetID)}
	if w.row.Counted {
		locks = slices.Concat(locks, countLocks(w.mint()))
	}
	if w.row.Allowlisted {
		locks = append(locks, allowlist.Lock(w.row.allowKey()))
	}
	return locks
}

func (w *endWork) Locks() []store.Lock {
	locks := w.rowLocks()
	if len(w.paid) > 0 {
		locks = append(locks, w.refund().Locks()...)
	}
	return locks
}

func (w *endWork) Judge(b *store.Batch) error {
	switch r := mints.Row(b, w.row.ID); {
	case w.outcome.correctsFailure(r):
		return store.ErrStale // it failed meanwhile
	case !r.isOpen():
		return errFinal()
	}
	if w.outcome.status == Failed && len(w.paid) > 0 {
		if _, err := w.refund().Give(b); err != nil {
			return err
		}
	}
	r := mints.Changed(b, w.row.ID)
	if w.outcome.status == Minted {
		r.complete(b)
	} else {
		r.fail(b, w.mint())
	}
	if w.outcome.code != 0 {
		r.ErrorCode = &w.outcome.code
	}
	r.ErrorMessage = w.outcome.textOr(w.outcome.message, r.ErrorMessage)
	w.recordTransaction(b, r)
	return nil
}

// recordTransaction writes the reported transaction and the time into the mint.
func (w *endWork) recordTransaction(b *store.Batch, r *MintRow) {
	r.TxHash = w.outcome.textOr(w.outcome.txHash, r.TxHash)
	r.RelayerTxID = w.outcome.textOr(w.outcome.relayerTxID, r.RelayerTxID)
	r.UpdatedAt = store.Micros(b.Now())
}

// textOr returns a text that is told, else the one that is known.
func (outcome) textOr(text string, current *string) *string {
	if text == "" {
		return current
	}
	return &text
}

// fail gives back what the mint has reserved.
func (r *MintRow) fail(b *store.Batch, m Mint) {
	r.Status = Failed
	Stock{r.AssetID}.Return(b, r.Quantity)
	if r.Counted {
		addToCounts(b, m, -r.Quantity)
	}
	if r.Allowlisted {
		allowlist.Changed(b, r.allowKey()).Reserved -= r.Quantity
	}
}

// CheckCurrencyMove refuses, in the transaction that changes it, that the balances of a currency go to an external ledger
// while a mint may still give points of it back: Invalid, naming apiPostUrl.
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
