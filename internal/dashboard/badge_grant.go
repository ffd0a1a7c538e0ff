package dashboard

import (
	"strings"

	"laurel"
	"laurel/internal/engagement/badges"
	"laurel/internal/engagement/conditions"
	"laurel/internal/identity"
	"laurel/internal/report"
)

// badgeGrantData is the data of the pages that confirm before a badge is granted to a member, or revoked.
type badgeGrantData struct {
	Badge    badges.Badge
	Rewards  []string
	Who      person
	Record   report.BadgeUser // zero: the member has no record
	HadBadge bool             // the member had the badge before
	Query    string
	Found    []person // the results of a search with several matches
	Faults   map[string]string
	Error    string
}

// readBadgeToGrant reads the badge whose id is in the path, with its rewards in words.
func (c *request) readBadgeToGrant() (d badgeGrantData, err error) {
	if d.Badge, err = c.getBadge(); err != nil {
		return d, err
	}
	texts, err := c.readBadgeTexts([]badges.Badge{d.Badge})
	d.Rewards = texts.rewards(d.Badge)
	return d, err
}

// readBadgeGrant reads the badge and the member whose ids are in the path, and the member's record of the badge, if
// there is one.
func (c *request) readBadgeGrant() (d badgeGrantData, err error) {
	if d, err = c.readBadgeToGrant(); err != nil {
		return d, err
	}
	if _, d.Who, err = c.getMember(); err != nil {
		return d, err
	}
	records, err := c.d.Report.HoldersOf(
		c.Context(), c.scope.At(c.site.ID), []laurel.ID{d.Badge.ID}, report.HolderFilter{Users: userFilter(d.Who.ID)})
	for _, row := range records[d.Badge.ID] { // one at most: the member's
		d.Record = row
		d.HadBadge = !row.CompletedAt.IsZero()
	}
	return d, err
}

// findBadgeMemberPage searches for a member to grant a badge to. A single match leads on to the confirmation. Several
// matches are listed; if there is none, the form is shown with a fault. Without a query it shows the empty form.
func findBadgeMemberPage(c *request) (view, error) {
	d, err := c.readBadgeToGrant()
	if err != nil {
		return view{}, err
	}
	title := "Grant " + d.Badge.Name
	if d.Query = strings.TrimSpace(c.URL.Query().Get("member")); d.Query == "" {
		return pageView("badge-give", title, d)
	}
	users, _, err := c.searchMembers(d.Query)
	if err != nil {
		return view{}, err
	}
	if len(users) == 1 {
		return view{redirectTo: c.sitePath("badges", d.Badge.ID, "members", users[0].ID, "reward")}, nil
	}
	ids := uniqueIDs(users, func(u report.User) laurel.ID { return u.ID })
	people, err := c.readPeople(ids)
	if err != nil {
		return view{}, err
	}
	for _, id := range ids {
		d.Found = append(d.Found, people[id])
	}
	if len(users) == 0 {
		d.Faults = map[string]string{"member": "No member matches this text"}
	}
	return pageView("badge-give", title, d)
}

// confirmGrantBadge shows the page that asks before a badge is granted to a member.
func confirmGrantBadge(c *request) (view, error) {
	d, err := c.readBadgeGrant()
	if err != nil {
		return view{}, err
	}
	return pageView("badge-reward", "Grant "+d.Badge.Name+" to "+d.Who.Name+"?", d)
}

// grantBadge grants a badge to a member. If that is refused, the confirmation is shown again and says why.
func grantBadge(c *request) (view, error) {
	d, err := c.readBadgeGrant()
	if err != nil {
		return view{}, err
	}
	scope, ref := c.scope.At(c.site.ID), identity.Ref{UserID: d.Who.ID}
	if _, err := c.d.Badges.SetByCaller(c.Context(), scope, d.Badge.ID, ref, badges.Active); err != nil {
		return c.showRefused(err, "badge-reward", "Grant "+d.Badge.Name+" to "+d.Who.Name+"?",
			func(faults map[string]string, text string) any {
				d.Faults, d.Error = faults, text
				return d
			})
	}
	return c.redirect(c.sitePath("members", d.Who.ID), d.Who.Name+" now has the “"+d.Badge.Name+"” badge.")
}

// confirmRevokeBadge shows the page that asks before a badge is revoked. A member without a record of the badge is not
// found.
func confirmRevokeBadge(c *request) (view, error) {
	d, err := c.readBadgeGrant()
	if err == nil && d.Record.ID.IsZero() {
		err = laurel.Missing("Badge user")
	}
	if err != nil {
		return view{}, err
	}
	return pageView("badge-revoke", "Revoke "+d.Badge.Name+" from "+d.Who.Name+"?", d)
}

// revokeBadge revokes a badge from a member: permanently, or until the member earns it again if the form says so.
func revokeBadge(c *request) (view, error) {
	d, err := c.readBadgeGrant()
	if err != nil {
		return view{}, err
	}
	status, notice := badges.Revoked, " no longer has the “"+d.Badge.Name+"” badge."
	if c.PostFormValue("until") == "earned" {
		status, notice = badges.Inactive, " can earn the “"+d.Badge.Name+"” badge again."
	}
	scope, ref := c.scope.At(c.site.ID), identity.Ref{UserID: d.Who.ID}
	if _, err := c.d.Badges.Revoke(c.Context(), scope, d.Badge.ID, ref, status); err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("members", d.Who.ID), d.Who.Name+notice)
}

// memberBadge is a badge as the page of a member shows it.
type memberBadge struct {
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
func (b memberBadge) Status() string {
	if b.Record.Status == "" {
		return badges.Inactive
	}
	return b.Record.Status
}

// Part says how far the member is, in words.
func (b memberBadge) Part() string { return describeProgress(b.Progress) }

// memberBadges adds to each badge of the list the member's record and present progress.
func (c *request) memberBadges(member laurel.ID, list []badges.Badge) ([]memberBadge, error) {
	scope, ids := c.scope.At(c.site.ID), uniqueIDs(list, badgeID)
	records, err := c.d.Report.HoldersOf(c.Context(), scope, ids, report.HolderFilter{Users: userFilter(member)})
	if err != nil {
		return nil, err
	}
	progress, err := c.d.Awards.Progress(c.Context(), scope, list, []laurel.ID{member})
	if err != nil {
		return nil, err
	}
	texts, err := c.readBadgeTexts(list)
	if err != nil {
		return nil, err
	}
	out := make([]memberBadge, len(list))
	for i, b := range list {
		row := memberBadge{Badge: b, Progress: progress[b.ID][member]}
		for _, record := range records[b.ID] { // one at most: the member's
			row.Record = record
		}
		row.Share = badges.PercentComplete(row.Progress)
		conditionTexts := texts.conditions(b)
		for j, s := range row.Progress {
			condition := conditionProgress{conditionTexts[j].Text, describeConditionState(s), s.Complete}
			row.Conditions = append(row.Conditions, condition)
		}
		out[i] = row
	}
	return out, nil
}

type memberBadgesData struct {
	person
	Badges []memberBadge
	Pager  pager
}

// memberBadgesPage shows a page of the website's badges with a member's progress in each.
func memberBadgesPage(c *request) (view, error) {
	_, member, err := c.getMember()
	if err != nil {
		return view{}, err
	}
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	list, err := c.listBadges(page)
	if err != nil {
		return view{}, err
	}
	data := memberBadgesData{person: member, Pager: c.pager(page, list.HasNextPage, lastID(list, badgeID))}
	if data.Badges, err = c.memberBadges(member.ID, list.Data); err != nil {
		return view{}, err
	}
	return pageView("member-badges", "Badges for "+member.Name, data)
}

// exportMemberBadges exports all badges of the website with a member's progress as CSV.
func exportMemberBadges(c *request) (view, error) {
	head := []string{"badgeId", "badge", "status", "percent", "progress", "completed"}
	return c.exportOfMember("badges", head, func(member person) func(laurel.PageRequest) (sheetPart, error) {
		rows := func(list []badges.Badge) ([][]string, error) {
			found, err := c.memberBadges(member.ID, list)
			return cellRows(found, func(b memberBadge) []string {
				return []string{
					idCell(b.Badge.ID), b.Badge.Name, b.Status(), number(b.Share), b.Part(), timeCell(b.Record.CompletedAt),
				}
			}), err
		}
		return pagedRows(c.listBadges, badgeID, rows)
	})
}

// maxMemberBadges bounds the badges on the page of a member: those that the member has, then those with the most
// progress.
const maxMemberBadges = 8

// firstBadges reads the badges that the page of a member shows, at most maxMemberBadges, and whether there are more.
// Badges that were deleted meanwhile are left out.
func (c *request) firstBadges(member laurel.ID) (first []memberBadge, hasMore bool, err error) {
	rows, err := c.d.Report.MemberBadges(c.Context(), c.scope.At(c.site.ID), member, maxMemberBadges+1)
	if err != nil {
		return nil, false, err
	}
	if hasMore = len(rows) > maxMemberBadges; hasMore {
		rows = rows[:maxMemberBadges]
	}
	ids := uniqueIDs(rows, func(u report.BadgeUser) laurel.ID { return u.BadgeID })
	found, err := c.d.Badges.ByIDs(c.Context(), c.scope.At(c.site.ID), ids)
	if err != nil {
		return nil, false, err
	}
	var list []badges.Badge
	for _, id := range ids {
		if b, exists := found[id]; exists {
			list = append(list, b)
		}
	}
	first, err = c.memberBadges(member, list)
	return first, hasMore, err
}
