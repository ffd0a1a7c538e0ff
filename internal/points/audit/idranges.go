package audit

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/points/seal"
)

const (
	entriesPerRange      = 50_000 // stored entries in each id range but the last
	rangesComparedAtOnce = 4      // id ranges that are compared entry by entry at once
	idsPerRead           = 10_000 // ids in one query
)

// idRanges compares two sets of entries without holding either in memory: the entries that the ledger stores, and
// those that blocks or the change feed list. The ids are divided into ranges. Each set has one sum per range, so sets
// that differ are compared entry by entry only in ranges whose sums differ. The sums are of hashes with a random salt,
// so different entries, or one entry twice, do not have the same sum.
type idRanges struct {
	salt   [sha256.Size]byte
	bounds []laurel.ID // the last id of each range but the last one
	stored []rangeSum  // per range, of the stored entries
	listed []rangeSum  // per range, of the listed entries
}

// rangeSum is the number of entries of one set in an id range, and the sums of two parts of their hashes.
type rangeSum struct{ count, hashSum1, hashSum2 uint64 }

// indexOf returns the index of the range that contains an id.
func (s *idRanges) indexOf(id laurel.ID) int {
	at, _ := slices.BinarySearchFunc(s.bounds, id, laurel.ID.Compare)
	return at
}

// addTo adds an id to the sum of a range, which it changes: it counts one more entry, and adds the first two 8-byte
// parts of the id's salted hash. Sums are equal only for equal sets of ids.
func (s *idRanges) addTo(to *rangeSum, id laurel.ID) {
	var text [sha256.Size + len(laurel.ID{})]byte
	copy(text[:], s.salt[:])
	copy(text[sha256.Size:], id[:])
	hash := sha256.Sum256(text[:])
	to.count++
	to.hashSum1 += binary.BigEndian.Uint64(hash[:])
	to.hashSum2 += binary.BigEndian.Uint64(hash[8:])
}

// countAllStored adds all entries that the ledger stores to the sums of the id ranges, in the order of their ids, and
// so decides where each range ends. It reports entries without an id.
func (c *sealCheck) countAllStored(ctx context.Context) error {
	c.ranges.stored = []rangeSum{{}}
	var after any
	for {
		ids, err := selectEntryIDs(ctx, c.q, after, idsPerRead)
		if err != nil {
			return err
		}
		for _, raw := range ids {
			c.countStored(raw)
		}
		if len(ids) < idsPerRead {
			break
		}
		after = ids[len(ids)-1]
	}
	c.ranges.listed = make([]rangeSum, len(c.ranges.stored))
	accounts, err := accountsOfEntriesWithoutID(ctx, c.q, maxDiscrepancies)
	for _, a := range accounts {
		c.report.Entries++
		c.report.add(Discrepancy{AccountID: a.ID, Problem: "it has an entry without an id: it was put there by hand"})
	}
	return err
}

// countStored adds a stored entry, by the value of its id column, to the sum of the last id range, and begins a new
// range if that one is full. It reports a malformed id instead. An entry of the backlog, which no block lists yet,
// only counts as unsealed.
func (c *sealCheck) countStored(raw any) {
	c.report.Entries++
	text, _ := raw.(string)
	id, err := laurel.ParseID(text)
	switch {
	case err != nil || id.String() != text:
		c.report.add(
			Discrepancy{
				Problem: fmt.Sprintf("an entry has the id %q, which is none: it was put there by hand", fmt.Sprint(raw)),
			},
		)
		return
	case c.backlog.isPending(id):
		c.report.Seal.Unsealed++
		return
	}
	at := len(c.ranges.stored) - 1
	if c.ranges.stored[at].count == entriesPerRange {
		c.ranges.stored, at = append(c.ranges.stored, rangeSum{}), at+1
	}
	c.ranges.addTo(&c.ranges.stored[at], id)
	if c.ranges.stored[at].count == entriesPerRange {
		c.ranges.bounds = append(c.ranges.bounds, id)
	}
}

// countListed adds an entry that a block or the change feed lists to the sum of its id range. An entry of the backlog
// is left out, as countStored leaves it out.
func (c *sealCheck) countListed(id laurel.ID) {
	if c.backlog.isPending(id) { // it is sealed, but a later bulk load made it part of a new backlog
		c.report.Seal.Unsealed--
		return
	}
	c.ranges.addTo(&c.ranges.listed[c.ranges.indexOf(id)], id)
}

// reportDifferences reports the stored entries that neither a block nor the change feed lists, and those that are
// listed twice. It looks only into id ranges whose sums differ. blockIsShort says that a block lists fewer entries
// than it sealed; a stored entry that is not listed may then be one of those.
func (c *sealCheck) reportDifferences(ctx context.Context, blockIsShort bool) error {
	var differing []int
	for i := range c.ranges.stored {
		if c.ranges.stored[i] != c.ranges.listed[i] {
			differing = append(differing, i)
		}
	}
	for some := range slices.Chunk(differing, rangesComparedAtOnce) {
		if c.report.isFull() {
			break
		}
		if err := c.compareEntryByEntry(ctx, some, blockIsShort); err != nil {
			return err
		}
	}
	return nil
}

// foundEntry says where an entry was found: whether the ledger stores it, and which blocks or the change feed list it.
type foundEntry struct {
	account  laurel.ID
	isStored bool
	lists    []string // the first two lists, such as "block 7" or "the change feed"
}

// compareEntryByEntry compares the entries of some id ranges, named by their indexes. For each entry it collects
// whether the ledger stores it, and which blocks or the change feed list it; it reports the entries that are not in
// exactly one list.
func (c *sealCheck) compareEntryByEntry(ctx context.Context, ranges []int, blockIsShort bool) error {
	found := map[laurel.ID]*foundEntry{}
	placesOf := func(id laurel.ID) *foundEntry {
		if found[id] == nil {
			found[id] = &foundEntry{}
		}
		return found[id]
	}
	for _, r := range ranges {
		var after, until laurel.ID
		if r > 0 {
			after = c.ranges.bounds[r-1]
		}
		if r < len(c.ranges.bounds) {
			until = c.ranges.bounds[r]
		}
		rows, err := selectEntriesBetween(ctx, c.q, after, until)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if row.ID.corrupt == "" && !c.backlog.isPending(row.ID.ID) {
				places := placesOf(row.ID.ID)
				places.isStored, places.account = true, row.AccountID.ID
			}
		}
	}
	addList := func(entries []seal.BlockEntry, list string) {
		for _, e := range entries {
			if slices.Contains(ranges, c.ranges.indexOf(e.ID)) && !c.backlog.isPending(e.ID) {
				if places := placesOf(e.ID); len(places.lists) < 2 {
					places.lists = append(places.lists, list)
				}
			}
		}
	}
	if err := c.eachBlock(ctx, addList); err != nil {
		return err
	}
	if err := c.eachUnsealed(
		ctx,
		func(_ laurel.ID, entries []seal.BlockEntry) error { addList(entries, "the change feed"); return nil },
	); err != nil {
		return err
	}
	c.reportMisplaced(found, blockIsShort)
	return nil
}

// reportMisplaced reports, in the order of ids, the stored entries that no list has, and all entries that two lists
// have. It passes over an entry that one list has and the ledger does not store: checkEntries and checkUnsealed report
// it.
func (c *sealCheck) reportMisplaced(found map[laurel.ID]*foundEntry, blockIsShort bool) {
	var ids []laurel.ID
	for id, places := range found {
		if places.isStored && len(places.lists) == 0 || len(places.lists) > 1 {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, laurel.ID.Compare)
	problem := "it is in no block and not in the change feed: it was put there by hand"
	if blockIsShort {
		problem += ", or is what a block no longer lists"
	}
	for _, id := range ids {
		places := found[id]
		if len(places.lists) == 0 {
			c.report.add(Discrepancy{AccountID: places.account, EntryID: id, Problem: problem})
			continue
		}
		c.report.add(
			Discrepancy{
				AccountID: places.account,
				EntryID:   id,
				Problem:   fmt.Sprintf("it is recorded twice: by %s and by %s", places.lists[0], places.lists[1]),
			},
		)
	}
}

// eachBlock calls f with the entries that each block lists, and with the name of the block, such as "block 7". It ends
// an organization's chain at a block whose number is not greater than the one before.
func (c *sealCheck) eachBlock(ctx context.Context, f func(entries []seal.BlockEntry, block string)) error {
	for _, organization := range c.organizations {
		for last := int64(0); ; {
			blocks, err := selectBlocks(ctx, c.q, organization, last, maxBlocksPerRead)
			if blocks, _ = ascendingPrefix(blocks, last); err != nil || len(blocks) == 0 {
				if err != nil {
					return err
				}
				break
			}
			for rest := blocks; len(rest) > 0; {
				someBlocks := blocksForOneRead(rest)
				if err := readBlockEntries(ctx, c.q, someBlocks); err != nil {
					return err
				}
				for _, b := range someBlocks {
					f(b.entries, fmt.Sprintf("block %d", b.Number))
				}
				rest = rest[len(someBlocks):]
			}
			last = int64(blocks[len(blocks)-1].Number)
		}
	}
	return nil
}
