package audit

import (
	"context"
	"log/slog"
	"maps"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/points/seal"
	"laurel.example/laurel/internal/store"
)

// entriesByOrganization are entries with their leaves, per organization, in the order in which they are sealed.
type entriesByOrganization map[laurel.ID][]seal.BlockEntry

func (c entriesByOrganization) organizations() []laurel.ID {
	return slices.SortedFunc(maps.Keys(c), laurel.ID.Compare)
}

// entriesOfChanges returns the entries that changes of the feed list, per organization, and the numbers of changes
// whose list is corrupt. It skips changes up to the number after, which are sealed already.
func entriesOfChanges(changes []feed.Change, after int64) (found entriesByOrganization, corrupt []int64) {
	found = entriesByOrganization{}
	for _, c := range changes {
		if c.Seq <= after {
			continue
		}
		entries, isValid := seal.DecodeBlockEntries(c.Leaves)
		if !isValid || c.OrganizationID.IsZero() {
			corrupt = append(corrupt, c.Seq)
			continue
		}
		found[c.OrganizationID] = append(found[c.OrganizationID], entries...)
	}
	return found, corrupt
}

// removeSealed removes from c the entries that blocks list already, and then the organizations without entries. Only
// entries of the backlog can be sealed before the feed lists them, so ids above until, the last of the backlog, are not
// looked up.
func (c entriesByOrganization) removeSealed(ctx context.Context, q store.Queryer, until laurel.ID) error {
	for organization, entries := range c {
		var maybeSealed []laurel.ID
		for _, e := range entries {
			if e.ID.Compare(until) <= 0 {
				maybeSealed = append(maybeSealed, e.ID)
			}
		}
		slices.SortFunc(maybeSealed, laurel.ID.Compare)
		sealed, err := findSealed(ctx, q, organization, maybeSealed)
		if err != nil {
			return err
		}
		if len(sealed) > 0 {
			c[organization] = slices.DeleteFunc(entries, func(e seal.BlockEntry) bool { return sealed[e.ID] })
		}
		if len(c[organization]) == 0 {
			delete(c, organization)
		}
	}
	return nil
}

// sealBacklog seals the next backlogBatchSize entries of the backlog, which are the entries from before sealing began,
// in the order of ids. done reports whether none is left. Nodes that start together do so one after the other, since
// each locks the backlog's row.
func (s *Sealer) sealBacklog(ctx context.Context, tx *store.Tx) (done bool, err error) {
	s.newBlocks = nil
	backlog, err := lockOrCreateBacklog(ctx, tx)
	if err != nil || backlog.isDone() {
		return true, err
	}
	next, err := selectBacklogEntries(ctx, tx, backlog, backlogBatchSize)
	if err != nil {
		return false, err
	}
	found, ids := entriesByOrganization{}, make([]laurel.ID, len(next))
	for i, e := range next {
		ids[i], backlog.After.ID = e.ID, e.ID
		found[e.OrganizationID] = append(found[e.OrganizationID], seal.BlockEntry{ID: e.ID})
	}
	if err := s.sealStoredEntries(ctx, tx, found, ids); err != nil {
		return false, err
	}
	done = len(next) < backlogBatchSize
	return done, saveBacklog(ctx, tx, backlog.After.ID, done)
}

// sealStoredEntries seals entries of the backlog, with leaves made from the rows that the ledger stores now. ids are
// the ids of all entries in found, sorted.
func (s *Sealer) sealStoredEntries(
	ctx context.Context, tx *store.Tx, found entriesByOrganization, ids []laurel.ID,
) error {
	if len(ids) == 0 {
		return nil
	}
	heads, err := lockOrCreateHeads(ctx, tx, found.organizations())
	if err != nil {
		return err
	}
	if err := found.removeSealed(ctx, tx, ids[len(ids)-1]); err != nil {
		return err
	}
	rows, err := storedEntriesOf(ctx, tx, ids)
	if err != nil {
		return err
	}
	for _, entries := range found {
		for i := range entries {
			if row := rows[entries[i].ID]; row != nil {
				entries[i].Leaf = row.leaf()
			}
		}
	}
	return s.appendBlocks(ctx, tx, heads, found)
}

// sealChanges seals the entries that changes of the feed list, with the leaves that were made when the entries were
// posted. It does not read the entries, so a manipulation before the sealing is found as well as a later one.
func (s *Sealer) sealChanges(ctx context.Context, tx *store.Tx, changes []feed.Change) error {
	s.newBlocks = nil
	backlog, err := findBacklog(ctx, tx)
	if err != nil {
		return err
	}
	found, corrupt := entriesOfChanges(changes, int64(backlog.Position))
	for _, seq := range corrupt {
		s.log.Error("the list of entries in the change feed is corrupt; they are not sealed", slog.Int64("change", seq))
	}
	if len(found) == 0 {
		return nil
	}
	heads, err := lockOrCreateHeads(ctx, tx, found.organizations())
	if err != nil {
		return err
	}
	if err := found.removeSealed(ctx, tx, backlog.Until.ID); err != nil {
		return err
	}
	if err := s.appendBlocks(ctx, tx, heads, found); err != nil {
		return err
	}
	return savePosition(ctx, tx, changes[len(changes)-1].Seq)
}

// appendBlocks makes one block for each organization, of the found entries, signs it and appends it to the
// organization's chain. heads are the locked heads of the chains. It adds the blocks to s.newBlocks, to be logged after
// the commit.
func (s *Sealer) appendBlocks(
	ctx context.Context,
	tx *store.Tx,
	heads map[laurel.ID]sealHead,
	found entriesByOrganization,
) error {
	var blocks []newBlock
	for _, organization := range found.organizations() {
		head, entries := heads[organization], found[organization]
		blocks = append(
			blocks,
			newBlock{entries: entries, Block: s.key.Seal(seal.Block{
				OrganizationID: organization,
				Number:         head.Number + 1,
				Size: int64(
					len(entries),
				),
				Root:         seal.Root(seal.Leaves(entries)),
				PreviousHash: head.Hash,
				CreatedAt:    store.Micros(tx.Now()),
			})},
		)
	}
	if len(blocks) == 0 {
		return nil
	}
	for _, b := range blocks {
		s.newBlocks = append(s.newBlocks, b.Block)
	}
	return insertBlocks(ctx, tx, blocks)
}
