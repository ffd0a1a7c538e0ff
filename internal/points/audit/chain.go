package audit

import (
	"context"
	"fmt"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/store"
)

const (
	// maxBlocksPerRead bounds the blocks, and maxEntriesPerRead the entries of blocks, that verification holds in memory
	// at a time. A single block may have more entries.
	maxBlocksPerRead  = 200
	maxEntriesPerRead = 2000
)

// sealCheck verifies the chains of blocks in a snapshot of the database.
type sealCheck struct {
	q             store.Queryer
	report        *VerifyReport
	trust         Trust
	foundHeads    map[seal.Hash]bool // the hashes in trust.Heads that blocks of a chain have
	organizations []laurel.ID
	backlog       backlogRow
	ranges        *idRanges
}

// check verifies that every entry is sealed as it was posted. Each entry must be listed once: by a block, or by a
// change of the feed that the sealer has not read yet. To find entries that are not, check keeps one sum of all stored
// entries and one of all listed ones, and compares them at the end. On the way it checks each chain of blocks and the
// unsealed entries. If nothing was ever sealed, it only counts all entries as unsealed.
func (c *sealCheck) check(ctx context.Context) (err error) {
	c.foundHeads = map[seal.Hash]bool{}
	if c.backlog, err = findBacklog(ctx, c.q); err != nil {
		return err
	}
	if err := c.findChains(ctx); err != nil {
		return err
	}
	if err := c.countAllStored(ctx); err != nil {
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
	if err := c.checkUnsealed(ctx); err != nil {
		return err
	}
	// nothing was ever sealed: an entry that the feed does not list may be older than the feed
	if c.backlog.hasNotBegun() && len(c.organizations) == 0 {
		c.report.Seal.Unsealed = c.report.Entries
		return nil
	}
	return c.reportMismatches(ctx)
}

// findChains sets c.organizations to the organizations that have chains of blocks, and reports malformed ids of
// organizations.
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

// checkChain checks the chain of one organization's blocks, from the first block to the last, with their entries, a
// page of blocks at a time. If a block's number is not greater than the one before it, checkChain reports that and
// reads no further block. The last block must be the one that the stored head of the chain names; it is added to the
// heads of the report.
func (c *sealCheck) checkChain(ctx context.Context, organization laurel.ID) error {
	var last seal.Block
	for isBroken := false; !isBroken; {
		blocks, err := selectBlocks(ctx, c.q, organization, last.Number, maxBlocksPerRead)
		if err != nil {
			return err
		}
		blocks, isBroken = ascendingPrefix(blocks, last.Number)
		if len(blocks) == 0 && !isBroken {
			break
		}
		for rest := blocks; len(rest) > 0; {
			someBlocks := blocksForOneRead(rest)
			if err := c.checkBlocks(ctx, someBlocks, last); err != nil {
				return err
			}
			last, rest = someBlocks[len(someBlocks)-1].block(), rest[len(someBlocks):]
		}
		if isBroken {
			c.reportChain(organization, "what follows block %d has a number that is none", last.Number)
		}
	}
	number, hash, err := findStoredHead(ctx, c.q, organization)
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

// ascendingPrefix returns the blocks before the first one whose number is not greater than the number before it (for
// the first block: than after), and whether there is such a block. Block numbers ascend unless someone has edited a
// SQLite file by hand.
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

// blocksForOneRead returns the blocks whose entries are read together: the first one, and as many after it as have,
// with it, at most maxEntriesPerRead entries.
func blocksForOneRead(blocks []storedBlock) []storedBlock {
	size := blocks[0].Size
	for i := 1; i < len(blocks); i++ {
		if size += blocks[i].Size; size > maxEntriesPerRead {
			return blocks[:i]
		}
	}
	return blocks
}

// checkBlocks checks consecutive blocks of a chain with their entries. before is the block before the first, or the
// zero Block if the chain begins with them.
func (c *sealCheck) checkBlocks(ctx context.Context, blocks []storedBlock, before seal.Block) error {
	if err := readBlockEntries(ctx, c.q, blocks); err != nil {
		return err
	}
	var ids []laurel.ID
	for _, b := range blocks {
		for _, e := range b.entries {
			ids = append(ids, e.ID)
		}
	}
	rows, err := storedEntriesOf(ctx, c.q, ids)
	if err != nil {
		return err
	}
	for i := range blocks {
		c.checkHeader(blocks[i].block(), before)
		c.checkList(&blocks[i])
		c.checkEntries(&blocks[i], rows)
		before = blocks[i].block()
	}
	return nil
}

// checkHeader checks a block's number, hash and signature, and its link to the block before it, and counts the block.
// It notes the block's key for the report, and whether its hash is one of those that the operator knows from the log.
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

// checkList checks that a block lists as many entries as it sealed, and that its first and last id are those of the
// list. It adds each listed entry to the sums that are compared with those of the stored entries (idRanges). The
// entries themselves are for checkEntries.
func (c *sealCheck) checkList(b *storedBlock) {
	listed := int64(len(b.entries))
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
	if first, last := idBounds(b.entries); first != b.First.ID || last != b.Last.ID {
		c.reportChain(
			b.OrganizationID.ID,
			"block %d: the first and last id that are kept for it are not those of its entries",
			b.Number,
		)
	}
	for _, e := range b.entries {
		c.countListed(e.ID)
	}
}

// checkEntries compares the stored entries (rows, by id) with what their block has sealed. A leaf is the hash of an
// entry; the root, which is signed, is the hash over all leaves of the block (package seal). The leaf that the block
// lists for an entry shows whether that entry has changed; the root shows whether the listed leaves are the sealed
// ones.
func (c *sealCheck) checkEntries(b *storedBlock, rows map[laurel.ID]*storedEntry) {
	actual := make([]seal.Hash, len(b.entries))
	for i, e := range b.entries {
		if row := rows[e.ID]; row != nil {
			actual[i] = row.leaf()
		}
	}
	problem := fmt.Sprintf("it is not what was sealed in block %d", b.Number)
	if len(b.entries) == int(b.Size) && b.Size > 0 && seal.Root(seal.Leaves(b.entries)) != b.Root {
		if seal.Root(actual) == b.Root {
			problem = fmt.Sprintf("it is what was sealed in block %d, but its leaf was changed", b.Number)
		} else {
			c.reportChain(b.OrganizationID.ID, "block %d: its root does not fit the leaves of its entries", b.Number)
		}
	}
	for i, e := range b.entries {
		switch row := rows[e.ID]; {
		case row == nil:
			c.report.add(Discrepancy{EntryID: e.ID, Problem: fmt.Sprintf("it was sealed in block %d and is gone", b.Number)})
		case e.Leaf != actual[i]:
			c.report.add(Discrepancy{EntryID: e.ID, Problem: problem})
		case row.OrganizationID.Value != b.OrganizationID.String():
			c.report.add(
				Discrepancy{EntryID: e.ID, Problem: fmt.Sprintf("it is sealed in block %d of another organization", b.Number)},
			)
		}
	}
}
