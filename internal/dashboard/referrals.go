package dashboard

import (
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/points/lots"
	"laurel/internal/report"
)

var referralRoutes = []route{
	{ofWebsite, admins.SeeMembers, "referrals", get, "/referrals", referralList},
}

type referralRow struct {
	report.Referral
	Referee, Referrer person
	RuleName          string
	Currency          string // of what was paid
	Paid              laurel.Amount
	At                time.Time
	Eligible          time.Time // zero: not yet
}

type referralsData struct {
	Rows  []referralRow
	Pager pager
	Of    person // only whom this member brought; zero: all
}

// referralList shows who came by whom, the newest first.
func referralList(c *call) (view, error) {
	page, err := c.page()
	if err != nil {
		return view{}, err
	}
	user, err := c.filterID("user")
	if err != nil {
		return view{}, err
	}
	scope, f := c.scope.At(c.site.ID), report.ReferralFilter{}
	if !user.IsZero() {
		f.Users = of(user)
	}
	list, err := c.d.Report.Referrals(c.Context(), scope, f, page)
	if err != nil {
		return view{}, err
	}
	m, err := c.readMoney()
	if err != nil {
		return view{}, err
	}
	ids, rules := []laurel.ID{user}, []laurel.ID{}
	for _, r := range list.Data {
		ids, rules = append(ids, r.RefereeID, r.ReferrerID), append(rules, r.RuleID)
	}
	known, err := c.people(ids)
	if err != nil {
		return view{}, err
	}
	byID, err := c.rulesOf(rules)
	if err != nil {
		return view{}, err
	}
	data := referralsData{Of: known[user]}
	data.Pager = c.pager(page, list.HasNextPage, lastID(list, func(r report.Referral) laurel.ID { return r.ID }))
	for _, r := range list.Data {
		rule := byID[r.RuleID]
		data.Rows = append(data.Rows, referralRow{
			Referral: r, Referee: known[r.RefereeID], Referrer: known[r.ReferrerID], RuleName: rule.Name,
			Currency: m.named(rule.Currency()), Paid: r.Lump + r.Tier1 + r.Tier2,
			At: lots.Moment(&r.CreatedAt), Eligible: lots.Moment(r.EligibleAt),
		})
	}
	return show("referrals", "Referrals", data)
}
