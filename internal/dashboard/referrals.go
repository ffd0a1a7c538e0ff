package dashboard

import (
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/points/lots"
	"laurel/internal/report"
)

var referralRoutes = []route{
	get("/referrals", admins.SeeMembers, "referrals", referralsPage),
	get("/referrals/referrals.csv", admins.SeeMembers, "referrals", exportReferrals),
}

type referralRow struct {
	report.Referral
	Referee, Referrer person
	RuleName          string
	Currency          string // of the payment
	Paid              laurel.Amount
	At                time.Time
	Eligible          time.Time // zero: not yet
}

type referralsData struct {
	Rows     []referralRow
	Pager    pager
	Referrer person // only referrals by this member; zero: all
}

// listReferrals returns a function that lists a page of the referrals by a member, newest first, or of all referrals if
// referrer is zero.
func (c *request) listReferrals(referrer laurel.ID) func(laurel.PageRequest) (laurel.Page[report.Referral], error) {
	filter := report.ReferralFilter{}
	if !referrer.IsZero() {
		filter.Users = userFilter(referrer)
	}
	return func(page laurel.PageRequest) (laurel.Page[report.Referral], error) {
		return c.d.Report.Referrals(c.Context(), c.scope.At(c.site.ID), filter, page)
	}
}

func referralID(r report.Referral) laurel.ID { return r.ID }

// referralsPage shows a page of referrals, newest first: those by the member in the query, or all.
func referralsPage(c *request) (view, error) {
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	referrer, err := c.filterID("user")
	if err != nil {
		return view{}, err
	}
	list, err := c.listReferrals(referrer)(page)
	if err != nil {
		return view{}, err
	}
	data := referralsData{Pager: c.pager(page, list.HasNextPage, lastID(list, referralID))}
	people, err := c.readPeople([]laurel.ID{referrer})
	if err != nil {
		return view{}, err
	}
	data.Referrer = people[referrer]
	if data.Rows, err = c.referralRows(list.Data); err != nil {
		return view{}, err
	}
	return pageView("referrals", "Referrals", data)
}

// referralRows adds to each referral its members, its rule, and how much it paid the referrer in which currency.
func (c *request) referralRows(list []report.Referral) ([]referralRow, error) {
	currencies, err := c.readCurrencies()
	if err != nil {
		return nil, err
	}
	userIDs, ruleIDs := []laurel.ID{}, []laurel.ID{}
	for _, referral := range list {
		userIDs, ruleIDs = append(userIDs, referral.RefereeID, referral.ReferrerID), append(ruleIDs, referral.RuleID)
	}
	people, err := c.readPeople(userIDs)
	if err != nil {
		return nil, err
	}
	rulesByID, err := c.rulesByID(ruleIDs)
	if err != nil {
		return nil, err
	}
	var out []referralRow
	for _, referral := range list {
		rule := rulesByID[referral.RuleID]
		out = append(out, referralRow{
			Referral: referral, Referee: people[referral.RefereeID], Referrer: people[referral.ReferrerID],
			RuleName: rule.Name, Currency: currencies.name(rule.Currency()),
			Paid: referral.ReferrerBonus + referral.Tier1 + referral.Tier2, At: lots.TimeOrZero(&referral.CreatedAt),
			Eligible: lots.TimeOrZero(referral.EligibleAt),
		})
	}
	return out, nil
}

// exportReferrals exports referrals as CSV: those by the member in the query, or all.
func exportReferrals(c *request) (view, error) {
	referrer, err := c.filterID("user")
	if err != nil {
		return view{}, err
	}
	rows := func(list []report.Referral) ([][]string, error) {
		found, err := c.referralRows(list)
		var out [][]string
		for _, r := range found {
			out = append(out, []string{
				timeCell(r.At), idCell(r.RefereeID), r.Referee.Name, idCell(r.ReferrerID), r.Referrer.Name, r.Code,
				idCell(r.RuleID), r.RuleName, timeCell(r.Eligible), r.Paid.String(), r.Currency,
			})
		}
		return out, err
	}
	head := []string{
		"time", "member", "name", "referrer", "referrerName", "code", "ruleId", "rule", "eligible", "paid", "currency",
	}
	return exportCSV("referrals.csv", head, pagedRows(c.listReferrals(referrer), referralID, rows))
}
