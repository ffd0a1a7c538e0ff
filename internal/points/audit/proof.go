package audit

import (
	"context"
	"fmt"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/store"
)

// Proof returns a proof that the stored entry is the one that was sealed. Errors: NotFound "Entry" if it does not
// exist, Refused if it is not sealed yet, Internal if it differs from what was sealed. Proof takes no Scope: callers
// with one check OwnsEntry first.
func (s *Service) Proof(ctx context.Context, entry laurel.ID) (seal.Proof, error) {
	var p seal.Proof
	err := s.db.Snapshot(ctx, func(q store.Queryer) error {
		rows, err := storedEntriesOf(ctx, q, []laurel.ID{entry})
		if err != nil {
			return err
		}
		if rows[entry] == nil {
			return laurel.Missing("Entry")
		}
		p.Row = rows[entry].content()
		return addBlock(ctx, q, entry, &p)
	})
	if err != nil {
		return seal.Proof{}, err
	}
	if err := p.Check(p.Block.PublicKey); err != nil {
		return seal.Proof{}, fmt.Errorf("entry %s cannot be proven; run laurel verify: %w", entry, err)
	}
	return p, nil
}

// addBlock finds the block that lists the entry, and sets it in the proof, with the entry's position, leaf and path. It
// returns Refused if no block lists the entry yet.
func addBlock(ctx context.Context, q store.Queryer, entry laurel.ID, p *seal.Proof) error {
	ranges, err := selectBlocksOverlapping(ctx, q, laurel.ID{}, entry, entry)
	if err != nil {
		return err
	}
	for _, r := range ranges {
		entries, err := entriesOfBlock(ctx, q, r.OrganizationID, r.Number)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(entries, func(e seal.BlockEntry) bool { return e.ID == entry })
		if at < 0 {
			continue
		}
		block, err := findBlock(ctx, q, r.OrganizationID, r.Number)
		if err != nil {
			return err
		}
		p.Block, p.Position, p.Leaf, p.Path = block.block(), int64(at), entries[at].Leaf, seal.Path(seal.Leaves(entries), at)
		return nil
	}
	return laurel.Errorf(laurel.Refused, "entry %s is not sealed yet; a running server seals it within seconds", entry)
}
