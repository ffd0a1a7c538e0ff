package audit

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	"laurel"
	"laurel/internal/points/seal"
)

const (
	// censusWindow is how many entries a window of a census has, censusWindowsAtOnce how many windows are compared entry
	// by entry at once.
	censusWindow        = 50_000
	censusWindowsAtOnce = 4
	censusPage          = 10_000
)

// census compares the stored entries with those that are listed by blocks or the change feed, without holding either
// set in memory. Both are summed up per window of ids. The sums are of hashes with a random salt, so different entries,
// or one entry twice, do not have the same sum.
type census struct {
	salt   [sha256.Size]byte
	bounds []laurel.ID // the last id of each window but the last one
	stored []tally     // per window, of the stored entries
	listed []tally     // per window, of the listed entries
}

type tally struct{ n, a, b uint64 }

// window returns the index of the window of an id.
func (s *census) window(id laurel.ID) int {
	at, _ := slices.BinarySearchFunc(s.bounds, id, laurel.ID.Compare)
	return at
}

// add counts an id in a tally, with two parts of its salted hash.
func (s *census) add(to *tally, id laurel.ID) {
	var text [sha256.Size + len(laurel.ID{})]byte
	copy(text[:], s.salt[:])
	copy(text[sha256.Size:], id[:])
	hash := sha256.Sum256(text[:])
	to.n++
	to.a += binary.BigEndian.Uint64(hash[:])
	to.b += binary.BigEndian.Uint64(hash[8:])
}

// countEntries counts all stored entries in the order of their ids, and sets the bounds of the windows.
func (c *sealCheck) countEntries(ctx context.Context) error {
	c.census.stored = []tally{{}}
	var after any
	for {
		ids, err := selectEntryIDs(ctx, c.q, after, censusPage)
		if err != nil {
			return err
		}
		for _, raw := range ids {
			c.countEntry(raw)
		}
		if len(ids) < censusPage {
			break
		}
		after = ids[len(ids)-1]
	}
	c.census.listed = make([]tally, len(c.census.stored))
	accounts, err := accountsOfEntriesWithoutID(ctx, c.q, maxDiscrepancies)
	for _, a := range accounts {
		c.report.Entries++
		c.report.add(Discrepancy{AccountID: a.ID, Problem: "it has an entry without an id: it was put there by hand"})
	}
	return err
}

// countEntry counts a stored entry, reports an id that is none, and leaves out an entry of the backlog.
func (c *sealCheck) countEntry(raw any) {
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
	at := len(c.census.stored) - 1
	if c.census.stored[at].n == censusWindow {
		c.census.stored, at = append(c.census.stored, tally{}), at+1
	}
	c.census.add(&c.census.stored[at], id)
	if c.census.stored[at].n == censusWindow {
		c.census.bounds = append(c.census.bounds, id)
	}
}

// countListed counts an entry that a block or the change feed lists.
func (c *sealCheck) countListed(id laurel.ID) {
	if c.backlog.isPending(id) { // sealed before a bulk load began the backlog anew
		c.report.Seal.Unsealed--
		return
	}
	c.census.add(&c.census.listed[c.census.window(id)], id)
}

// reportStrays reports the entries that are stored and listed nowhere, and those that are listed twice. blockIsShort
// says that a block lists fewer entries than it sealed.
func (c *sealCheck) reportStrays(ctx context.Context, blockIsShort bool) error {
	var differing []int
	for i := range c.census.stored {
		if c.census.stored[i] != c.census.listed[i] {
			differing = append(differing, i)
		}
	}
	for ; len(differing) > 0 && !c.report.isFull(); differing = differing[min(censusWindowsAtOnce, len(differing)):] {
		if err := c.compareWindows(ctx, differing[:min(censusWindowsAtOnce, len(differing))], blockIsShort); err != nil {
			return err
		}
	}
	return nil
}

// entryPlaces says where an entry was found: in the ledger, and in which lists.
type entryPlaces struct {
	account  laurel.ID
	isStored bool
	places   []string // the first two lists
}

// compareWindows compares the stored and the listed entries of windows one by one.
func (c *sealCheck) compareWindows(ctx context.Context, windows []int, blockIsShort bool) error {
	found := map[laurel.ID]*entryPlaces{}
	placesOf := func(id laurel.ID) *entryPlaces {
		if found[id] == nil {
			found[id] = &entryPlaces{}
		}
		return found[id]
	}
	for _, w := range windows {
		var after, until laurel.ID
		if w > 0 {
			after = c.census.bounds[w-1]
		}
		if w < len(c.census.bounds) {
			until = c.census.bounds[w]
		}
		rows, err := selectWindow(ctx, c.q, after, until)
		if err != nil {
			return err
		}
		for _, r := range rows {
			if r.ID.corrupt == "" && !c.backlog.isPending(r.ID.ID) {
				at := placesOf(r.ID.ID)
				at.isStored, at.account = true, r.AccountID.ID
			}
		}
	}
	addPlaces := func(members []seal.Member, place string) {
		for _, m := range members {
			if slices.Contains(windows, c.census.window(m.Entry)) && !c.backlog.isPending(m.Entry) {
				if at := placesOf(m.Entry); len(at.places) < 2 {
					at.places = append(at.places, place)
				}
			}
		}
	}
	if err := c.eachBlockMembers(ctx, addPlaces); err != nil {
		return err
	}
	if err := c.eachPending(
		ctx,
		func(_ laurel.ID, members []seal.Member) error { addPlaces(members, "the change feed"); return nil },
	); err != nil {
		return err
	}
	c.reportMisplaced(found, blockIsShort)
	return nil
}

// reportMisplaced reports the entries that are not in exactly one list, in the order of ids.
func (c *sealCheck) reportMisplaced(found map[laurel.ID]*entryPlaces, blockIsShort bool) {
	var ids []laurel.ID
	for id, at := range found {
		if at.isStored && len(at.places) == 0 || len(at.places) > 1 {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, laurel.ID.Compare)
	problem := "it is in no block and the change feed does not tell of it: it was put there by hand"
	if blockIsShort {
		problem += ", or is what a block no longer lists"
	}
	for _, id := range ids {
		at := found[id]
		if len(at.places) == 0 {
			c.report.add(Discrepancy{AccountID: at.account, EntryID: id, Problem: problem})
			continue
		}
		c.report.add(
			Discrepancy{
				AccountID: at.account,
				EntryID:   id,
				Problem:   fmt.Sprintf("it is told of twice: by %s and by %s", at.places[0], at.places[1]),
			},
		)
	}
}

// eachBlockMembers calls each with the members of every block.
func (c *sealCheck) eachBlockMembers(ctx context.Context, each func(members []seal.Member, where string)) error {
	for _, organization := range c.organizations {
		for last := int64(0); ; {
			blocks, err := selectBlocks(ctx, c.q, organization, last, verifyPage)
			if blocks, _ = ascendingPrefix(blocks, last); err != nil || len(blocks) == 0 {
				if err != nil {
					return err
				}
				break
			}
			for rest := blocks; len(rest) > 0; {
				group := readableTogether(rest)
				if err := readMembers(ctx, c.q, group); err != nil {
					return err
				}
				for _, b := range group {
					each(b.members, fmt.Sprintf("block %d", b.Number))
				}
				rest = rest[len(group):]
			}
			last = int64(blocks[len(blocks)-1].Number)
		}
	}
	return nil
}
