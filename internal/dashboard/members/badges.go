package members

import (
	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement/badges"
)

type memberBadgesData struct {
	parts.Person
	Badges []parts.MemberBadge
	Pager  web.Pager
}

// memberBadgesPage shows a page of the website's badges with a member's progress in each.
func memberBadgesPage(c *call) (web.View, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return web.View{}, err
	}
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	list, err := c.ListBadges(page)
	if err != nil {
		return web.View{}, err
	}
	data := memberBadgesData{Person: member, Pager: c.Pager(page, list.HasNextPage, web.LastID(list, parts.BadgeID))}
	if data.Badges, err = c.MemberBadges(member.ID, list.Data); err != nil {
		return web.View{}, err
	}
	return web.Show("member-badges", "Badges for "+member.Name, data)
}

// exportMemberBadges exports all badges of the website with a member's progress as CSV.
func exportMemberBadges(c *call) (web.View, error) {
	head := []string{"badgeId", "badge", "status", "percent", "progress", "completed"}
	return c.exportOfMember("badges", head, func(member parts.Person) func(laurel.PageRequest) (web.SheetPart, error) {
		rows := func(list []badges.Badge) ([][]string, error) {
			found, err := c.MemberBadges(member.ID, list)
			return web.CellRows(found, func(b parts.MemberBadge) []string {
				return []string{
					web.IdCell(b.Badge.ID), b.Badge.Name, b.Status(), web.Number(b.Share), b.Part(),
					web.TimeCell(b.Record.CompletedAt),
				}
			}), err
		}
		return web.PagedRows(c.ListBadges, parts.BadgeID, rows)
	})
}
