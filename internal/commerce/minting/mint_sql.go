package minting

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
	"laurel.example/laurel/internal/worker"
)

var mintTable = store.NewRecords[Mint]("minting_mints", "Mint")

// MintTable reads mints t, also for lists elsewhere.
var MintTable = mintTable.As("t")

// mints is the table of mints for Works that end them.
var mints = &store.Table[laurel.ID, Mint]{
	Name: "mints", Rank: store.LockRankOpenMints,
	Compare: laurel.ID.Compare,
	Query:   MintTable.Query(),
	Key:     store.Columns("id uuid"),
	Args:    func(id laurel.ID) []any { return []any{id} },
	KeyOf:   func(r *Mint) laurel.ID { return r.ID },
	New:     func(laurel.ID) *Mint { return &Mint{} },
	Save:    mintTable.UpdateAll,
}

var newMints = &store.Sink[*Mint]{Name: "new mints", Rank: store.LockRankNewMints, Write: mintTable.Write}

// allowKey names the allowlist entry that the mint counts toward.
func (m *Mint) allowKey() allowKey {
	if m.Wallet == nil {
		return allowKey{m.AssetID, ""}
	}
	return allowKey{m.AssetID, *m.Wallet}
}

// isOpen reports whether the mint has neither succeeded nor failed.
func (m *Mint) isOpen() bool { return m.Status == Generating || m.Status == Minting }

// leasedMints describes the queue of open mints.
var leasedMints = worker.QueueTable{
	Table: "minting_mints", Key: "id", Due: "due_at", Open: "status IN ('generatingSignature', 'minting')",
	Filter: "due_at IS NOT NULL", Attempts: "attempts", OwnerColumn: "website_id", Columns: mintTable.Columns(),
}

// findMint reads a mint of the scope. Errors: NotFound "Mint".
func findMint(ctx context.Context, q store.Queryer, scope laurel.Scope, id laurel.ID) (Mint, error) {
	return mintTable.Get(ctx, q, store.OfTenant(scope).With("id = ?", id), "")
}

// hasOpenPaidMint reports whether there is an open mint that was paid in a currency, so that its failure would refund
// points of it.
func hasOpenPaidMint(ctx context.Context, q store.Queryer, scope laurel.Scope, currency laurel.ID) (bool, error) {
	var w store.Where
	w.Add("loyalty_currency_id = ?", currency)
	w.Tenant(q.Engine().NoIndexPrefix(), scope)
	w.Add("status IN ('generatingSignature', 'minting') AND paid <> '[]'")
	var ids []laurel.ID
	err := q.Select(ctx, &ids, "SELECT id FROM minting_mints"+w.String()+" LIMIT 1", w.Args...)
	return len(ids) > 0, err
}
