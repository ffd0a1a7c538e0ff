package pages

import (
	"context"
	"slices"

	"laurel.example/laurel"
)

// AddBlock appends a block to the layout and returns it. The id and sortId of the input are ignored. Errors: Invalid;
// the path of a fault has the block's place in the layout, such as websitePageSections.3.title.
func (s *Service) AddBlock(ctx context.Context, scope laurel.Scope, in BlockInput) (Block, error) {
	var before []Block
	blocks, err := s.EditLayout(ctx, scope, func(current []Block) ([]BlockInput, error) {
		before = current
		in.ID, in.SortID = laurel.Optional[laurel.ID]{}, laurel.Optional[int64]{}
		return append(unchanged(current), in), nil
	})
	at := slices.IndexFunc(blocks, func(b Block) bool {
		return !slices.ContainsFunc(before, func(h Block) bool { return h.ID == b.ID })
	})
	if err != nil || at < 0 {
		return Block{}, err
	}
	return blocks[at], nil
}

// UpdateBlock changes those properties of a block that are in the input. The block keeps its place. Errors: NotFound
// "Website page section"; Invalid, with the paths that AddBlock describes.
func (s *Service) UpdateBlock(ctx context.Context, scope laurel.Scope, id laurel.ID, in BlockInput) error {
	_, err := s.EditLayout(ctx, scope, func(current []Block) ([]BlockInput, error) {
		at, blocks := indexOf(current, id), unchanged(current)
		if at < 0 {
			return nil, errNoBlock()
		}
		if err := scope.CheckUnchanged(id, current[at].UpdatedAt.Time); err != nil {
			return nil, err
		}
		in.ID, in.SortID = laurel.Some(id), laurel.Optional[int64]{}
		blocks[at] = in
		return blocks, nil
	})
	return err
}

// RemoveBlock takes a block out of the layout. Errors: NotFound "Website page section".
func (s *Service) RemoveBlock(ctx context.Context, scope laurel.Scope, id laurel.ID) error {
	_, err := s.EditLayout(ctx, scope, func(current []Block) ([]BlockInput, error) {
		at, blocks := indexOf(current, id), unchanged(current)
		if at < 0 {
			return nil, errNoBlock()
		}
		return slices.Delete(blocks, at, at+1), nil
	})
	return err
}

// MoveBlock moves a block up or down by one. It does nothing if there is no neighbor on that side. Errors: NotFound
// "Website page section".
func (s *Service) MoveBlock(ctx context.Context, scope laurel.Scope, id laurel.ID, up bool) error {
	_, err := s.EditLayout(ctx, scope, func(current []Block) ([]BlockInput, error) {
		if indexOf(current, id) < 0 {
			return nil, errNoBlock()
		}
		order := idsOfBlocks(current)
		swapWithNeighbor(order, id, up)
		return reordered(current, order), nil
	})
	return err
}

// OrderBlocks puts all blocks into an order. base is the order that the caller saw. Errors: ErrOrderChanged if the
// current order is not base, or if order does not hold the same ids.
func (s *Service) OrderBlocks(ctx context.Context, scope laurel.Scope, base, order []laurel.ID) error {
	_, err := s.EditLayout(ctx, scope, func(current []Block) ([]BlockInput, error) {
		if !isReordering(idsOfBlocks(current), base, order) {
			return nil, ErrOrderChanged
		}
		return reordered(current, order), nil
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

// unchanged returns the input that leaves all blocks unchanged.
func unchanged(blocks []Block) []BlockInput { return reordered(blocks, idsOfBlocks(blocks)) }

// reordered returns the input that leaves blocks unchanged but puts them into an order.
func reordered(blocks []Block, order []laurel.ID) []BlockInput {
	out := make([]BlockInput, len(order))
	for i, id := range order {
		out[i] = UnchangedBlock(blocks[indexOf(blocks, id)])
	}
	return out
}
