package pages

import (
	"cmp"
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/store"
)

// Block is one part of the loyalty page (contract 3.30: website page section): a row of website_page_sections, and what
// the API returns.
type Block struct {
	ID             laurel.ID        `db:"id" json:"id"`
	OrganizationID laurel.ID        `db:"organization_id" json:"organizationId"`
	WebsiteID      laurel.ID        `db:"website_id" json:"websiteId"`
	Type           string           `db:"type" json:"type"`
	Title          *string          `db:"title" json:"title"`
	SubTitle       *string          `db:"sub_title" json:"subTitle"`
	Hidden         bool             `db:"is_hidden" json:"isHidden"`
	SortID         int64            `db:"sort_id" json:"sortId"`
	GroupID        laurel.NullID    `db:"loyalty_rule_group_id" json:"loyaltyRuleGroupId"` // of rules
	Metadata       laurel.Object    `db:"metadata" json:"metadata"`
	CreatedAt      laurel.Timestamp `db:"created_at" json:"createdAt"`
	UpdatedAt      laurel.Timestamp `db:"updated_at" json:"updatedAt"`
}

func errNoBlock() error { return laurel.Missing("Website page section") }

// Blocks returns the blocks of the scope by sortId, with visibleOnly without hidden ones. Errors: Invalid for an
// unknown cursor.
func (s *Service) Blocks(
	ctx context.Context, scope laurel.Scope, visibleOnly bool, page laurel.PageRequest,
) (laurel.Page[Block], error) {
	return listBlocks(ctx, s.db, scope, visibleOnly, page)
}

// Block returns a block; with visibleOnly a hidden one is not found. Errors: NotFound "Website page section".
func (s *Service) Block(ctx context.Context, scope laurel.Scope, visibleOnly bool, id laurel.ID) (Block, error) {
	b, err := blockTable.Get(ctx, s.db, store.LiveByID(scope, id), "")
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
		current, err := listBlocks(ctx, tx, scope, visibleOnly, laurel.PageRequest{Limit: maxBlocks})
		if err != nil {
			return err
		}
		in, err := edit(current.Data)
		if err != nil {
			return err
		}
		if blocks, err = s.buildLayout(ctx, tx, scope, current.Data, in); err != nil {
			return err
		}
		return saveLayout(ctx, tx, current.Data, blocks)
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
		b := Block{OrganizationID: scope.OrganizationID, WebsiteID: scope.WebsiteID}
		b.CreatedAt.Time = tx.Now()
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
			groups = append(groups, reference{b.GroupID.ID, itemPath(blocksPath, i, "loyaltyRuleGroupId")})
		}
		b.UpdatedAt.Time = tx.NowAfter(b.UpdatedAt.Time)
		blocks[i] = b
	}
	if err := f.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(blocks, func(a, b Block) int { // in the order of Blocks
		return cmp.Or(cmp.Compare(a.SortID, b.SortID), a.CreatedAt.Compare(b.CreatedAt.Time), a.ID.Compare(b.ID))
	})
	return blocks, s.checkReferences(ctx, tx, scope, &partsBuilder{groups: groups})
}
