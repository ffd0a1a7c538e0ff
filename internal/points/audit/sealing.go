package audit

import (
	"context"
	"log/slog"
	"maps"
	"slices"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/points/seal"
	"laurel/internal/store"
)

// membersByOrganization are entries with their leaves, per organization, in the order in which they are sealed.
type membersByOrganization map[laurel.ID][]seal.Member

func (c membersByOrganization) organizations() []laurel.ID {
	return slices.SortedFunc(maps.Keys(c), laurel.ID.Compare)
}

// gatherMembers returns the entries that the changes after a number list, and the numbers of changes whose list is
// corrupt.
func gatherMembers(changes []feed.Change, after int64) (found membersByOrganization, corrupt []int64) {
	found = membersByOrganization{}
	for _, c := range changes {
		if c.Seq <= after {
			continue
		}
		members, isValid := seal.DecodeMembers(c.Leaves)
		if !isValid || c.OrganizationID.IsZero() {
			corrupt = append(corrupt, c.Seq)
			continue
		}
		found[c.OrganizationID] = append(found[c.OrganizationID], members...)
	}
	return found, corrupt
}

// removeSealed removes the entries that blocks list already. Only entries of the backlog can be listed twice, by it and
// by the feed, so ids above until are not looked up.
func (c membersByOrganization) removeSealed(ctx context.Context, q store.Queryer, until laurel.ID) error {
	for organization, members := range c {
		var old []laurel.ID
		for _, m := range members {
			if m.Entry.Compare(until) <= 0 {
				old = append(old, m.Entry)
			}
		}
		slices.SortFunc(old, laurel.ID.Compare)
		sealed, err := findSealed(ctx, q, organization, old)
		if err != nil {
			return err
		}
		if len(sealed) > 0 {
			c[organization] = slices.DeleteFunc(members, func(m seal.Member) bool { return sealed[m.Entry] })
		}
		if len(c[organization]) == 0 {
			delete(c, organization)
		}
	}
	return nil
}

// sealBacklog seals the next entries of the backlog, in the order of ids, and reports whether it is done. Nodes that
// start together wait for the lock of its row.
func (s *Sealer) sealBacklog(ctx context.Context, tx *store.Tx) (done bool, err error) {
	s.newBlocks = nil
	backlog, err := lockBacklog(ctx, tx)
	if err != nil || backlog.isDone() {
		return true, err
	}
	next, err := selectNextEntries(ctx, tx, backlog, sealBatch)
	if err != nil {
		return false, err
	}
	found, ids := membersByOrganization{}, make([]laurel.ID, len(next))
	for i, e := range next {
		ids[i], backlog.After.ID = e.ID, e.ID
		found[e.OrganizationID] = append(found[e.OrganizationID], seal.Member{Entry: e.ID})
	}
	if err := s.sealStored(ctx, tx, found, ids); err != nil {
		return false, err
	}
	done = len(next) < sealBatch
	return done, saveBacklog(ctx, tx, backlog.After.ID, done)
}

// sealStored seals entries as they are stored in the ledger.
func (s *Sealer) sealStored(ctx context.Context, tx *store.Tx, found membersByOrganization, ids []laurel.ID) error {
	if len(ids) == 0 {
		return nil
	}
	heads, err := lockHeads(ctx, tx, found.organizations())
	if err != nil {
		return err
	}
	if err := found.removeSealed(ctx, tx, ids[len(ids)-1]); err != nil {
		return err
	}
	rows, err := entriesOf(ctx, tx, ids)
	if err != nil {
		return err
	}
	for _, members := range found {
		for i := range members {
			if row := rows[members[i].Entry]; row != nil {
				members[i].Leaf = row.leaf()
			}
		}
	}
	return s.seal(ctx, tx, heads, found)
}

// sealPosted seals the entries that changes list, with the leaves that were made when they were posted. It does not
// read the entries, so a manipulation before the sealing is found as well as a later one.
func (s *Sealer) sealPosted(ctx context.Context, tx *store.Tx, changes []feed.Change) error {
	s.newBlocks = nil
	backlog, err := readBacklog(ctx, tx)
	if err != nil {
		return err
	}
	found, corrupt := gatherMembers(changes, int64(backlog.Position))
	for _, seq := range corrupt {
		s.log.Error("the list of entries in the change feed is corrupt; they are not sealed", slog.Int64("change", seq))
	}
	if len(found) == 0 {
		return nil
	}
	heads, err := lockHeads(ctx, tx, found.organizations())
	if err != nil {
		return err
	}
	if err := found.removeSealed(ctx, tx, backlog.Until.ID); err != nil {
		return err
	}
	if err := s.seal(ctx, tx, heads, found); err != nil {
		return err
	}
	return savePosition(ctx, tx, changes[len(changes)-1].Seq)
}

// seal makes and appends one block per organization. The heads are locked.
func (s *Sealer) seal(
	ctx context.Context,
	tx *store.Tx,
	heads map[laurel.ID]sealHead,
	found membersByOrganization,
) error {
	var blocks []newBlock
	for _, organization := range found.organizations() {
		head, members := heads[organization], found[organization]
		blocks = append(
			blocks,
			newBlock{members: members, Block: s.key.Seal(seal.Block{
				OrganizationID: organization,
				Number:         head.Number + 1,
				Size: int64(
					len(members),
				),
				Root:         seal.Root(seal.Leaves(members)),
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
	return appendBlocks(ctx, tx, blocks)
}
