package audit

import (
	"context"
	"fmt"
	"slices"

	"laurel"
	"laurel/internal/points/seal"
	"laurel/internal/store"
)

const (
	// verifyPage bounds the blocks, verifyMembers the entries that verification holds at a time; a single block may have
	// more.
	verifyPage    = 200
	verifyMembers = 2000
)

// sealCheck verifies the chains of blocks in a snapshot of the database.
type sealCheck struct {
	q             store.Queryer
	report        *VerifyReport
	trust         Trust
	foundHeads    map[seal.Hash]bool // the heads of Trust that are in a chain
	organizations []laurel.ID
	backlog       backlogRow
	census        *census
}

// check counts all entries, checks every chain and the entries to be sealed, and reports entries that are in no list.
func (c *sealCheck) check(ctx context.Context) (err error) {
	c.foundHeads = map[seal.Hash]bool{}
	if c.backlog, err = readBacklog(ctx, c.q); err != nil {
		return err
	}
	if err := c.findChains(ctx); err != nil {
		return err
	}
	if err := c.countEntries(ctx); err != nil {
		return err
	}
	for _, organization := range c.organizations {
		if err := c.checkChain(ctx, organization); err != nil {
			return err
		}
	}
	for _, head := range c.trust.Heads {
		if !c.foundHeads[head] {
			c.report.add(Discrepancy{Problem: fmt.Sprintf("block %s is in no chain: blocks were removed or made anew", head)})
		}
	}
	if err := c.checkPending(ctx); err != nil {
		return err
	}
	// nothing was ever sealed: entries that the feed does not list may be older than the feed
	if c.backlog.hasNotBegun() && len(c.organizations) == 0 {
		c.report.Seal.Unsealed = c.report.Entries
		return nil
	}
	return c.reportUnlisted(ctx)
}

// findChains reads the organizations that have chains.
func (c *sealCheck) findChains(ctx context.Context) error {
	organizations, err := selectChains(ctx, c.q)
	for _, o := range organizations {
		if o.corrupt != "" {
			c.report.add(Discrepancy{Problem: "a chain is of the organization " + o.corrupt + ", which is none"})
			continue
		}
		c.organizations = append(c.organizations, o.ID)
	}
	return err
}

// checkChain checks the blocks of one organization from the first to the last, with their entries.
func (c *sealCheck) checkChain(ctx context.Context, organization laurel.ID) error {
	var last seal.Block
	for isBroken := false; !isBroken; {
		blocks, err := selectBlocks(ctx, c.q, organization, last.Number, verifyPage)
		if err != nil {
			return err
		}
		blocks, isBroken = ascendingPrefix(blocks, last.Number)
		if len(blocks) == 0 && !isBroken {
			break
		}
		for rest := blocks; len(rest) > 0; {
			group := readableTogether(rest)
			if err := c.checkBlocks(ctx, group, last); err != nil {
				return err
			}
			last, rest = group[len(group)-1].block(), rest[len(group):]
		}
		if isBroken {
			c.reportChain(organization, "what follows block %d has a number that is none", last.Number)
		}
	}
	number, hash, err := findHead(ctx, c.q, organization)
	if err != nil {
		return err
	}
	if int64(number) != last.Number || hash != last.Hash {
		c.reportChain(organization, "block %d was the last one and is not: blocks were removed or added", number)
	}
	if last.Number > 0 {
		c.report.Seal.Heads = append(c.report.Seal.Heads, last)
	}
	return nil
}

// ascendingPrefix returns the blocks up to the first whose number is not greater than the one before, and whether there
// is such a block. In SQLite a hand can write any value there.
func ascendingPrefix(blocks []storedBlock, after int64) ([]storedBlock, bool) {
	for i, b := range blocks {
		if int64(b.Number) <= after {
			return blocks[:i], true
		}
		after = int64(b.Number)
	}
	return blocks, false
}

func (c *sealCheck) reportChain(organization laurel.ID, format string, args ...any) {
	c.report.add(Discrepancy{OrganizationID: organization, Problem: fmt.Sprintf(format, args...)})
}

// readableTogether returns as many of the first blocks as are read at once.
func readableTogether(blocks []storedBlock) []storedBlock {
	size := blocks[0].Size
	for i := 1; i < len(blocks); i++ {
		if size += blocks[i].Size; size > verifyMembers {
			return blocks[:i]
		}
	}
	return blocks
}

// checkBlocks checks consecutive blocks with their entries. before is the block before the first.
func (c *sealCheck) checkBlocks(ctx context.Context, blocks []storedBlock, before seal.Block) error {
	if err := readMembers(ctx, c.q, blocks); err != nil {
		return err
	}
	var ids []laurel.ID
	for _, b := range blocks {
		for _, m := range b.members {
			ids = append(ids, m.Entry)
		}
	}
	rows, err := entriesOf(ctx, c.q, ids)
	if err != nil {
		return err
	}
	for i := range blocks {
		c.checkHeader(blocks[i].block(), before)
		c.checkList(&blocks[i])
		c.checkMembers(&blocks[i], rows)
		before = blocks[i].block()
	}
	return nil
}

// checkHeader checks a block's number, hash and signature, and its link to the block before it.
func (c *sealCheck) checkHeader(b, before seal.Block) {
	c.report.Seal.Blocks++
	switch {
	case b.Number != before.Number+1:
		c.reportChain(b.OrganizationID, "block %d is gone", before.Number+1)
	case b.PreviousHash != before.Hash:
		c.reportChain(b.OrganizationID, "block %d does not follow from the block before it", b.Number)
	}
	if err := b.Check(); err != nil {
		c.reportChain(b.OrganizationID, "block %d: %s", b.Number, err)
	}
	if len(c.trust.Keys) > 0 && !slices.Contains(c.trust.Keys, b.PublicKey) {
		c.reportChain(b.OrganizationID, "block %d is signed with another key: %s", b.Number, b.PublicKey)
	}
	if !slices.Contains(c.report.Seal.Keys, b.PublicKey) {
		c.report.Seal.Keys = append(c.report.Seal.Keys, b.PublicKey)
	}
	if slices.Contains(c.trust.Heads, b.Hash) {
		c.foundHeads[b.Hash] = true
	}
}

// checkList checks the list of a block's entries, but not the entries themselves.
func (c *sealCheck) checkList(b *storedBlock) {
	listed := int64(len(b.members))
	c.report.Seal.Sealed += listed
	switch {
	case listed != int64(b.Size) || listed == 0:
		c.report.add(Discrepancy{OrganizationID: b.OrganizationID.ID, Unlisted: listed < int64(b.Size),
			Problem: fmt.Sprintf("block %d sealed %d entries; %d are listed", b.Number, b.Size, listed)})
	case !b.isListValid:
		c.reportChain(
			b.OrganizationID.ID,
			"block %d sealed %d entries; %d are listed, and something else",
			b.Number,
			b.Size,
			listed,
		)
	}
	if first, last := idBounds(b.members); first != b.First.ID || last != b.Last.ID {
		c.reportChain(
			b.OrganizationID.ID,
			"block %d: the first and last id that are kept for it are not those of its entries",
			b.Number,
		)
	}
	for _, m := range b.members {
		c.countListed(m.Entry)
	}
}

// checkMembers compares the entries of a block with their sealed leaves. The stored leaves show which entry has
// changed; the root shows whether the stored leaves are the sealed ones.
func (c *sealCheck) checkMembers(b *storedBlock, rows map[laurel.ID]*storedEntry) {
	actual := make([]seal.Hash, len(b.members))
	for i, m := range b.members {
		if row := rows[m.Entry]; row != nil {
			actual[i] = row.leaf()
		}
	}
	problem := fmt.Sprintf("it is not what was sealed in block %d", b.Number)
	if len(b.members) == int(b.Size) && b.Size > 0 && seal.Root(seal.Leaves(b.members)) != b.Root {
		if seal.Root(actual) == b.Root {
			problem = fmt.Sprintf("it is what was sealed in block %d, but its leaf was changed", b.Number)
		} else {
			c.reportChain(b.OrganizationID.ID, "block %d: its root does not fit the leaves of its entries", b.Number)
		}
	}
	for i, m := range b.members {
		switch row := rows[m.Entry]; {
		case row == nil:
			c.report.add(Discrepancy{EntryID: m.Entry, Problem: fmt.Sprintf("it was sealed in block %d and is gone", b.Number)})
		case m.Leaf != actual[i]:
			c.report.add(Discrepancy{EntryID: m.Entry, Problem: problem})
		case row.OrganizationID.Value != b.OrganizationID.String():
			c.report.add(
				Discrepancy{EntryID: m.Entry, Problem: fmt.Sprintf("it is sealed in block %d of another organization", b.Number)},
			)
		}
	}
}
