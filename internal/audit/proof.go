package audit

import (
	"context"
	"fmt"

	"laurel"
	"laurel/internal/seal"
	"laurel/internal/store"
)

// Proof makes a proof that the entry was sealed as it is. NotFound "Entry" when there is none, Refused when it is not sealed yet or not as it was
// sealed. It takes no Scope: it is for the operator, from the command line.
func (s *Service) Proof(ctx context.Context, entry laurel.ID) (seal.Proof, error) {
	var p seal.Proof
	err := s.db.Snapshot(ctx, func(q store.Queryer) error {
		member, err := findMember(ctx, q, entry)
		if store.NoRows(err) {
			return unproven(ctx, q, entry)
		}
		if err != nil {
			return err
		}
		block, err := findBlock(ctx, q, member.Chain, *member.Block)
		if store.NoRows(err) {
			return laurel.Errorf(laurel.Refused, "the block of entry %s is gone; run laurel verify", entry)
		}
		if err != nil {
			return err
		}
		leaves, err := selectLeaves(ctx, q, block)
		if err != nil {
			return err
		}
		p = seal.Proof{Row: member.content(), Block: block, Position: member.Position, Leaf: member.Leaf}
		if p.Position < 0 || p.Position >= int64(len(leaves)) {
			return laurel.Errorf(laurel.Refused, "block %d is not as it was sealed; run laurel verify", block.Number)
		}
		p.Path = seal.Path(leaves, int(p.Position))
		return nil
	})
	if err != nil {
		return seal.Proof{}, err
	}
	if err := p.Check(p.Block.PublicKey); err != nil {
		return seal.Proof{}, fmt.Errorf("entry %s cannot be proven; run laurel verify: %w", entry, err)
	}
	return p, nil
}

func unproven(ctx context.Context, q store.Queryer, entry laurel.ID) error {
	there, err := existing(ctx, q, []laurel.ID{entry})
	if err != nil {
		return err
	}
	if !there[entry] {
		return laurel.Missing("Entry")
	}
	return laurel.Errorf(laurel.Refused, "entry %s is not sealed yet; a running server seals it within seconds", entry)
}
