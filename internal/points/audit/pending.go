package audit

import (
	"context"
	"slices"

	"laurel"
	"laurel/internal/feed"
	"laurel/internal/points/seal"
)

// feedPage is how many changes of the feed verification reads at a time; each may list dozens of entries.
const feedPage = 100

// wholeFeed reads the leaves of all changes that are still stored.
var wholeFeed = feed.PendingLeaves{}

// checkPending compares the entries that are not sealed yet with the leaves that the change feed has of them.
func (c *sealCheck) checkPending(ctx context.Context) error {
	return c.eachPending(ctx, func(organization laurel.ID, members []seal.Member) error {
		rows, err := entriesOf(ctx, c.q, entryIDs(members))
		if err != nil {
			return err
		}
		for _, m := range members {
			c.countListed(m.Entry)
			switch row := rows[m.Entry]; {
			case row == nil:
				c.report.add(Discrepancy{EntryID: m.Entry, Problem: "the change feed tells of it and it is gone"})
				continue
			case row.leaf() != m.Leaf:
				c.report.add(Discrepancy{EntryID: m.Entry, Problem: "it is not what the change feed says was posted"})
			case row.OrganizationID.Value != organization.String():
				c.report.add(Discrepancy{EntryID: m.Entry, Problem: "the change feed tells of it to another organization"})
			}
			c.report.Seal.Unsealed++
		}
		return nil
	})
}

func entryIDs(members []seal.Member) []laurel.ID {
	ids := make([]laurel.ID, len(members))
	for i, m := range members {
		ids[i] = m.Entry
	}
	return ids
}

// eachPending calls each with the entries that the sealer has not sealed yet, by pages of the feed. Posting writes the
// entry and the change in one transaction.
func (c *sealCheck) eachPending(
	ctx context.Context,
	each func(organization laurel.ID, members []seal.Member) error,
) error {
	for seq := int64(c.backlog.Position); ; {
		changes, err := pendingLeaves.Read(ctx, c.q, seq, feedPage)
		if err != nil || len(changes) == 0 {
			return err
		}
		found, _ := gatherMembers(changes, seq)
		seq = changes[len(changes)-1].Seq
		for organization, members := range found {
			found[organization] = slices.DeleteFunc(members, func(m seal.Member) bool { return c.backlog.isPending(m.Entry) })
		}
		if err := found.removeSealed(ctx, c.q, c.backlog.Until.ID); err != nil {
			return err
		}
		for _, organization := range found.organizations() {
			if err := each(organization, found[organization]); err != nil {
				return err
			}
		}
	}
}

// reportUnlisted reports the entries that no block lists any more, stored or not. It puts them before the first block
// that lists too few: after that one, unchanged entries may differ too.
func (c *sealCheck) reportUnlisted(ctx context.Context) error {
	firstShort := slices.IndexFunc(c.report.Discrepancies, func(d Discrepancy) bool { return d.Unlisted })
	earlier := c.report.Discrepancies
	if firstShort >= 0 {
		c.report.Discrepancies = slices.Clone(earlier[:firstShort])
		if err := c.reportLost(ctx, earlier); err != nil {
			return err
		}
		earlier = earlier[firstShort:]
	} else {
		earlier = nil
	}
	if err := c.reportStrays(ctx, firstShort >= 0); err != nil {
		return err
	}
	c.report.Discrepancies = append(c.report.Discrepancies, earlier...)
	return nil
}

// reportLost reports sealed entries that do not exist any more, but are still listed by the stored part of the feed.
func (c *sealCheck) reportLost(ctx context.Context, reported []Discrepancy) error {
	for seq := int64(0); seq < int64(c.backlog.Position) && !c.report.isFull(); {
		changes, err := wholeFeed.Read(ctx, c.q, seq, feedPage)
		if err != nil || len(changes) == 0 {
			return err
		}
		seq = changes[len(changes)-1].Seq
		changes = slices.DeleteFunc(changes, func(change feed.Change) bool { return change.Seq > int64(c.backlog.Position) })
		found, _ := gatherMembers(changes, 0)
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
							Problem: "it was sealed and is gone, and no block lists it any more: the change feed still tells of it",
						},
					)
				}
			}
		}
	}
	return nil
}
