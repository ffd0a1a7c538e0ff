package pages

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"laurel"
	"laurel/internal/store"
)

// Block is one part of the loyalty page (contract 3.30: website page section).
type Block struct {
	ID             laurel.ID
	OrganizationID laurel.ID
	WebsiteID      laurel.ID
	Type           string
	Title          *string
	SubTitle       *string
	Hidden         bool
	SortID         int64
	GroupID        laurel.ID // of rules; zero: none
	Metadata       json.RawMessage
	CreatedAt      time.Time
	UpdatedAt      time.Time
}

func errNoBlock() error { return laurel.Missing("Website page section") }

// Blocks returns the blocks of the scope by sortId, with visibleOnly without hidden ones. Errors: Invalid for an
// unknown cursor.
func (s *Service) Blocks(
	ctx context.Context, scope laurel.Scope, visibleOnly bool, page laurel.PageRequest,
) (laurel.Page[Block], error) {
	rows, err := listBlocks(ctx, s.db, scope, visibleOnly, page)
	return laurel.MapPage(rows, blockRow.block), err
}

// Block returns a block; with visibleOnly a hidden one is not found. Errors: NotFound "Website page section".
func (s *Service) Block(ctx context.Context, scope laurel.Scope, visibleOnly bool, id laurel.ID) (Block, error) {
	b, err := findBlock(ctx, s.db, scope, id)
	if err == nil && visibleOnly && b.Hidden {
		return Block{}, errNoBlock()
	}
	return b, err
}

// SetLayout replaces the blocks of the scope's website: those with an id are updated, those without are added, and
// present blocks that are not in the list are removed. Errors: Invalid.
func (s *Service) SetLayout(ctx context.Context, scope laurel.Scope, in []BlockInput) ([]Block, error) {
	return s.EditLayout(ctx, scope, func([]Block) ([]BlockInput, error) { return in, nil })
}

// EditLayout replaces the layout, as SetLayout does, by the list that edit returns for the current blocks. An error of
// edit leaves the layout as it is. No other call changes the layout meanwhile. edit may run more than once.
func (s *Service) EditLayout(
	ctx context.Context, scope laurel.Scope, edit func(current []Block) ([]BlockInput, error),
) (blocks []Block, err error) {
	err = s.db.Write(ctx, scope.Request, func(tx *store.Tx) error {
		if err := tx.AdvisoryLock(ctx, "layout of "+scope.WebsiteID.String()); err != nil {
			return err
		}
		const visibleOnly = false
		present, err := listBlocks(ctx, tx, scope, visibleOnly, laurel.PageRequest{Limit: maxBlocks})
		if err != nil {
			return err
		}
		current := laurel.MapPage(present, blockRow.block).Data
		in, err := edit(current)
		if err != nil {
			return err
		}
		if blocks, err = s.buildLayout(ctx, tx, scope, current, in); err != nil {
			return err
		}
		return saveLayout(ctx, tx, current, blocks)
	})
	return blocks, err
}

// buildLayout returns the blocks of the input, by sortId: each is the current block with its id, or a new one, with the
// input applied. Errors: Invalid for unknown or repeated ids, invalid properties, and unknown rule groups.
func (s *Service) buildLayout(
	ctx context.Context, tx *store.Tx, scope laurel.Scope, current []Block, in []BlockInput,
) ([]Block, error) {
	var f laurel.Faults
	if len(in) > maxBlocks {
		f.Add(blocksPath, "must have at most %d items", maxBlocks)
		return nil, f.Err()
	}
	var groups references
	blocks, usedIDs := make([]Block, len(in)), map[laurel.ID]bool{}
	for i, one := range in {
		b := Block{OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID, Metadata: json.RawMessage("{}")}
		b.CreatedAt = tx.Now()
		if id := one.ID.Ptr(); id != nil {
			found := slices.IndexFunc(current, func(b Block) bool { return b.ID == *id })
			if found < 0 || usedIDs[*id] {
				f.AddText(itemPath(blocksPath, i, "id"), "Website page section not found")
				continue
			}
			b, usedIDs[*id] = current[found], true
		} else {
			b.ID = tx.NewID()
		}
		formerGroup := b.GroupID
		one.apply(&f, i, &b)
		if !b.GroupID.IsZero() && b.GroupID != formerGroup {
			groups = append(groups, reference{b.GroupID, itemPath(blocksPath, i, "loyaltyRuleGroupId")})
		}
		b.UpdatedAt = tx.Now()
		blocks[i] = b
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(blocks, func(a, b Block) int { // in the order of Blocks
		return cmp.Or(cmp.Compare(a.SortID, b.SortID), a.CreatedAt.Compare(b.CreatedAt), a.ID.Compare(b.ID))
	})
	return blocks, s.checkReferences(ctx, tx, scope, &partsBuilder{groups: groups})
}
