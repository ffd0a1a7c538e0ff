package audit

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// storedClaim is a token claim with its current import.
type storedClaim struct {
	ID              lenientID  `db:"id"`
	OrganizationID  lenientID  `db:"organization_id"`
	CurrentImportID lenientID  `db:"current_import_id"`
	Root            *string    `db:"merkle_root"`
	Wallets         lenientInt `db:"allocated_wallets"`
	Allocated       string     `db:"allocated_units"`
	ClaimedWallets  lenientInt `db:"claimed_wallets"`
	Claimed         string     `db:"claimed_units"`
}

// selectClaims returns the next token claims in the order of ids, deleted ones too, at most limit of them: those after
// the id, or from the first if it is zero.
func selectClaims(ctx context.Context, q store.Queryer, after laurel.ID, limit int) (out []storedClaim, err error) {
	var w store.Where
	if !after.IsZero() {
		w.Add("id > ?", after)
	}
	err = q.Select(ctx, &out, `SELECT id, organization_id, current_import_id, merkle_root, allocated_wallets, allocated_units, claimed_wallets,
		claimed_units FROM token_claims`+w.String()+" ORDER BY id LIMIT ?", append(w.Args, limit)...)
	return out, err
}

// allocationRow is the allocation of a wallet.
type allocationRow struct {
	Wallet    string     `db:"wallet_address"`
	Units     string     `db:"units"`
	Node      lenientInt `db:"node"`
	TxHash    *string    `db:"tx_hash"`
	ClaimedAt any        `db:"claimed_at"`
}

func eachAllocation(ctx context.Context, q store.Queryer, importID laurel.ID, f func(allocationRow) error) error {
	return store.ForEachRow(ctx, q, f, `SELECT wallet_address, units, node, tx_hash, claimed_at FROM token_claim_allocations
		WHERE import_id = ? ORDER BY wallet_address`, importID)
}

// treeBlock is a stored block of a Merkle tree: the nodes below a head.
type treeBlock struct {
	Head  lenientInt `db:"head"`
	Nodes []byte     `db:"nodes"`
}

func eachTreeBlock(ctx context.Context, q store.Queryer, importID laurel.ID, f func(treeBlock) error) error {
	return store.ForEachRow(ctx, q, f, "SELECT head, nodes FROM token_claim_blocks WHERE import_id = ? ORDER BY head", importID)
}

// claimsOfOtherImports finds claimed allocations of imports that are not current. After the first claim the current
// import cannot change.
const claimsOfOtherImports = `SELECT c.organization_id AS organization, 'token claim ' || CAST(c.id AS TEXT) || ': wallet ' || t.wallet_address || ' has claimed by a list that does not count' AS problem
	FROM token_claim_allocations t JOIN token_claim_imports i ON i.id = t.import_id JOIN token_claims c ON c.id = i.token_claim_id
	WHERE t.claimed_at IS NOT NULL AND c.current_import_id IS DISTINCT FROM t.import_id LIMIT ?`
