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

// sealCheck recomputes the chains in a snapshot.
type sealCheck struct {
	q       store.Queryer
	report  *VerifyReport
	trust   Trust
	seen    map[seal.Hash]bool // the heads of trust that are in a chain
	chains  []laurel.ID
	backlog backlogRow
	census  *census
}

func (c *sealCheck) run(ctx context.Context) (err error) {
	c.seen = map[seal.Hash]bool{}
	if c.backlog, err = readBacklog(ctx, c.q); err != nil {
		return err
	}
	if err := c.findChains(ctx); err != nil {
		return err
	}
	if err := c.entries(ctx); err != nil {
		return err
	}
	for _, organization := range c.chains {
		if err := c.chain(ctx, organization); err != nil {
			return err
		}
	}
	for _, head := range c.trust.Heads {
		if !c.seen[head] {
			c.report.add(Discrepancy{Problem: fmt.Sprintf("block %s is in no chain: blocks were removed or made anew", head)})
		}
	}
	if err := c.tail(ctx); err != nil {
		return err
	}
	// nobody has sealed anything: what the feed does not tell of may be older than the feed
	if c.backlog.never() && len(c.chains) == 0 {
		c.report.Seal.Unsealed = c.report.Entries
		return nil
	}
	return c.unlisted(ctx)
}

func (c *sealCheck) findChains(ctx context.Context) error {
	organizations, err := selectChains(ctx, c.q)
	for _, o := range organizations {
		if o.spoilt != "" {
			c.report.add(Discrepancy{Problem: "a chain is of the organization " + o.spoilt + ", which is none"})
			continue
		}
		c.chains = append(c.chains, o.ID)
	}
	return err
}

// chain follows the blocks of one organization from the first to the last, with their entries.
func (c *sealCheck) chain(ctx context.Context, organization laurel.ID) error {
	var last seal.Block
	for spoilt := false; !spoilt; {
		blocks, err := selectBlocks(ctx, c.q, organization, last.Number, verifyPage)
		if err != nil {
			return err
		}
		blocks, spoilt = ascending(blocks, last.Number)
		if len(blocks) == 0 && !spoilt {
			break
		}
		for rest := blocks; len(rest) > 0; {
			several := together(rest)
			if err := c.blocks(ctx, several, last); err != nil {
				return err
			}
			last, rest = several[len(several)-1].block(), rest[len(several):]
		}
		if spoilt {
			c.chainBroken(organization, "what follows block %d has a number that is none", last.Number)
		}
	}
	number, hash, err := findHead(ctx, c.q, organization)
	if err != nil {
		return err
	}
	if int64(number) != last.Number || hash != last.Hash {
		c.chainBroken(organization, "block %d was the last one and is not: blocks were removed or added", number)
	}
	if last.Number > 0 {
		c.report.Seal.Heads = append(c.report.Seal.Heads, last)
	}
	return nil
}

// ascending returns the blocks before the first whose number does not follow the order of numbers, which only SQLite
// lets a hand write.
func ascending(blocks []storedBlock, after int64) ([]storedBlock, bool) {
	for i, b := range blocks {
		if int64(b.Number) <= after {
			return blocks[:i], true
		}
		after = int64(b.Number)
	}
	return blocks, false
}

func (c *sealCheck) chainBroken(organization laurel.ID, format string, args ...any) {
	c.report.add(Discrepancy{OrganizationID: organization, Problem: fmt.Sprintf(format, args...)})
}

// together returns the first blocks, as many as are read at once.
func together(blocks []storedBlock) []storedBlock {
	size := blocks[0].Size
	for i := 1; i < len(blocks); i++ {
		if size += blocks[i].Size; size > verifyMembers {
			return blocks[:i]
		}
	}
	return blocks
}

func (c *sealCheck) blocks(ctx context.Context, blocks []storedBlock, before seal.Block) error {
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
		c.header(blocks[i].block(), before)
		c.list(&blocks[i])
		c.members(&blocks[i], rows)
		before = blocks[i].block()
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

// list checks what a block lists, but not the entries themselves.
func (c *sealCheck) list(b *storedBlock) {
	listed := int64(len(b.members))
	c.report.Seal.Sealed += listed
	switch {
	case listed != int64(b.Size) || listed == 0:
		c.report.add(Discrepancy{OrganizationID: b.OrganizationID.ID, Unlisted: listed < int64(b.Size),
			Problem: fmt.Sprintf("block %d sealed %d entries; %d are listed", b.Number, b.Size, listed)})
	case !b.whole:
		c.chainBroken(
			b.OrganizationID.ID,
			"block %d sealed %d entries; %d are listed, and something else",
			b.Number,
			b.Size,
			listed,
		)
	}
	if first, last := bounds(b.members); first != b.First.ID || last != b.Last.ID {
		c.chainBroken(
			b.OrganizationID.ID,
			"block %d: the first and last id that are kept for it are not those of its entries",
			b.Number,
		)
	}
	for _, m := range b.members {
		c.listed(m.Entry)
	}
}

// members checks the entries of a block. The leaves that were kept tell which entry changed; the root tells whether
// they are what was sealed.
func (c *sealCheck) members(b *storedBlock, rows map[laurel.ID]*storedEntry) {
	now := make([]seal.Hash, len(b.members))
	for i, m := range b.members {
		if row := rows[m.Entry]; row != nil {
			now[i] = row.leaf()
		}
	}
	problem := fmt.Sprintf("it is not what was sealed in block %d", b.Number)
	if len(b.members) == int(b.Size) && b.Size > 0 && seal.Root(seal.Leaves(b.members)) != b.Root {
		if seal.Root(now) == b.Root {
			problem = fmt.Sprintf("it is what was sealed in block %d, but its leaf was changed", b.Number)
		} else {
			c.chainBroken(b.OrganizationID.ID, "block %d: its root does not fit the leaves of its entries", b.Number)
		}
	}
	for i, m := range b.members {
		switch row := rows[m.Entry]; {
		case row == nil:
			c.report.add(Discrepancy{EntryID: m.Entry, Problem: fmt.Sprintf("it was sealed in block %d and is gone", b.Number)})
		case m.Leaf != now[i]:
			c.report.add(Discrepancy{EntryID: m.Entry, Problem: problem})
		case row.OrganizationID.Value != b.OrganizationID.String():
			c.report.add(
				Discrepancy{EntryID: m.Entry, Problem: fmt.Sprintf("it is sealed in block %d of another organization", b.Number)},
			)
		}
	}
}
