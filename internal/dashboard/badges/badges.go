package badges

import (
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/report"
)

var badgeRoutes = []route{
	web.Get("/badges", admins.SeeProgram, "badges", badgesPage),
	web.Get("/badges/badges.csv", admins.SeeProgram, "badges", exportBadges),
	web.Get("/badges/new", admins.ChangeProgram, "badges", newBadgePage),
	web.Post("/badges", admins.ChangeProgram, "badges", "created a badge", web.Idempotent(createBadge)),
	web.Post("/badges/upload", admins.ChangeProgram, "badges", "uploaded a file for a badge", uploadBadgeFile),
	web.Get("/badges/{badge}", admins.SeeProgram, "badges", badgePage),
	web.Get("/badges/{badge}/members.csv", admins.SeeMembers, "badges", exportBadgeMembers),
	web.Get("/badges/{badge}/settings", admins.ChangeProgram, "badges", badgeSettingsPage),
	web.Post("/badges/{badge}/settings", admins.ChangeProgram, "badges", "changed a badge", saveBadge),
	web.Post("/badges/{badge}/upload", admins.ChangeProgram, "badges",
		"uploaded a file for a badge", uploadBadgeFile),
	web.Get("/badges/{badge}/delete", admins.ChangeProgram, "badges", confirmDeleteBadge),
	web.Post("/badges/{badge}/delete", admins.ChangeProgram, "badges", "deleted a badge", deleteBadge),
	web.Post("/badges/{badge}/jobs/{job}/cancel", admins.ChangeJobs, "badges",
		"cancelled a badge job", cancelBadgeJob),
	web.Get("/badges/{badge}/reward", admins.AdjustFreely, "badges", findBadgeMemberPage),
	web.Get("/badges/{badge}/members/{user}/reward", admins.AdjustFreely, "badges", confirmGrantBadge),
	web.Post("/badges/{badge}/members/{user}/reward", admins.AdjustFreely, "badges",
		"granted a badge to a member", grantBadge),
	web.Get("/badges/{badge}/members/{user}/revoke", admins.AdjustFreely, "badges", confirmRevokeBadge),
	web.Post("/badges/{badge}/members/{user}/revoke", admins.AdjustFreely, "badges",
		"revoked a badge from a member", revokeBadge),
}

// badgeRow is a badge of the list.
type badgeRow struct {
	badges.Badge
	Holders        int64
	HasMoreHolders bool // there are more than Held
	Job            *report.BadgeJob
}

type badgesData struct {
	Badges []badgeRow
	Pager  web.Pager
}

// badgesPage shows a page of the website's badges.
func badgesPage(c *call) (web.View, error) {
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	list, err := c.ListBadges(page)
	if err != nil {
		return web.View{}, err
	}
	data := badgesData{Pager: c.Pager(page, list.HasNextPage, web.LastID(list, parts.BadgeID))}
	if data.Badges, err = c.badgeRows(list.Data); err != nil {
		return web.View{}, err
	}
	return web.Show("badges", "Badges", data)
}

// badgeRows adds to each badge the number of its holders, counted up to a maximum, and its newest job.
func (c *call) badgeRows(list []badges.Badge) ([]badgeRow, error) {
	ids := web.UniqueIDs(list, parts.BadgeID)
	holders, err := c.Report.CountHolders(c.Context(), c.Scope.At(c.Site.ID), ids)
	if err != nil {
		return nil, err
	}
	jobs, err := c.Report.BadgeJobsOf(c.Context(), c.Scope.At(c.Site.ID), ids)
	var out []badgeRow
	for _, b := range list {
		row := badgeRow{Badge: b, Holders: min(holders[b.ID], report.MaxCountedHolders)}
		row.HasMoreHolders = holders[b.ID] > report.MaxCountedHolders
		if badgeJobs := jobs[b.ID]; len(badgeJobs) > 0 {
			row.Job = &badgeJobs[0]
		}
		out = append(out, row)
	}
	return out, err
}

// exportBadges exports the badges with their conditions and rewards as CSV.
func exportBadges(c *call) (web.View, error) {
	rows := func(list []badges.Badge) ([][]string, error) {
		found, err := c.badgeRows(list)
		if err != nil {
			return nil, err
		}
		texts, err := c.ReadBadgeTexts(list)
		return web.CellRows(found, func(b badgeRow) []string {
			var conditionTexts []string
			for _, line := range texts.Conditions(b.Badge) {
				conditionTexts = append(conditionTexts, line.Text)
			}
			job, holders := "", strconv.FormatInt(b.Holders, 10)
			if b.Job != nil {
				job = b.Job.Status
			}
			if b.HasMoreHolders {
				holders = "more than " + holders
			}
			return []string{
				web.IdCell(b.ID), b.Name, b.Description, b.ImageURL, holders, strconv.FormatBool(b.HideInUI),
				strings.Join(conditionTexts, "; "), strings.Join(texts.Rewards(b.Badge), "; "), job,
				web.TimeCell(b.CreatedAt), web.TimeCell(b.UpdatedAt),
			}
		}), err
	}
	head := []string{
		"id", "name", "description", "imageUrl", "held", "hidden", "conditions", "rewards", "job", "made", "changed",
	}
	return web.ExportCSV("badges.csv", head, web.PagedRows(c.ListBadges, parts.BadgeID, rows))
}

// getBadge returns the badge whose id is in the path. A malformed or unknown id is not found.
func (c *call) getBadge() (badges.Badge, error) {
	id, err := c.PathID("badge", "Badge")
	if err != nil {
		return badges.Badge{}, err
	}
	found, err := c.Badges.ByIDs(c.Context(), c.Scope.At(c.Site.ID), []laurel.ID{id})
	b, exists := found[id]
	if err == nil && !exists {
		err = laurel.Missing("Badge")
	}
	return b, err
}
