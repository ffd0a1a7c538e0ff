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
	// censusWindow is how many entries stand between two bounds of a census, censusHeld how many windows of entries are
	// held at once where they differ.
	censusWindow = 50_000
	censusHeld   = 4
	censusPage   = 10_000
)

// census compares the entries that are there with those that blocks list and the change feed tells of, without holding
// either: both are summed up by windows of ids. The sums are of hashes with a salt that nobody knows beforehand, so
// that other entries, or one entry twice, do not sum up to the same.
type census struct {
	salt   [sha256.Size]byte
	bounds []laurel.ID // the last id of each window but the last one
	there  []tally     // per window, of the entries
	told   []tally     // per window, of what is listed or told of
}

type tally struct{ n, a, b uint64 }

// window returns where an id belongs.
func (s *census) window(id laurel.ID) int {
	at, _ := slices.BinarySearchFunc(s.bounds, id, laurel.ID.Compare)
	return at
}

func (s *census) add(to *tally, id laurel.ID) {
	var text [sha256.Size + len(laurel.ID{})]byte
	copy(text[:], s.salt[:])
	copy(text[sha256.Size:], id[:])
	hash := sha256.Sum256(text[:])
	to.n++
	to.a += binary.BigEndian.Uint64(hash[:])
	to.b += binary.BigEndian.Uint64(hash[8:])
}

// entries walks over the ids of all entries, in their order, and sets the bounds of the windows.
func (c *sealCheck) entries(ctx context.Context) error {
	c.census.there = []tally{{}}
	var after any
	for {
		ids, err := selectEntryIDs(ctx, c.q, after, censusPage)
		if err != nil {
			return err
		}
		for _, raw := range ids {
			c.entry(raw)
		}
		if len(ids) < censusPage {
			break
		}
		after = ids[len(ids)-1]
	}
	c.census.told = make([]tally, len(c.census.there))
	accounts, err := selectNameless(ctx, c.q, maxDiscrepancies)
	for _, a := range accounts {
		c.report.Entries++
		c.report.add(Discrepancy{AccountID: a.ID, Problem: "it has an entry without an id: it was put there by hand"})
	}
	return err
}

func (c *sealCheck) entry(raw any) {
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
	case c.backlog.awaits(id):
		c.report.Seal.Unsealed++
		return
	}
	at := len(c.census.there) - 1
	if c.census.there[at].n == censusWindow {
		c.census.there, at = append(c.census.there, tally{}), at+1
	}
	c.census.add(&c.census.there[at], id)
	if c.census.there[at].n == censusWindow {
		c.census.bounds = append(c.census.bounds, id)
	}
}

// listed counts an entry that a block lists or the feed tells of.
func (c *sealCheck) listed(id laurel.ID) {
	if c.backlog.awaits(id) { // sealed before a bulk load began the backlog anew
		c.report.Seal.Unsealed--
		return
	}
	c.census.add(&c.census.told[c.census.window(id)], id)
}

// strays names the entries that nobody tells of and those that are told of twice.
// short: a block lists too few.
func (c *sealCheck) strays(ctx context.Context, short bool) error {
	var differ []int
	for i := range c.census.there {
		if c.census.there[i] != c.census.told[i] {
			differ = append(differ, i)
		}
	}
	for ; len(differ) > 0 && !c.report.full(); differ = differ[min(censusHeld, len(differ)):] {
		if err := c.compare(ctx, differ[:min(censusHeld, len(differ))], short); err != nil {
			return err
		}
	}
	return nil
}

// whereabouts is what is known of an id in a window that differs.
type whereabouts struct {
	account laurel.ID
	there   bool
	told    []string // where: the first two places
}

// compare looks at the windows id by id.
func (c *sealCheck) compare(ctx context.Context, windows []int, short bool) error {
	known := map[laurel.ID]*whereabouts{}
	of := func(id laurel.ID) *whereabouts {
		if known[id] == nil {
			known[id] = &whereabouts{}
		}
		return known[id]
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
			if r.ID.spoilt == "" && !c.backlog.awaits(r.ID.ID) {
				at := of(r.ID.ID)
				at.there, at.account = true, r.AccountID.ID
			}
		}
	}
	tell := func(members []seal.Member, where string) {
		for _, m := range members {
			if slices.Contains(windows, c.census.window(m.Entry)) && !c.backlog.awaits(m.Entry) {
				if at := of(m.Entry); len(at.told) < 2 {
					at.told = append(at.told, where)
				}
			}
		}
	}
	if err := c.eachBlock(ctx, tell); err != nil {
		return err
	}
	if err := c.eachWaiting(
		ctx,
		func(_ laurel.ID, members []seal.Member) error { tell(members, "the change feed"); return nil },
	); err != nil {
		return err
	}
	c.name(known, short)
	return nil
}

// name tells of what does not stand in exactly one place, in the order of ids.
func (c *sealCheck) name(known map[laurel.ID]*whereabouts, short bool) {
	var ids []laurel.ID
	for id, at := range known {
		if at.there && len(at.told) == 0 || len(at.told) > 1 {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, laurel.ID.Compare)
	problem := "it is in no block and the change feed does not tell of it: it was put there by hand"
	if short {
		problem += ", or is what a block no longer lists"
	}
	for _, id := range ids {
		at := known[id]
		if len(at.told) == 0 {
			c.report.add(Discrepancy{AccountID: at.account, EntryID: id, Problem: problem})
			continue
		}
		c.report.add(
			Discrepancy{
				AccountID: at.account,
				EntryID:   id,
				Problem:   fmt.Sprintf("it is told of twice: by %s and by %s", at.told[0], at.told[1]),
			},
		)
	}
}

// eachBlock reads what all blocks list.
func (c *sealCheck) eachBlock(ctx context.Context, each func(members []seal.Member, where string)) error {
	for _, organization := range c.chains {
		for last := int64(0); ; {
			blocks, err := selectBlocks(ctx, c.q, organization, last, verifyPage)
			if blocks, _ = ascending(blocks, last); err != nil || len(blocks) == 0 {
				if err != nil {
					return err
				}
				break
			}
			for rest := blocks; len(rest) > 0; {
				several := together(rest)
				if err := readMembers(ctx, c.q, several); err != nil {
					return err
				}
				for _, b := range several {
					each(b.members, fmt.Sprintf("block %d", b.Number))
				}
				rest = rest[len(several):]
			}
			last = int64(blocks[len(blocks)-1].Number)
		}
	}
	return nil
}
