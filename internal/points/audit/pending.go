package audit

import (
	"context"
	"slices"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/feed"
	"laurel.example/laurel/internal/points/seal"
)

// feedPage is how many changes of the feed verification reads at a time; each may list dozens of entries.
const feedPage = 100

// allStoredLeaves reads the leaves of all changes that the feed still stores: without a consumer no change is skipped.
var allStoredLeaves = feed.PendingLeaves{}

// checkUnsealed compares the entries that are not sealed yet with their leaves in the change feed, which were made when
// the entries were posted, and counts them as unsealed.
func (c *sealCheck) checkUnsealed(ctx context.Context) error {
	return c.eachUnsealed(ctx, func(organization laurel.ID, entries []seal.BlockEntry) error {
		rows, err := storedEntriesOf(ctx, c.q, entryIDs(entries))
		if err != nil {
			return err
		}
		for _, e := range entries {
			c.countListed(e.ID)
			switch row := rows[e.ID]; {
			case row == nil:
				c.report.add(Discrepancy{EntryID: e.ID, Problem: "the change feed has it, but it is gone"})
				continue
			case row.leaf() != e.Leaf:
				c.report.add(Discrepancy{EntryID: e.ID, Problem: "it is not what the change feed says was posted"})
			case row.OrganizationID.Value != organization.String():
				c.report.add(Discrepancy{EntryID: e.ID, Problem: "the change feed has it for another organization"})
			}
			c.report.Seal.Unsealed++
		}
		return nil
	})
}

// entryIDs returns the ids of the entries, in their order.
func entryIDs(entries []seal.BlockEntry) []laurel.ID {
	ids := make([]laurel.ID, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	return ids
}

// eachUnsealed calls f with the entries that the change feed lists and the sealer has not sealed yet, organization by
// organization and page by page of the feed. Entries of the backlog are left out.
func (c *sealCheck) eachUnsealed(
	ctx context.Context,
	f func(organization laurel.ID, entries []seal.BlockEntry) error,
) error {
	for seq := int64(c.backlog.Position); ; {
		changes, err := unsealedLeaves.Read(ctx, c.q, seq, feedPage)
		if err != nil || len(changes) == 0 {
			return err
		}
		found, _ := entriesOfChanges(changes, seq)
		seq = changes[len(changes)-1].Seq
		for organization, entries := range found {
			found[organization] = slices.DeleteFunc(entries, func(e seal.BlockEntry) bool { return c.backlog.isPending(e.ID) })
		}
		if err := found.removeSealed(ctx, c.q, c.backlog.Until.ID); err != nil {
			return err
		}
		for _, organization := range found.organizations() {
			if err := f(organization, found[organization]); err != nil {
				return err
			}
		}
	}
}

// reportMismatches reports the entries that are not listed exactly once by blocks and the change feed, whether they are
// still stored or not. If a block lists too few entries, all discrepancies from that block on may only be its
// consequence. So the new discrepancies are placed in the report before that block's.
func (c *sealCheck) reportMismatches(ctx context.Context) error {
	firstShortBlock := slices.IndexFunc(c.report.Discrepancies, func(d Discrepancy) bool { return d.Unlisted })
	earlier := c.report.Discrepancies
	if firstShortBlock >= 0 {
		c.report.Discrepancies = slices.Clone(earlier[:firstShortBlock])
		if err := c.reportLost(ctx, earlier); err != nil {
			return err
		}
		earlier = earlier[firstShortBlock:]
	} else {
		earlier = nil
	}
	if err := c.reportDifferences(ctx, firstShortBlock >= 0); err != nil {
		return err
	}
	c.report.Discrepancies = append(c.report.Discrepancies, earlier...)
	return nil
}

// reportLost reports entries that were sealed and are deleted, and that no block lists any more. It knows them from
// changes of the feed that are sealed, but not pruned yet. It does not report the entries of the given discrepancies
// again.
func (c *sealCheck) reportLost(ctx context.Context, reported []Discrepancy) error {
	for seq := int64(0); seq < int64(c.backlog.Position) && !c.report.isFull(); {
		changes, err := allStoredLeaves.Read(ctx, c.q, seq, feedPage)
		if err != nil || len(changes) == 0 {
			return err
		}
		seq = changes[len(changes)-1].Seq
		changes = slices.DeleteFunc(changes, func(change feed.Change) bool { return change.Seq > int64(c.backlog.Position) })
		found, _ := entriesOfChanges(changes, 0)
		for _, organization := range found.organizations() {
			ids := entryIDs(found[organization])
			exists, err := existingEntries(ctx, c.q, ids)
			if err != nil {
				return err
			}
			for _, id := range ids {
				if !exists[id] && !slices.ContainsFunc(reported, func(d Discrepancy) bool { return d.EntryID == id }) {
					c.report.add(
						Discrepancy{
							EntryID: id,
							Problem: "it was sealed and is gone, and no block lists it any more: the change feed still has it",
						},
					)
				}
			}
		}
	}
	return nil
}
