package parts

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/engagement/conditions"
	"laurel.example/laurel/internal/report"
)

// MemberBadge is a badge as the page of a member shows it.
type MemberBadge struct {
	Badge      badges.Badge
	Record     report.BadgeUser // zero: the member has no record
	Progress   []conditions.State
	Share      int64
	Conditions []conditionProgress
}

// conditionProgress is a condition with how far the member is.
type conditionProgress struct {
	Text, Part string
	Complete   bool
}

// Status is the member's; inactive if nothing is written.
func (b MemberBadge) Status() string {
	if b.Record.Status == "" {
		return badges.Inactive
	}
	return b.Record.Status
}

// Part says how far the member is, in words.
func (b MemberBadge) Part() string { return DescribeProgress(b.Progress) }

// MemberBadges adds to each badge of the list the member's record and present progress.
func (c *Call) MemberBadges(member laurel.ID, list []badges.Badge) ([]MemberBadge, error) {
	scope, ids := c.Scope.At(c.Site.ID), web.UniqueIDs(list, BadgeID)
	records, err := c.Report.HoldersOf(c.Context(), scope, ids, report.HolderFilter{Users: UserFilter(member)})
	if err != nil {
		return nil, err
	}
	progress, err := c.Awards.Progress(c.Context(), scope, list, []laurel.ID{member})
	if err != nil {
		return nil, err
	}
	texts, err := c.ReadBadgeTexts(list)
	if err != nil {
		return nil, err
	}
	out := make([]MemberBadge, len(list))
	for i, b := range list {
		row := MemberBadge{Badge: b, Progress: progress[b.ID][member]}
		for _, record := range records[b.ID] { // one at most: the member's
			row.Record = record
		}
		row.Share = badges.PercentComplete(row.Progress)
		conditionTexts := texts.Conditions(b)
		for j, s := range row.Progress {
			condition := conditionProgress{conditionTexts[j].Text, describeConditionState(s), s.Complete}
			row.Conditions = append(row.Conditions, condition)
		}
		out[i] = row
	}
	return out, nil
}

// maxMemberBadges bounds the badges on the page of a member: those that the member has, then those with the most
// progress.
const maxMemberBadges = 8

// FirstBadges reads the badges that the page of a member shows, at most maxMemberBadges, and whether there are more.
// Badges that were deleted meanwhile are left out.
func (c *Call) FirstBadges(member laurel.ID) (first []MemberBadge, hasMore bool, err error) {
	rows, err := c.Report.MemberBadges(c.Context(), c.Scope.At(c.Site.ID), member, maxMemberBadges+1)
	if err != nil {
		return nil, false, err
	}
	if hasMore = len(rows) > maxMemberBadges; hasMore {
		rows = rows[:maxMemberBadges]
	}
	ids := web.UniqueIDs(rows, func(u report.BadgeUser) laurel.ID { return u.BadgeID })
	found, err := c.Badges.ByIDs(c.Context(), c.Scope.At(c.Site.ID), ids)
	if err != nil {
		return nil, false, err
	}
	var list []badges.Badge
	for _, id := range ids {
		if b, exists := found[id]; exists {
			list = append(list, b)
		}
	}
	first, err = c.MemberBadges(member, list)
	return first, hasMore, err
}
