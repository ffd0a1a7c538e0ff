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
	Until                time.Time // when it ends; zero: never
	Given                time.Time
	StateLabel, RuleName string
}

// progressRow is the member's progress with a rule.
type progressRow struct {
	report.Processing
	RuleName    string
	IsCount     bool // progress is a count, not per cent
	StatusLabel string
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

// getMember returns the member whose id is in the path: the user of the website, and the person with profile and
// wallet. A malformed id, or that of a member of another website, is not found.
func (c *request) getMember() (report.User, person, error) {
	id, err := c.pathID("user", "Member")
	if err != nil {
		return report.User{}, person{}, err
	}
	filter := report.UserListFilter{Users: report.UserFilter{IDs: []laurel.ID{id}}}
	list, err := c.d.Report.Users(c.Context(), c.scope.At(c.site.ID), filter, laurel.PageRequest{Limit: 1})
	if err != nil {
		return report.User{}, person{}, err
	}
	if len(list.Data) == 0 {
		return report.User{}, person{}, laurel.Missing("Member")
	}
	people, err := c.readPeople([]laurel.ID{id})
	return list.Data[0], people[id], err
}

// memberPage shows a member with balances, entries, badges, progress, group and referrals. The query filters the
// entries and chooses the currency and the period of the chart.
func memberPage(c *request) (view, error) {
	user, member, err := c.getMember()
	if err != nil {
		return view{}, err
	}
	currencies, err := c.readCurrencies()
	if err != nil {
		return view{}, err
	}
	filter, err := c.entryFilter()
	if err != nil {
		return view{}, err
	}
	data := memberData{person: member, Joined: user.CreatedAt()}
	data.BlockReason = blockReasonLabel(member)
	filter.Users = userFilter(member.ID)
	csv := c.sitePath("members", member.ID, "entries.csv")
	if data.Entries, err = c.readEntries(filter, currencies, sideListLimit, csv); err != nil {
		return view{}, err
	}
	for _, read := range []func(*memberData, websiteCurrencies) error{
		c.readBalances, c.readChart, c.readLots, c.readMultipliers, c.readStreaks, c.readProgress, c.readBadges,
		c.readGroup, c.readReferrals,
	} {
		if err := read(&data, currencies); err != nil {
			return view{}, err
		}
	}
	return pageView("member", member.Name+", member", data)
}

// userFilter returns the filter that matches one member.
func userFilter(id laurel.ID) report.UserFilter { return report.UserFilter{IDs: []laurel.ID{id}} }

// readBalances reads the member's balance in each currency, from the external ledger if the currency has one, and the
// member's rank in the chosen currency. A tile notes if the external ledger did not respond.
func (c *request) readBalances(d *memberData, currencies websiteCurrencies) error {
	scope := c.scope.At(c.site.ID)
	filter := report.AccountFilter{Users: userFilter(d.ID), Visibility: c.visibility()}
	list, err := c.d.Report.Accounts(c.Context(), scope, filter, laurel.PageRequest{Limit: maxCurrencies})
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
	for _, currency := range currencies.Live {
		holders = append(holders, external.Holder{CurrencyID: currency.ID, Wallet: wallet})
	}
	externalBalances, err := c.d.External.Balances(c.Context(), scope, holders)
	if err != nil {
		return err
	}
	for i, currency := range currencies.Live {
		tile := balanceTile{Currency: currency, Account: accounts[currency.ID], Amount: accounts[currency.ID].Amount}
		if b, hasLedger := externalBalances[holders[i]]; hasLedger && b.IsExternal {
			tile.Amount, tile.Note = b.Amount, "From your external ledger"
		} else if hasLedger { // an external ledger that did not respond
			tile.Note = "Your external ledger isn’t responding. This is the last known balance"
		}
		d.Balances = append(d.Balances, tile)
	}
	d.Currency = c.chosenCurrency(accounts, currencies)
	if a, exists := accounts[d.Currency.ID]; exists {
		rank, err := c.d.Ledger.Rank(c.Context(), scope, c.visibility(), a.ID, d.Currency.ID)
		if err != nil {
			return err
		}
		d.Rank = rank.String()
	}
	return nil
}

// chosenCurrency returns the currency that the query names, else the one in which the member's account has changed
// last, else the website's first one.
func (c *request) chosenCurrency(accounts map[laurel.ID]report.Account, currencies websiteCurrencies) ledger.Currency {
	currencyID, lastChange := c.URL.Query().Get("currency"), time.Time{}
	if currencyID != "" {
		return currencies.choose(currencyID)
	}
	for _, currency := range currencies.Live {
		if a, exists := accounts[currency.ID]; exists && a.UpdatedAt().After(lastChange) {
			currencyID, lastChange = currency.ID.String(), a.UpdatedAt()
		}
	}
	return currencies.choose(currencyID)
}

// account returns the member's account in the chosen currency, and false if there is none.
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
	// maxChartSteps bounds what a chart draws: longer times have steps of several days.
	maxChartSteps = 400
)

// readBadges reads the badges that the page shows.
func (c *request) readBadges(d *memberData, _ websiteCurrencies) (err error) {
	d.Badges, d.MoreBadges, err = c.firstBadges(d.ID)
	return err
}

// readChart draws the balance over the period that the query names, in UTC days. A period of more than maxChartSteps
// days is drawn in spans of several days. Without an account it draws nothing.
func (c *request) readChart(d *memberData, _ websiteCurrencies) error {
	query := c.URL.Query()
	if d.Days = query.Get("days"); d.Days != "30" && d.Days != "all" {
		d.Days = "90"
	}
	query.Del("startingAfter")
	for _, p := range choicesOf("30", "30 days", "90", "90 days", "all", "All") {
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
	span := day * time.Duration((days+maxChartSteps-1)/maxChartSteps)
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

// spanStart returns the start of the span that a moment is in. Spans are counted from 1970, as in package report;
// time.Truncate would count them from year 1.
func spanStart(at time.Time, span time.Duration) time.Time {
	elapsed := at.UnixMicro() % span.Microseconds()
	if elapsed < 0 {
		elapsed += span.Microseconds()
	}
	return time.UnixMicro(at.UnixMicro() - elapsed).UTC()
}

// balanceSteps returns the balance of an account at the end of each span of time since a moment, with the change within
// the span.
func (c *request) balanceSteps(account report.Account, since time.Time, span time.Duration) ([]chartStep, error) {
	scope := c.scope.At(c.site.ID)
	balance := account.Amount // at first the one before since; the current one if nothing has changed since then
	filter := report.EntryFilter{AccountID: account.ID, Start: since, Ascending: true, Visibility: c.visibility()}
	first, err := c.d.Report.Entries(c.Context(), scope, filter, laurel.PageRequest{Limit: 1})
	if err != nil {
		return nil, err
	}
	for _, e := range first.Data {
		if e.StartAmount != nil {
			balance = *e.StartAmount
		}
	}
	changes, err := c.d.Report.Balances(c.Context(), scope, report.BalanceFilter{
		AccountID: account.ID, Since: since, Span: span, Visibility: filter.Visibility,
	})
	if err != nil {
		return nil, err
	}
	var steps []chartStep
	for at := since; !at.After(c.d.Now()); at = at.Add(span) {
		step := chartStep{At: at, Label: at.Format("Mon 2 Jan 2006")}
		before := balance
		for len(changes) > 0 && changes[0].At().Before(at.Add(span)) {
			balance, changes = changes[0].Amount, changes[1:]
		}
		step.Amount, step.Change = balance, balance-before
		steps = append(steps, step)
	}
	return steps, nil
}

// lotStateLabels are the states of lots that still matter.
var lotStateLabels = map[lots.State]string{lots.StatePending: "Pending", lots.StateOpen: "Open"}

// readLots reads the open and pending lots of the chosen account, at most sideListLimit. Only roles that see concealed
// amounts get them, as lots would reveal what hidden bids hold.
func (c *request) readLots(d *memberData, _ websiteCurrencies) error {
	account, exists := d.account()
	if !exists || !c.visibility().All {
		return nil
	}
	states := []string{string(lots.StatePending), string(lots.StateOpen)}
	page := laurel.PageRequest{Limit: sideListLimit}
	list, err := c.d.Expiry.List(c.Context(), c.scope.At(c.site.ID), account.ID, states, page)
	if err != nil {
		return err
	}
	ids := make([]laurel.ID, len(list.Data))
	for i, lot := range list.Data {
		ids[i] = lot.RuleID
	}
	rules, err := c.rulesByID(ids)
	if err != nil {
		return err
	}
	for _, lot := range list.Data {
		row := lotRow{
			Lot: lot, StateLabel: lotStateLabels[lot.State], RuleName: rules[lot.RuleID].Name,
			Given: lots.TimeOrZero(&lot.CreatedAt), Until: lots.TimeOrZero(lot.ExpiresAt),
		}
		if lot.State == lots.StatePending { // its points wait until then; other lots expire
			row.Until = lots.TimeOrZero(lot.WaitsUntil)
		}
		d.Lots = append(d.Lots, row)
	}
	return nil
}

// readMultipliers reads the member's multipliers with the names of their currencies, at most sideListLimit.
func (c *request) readMultipliers(d *memberData, currencies websiteCurrencies) error {
	filter := report.MultiplierFilter{Users: userFilter(d.ID)}
	page := laurel.PageRequest{Limit: sideListLimit}
	list, err := c.d.Report.Multipliers(c.Context(), c.scope.At(c.site.ID), filter, page)
	for _, multiplier := range list.Data {
		row := multiplierRow{Multiplier: multiplier, For: "All currencies"}
		if ids := multiplier.CurrencyIDs(); len(ids) > 0 {
			row.For = currencies.joinNames(ids)
		}
		d.Multipliers = append(d.Multipliers, row)
	}
	return err
}

// readStreaks reads the member's streaks, at most sideListLimit, and the count of the longest of them that is not over.
func (c *request) readStreaks(d *memberData, _ websiteCurrencies) error {
	list, err := c.d.Report.Streaks(c.Context(), c.scope.At(c.site.ID), report.StatusFilter{Users: userFilter(d.ID)},
		laurel.PageRequest{Limit: sideListLimit})
	if err != nil {
		return err
	}
	ids := make([]laurel.ID, len(list.Data))
	for i, streak := range list.Data {
		ids[i] = streak.RuleID
	}
	rules, err := c.rulesByID(ids)
	for _, streak := range list.Data {
		row := streakRow{Streak: streak, RuleName: rules[streak.RuleID].Name}
		if streak.ExpiresMicros != nil {
			row.Ends = lots.TimeOrZero(streak.ExpiresMicros)
			row.Over = !row.Ends.After(c.d.Now())
		}
		if !row.Over {
			d.Streak = max(d.Streak, streak.Count)
		}
		d.Streaks = append(d.Streaks, row)
	}
	return err
}

// progressLabels are the states of completions.
var progressLabels = map[string]string{"pending": "In progress", "completed": "Completed", "failed": "Failed"}

// readProgress reads the member's progress with rules, at most sideListLimit of them.
func (c *request) readProgress(d *memberData, _ websiteCurrencies) error {
	list, err := c.d.Report.Processing(c.Context(), c.scope.At(c.site.ID), report.StatusFilter{Users: userFilter(d.ID)},
		laurel.PageRequest{Limit: sideListLimit})
	if err != nil {
		return err
	}
	ids := make([]laurel.ID, len(list.Data))
	for i, processing := range list.Data {
		ids[i] = processing.RuleID
	}
	rules, err := c.rulesByID(ids)
	for _, processing := range list.Data {
		rule := rules[processing.RuleID]
		row := progressRow{Processing: processing, RuleName: rule.Name, StatusLabel: "Started"}
		row.IsCount = rule.ProgressType != nil && *rule.ProgressType == "counter"
		if processing.Status != nil {
			row.StatusLabel = progressLabels[*processing.Status]
		}
		d.Progress = append(d.Progress, row)
	}
	return err
}

// readGroup reads the member's group and its other members, at most sideListLimit.
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

// maxReferees bounds the referred members on the page of a member.
const maxReferees = 5

// readReferrals reads who referred the member, and the newest members that this one referred, at most maxReferees.
func (c *request) readReferrals(d *memberData, _ websiteCurrencies) error {
	scope := c.scope.At(c.site.ID)
	referrers, err := c.d.Report.Referrers(c.Context(), scope, []laurel.ID{d.ID})
	if err != nil {
		return err
	}
	filter := report.ReferralFilter{Users: userFilter(d.ID)}
	list, err := c.d.Report.Referrals(c.Context(), scope, filter, laurel.PageRequest{Limit: maxReferees})
	if err != nil {
		return err
	}
	var ids []laurel.ID
	for _, referral := range referrers[d.ID] {
		ids = append(ids, referral.ReferrerID)
	}
	for _, referral := range list.Data {
		ids = append(ids, referral.RefereeID)
	}
	people, err := c.readPeople(ids)
	for _, referral := range referrers[d.ID] {
		d.Referrers = append(d.Referrers, people[referral.ReferrerID])
	}
	for _, referral := range list.Data {
		paid := referral.ReferrerBonus + referral.Tier1 + referral.Tier2
		d.Referees = append(d.Referees, refereeRow{people[referral.RefereeID], referral.EligibleAt != nil, paid})
	}
	return err
}

// exportMemberEntries exports as CSV the entries of a member that the filters of the page match.
func exportMemberEntries(c *request) (view, error) {
	_, member, err := c.getMember()
	if err != nil {
		return view{}, err
	}
	filter, err := c.entryFilter()
	if err != nil {
		return view{}, err
	}
	filter.Users = userFilter(member.ID)
	return c.exportEntries("entries-"+member.ID.String()+".csv", filter)
}
