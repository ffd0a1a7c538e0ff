package dashboard

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/engagement/badges"
	"laurel/internal/engagement/conditions"
	"laurel/internal/report"
)

var badgeRoutes = []route{
	get("/badges", admins.SeeProgram, "badges", badgesPage),
	get("/badges/badges.csv", admins.SeeProgram, "badges", exportBadges),
	get("/badges/new", admins.ChangeProgram, "badges", newBadgePage),
	post("/badges", admins.ChangeProgram, "badges", "created a badge", idempotent(createBadge)),
	post("/badges/upload", admins.ChangeProgram, "badges", "uploaded a file for a badge", uploadBadgeFile),
	get("/badges/{badge}", admins.SeeProgram, "badges", badgePage),
	get("/badges/{badge}/members.csv", admins.SeeMembers, "badges", exportBadgeMembers),
	get("/badges/{badge}/settings", admins.ChangeProgram, "badges", badgeSettingsPage),
	post("/badges/{badge}/settings", admins.ChangeProgram, "badges", "changed a badge", saveBadge),
	post("/badges/{badge}/upload", admins.ChangeProgram, "badges",
		"uploaded a file for a badge", uploadBadgeFile),
	get("/badges/{badge}/delete", admins.ChangeProgram, "badges", confirmDeleteBadge),
	post("/badges/{badge}/delete", admins.ChangeProgram, "badges", "deleted a badge", deleteBadge),
	post("/badges/{badge}/jobs/{job}/cancel", admins.ChangeJobs, "badges",
		"cancelled a badge job", cancelBadgeJob),
	get("/badges/{badge}/reward", admins.AdjustFreely, "badges", findBadgeMemberPage),
	get("/badges/{badge}/members/{user}/reward", admins.AdjustFreely, "badges", confirmGrantBadge),
	post("/badges/{badge}/members/{user}/reward", admins.AdjustFreely, "badges",
		"granted a badge to a member", grantBadge),
	get("/badges/{badge}/members/{user}/revoke", admins.AdjustFreely, "badges", confirmRevokeBadge),
	post("/badges/{badge}/members/{user}/revoke", admins.AdjustFreely, "badges",
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
	Pager  pager
}

func badgeID(b badges.Badge) laurel.ID { return b.ID }

// listBadges lists a page of the website's badges.
func (c *request) listBadges(page laurel.PageRequest) (laurel.Page[badges.Badge], error) {
	return c.d.Report.Badges(c.Context(), c.scope.At(c.site.ID), report.BadgeFilter{}, page)
}

// badgesPage shows a page of the website's badges.
func badgesPage(c *request) (view, error) {
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	list, err := c.listBadges(page)
	if err != nil {
		return view{}, err
	}
	data := badgesData{Pager: c.pager(page, list.HasNextPage, lastID(list, badgeID))}
	if data.Badges, err = c.badgeRows(list.Data); err != nil {
		return view{}, err
	}
	return pageView("badges", "Badges", data)
}

// badgeRows adds to each badge the number of its holders, counted up to a maximum, and its newest job.
func (c *request) badgeRows(list []badges.Badge) ([]badgeRow, error) {
	ids := uniqueIDs(list, badgeID)
	holders, err := c.d.Report.CountHolders(c.Context(), c.scope.At(c.site.ID), ids)
	if err != nil {
		return nil, err
	}
	jobs, err := c.d.Report.BadgeJobsOf(c.Context(), c.scope.At(c.site.ID), ids)
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
func exportBadges(c *request) (view, error) {
	rows := func(list []badges.Badge) ([][]string, error) {
		found, err := c.badgeRows(list)
		if err != nil {
			return nil, err
		}
		texts, err := c.readBadgeTexts(list)
		return cellRows(found, func(b badgeRow) []string {
			var conditionTexts []string
			for _, line := range texts.conditions(b.Badge) {
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
				idCell(b.ID), b.Name, b.Description, b.ImageURL, holders, strconv.FormatBool(b.HideInUI),
				strings.Join(conditionTexts, "; "), strings.Join(texts.rewards(b.Badge), "; "), job,
				timeCell(b.CreatedAt), timeCell(b.UpdatedAt),
			}
		}), err
	}
	head := []string{
		"id", "name", "description", "imageUrl", "held", "hidden", "conditions", "rewards", "job", "made", "changed",
	}
	return exportCSV("badges.csv", head, pagedRows(c.listBadges, badgeID, rows))
}

// getBadge returns the badge whose id is in the path. A malformed or unknown id is not found.
func (c *request) getBadge() (badges.Badge, error) {
	id, err := c.pathID("badge", "Badge")
	if err != nil {
		return badges.Badge{}, err
	}
	found, err := c.d.Badges.ByIDs(c.Context(), c.scope.At(c.site.ID), []laurel.ID{id})
	b, exists := found[id]
	if err == nil && !exists {
		err = laurel.Missing("Badge")
	}
	return b, err
}

// badgeTexts writes the conditions and rewards of badges in words. It holds the names that they need.
type badgeTexts struct {
	targets    report.Names  // of the records that conditions refer to
	names      *websiteNames // of all records that the website has now
	badges     map[laurel.ID]string
	currencies map[laurel.ID]string
}

// readBadgeTexts reads the names of all rules, groups, badges and currencies that the badges refer to, to write their
// conditions and rewards in words.
func (c *request) readBadgeTexts(list []badges.Badge) (texts badgeTexts, err error) {
	var badgeIDs, currencyIDs []laurel.ID
	var allConditions []conditions.Condition
	for _, b := range list {
		allConditions = append(allConditions, b.Conditions...)
		for _, r := range b.Rewards {
			currencyIDs = append(append(currencyIDs, r.CurrencyIDs...), r.CurrencyID)
			badgeIDs = append(badgeIDs, r.BadgeID)
		}
	}
	self := func(id laurel.ID) laurel.ID { return id }
	if texts.targets, err = c.d.Report.NamesOf(c.Context(), c.scope.At(c.site.ID), allConditions); err != nil {
		return texts, err
	}
	if texts.names, err = c.readNames(); err != nil {
		return texts, err
	}
	scope := c.scope.At(c.site.ID)
	if texts.badges, err = c.d.Report.BadgeNames(c.Context(), scope, uniqueIDs(badgeIDs, self)); err != nil {
		return texts, err
	}
	texts.currencies, err = c.currencyNames(uniqueIDs(currencyIDs, self))
	return texts, err
}

// conditions returns the conditions of a badge in words, in their order.
func (texts badgeTexts) conditions(b badges.Badge) []conditionText {
	out := make([]conditionText, len(b.Conditions))
	for i, condition := range b.Conditions {
		out[i] = conditionText{describeCondition(condition, texts.targets, texts.names), condition.Description}
		if condition.Type == conditions.TypeAPI {
			out[i].Text = "Granted by a rule, by your server or manually"
		}
	}
	return out
}

// rewards returns the rewards of a badge in words, in their order.
func (texts badgeTexts) rewards(b badges.Badge) []string {
	out := make([]string, len(b.Rewards))
	for i, reward := range b.Rewards {
		currency := cmp.Or(texts.currencies[reward.CurrencyID], "a deleted currency")
		switch reward.Type {
		case badges.Points:
			out[i] = number(reward.Amount) + " " + currency
		case badges.Token:
			out[i] = number(reward.Amount) + " " + currency + ", paid out on a blockchain"
		case badges.FurtherBadge:
			out[i] = "A deleted badge"
			if name := texts.badges[reward.BadgeID]; name != "" {
				out[i] = "The “" + name + "” badge"
			}
		default:
			out[i] = texts.multiplier(reward)
		}
	}
	return out
}

// multiplier returns a multiplier reward in words. A multiplier without currencies applies to every currency.
func (texts badgeTexts) multiplier(reward badges.Reward) string {
	currencies := "every currency"
	for i, id := range reward.CurrencyIDs {
		name := cmp.Or(texts.currencies[id], "a deleted currency")
		if i == 0 {
			currencies = name
		} else {
			currencies += ", " + name
		}
	}
	text := fmt.Sprintf("×%s multiplier for rewards in %s", number(reward.Multiplier), currencies)
	if reward.Retroactive {
		text += ", also applied once to the current balance"
	}
	return text
}
