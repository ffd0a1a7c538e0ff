package audit

import (
	"context"
	"fmt"
	"slices"

	"laurel"
	"laurel/internal/seal"
	"laurel/internal/store"
)

const (
	// verifyPage bounds the blocks, verifyMembers the entries that verification holds at a time; a single block may have more.
	verifyPage    = 200
	verifyMembers = 2000
)

// sealCheck recomputes the chains in a snapshot.
type sealCheck struct {
	q      store.Queryer
	report *VerifyReport
	trust  Trust
	seen   map[seal.Hash]bool // the heads of trust that are in a chain
}

func (c *sealCheck) run(ctx context.Context) error {
	c.seen = map[seal.Hash]bool{}
	organizations, err := selectChains(ctx, c.q)
	if err != nil {
		return err
	}
	for _, organization := range organizations {
		if err := c.chain(ctx, organization); err != nil {
			return err
		}
	}
	for _, head := range c.trust.Heads {
		if !c.seen[head] {
			c.report.add(Discrepancy{Problem: fmt.Sprintf("block %s is in no chain: blocks were removed or made anew", head)})
		}
	}
	strays, err := selectStrays(ctx, c.q, maxDiscrepancies)
	for _, id := range strays {
		c.report.add(Discrepancy{EntryID: id, Problem: "it is sealed in a block that is gone"})
	}
	if err != nil {
		return err
	}
	return c.unsealed(ctx)
}

// chain follows the blocks of one organization from the first to the last, with their entries.
func (c *sealCheck) chain(ctx context.Context, organization laurel.ID) error {
	var last seal.Block
	for {
		blocks, err := selectBlocks(ctx, c.q, organization, last.Number, verifyPage)
		if err != nil {
			return err
		}
		if len(blocks) == 0 {
			break
		}
		for rest := blocks; len(rest) > 0; {
			several := together(rest)
			if err := c.blocks(ctx, several, last); err != nil {
				return err
			}
			last, rest = several[len(several)-1], rest[len(several):]
		}
	}
	head, err := findHead(ctx, c.q, organization)
	if err != nil {
		return err
	}
	if head.Number != last.Number || head.Hash != last.Hash {
		c.chainBroken(organization, "block %d was the last one and is not: blocks were removed or added", head.Number)
	}
	if last.Number > 0 {
		c.report.Seal.Heads = append(c.report.Seal.Heads, last)
	}
	return nil
}

func (c *sealCheck) chainBroken(organization laurel.ID, format string, args ...any) {
	c.report.add(Discrepancy{OrganizationID: organization, Problem: fmt.Sprintf(format, args...)})
}

// together answers the first blocks, as many as are read at once.
func together(blocks []seal.Block) []seal.Block {
	size := blocks[0].Size
	for i := 1; i < len(blocks); i++ {
		if size += blocks[i].Size; size > verifyMembers {
			return blocks[:i]
		}
	}
	return blocks
}

func (c *sealCheck) blocks(ctx context.Context, blocks []seal.Block, before seal.Block) error {
	members, err := selectMembers(ctx, c.q, blocks[0].OrganizationID, blocks[0].Number, blocks[len(blocks)-1].Number)
	if err != nil {
		return err
	}
	for _, b := range blocks {
		n := 0
		for n < len(members) && *members[n].Block <= b.Number {
			n++
		}
		c.header(b, before)
		c.members(b, members[:n])
		before, members = b, members[n:]
	}
	return nil
}

// header checks what a block says of itself and of the one before it.
func (c *sealCheck) header(b, before seal.Block) {
	c.report.Seal.Blocks++
	switch {
	case b.Number != before.Number+1:
		c.chainBroken(b.OrganizationID, "block %d is gone", before.Number+1)
	case b.PreviousHash != before.Hash:
		c.chainBroken(b.OrganizationID, "block %d does not follow from the block before it", b.Number)
	}
	if err := b.Check(); err != nil {
		c.chainBroken(b.OrganizationID, "block %d: %s", b.Number, err)
	}
	if len(c.trust.Keys) > 0 && !slices.Contains(c.trust.Keys, b.PublicKey) {
		c.chainBroken(b.OrganizationID, "block %d is signed with another key: %s", b.Number, b.PublicKey)
	}
	if !slices.Contains(c.report.Seal.Keys, b.PublicKey) {
		c.report.Seal.Keys = append(c.report.Seal.Keys, b.PublicKey)
	}
	if slices.Contains(c.trust.Heads, b.Hash) {
		c.seen[b.Hash] = true
	}
}

// members checks the entries of a block. The leaves that were kept tell which entry changed; the root tells whether they are what was sealed.
func (c *sealCheck) members(b seal.Block, members []memberRow) {
	c.report.Seal.Sealed += int64(len(members))
	kept, now := make([]seal.Hash, len(members)), make([]seal.Hash, len(members))
	whole := int64(len(members)) == b.Size && b.Size > 0
	for i := range members {
		content := members[i].content()
		kept[i], now[i] = members[i].Leaf, content.Leaf()
		whole = whole && members[i].Position == int64(i)
	}
	if !whole {
		c.chainBroken(b.OrganizationID, "block %d sealed %d entries; %d are listed, or not in their places", b.Number, b.Size, len(members))
	}
	problem := fmt.Sprintf("it is not what was sealed in block %d", b.Number)
	if whole && seal.Root(kept) != b.Root {
		if seal.Root(now) == b.Root {
			problem = fmt.Sprintf("it is what was sealed in block %d, but its leaf was changed", b.Number)
		} else {
			c.chainBroken(b.OrganizationID, "block %d: its root does not fit the leaves of its entries", b.Number)
		}
	}
	for i, m := range members {
		switch {
		case m.ID.IsZero():
			c.report.add(Discrepancy{EntryID: m.Member, Problem: fmt.Sprintf("it was sealed in block %d and is gone", b.Number)})
		case kept[i] != now[i]:
			c.report.add(Discrepancy{EntryID: m.Member, Problem: problem})
		}
	}
}
