package audit

import (
	"context"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/store"
)

// selectChains returns the organizations that have a chain: blocks, or a head.
func selectChains(ctx context.Context, q store.Queryer) ([]lenientID, error) {
	var organizations []lenientID
	err := q.Select(
		ctx,
		&organizations,
		"SELECT organization_id FROM seal_heads UNION SELECT organization_id FROM seal_blocks ORDER BY organization_id",
	)
	return organizations, err
}

// storedBlock is the stored form of a block. Its fields accept values that someone has written by hand.
type storedBlock struct {
	OrganizationID lenientID      `db:"organization_id"`
	Number         lenientInt     `db:"number"`
	Size           lenientInt     `db:"size"`
	Root           seal.Hash      `db:"root"`
	PreviousHash   seal.Hash      `db:"previous_hash"`
	CreatedAt      lenientInt     `db:"created_at"`
	PublicKey      seal.PublicKey `db:"public_key"`
	Hash           seal.Hash      `db:"hash"`
	Signature      seal.Signature `db:"signature"`
	First          lenientID      `db:"first_id"`
	Last           lenientID      `db:"last_id"`
	entries        []seal.BlockEntry
	isListValid    bool // the list does not end in the middle of an entry
}

// block returns the block without its entries. Fields whose stored value is malformed are -1 or zero.
func (b *storedBlock) block() seal.Block {
	return seal.Block{
		OrganizationID: b.OrganizationID.ID,
		Number:         int64(b.Number),
		Size:           int64(b.Size),
		Root:           b.Root,
		PreviousHash:   b.PreviousHash,
		CreatedAt:      int64(b.CreatedAt),
		PublicKey:      b.PublicKey,
		Hash:           b.Hash,
		Signature:      b.Signature,
	}
}

const selectBlock = "SELECT organization_id, number, size, root, previous_hash, created_at, public_key, hash, signature, first_id, last_id FROM seal_blocks"

// selectBlocks returns the next blocks of an organization after a number, at most limit of them. Their entries are left
// out; readBlockEntries sets them.
func selectBlocks(
	ctx context.Context,
	q store.Queryer,
	organization laurel.ID,
	after int64,
	limit int,
) ([]storedBlock, error) {
	var blocks []storedBlock
	err := q.Select(
		ctx,
		&blocks,
		selectBlock+" WHERE organization_id = ? AND number > ? ORDER BY number LIMIT ?",
		organization,
		after,
		limit,
	)
	return blocks, err
}

// readBlockEntries reads the lists of entries of consecutive blocks of one organization, and sets in each block its
// entries and whether the list is valid. There must be at least one block.
func readBlockEntries(ctx context.Context, q store.Queryer, blocks []storedBlock) error {
	var lists [][]byte
	err := q.Select(
		ctx,
		&lists,
		"SELECT members FROM seal_blocks WHERE organization_id = ? AND number >= ? AND number <= ? ORDER BY number",
		blocks[0].OrganizationID,
		int64(blocks[0].Number),
		int64(blocks[len(blocks)-1].Number),
	)
	for i := range min(len(lists), len(blocks)) {
		blocks[i].entries, blocks[i].isListValid = seal.DecodeBlockEntries(lists[i])
	}
	return err
}

// findBlock returns a block of an organization without its entries; the error is store.IsNoRows if there is none.
func findBlock(ctx context.Context, q store.Queryer, organization laurel.ID, number int64) (storedBlock, error) {
	var b storedBlock
	err := q.Get(ctx, &b, selectBlock+" WHERE organization_id = ? AND number = ?", organization, number)
	return b, err
}

// findStoredHead returns the number and hash that the head of a chain stores for its last block, or the number 0 if
// there is no head.
func findStoredHead(
	ctx context.Context,
	q store.Queryer,
	organization laurel.ID,
) (number lenientInt, hash seal.Hash, err error) {
	var head struct {
		Number lenientInt `db:"number"`
		Hash   seal.Hash  `db:"hash"`
	}
	err = q.Get(ctx, &head, "SELECT number, hash FROM seal_heads WHERE organization_id = ?", organization)
	if store.IsNoRows(err) {
		err = nil
	}
	return head.Number, head.Hash, err
}
