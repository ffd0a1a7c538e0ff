package badges

import (
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/engagement/badges"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/report"
)

// badgeGrantData is the data of the pages that confirm before a badge is granted to a member, or revoked.
type badgeGrantData struct {
	web.Refusal
	Badge    badges.Badge
	Rewards  []string
	Who      parts.Person
	Record   report.BadgeUser // zero: the member has no record
	HadBadge bool             // the member had the badge before
	Query    string
	Found    []parts.Person // the results of a search with several matches
}

// readBadgeToGrant reads the badge whose id is in the path, with its rewards in words.
func (c *call) readBadgeToGrant() (d badgeGrantData, err error) {
	if d.Badge, err = c.getBadge(); err != nil {
		return d, err
	}
	texts, err := c.ReadBadgeTexts([]badges.Badge{d.Badge})
	d.Rewards = texts.Rewards(d.Badge)
	return d, err
}

// readBadgeGrant reads the badge and the member whose ids are in the path, and the member's record of the badge, if
// there is one.
func (c *call) readBadgeGrant() (d badgeGrantData, err error) {
	if d, err = c.readBadgeToGrant(); err != nil {
		return d, err
	}
	if _, d.Who, err = c.GetMember(); err != nil {
		return d, err
	}
	records, err := c.Report.HoldersOf(
		c.Context(), c.Scope.At(c.Site.ID), []laurel.ID{d.Badge.ID}, report.HolderFilter{Users: parts.UserFilter(d.Who.ID)})
	for _, row := range records[d.Badge.ID] { // one at most: the member's
		d.Record = row
		d.HadBadge = !row.CompletedAt.IsZero()
	}
	return d, err
}

// findBadgeMemberPage searches for a member to grant a badge to. A single match leads on to the confirmation. Several
// matches are listed; if there is none, the form is shown with a fault. Without a query it shows the empty form.
func findBadgeMemberPage(c *call) (web.View, error) {
	d, err := c.readBadgeToGrant()
	if err != nil {
		return web.View{}, err
	}
	title := "Grant " + d.Badge.Name
	if d.Query = strings.TrimSpace(c.URL.Query().Get("member")); d.Query == "" {
		return web.Show("badge-give", title, d)
	}
	users, _, err := c.SearchMembers(d.Query)
	if err != nil {
		return web.View{}, err
	}
	if len(users) == 1 {
		return web.View{RedirectTo: c.SitePath("badges", d.Badge.ID, "members", users[0].ID, "reward")}, nil
	}
	ids := web.UniqueIDs(users, func(u report.User) laurel.ID { return u.ID })
	people, err := c.ReadPeople(ids)
	if err != nil {
		return web.View{}, err
	}
	for _, id := range ids {
		d.Found = append(d.Found, people[id])
	}
	if len(users) == 0 {
		d.Faults = map[string]string{"member": "No member matches this text"}
	}
	return web.Show("badge-give", title, d)
}

// confirmGrantBadge shows the page that asks before a badge is granted to a member.
func confirmGrantBadge(c *call) (web.View, error) {
	d, err := c.readBadgeGrant()
	if err != nil {
		return web.View{}, err
	}
	return web.Show("badge-reward", "Grant "+d.Badge.Name+" to "+d.Who.Name+"?", d)
}

// grantBadge grants a badge to a member. If that is refused, the confirmation is shown again and says why.
func grantBadge(c *call) (web.View, error) {
	d, err := c.readBadgeGrant()
	if err != nil {
		return web.View{}, err
	}
	scope, ref := c.Scope.At(c.Site.ID), identity.Ref{UserID: d.Who.ID}
	if _, err := c.Badges.SetByCaller(c.Context(), scope, d.Badge.ID, ref, badges.Active); err != nil {
		return c.ShowRefused(err, "badge-reward", "Grant "+d.Badge.Name+" to "+d.Who.Name+"?",
			func(r web.Refusal) any { d.Refusal = r; return d })
	}
	return c.Redirect(c.SitePath("members", d.Who.ID), d.Who.Name+" now has the “"+d.Badge.Name+"” badge.")
}

// confirmRevokeBadge shows the page that asks before a badge is revoked. A member without a record of the badge is not
// found.
func confirmRevokeBadge(c *call) (web.View, error) {
	d, err := c.readBadgeGrant()
	if err == nil && d.Record.ID.IsZero() {
		err = laurel.Missing("Badge user")
	}
	if err != nil {
		return web.View{}, err
	}
	return web.Show("badge-revoke", "Revoke "+d.Badge.Name+" from "+d.Who.Name+"?", d)
}

// revokeBadge revokes a badge from a member: permanently, or until the member earns it again if the form says so.
func revokeBadge(c *call) (web.View, error) {
	d, err := c.readBadgeGrant()
	if err != nil {
		return web.View{}, err
	}
	status, notice := badges.Revoked, " no longer has the “"+d.Badge.Name+"” badge."
	if c.PostFormValue("until") == "earned" {
		status, notice = badges.Inactive, " can earn the “"+d.Badge.Name+"” badge again."
	}
	scope, ref := c.Scope.At(c.Site.ID), identity.Ref{UserID: d.Who.ID}
	if _, err := c.Badges.Revoke(c.Context(), scope, d.Badge.ID, ref, status); err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("members", d.Who.ID), d.Who.Name+notice)
}
