package dashboard

import (
	"fmt"
	"time"

	"laurel"
	"laurel/internal/identity"
	"laurel/internal/points/external"
	"laurel/internal/points/ledger"
	"laurel/internal/points/lots"
	"laurel/internal/report"
)

// balanceTile is the member's balance in a currency.
type balanceTile struct {
	Currency ledger.Currency
	Account  report.Account // zero: none yet
	Amount   laurel.Amount
	Note     string // says if an external ledger gave the balance, or did not respond
}

// lotRow is a lot of the member's account.
type lotRow struct {
	lots.Lot
	Until     time.Time // when it ends; zero: never
	Given     time.Time
	What, Why string
}

// progressRow is the member's progress with a rule.
type progressRow struct {
	report.Processing
	RuleName string
	Counts   bool // progress is a count, not per cent
	Word     string
}

// streakRow is a streak with its rule.
type streakRow struct {
	report.Streak
	RuleName string
	Ends     time.Time
	Over     bool
}

// multiplierRow is a multiplier with the currencies that it is for.
type multiplierRow struct {
	report.Multiplier
	For string
}

// refereeRow is a member that this one referred.
type refereeRow struct {
	person
	Eligible bool
	Paid     laurel.Amount
}

type memberData struct {
	person
	Joined       time.Time
	Balances     []balanceTile
	Currency     ledger.Currency // of chart, rank and lots
	Rank         string
	Streak       int64 // the longest that is not over
	Chart        *stepChart
	Days         string
	Periods      []period
	Entries      entriesData
	Lots         []lotRow
	Multipliers  []multiplierRow
	Streaks      []streakRow
	Progress     []progressRow
	Badges       []memberBadge
	MoreBadges   bool // there are others
	Group        identity.Person
	GroupMembers []person
	Referrers    []person
	Referees     []refereeRow
	BlockReason  string // in words; empty: none
}

type period struct {
	Label, Address string
	Current        bool
}

// sideListLimit bounds the lists that a page shows in addition to its main one.
const sideListLimit = 20

// findMember reads the member of the path with profile and wallet. One of another website is not found.
func (c *request) findMember() (report.User, person, error) {
	id, err := c.pathID("user", "Member")
	if err != nil {
		return report.User{}, person{}, err
	}
	f := report.UserListFilter{Users: report.UserFilter{IDs: []laurel.ID{id}}}
	list, err := c.d.Report.Users(c.Context(), c.scope.At(c.site.ID), f, laurel.PageRequest{Limit: 1})
	if err != nil {
		return report.User{}, person{}, err
	}
	if len(list.Data) == 0 {
		return report.User{}, person{}, laurel.Missing("Member")
	}
	people, err := c.readPeople([]laurel.ID{id})
	return list.Data[0], people[id], err
}

// memberPage shows a member with balances, entries, badges, progress, group and referrals.
func memberPage(c *request) (view, error) {
	user, member, err := c.findMember()
	if err != nil {
		return view{}, err
	}
	m, err := c.readCurrencies()
	if err != nil {
		return view{}, err
	}
	f, err := c.entryFilter()
	if err != nil {
		return view{}, err
	}
	data := memberData{person: member, Joined: user.CreatedAt()}
	data.BlockReason = blockReasonLabel(member)
	f.Users = userFilter(member.ID)
	if data.Entries, err = c.readEntries(f, m, sideListLimit, c.sitePath("members", member.ID, "entries.csv")); err != nil {
		return view{}, err
	}
	for _, read := range []func(*memberData, websiteCurrencies) error{
		c.readBalances, c.readChart, c.readLots, c.readMultipliers, c.readStreaks, c.readProgress, c.readBadges,
		c.readGroup, c.readReferrals,
	} {
		if err := read(&data, m); err != nil {
			return view{}, err
		}
	}
	return pageView("member", member.Name+", member", data)
}

// userFilter returns the filter that matches one member.
func userFilter(id laurel.ID) report.UserFilter { return report.UserFilter{IDs: []laurel.ID{id}} }

// readBalances reads the member's balance in each currency, from the external ledger where one keeps it, and the rank
// in the chosen currency.
func (c *request) readBalances(d *memberData, m websiteCurrencies) error {
	scope := c.scope.At(c.site.ID)
	f := report.AccountFilter{Users: userFilter(d.ID), Visibility: c.visibility()}
	list, err := c.d.Report.Accounts(c.Context(), scope, f, laurel.PageRequest{Limit: 100})
	if err != nil {
		return err
	}
	accounts := map[laurel.ID]report.Account{}
	wallet := ""
	for _, a := range list.Data {
		accounts[a.CurrencyID] = a
		if a.Wallet != nil {
			wallet = *a.Wallet
		}
	}
	var holders []external.Holder
	for _, currency := range m.Live {
		holders = append(holders, external.Holder{CurrencyID: currency.ID, Wallet: wallet})
	}
	outside, err := c.d.External.Balances(c.Context(), scope, holders)
	if err != nil {
		return err
	}
	for i, currency := range m.Live {
		tile := balanceTile{Currency: currency, Account: accounts[currency.ID], Amount: accounts[currency.ID].Amount}
		if b, read := outside[holders[i]]; read && b.IsExternal {
			tile.Amount, tile.Note = b.Amount, "From your external ledger"
		} else if read {
			tile.Note = "Your external ledger doesn’t respond; last known balance"
		}
		d.Balances = append(d.Balances, tile)
	}
	d.Currency = c.chosenCurrency(accounts, m)
	if a, exists := accounts[d.Currency.ID]; exists {
		rank, err := c.d.Ledger.Rank(c.Context(), scope, c.visibility(), a.ID, d.Currency.ID)
		if err != nil {
			return err
		}
		d.Rank = rank.String()
	}
	return nil
}

// chosenCurrency returns the currency that the address names, else the one with the latest change of the member's
// account.
func (c *request) chosenCurrency(accounts map[laurel.ID]report.Account, m websiteCurrencies) ledger.Currency {
	text, last := c.URL.Query().Get("currency"), time.Time{}
	if text != "" {
		return m.choose(text)
	}
	for _, currency := range m.Live {
		if a, exists := accounts[currency.ID]; exists && a.UpdatedAt().After(last) {
			text, last = currency.ID.String(), a.UpdatedAt()
		}
	}
	return m.choose(text)
}

// account returns the member's account in the chosen currency; false if there is none.
func (d *memberData) account() (report.Account, bool) {
	for _, tile := range d.Balances {
		if tile.Currency.ID == d.Currency.ID && !tile.Account.ID.IsZero() {
			return tile.Account, true
		}
	}
	return report.Account{}, false
}

const (
	day = 24 * time.Hour
	// maxSteps bounds what a chart draws: longer times have steps of several days.
	maxSteps = 400
)

// readChart draws the balance over the period that the address names, in UTC days. Long periods are drawn in spans of
// several days.
func (c *request) readChart(d *memberData, _ websiteCurrencies) error {
	query := c.URL.Query()
	if d.Days = query.Get("days"); d.Days != "30" && d.Days != "all" {
		d.Days = "90"
	}
	query.Del("startingAfter")
	for _, p := range []choice{{"30", "30 days"}, {"90", "90 days"}, {"all", "All"}} {
		query.Set("days", p.Value)
		d.Periods = append(d.Periods, period{p.Label, c.d.Prefix + c.URL.Path + "?" + query.Encode(), p.Value == d.Days})
	}
	account, exists := d.account()
	if !exists {
		return nil
	}
	today := c.d.Now().UTC().Truncate(day)
	var since time.Time
	switch d.Days {
	case "30":
		since = today.AddDate(0, 0, -29)
	case "90":
		since = today.AddDate(0, 0, -89)
	default:
		since = account.CreatedAt().UTC().Truncate(day)
	}
	days := int(today.Sub(since)/day) + 1
	span := day * time.Duration((days+maxSteps-1)/maxSteps)
	since = spanStart(since, span) // aligned, so that spans do not move from day to day
	steps, err := c.balanceSteps(account, since, span)
	if err != nil {
		return err
	}
	spans := "day"
	if span > day {
		spans = fmt.Sprintf("%d days", span/day)
	}
	chart := drawSteps(steps, spans, "balance")
	d.Chart = &chart
	return nil
}

// spanStart returns the start of the span that a moment is in. Spans are counted from 1970, as in the report;
// time.Truncate counts from year 1.
func spanStart(at time.Time, span time.Duration) time.Time {
	elapsed := at.UnixMicro() % span.Microseconds()
	if elapsed < 0 {
		elapsed += span.Microseconds()
	}
	return time.UnixMicro(at.UnixMicro() - elapsed).UTC()
}

// balanceSteps returns the balance of an account at the end of each span since a moment, with the change within it.
func (c *request) balanceSteps(account report.Account, since time.Time, span time.Duration) ([]chartStep, error) {
	scope := c.scope.At(c.site.ID)
	level := account.Amount // where nothing has happened since
	f := report.EntryFilter{AccountID: account.ID, Start: since, Ascending: true, Visibility: c.visibility()}
	first, err := c.d.Report.Entries(c.Context(), scope, f, laurel.PageRequest{Limit: 1})
	if err != nil {
		return nil, err
	}
	for _, e := range first.Data {
		if e.StartAmount != nil {
			level = *e.StartAmount
		}
	}
	found, err := c.d.Report.Balances(c.Context(), scope, report.BalanceFilter{
		AccountID: account.ID, Since: since, Span: span, Visibility: f.Visibility,
	})
	if err != nil {
		return nil, err
	}
	var steps []chartStep
	for at := since; !at.After(c.d.Now()); at = at.Add(span) {
		s := chartStep{At: at, Label: at.Format("Mon 2 Jan 2006")}
		before := level
		for len(found) > 0 && found[0].At().Before(at.Add(span)) {
			level, found = found[0].Amount, found[1:]
		}
		s.Amount, s.Change = level, level-before
		steps = append(steps, s)
	}
	return steps, nil
}

// lotStateLabels are the states of lots that still matter.
var lotStateLabels = map[lots.State]string{lots.Pending: "Pending", lots.Open: "Open"}

// readLots reads the open and pending lots of the account, for roles that see concealed amounts: lots would reveal what
// hidden bids hold.
func (c *request) readLots(d *memberData, _ websiteCurrencies) error {
	account, exists := d.account()
	if !exists || !c.visibility().All { // lots would reveal the amounts of hidden bids
		return nil
	}
	states := []string{string(lots.Pending), string(lots.Open)}
	page := laurel.PageRequest{Limit: sideListLimit}
	list, err := c.d.Expiry.List(c.Context(), c.scope.At(c.site.ID), account.ID, states, page)
	if err != nil {
		return err
	}
	ids := make([]laurel.ID, len(list.Data))
	for i, l := range list.Data {
		ids[i] = l.RuleID
	}
	rules, err := c.rulesByID(ids)
	if err != nil {
		return err
	}
	for _, l := range list.Data {
		row := lotRow{
			Lot: l, What: lotStateLabels[l.State], Why: rules[l.RuleID].Name,
			Given: lots.TimeOrZero(&l.CreatedAt), Until: lots.TimeOrZero(l.ExpiresAt),
		}
		if l.State == lots.Pending {
			row.Until = lots.TimeOrZero(l.WaitsUntil)
		}
		d.Lots = append(d.Lots, row)
	}
	return nil
}

// readMultipliers reads the member's multipliers with the names of their currencies.
func (c *request) readMultipliers(d *memberData, m websiteCurrencies) error {
	f := report.MultiplierFilter{Users: userFilter(d.ID)}
	list, err := c.d.Report.Multipliers(c.Context(), c.scope.At(c.site.ID), f, laurel.PageRequest{Limit: sideListLimit})
	for _, multiplier := range list.Data {
		row := multiplierRow{Multiplier: multiplier, For: "All currencies"}
		for i, id := range multiplier.CurrencyIDs() {
			if i == 0 {
				row.For = m.name(id)
			} else {
				row.For += ", " + m.name(id)
			}
		}
		d.Multipliers = append(d.Multipliers, row)
	}
	return err
}

// readStreaks reads the member's streaks, and the longest one that has not ended.
func (c *request) readStreaks(d *memberData, _ websiteCurrencies) error {
	list, err := c.d.Report.Streaks(c.Context(), c.scope.At(c.site.ID), report.StatusFilter{Users: userFilter(d.ID)},
		laurel.PageRequest{Limit: sideListLimit})
	if err != nil {
		return err
	}
	ids := make([]laurel.ID, len(list.Data))
	for i, s := range list.Data {
		ids[i] = s.RuleID
	}
	rules, err := c.rulesByID(ids)
	for _, s := range list.Data {
		row := streakRow{Streak: s, RuleName: rules[s.RuleID].Name}
		if s.ExpiresMicros != nil {
			row.Ends = lots.TimeOrZero(s.ExpiresMicros)
			row.Over = !row.Ends.After(c.d.Now())
		}
		if !row.Over {
			d.Streak = max(d.Streak, s.Count)
		}
		d.Streaks = append(d.Streaks, row)
	}
	return err
}

// progressLabels are the states of completions.
var progressLabels = map[string]string{"pending": "In progress", "completed": "Completed", "failed": "Failed"}

// readProgress reads the member's progress with rules.
func (c *request) readProgress(d *memberData, _ websiteCurrencies) error {
	list, err := c.d.Report.Processing(c.Context(), c.scope.At(c.site.ID), report.StatusFilter{Users: userFilter(d.ID)},
		laurel.PageRequest{Limit: sideListLimit})
	if err != nil {
		return err
	}
	ids := make([]laurel.ID, len(list.Data))
	for i, p := range list.Data {
		ids[i] = p.RuleID
	}
	rules, err := c.rulesByID(ids)
	for _, p := range list.Data {
		rule := rules[p.RuleID]
		row := progressRow{Processing: p, RuleName: rule.Name, Word: "Started"}
		row.Counts = rule.ProgressType != nil && *rule.ProgressType == "counter"
		if p.Status != nil {
			row.Word = progressLabels[*p.Status]
		}
		d.Progress = append(d.Progress, row)
	}
	return err
}

// readGroup reads the other members of the member's group, at most sideListLimit.
func (c *request) readGroup(d *memberData, _ websiteCurrencies) error {
	var err error
	if d.Group, err = c.d.Identity.Person(c.Context(), c.scope.At(c.site.ID), identity.Ref{UserID: d.ID}); err != nil {
		return err
	}
	var groupMembers []laurel.ID
	for _, id := range d.Group.Group {
		if id != d.ID && len(groupMembers) < sideListLimit {
			groupMembers = append(groupMembers, id)
		}
	}
	people, err := c.readPeople(groupMembers)
	for _, id := range groupMembers {
		d.GroupMembers = append(d.GroupMembers, people[id])
	}
	return err
}

// readReferrals reads the member's referrers, and the latest members that this one referred.
func (c *request) readReferrals(d *memberData, _ websiteCurrencies) error {
	scope := c.scope.At(c.site.ID)
	by, err := c.d.Report.Referrers(c.Context(), scope, []laurel.ID{d.ID})
	if err != nil {
		return err
	}
	f := report.ReferralFilter{Users: userFilter(d.ID)}
	list, err := c.d.Report.Referrals(c.Context(), scope, f, laurel.PageRequest{Limit: 5})
	if err != nil {
		return err
	}
	var ids []laurel.ID
	for _, r := range by[d.ID] {
		ids = append(ids, r.ReferrerID)
	}
	for _, r := range list.Data {
		ids = append(ids, r.RefereeID)
	}
	people, err := c.readPeople(ids)
	for _, r := range by[d.ID] {
		d.Referrers = append(d.Referrers, people[r.ReferrerID])
	}
	for _, r := range list.Data {
		d.Referees = append(
			d.Referees,
			refereeRow{people[r.RefereeID], r.EligibleAt != nil, r.ReferrerBonus + r.Tier1 + r.Tier2},
		)
	}
	return err
}

// exportMemberEntries exports the entries of a member that the filters match as CSV.
func exportMemberEntries(c *request) (view, error) {
	_, member, err := c.findMember()
	if err != nil {
		return view{}, err
	}
	f, err := c.entryFilter()
	if err != nil {
		return view{}, err
	}
	f.Users = userFilter(member.ID)
	return c.exportEntries("entries-"+member.ID.String()+".csv", f)
}
