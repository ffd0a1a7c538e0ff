package pages

import (
	"context"
	"slices"

	"laurel"
)

// AddBlock adds a block to the layout, as its last one. Faults are noted as of a list of blocks. Errors: Invalid.
func (s *Service) AddBlock(ctx context.Context, scope laurel.Scope, in BlockInput) (Block, error) {
	var had []Block
	blocks, err := s.EditLayout(ctx, scope, func(now []Block) ([]BlockInput, error) {
		had = now
		in.ID, in.SortID = laurel.Optional[laurel.ID]{}, laurel.Optional[int64]{}
		return append(unchanged(now), in), nil
	})
	at := slices.IndexFunc(blocks, func(b Block) bool {
		return !slices.ContainsFunc(had, func(h Block) bool { return h.ID == b.ID })
	})
	if err != nil || at < 0 {
		return Block{}, err
	}
	return blocks[at], nil
}

// UpdateBlock changes what the input names of a block, which keeps its place. Errors: NotFound "Website page section";
// Invalid, with faults as of a list of blocks.
func (s *Service) UpdateBlock(ctx context.Context, scope laurel.Scope, id laurel.ID, in BlockInput) error {
	_, err := s.EditLayout(ctx, scope, func(now []Block) ([]BlockInput, error) {
		at, blocks := indexOf(now, id), unchanged(now)
		if at < 0 {
			return nil, errNoBlock()
		}
		in.ID, in.SortID = laurel.Some(id), laurel.Optional[int64]{}
		blocks[at] = in
		return blocks, nil
	})
	return err
}

// RemoveBlock takes a block out of the layout. Errors: NotFound "Website page section".
func (s *Service) RemoveBlock(ctx context.Context, scope laurel.Scope, id laurel.ID) error {
	_, err := s.EditLayout(ctx, scope, func(now []Block) ([]BlockInput, error) {
		at, blocks := indexOf(now, id), unchanged(now)
		if at < 0 {
			return nil, errNoBlock()
		}
		return slices.Delete(blocks, at, at+1), nil
	})
	return err
}

// MoveBlock lets a block change places with the one before it, or behind it. The first and the last stay. Errors:
// NotFound "Website page section".
func (s *Service) MoveBlock(ctx context.Context, scope laurel.Scope, id laurel.ID, up bool) error {
	_, err := s.EditLayout(ctx, scope, func(now []Block) ([]BlockInput, error) {
		if indexOf(now, id) < 0 {
			return nil, errNoBlock()
		}
		order := idsOfBlocks(now)
		swapWithNeighbor(order, id, up)
		return reordered(now, order), nil
	})
	return err
}

// OrderBlocks puts all blocks into an order. was is the order that it started from: ErrOrderChanged where the blocks are
// others by now, or stand in another order, and where the two lists do not name the same.
func (s *Service) OrderBlocks(ctx context.Context, scope laurel.Scope, base, order []laurel.ID) error {
	_, err := s.EditLayout(ctx, scope, func(now []Block) ([]BlockInput, error) {
		if !isReordering(idsOfBlocks(now), base, order) {
			return nil, ErrOrderChanged
		}
		return reordered(now, order), nil
	})
	return err
}

func indexOf(blocks []Block, id laurel.ID) int {
	return slices.IndexFunc(blocks, func(b Block) bool { return b.ID == id })
}

func idsOfBlocks(blocks []Block) []laurel.ID {
	ids := make([]laurel.ID, len(blocks))
	for i, b := range blocks {
		ids[i] = b.ID
	}
	return ids
}

func unchanged(blocks []Block) []BlockInput { return reordered(blocks, idsOfBlocks(blocks)) }

// reordered returns the input that leaves blocks as they are, in another order.
func reordered(blocks []Block, order []laurel.ID) []BlockInput {
	out := make([]BlockInput, len(order))
	for i, id := range order {
		out[i] = UnchangedBlock(blocks[indexOf(blocks, id)])
	}
	return out
}
