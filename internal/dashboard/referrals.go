package dashboard

import (
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/points/lots"
	"laurel/internal/report"
)

var referralRoutes = []route{
	{onWebsite, admins.SeeMembers, "referrals", get, "/referrals", referralsPage},
	{onWebsite, admins.SeeMembers, "referrals", get, "/referrals/referrals.csv", exportReferrals},
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
	Rows  []referralRow
	Pager pager
	Of    person // only referrals by this member; zero: all
}

// listReferrals returns a function that lists the referrals of a member; all if user is zero.
func (c *request) listReferrals(user laurel.ID) func(laurel.PageRequest) (laurel.Page[report.Referral], error) {
	f := report.ReferralFilter{}
	if !user.IsZero() {
		f.Users = userFilter(user)
	}
	return func(page laurel.PageRequest) (laurel.Page[report.Referral], error) {
		return c.d.Report.Referrals(c.Context(), c.scope.At(c.site.ID), f, page)
	}
}

func referralID(r report.Referral) laurel.ID { return r.ID }

// referralsPage lists referrals, newest first.
func referralsPage(c *request) (view, error) {
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	user, err := c.filterID("user")
	if err != nil {
		return view{}, err
	}
	list, err := c.listReferrals(user)(page)
	if err != nil {
		return view{}, err
	}
	data := referralsData{Pager: c.pager(page, list.HasNextPage, lastID(list, referralID))}
	people, err := c.readPeople([]laurel.ID{user})
	if err != nil {
		return view{}, err
	}
	data.Of = people[user]
	if data.Rows, err = c.referralRows(list.Data); err != nil {
		return view{}, err
	}
	return pageView("referrals", "Referrals", data)
}

// referralRows adds to each referral its members, rule, currency and payment.
func (c *request) referralRows(list []report.Referral) ([]referralRow, error) {
	m, err := c.readCurrencies()
	if err != nil {
		return nil, err
	}
	ids, rules := []laurel.ID{}, []laurel.ID{}
	for _, r := range list {
		ids, rules = append(ids, r.RefereeID, r.ReferrerID), append(rules, r.RuleID)
	}
	people, err := c.readPeople(ids)
	if err != nil {
		return nil, err
	}
	byID, err := c.rulesByID(rules)
	if err != nil {
		return nil, err
	}
	var out []referralRow
	for _, r := range list {
		rule := byID[r.RuleID]
		out = append(out, referralRow{
			Referral: r, Referee: people[r.RefereeID], Referrer: people[r.ReferrerID], RuleName: rule.Name,
			Currency: m.name(rule.Currency()), Paid: r.ReferrerBonus + r.Tier1 + r.Tier2,
			At: lots.TimeOrZero(&r.CreatedAt), Eligible: lots.TimeOrZero(r.EligibleAt),
		})
	}
	return out, nil
}

// exportReferrals exports referrals as CSV.
func exportReferrals(c *request) (view, error) {
	user, err := c.filterID("user")
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
	return c.exportCSV(sheet{"referrals.csv", head, pagedRows(c.listReferrals(user), referralID, rows)})
}
