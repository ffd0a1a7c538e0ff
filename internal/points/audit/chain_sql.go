package audit

import (
	"context"

	"laurel"
	"laurel/internal/points/seal"
	"laurel/internal/store"
)

// selectChains returns the organizations that have a head or blocks.
func selectChains(ctx context.Context, q store.Queryer) ([]lenientID, error) {
	var organizations []lenientID
	err := q.Select(
		ctx,
		&organizations,
		"SELECT organization_id FROM seal_heads UNION SELECT organization_id FROM seal_blocks ORDER BY organization_id",
	)
	return organizations, err
}

// storedBlock is the stored form of a block, whatever a hand may have written into it.
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
	members        []seal.Member
	isListValid    bool // the list of members does not end within one
}

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

// selectBlocks returns the next blocks after a number, without their members.
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

// readMembers reads the members of consecutive blocks.
func readMembers(ctx context.Context, q store.Queryer, blocks []storedBlock) error {
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
		blocks[i].members, blocks[i].isListValid = seal.DecodeMembers(lists[i])
	}
	return err
}

func findBlock(ctx context.Context, q store.Queryer, organization laurel.ID, number int64) (storedBlock, error) {
	var b storedBlock
	err := q.Get(ctx, &b, selectBlock+" WHERE organization_id = ? AND number = ?", organization, number)
	return b, err
}

// findHead returns the number and hash that are stored for the last block of a chain, or the number 0.
func findHead(
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
