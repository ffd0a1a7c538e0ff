package members

import (
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/report"
)

var referralRoutes = []route{
	web.Get("/referrals", admins.SeeMembers, "referrals", referralsPage),
	web.Get("/referrals/referrals.csv", admins.SeeMembers, "referrals", exportReferrals),
}

type referralRow struct {
	report.Referral
	Referee, Referrer parts.Person
	RuleName          string
	Currency          string // of the payment
	Paid              laurel.Amount
	At                time.Time
	Eligible          time.Time // zero: not yet
}

type referralsData struct {
	Rows     []referralRow
	Pager    web.Pager
	Referrer parts.Person // only referrals by this member; zero: all
}

// listReferrals returns a function that lists a page of the referrals by a member, newest first, or of all referrals if
// referrer is zero.
func (c *call) listReferrals(referrer laurel.ID) func(laurel.PageRequest) (laurel.Page[report.Referral], error) {
	filter := report.ReferralFilter{}
	if !referrer.IsZero() {
		filter.Users = parts.UserFilter(referrer)
	}
	return func(page laurel.PageRequest) (laurel.Page[report.Referral], error) {
		return c.Report.Referrals(c.Context(), c.Scope.At(c.Site.ID), filter, page)
	}
}

func referralID(r report.Referral) laurel.ID { return r.ID }

// referralsPage shows a page of referrals, newest first: those by the member in the query, or all.
func referralsPage(c *call) (web.View, error) {
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	referrer, err := c.FilterID("user")
	if err != nil {
		return web.View{}, err
	}
	list, err := c.listReferrals(referrer)(page)
	if err != nil {
		return web.View{}, err
	}
	data := referralsData{Pager: c.Pager(page, list.HasNextPage, web.LastID(list, referralID))}
	people, err := c.ReadPeople([]laurel.ID{referrer})
	if err != nil {
		return web.View{}, err
	}
	data.Referrer = people[referrer]
	if data.Rows, err = c.referralRows(list.Data); err != nil {
		return web.View{}, err
	}
	return web.Show("referrals", "Referrals", data)
}

// referralRows adds to each referral its members, its rule, and how much it paid the referrer in which currency.
func (c *call) referralRows(list []report.Referral) ([]referralRow, error) {
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return nil, err
	}
	userIDs, ruleIDs := []laurel.ID{}, []laurel.ID{}
	for _, referral := range list {
		userIDs, ruleIDs = append(userIDs, referral.RefereeID, referral.ReferrerID), append(ruleIDs, referral.RuleID)
	}
	people, err := c.ReadPeople(userIDs)
	if err != nil {
		return nil, err
	}
	rulesByID, err := c.RulesByID(ruleIDs)
	if err != nil {
		return nil, err
	}
	var out []referralRow
	for _, referral := range list {
		rule := rulesByID[referral.RuleID]
		out = append(out, referralRow{
			Referral: referral, Referee: people[referral.RefereeID], Referrer: people[referral.ReferrerID],
			RuleName: rule.Name, Currency: currencies.Name(rule.Currency()),
			Paid: referral.ReferrerBonus + referral.Tier1 + referral.Tier2, At: referral.CreatedAt.Time,
			Eligible: referral.EligibleAt.Time,
		})
	}
	return out, nil
}

// exportReferrals exports referrals as CSV: those by the member in the query, or all.
func exportReferrals(c *call) (web.View, error) {
	referrer, err := c.FilterID("user")
	if err != nil {
		return web.View{}, err
	}
	rows := func(list []report.Referral) ([][]string, error) {
		found, err := c.referralRows(list)
		var out [][]string
		for _, r := range found {
			out = append(out, []string{
				web.TimeCell(r.At), web.IdCell(r.RefereeID), r.Referee.Name, web.IdCell(r.ReferrerID), r.Referrer.Name, r.Code,
				web.IdCell(r.RuleID), r.RuleName, web.TimeCell(r.Eligible), r.Paid.String(), r.Currency,
			})
		}
		return out, err
	}
	head := []string{
		"time", "member", "name", "referrer", "referrerName", "code", "ruleId", "rule", "eligible", "paid", "currency",
	}
	return web.ExportCSV("referrals.csv", head, web.PagedRows(c.listReferrals(referrer), referralID, rows))
}
