package badges

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/awards"
)

// maxNearestMembers bounds the members on a badge's page who are nearest to it.
const maxNearestMembers = 10

// badgeData is the data of the page of a badge.
type badgeData struct {
	Badge      badges.Badge
	Conditions []parts.ConditionText
	Rewards    []string
	Files      int
	Rules      []report.RuleName
	Jobs       []report.BadgeJob
	Spread     report.BadgeProgress
	Chart      web.DayChart
	Near       []badgeHolder
	Tabs       []holderTab
	Tab        holderTab
	Holders    []badgeHolder
	Pager      web.Pager
	Polls      bool // a job is under way
}

// Begun is how many members are on the way.
func (d badgeData) Begun() (sum int64) {
	for _, n := range d.Spread.Tenths {
		sum += n
	}
	return sum
}

// Total is how many members are on the way, have the badge, or had it.
func (d badgeData) Total() int64 { return d.Begun() + d.Spread.Held + d.Spread.Revoked }

// badgeHolder is a member's record of a badge, with the member and the progress.
type badgeHolder struct {
	report.BadgeUser
	Who parts.Person
}

// Part says how far the member is, in words.
func (h badgeHolder) Part() string { return parts.DescribeProgress(h.Progress) }

// judgedMessage matches the message of a badge job about its members or wallets.
var judgedMessage = regexp.MustCompile(`^(.+) (member|wallet)s judged, (\S+) granted`)

// badgeJobMessages maps other messages of badge jobs to their words on the page.
var badgeJobMessages = map[string]string{
	"The badge is given by calls alone": "No check is needed, because this badge isn’t granted automatically.",
}

// badgeJobText returns the message that a badge job has stored, in the words of the page: "1 members judged, 0 granted"
// becomes "1 member checked; 0 got the badge". A message that it does not know stays as it is.
func badgeJobText(message string) string {
	if text := badgeJobMessages[message]; text != "" {
		return text
	}
	if strings.HasPrefix(message, "1 members ") || strings.HasPrefix(message, "1 wallets ") {
		return judgedMessage.ReplaceAllString(message, "$1 $2 checked; $3 got the badge")
	}
	return judgedMessage.ReplaceAllString(message, "$1 ${2}s checked; $3 got the badge")
}

// holderTab is a list of a badge's members.
type holderTab struct{ Status, Label, Empty, Why string }

var holderTabs = []holderTab{
	{badges.Active, "Holders", "No holders yet", "Members get the badge automatically when they meet all conditions."},
	{
		badges.Inactive, "In progress", "No members in progress",
		"Members who meet some of the conditions, or who lost the badge and can earn it again, are listed here.",
	},
	{badges.Revoked, "Revoked", "No revoked badges", "Members who lost the badge permanently are listed here."},
}

// badgePage shows a badge with its rules, jobs, progress of members, and the members of the tab that the query names.
func badgePage(c *call) (web.View, error) {
	b, err := c.getBadge()
	if err != nil {
		return web.View{}, err
	}
	data := badgeData{Badge: b, Files: len(b.CSVFiles), Tabs: holderTabs, Tab: holderTabs[0]}
	for _, tab := range holderTabs {
		if tab.Status == c.URL.Query().Get("tab") {
			data.Tab = tab
		}
	}
	for _, read := range []func(*badgeData) error{c.readBadgeFacts, c.readProgressSpread, c.readHolders} {
		if err := read(&data); err != nil {
			return web.View{}, err
		}
	}
	return web.Show("badge", b.Name+", badge", data)
}

// readBadgeFacts reads the conditions and rewards of the badge in words, the rules that refer to it, and its jobs.
func (c *call) readBadgeFacts(d *badgeData) error {
	texts, err := c.ReadBadgeTexts([]badges.Badge{d.Badge})
	if err != nil {
		return err
	}
	d.Conditions, d.Rewards = texts.Conditions(d.Badge), texts.Rewards(d.Badge)
	scope := c.Scope.At(c.Site.ID)
	rules, err := c.Report.BadgeRules(c.Context(), scope, []badges.Badge{d.Badge})
	if err != nil {
		return err
	}
	d.Rules = rules[d.Badge.ID]
	jobs, err := c.Report.BadgeJobsOf(c.Context(), scope, []laurel.ID{d.Badge.ID})
	d.Jobs = jobs[d.Badge.ID]
	d.Polls = slices.ContainsFunc(d.Jobs, report.BadgeJob.IsOpen)
	return err
}

// readProgressSpread reads how far members are and who is nearest to the badge. It draws a chart with a bar for each
// tenth of progress, and one for the holders.
func (c *call) readProgressSpread(d *badgeData) (err error) {
	scope := c.Scope.At(c.Site.ID)
	if d.Spread, err = c.Report.BadgeProgress(c.Context(), scope, d.Badge.ID); err != nil {
		return err
	}
	bars := make([]web.DayValue, 0, len(d.Spread.Tenths)+1)
	for i, count := range d.Spread.Tenths {
		from := strconv.Itoa(i * 10)
		bars = append(bars, web.DayValue{Label: from + " to " + strconv.Itoa(i*10+9) + "%", Mark: from + "%", Up: float64(count)})
	}
	bars = append(bars, web.DayValue{Label: "Holders", Mark: "Held", Up: float64(d.Spread.Held)})
	for i := range bars {
		bars[i].Texts = []string{web.Number(int64(bars[i].Up))}
	}
	d.Chart = web.DrawDays(bars, web.AxisCount, "members")
	// DrawDays words its chart for days: these are the words for parts of progress
	d.Chart.Step, d.Chart.Head, d.Chart.Span, d.Chart.Open = "part", "Progress", "Total", ""
	d.Chart.Sums = []string{web.Number(d.Begun() + d.Spread.Held)}
	near, err := c.Report.NearestToBadge(c.Context(), scope, d.Badge.ID, maxNearestMembers)
	if err != nil {
		return err
	}
	d.Near, err = c.joinHolders(near)
	return err
}

// readHolders reads a page of the members whose status is that of the chosen tab.
func (c *call) readHolders(d *badgeData) error {
	page, err := c.PageRequest()
	if err != nil {
		return err
	}
	page.Limit = web.SideListLimit
	list, err := c.badgeMembers(d.Badge.ID, d.Tab.Status)(page)
	if err != nil {
		return err
	}
	d.Pager = c.Pager(page, list.HasNextPage, web.LastID(list, badgeUserID))
	d.Holders, err = c.joinHolders(list.Data)
	return err
}

func badgeUserID(u report.BadgeUser) laurel.ID { return u.ID }

// badgeMembers returns a function that lists a page of a badge's members who have one of the statuses. Without statuses
// it lists all members with a record of the badge.
func (c *call) badgeMembers(
	badge laurel.ID,
	statuses ...string,
) func(laurel.PageRequest) (laurel.Page[report.BadgeUser], error) {
	f := report.BadgeUserFilter{BadgeID: badge, Statuses: statuses}
	return func(page laurel.PageRequest) (laurel.Page[report.BadgeUser], error) {
		return c.Report.BadgeUsers(c.Context(), c.Scope.At(c.Site.ID), f, page)
	}
}

// joinHolders adds to each record of a badge its member and the member's progress.
func (c *call) joinHolders(records []report.BadgeUser) ([]badgeHolder, error) {
	people, err := c.ReadPeople(web.UniqueIDs(records, func(record report.BadgeUser) laurel.ID { return record.UserID }))
	if err != nil {
		return nil, err
	}
	var out []badgeHolder
	for _, record := range records {
		out = append(out, badgeHolder{record, people[record.UserID]})
	}
	return out, nil
}

// exportBadgeMembers exports as CSV all members who have a badge, had it, or have progress toward it.
func exportBadgeMembers(c *call) (web.View, error) {
	b, err := c.getBadge()
	if err != nil {
		return web.View{}, err
	}
	head := []string{"member", "name", "walletAddress", "status", "percent", "completed", "made", "changed"}
	rows := func(list []report.BadgeUser) ([][]string, error) {
		found, err := c.joinHolders(list)
		return web.CellRows(found, func(h badgeHolder) []string {
			return []string{
				web.IdCell(h.UserID), h.Who.Name, h.Who.Wallet, h.Status, strconv.FormatInt(h.Share, 10),
				web.TimeCell(h.CompletedAt),
				web.TimeCell(h.CreatedAt), web.TimeCell(h.UpdatedAt),
			}
		}), err
	}
	return web.ExportCSV("badge-"+b.ID.String()+".csv", head, web.PagedRows(c.badgeMembers(b.ID), badgeUserID, rows))
}

// cancelBadgeJob cancels a job of a badge. A job that has already ended stays as it is, and the notice says so. A job
// of another badge is not found.
func cancelBadgeJob(c *call) (web.View, error) {
	b, err := c.getBadge()
	if err != nil {
		return web.View{}, err
	}
	id, err := c.PathID("job", "Data job")
	if err != nil {
		return web.View{}, err
	}
	findJob := func() (report.BadgeJob, error) {
		byBadge, err := c.Report.BadgeJobsOf(c.Context(), c.Scope.At(c.Site.ID), []laurel.ID{b.ID})
		for _, j := range byBadge[b.ID] {
			if j.ID == id {
				return j, err
			}
		}
		if err == nil {
			err = laurel.Missing("Data job")
		}
		return report.BadgeJob{}, err
	}
	if _, err := findJob(); err != nil { // unknown, or of another badge
		return web.View{}, err
	}
	if err := c.Awards.Cancel(c.Context(), c.Scope.At(c.Site.ID), id); err != nil {
		return web.View{}, err
	}
	job, err := findJob()
	notice := "The job had already ended."
	if job.Status == awards.JobCancelled {
		notice = "Job cancelled. Members keep the badges it granted."
	}
	if err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("badges", b.ID), notice)
}
