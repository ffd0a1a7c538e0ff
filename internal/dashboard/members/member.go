package members

import (
	"fmt"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/identity"
	"laurel.example/laurel/internal/points/expiry"
	"laurel.example/laurel/internal/points/external"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/points/lots"
	"laurel.example/laurel/internal/report"
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

// expiringRow is the points of the member's account that expire at one moment.
type expiringRow struct {
	At     time.Time
	Amount laurel.Amount
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
	parts.Person
	Eligible bool
	Paid     laurel.Amount
}

type memberData struct {
	parts.Person
	Joined       time.Time
	Balances     []balanceTile
	Currency     ledger.Currency // of chart, rank and lots
	Rank         string
	Streak       int64 // the longest that is not over
	Chart        *web.StepChart
	Days         string
	Periods      []web.Period
	Entries      parts.EntriesData
	Lots         []lotRow
	Expiring     []expiringRow
	MoreExpiring bool // points that expire after those
	Multipliers  []multiplierRow
	Streaks      []streakRow
	Progress     []progressRow
	Badges       []parts.MemberBadge
	MoreBadges   bool // there are others
	Group        identity.Person
	GroupMembers []parts.Person
	Referrers    []parts.Person
	Referees     []refereeRow
	BlockReason  string // in words; empty: none
	walletData
}

// memberPage shows a member with balances, entries, badges, progress, group and referrals. The query filters the
// entries and chooses the currency and the period of the chart.
func memberPage(c *call) (web.View, error) {
	user, member, err := c.GetMember()
	if err != nil {
		return web.View{}, err
	}
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return web.View{}, err
	}
	filter, err := c.EntryFilter()
	if err != nil {
		return web.View{}, err
	}
	joined, err := c.joinedAt(user)
	if err != nil {
		return web.View{}, err
	}
	data := memberData{Person: member, Joined: joined[0]}
	data.BlockReason = blockReasonLabel(member)
	filter.Users = parts.UserFilter(member.ID)
	csv := c.SitePath("members", member.ID, "entries.csv")
	if data.Entries, err = c.ReadEntries(filter, currencies, web.SideListLimit, csv); err != nil {
		return web.View{}, err
	}
	for _, read := range []func(*memberData, parts.Currencies) error{
		c.readBalances, c.readChart, c.readLots, c.readExpiring, c.readMultipliers, c.readStreaks, c.readProgress,
		c.readBadges, c.readGroup, c.readWallets, c.readReferrals,
	} {
		if err := read(&data, currencies); err != nil {
			return web.View{}, err
		}
	}
	return web.Show("member", member.Name+", member", data)
}

// readBalances reads the member's balance in each currency, from the external ledger if the currency has one, and the
// member's rank in the chosen currency. A tile notes if the external ledger did not respond.
func (c *call) readBalances(d *memberData, currencies parts.Currencies) error {
	scope := c.Scope.At(c.Site.ID)
	filter := report.AccountFilter{Users: parts.UserFilter(d.ID), Visibility: c.Visibility()}
	list, err := c.Report.Accounts(c.Context(), scope, filter, laurel.PageRequest{Limit: parts.MaxCurrencies})
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
	externalBalances, err := c.External.Balances(c.Context(), scope, holders)
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
		rank, err := c.Ledger.Rank(c.Context(), scope, c.Visibility(), a.ID, d.Currency.ID)
		if err != nil {
			return err
		}
		d.Rank = rank.String()
	}
	return nil
}

// chosenCurrency returns the currency that the query names, else the one in which the member's account has changed
// last, else the website's first one.
func (c *call) chosenCurrency(accounts map[laurel.ID]report.Account, currencies parts.Currencies) ledger.Currency {
	currencyID, lastChange := c.URL.Query().Get("currency"), time.Time{}
	if currencyID != "" {
		return currencies.Choose(currencyID)
	}
	for _, currency := range currencies.Live {
		if a, exists := accounts[currency.ID]; exists && a.UpdatedAt.After(lastChange) {
			currencyID, lastChange = currency.ID.String(), a.UpdatedAt.Time
		}
	}
	return currencies.Choose(currencyID)
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
	// maxChartSteps bounds what a chart draws: longer times have steps of several days.
	maxChartSteps = 400
)

// readBadges reads the badges that the page shows.
func (c *call) readBadges(d *memberData, _ parts.Currencies) (err error) {
	d.Badges, d.MoreBadges, err = c.FirstBadges(d.ID)
	return err
}

// readChart draws the balance over the period that the query names, in UTC days. A period of more than maxChartSteps
// days is drawn in spans of several days. Without an account it draws nothing.
func (c *call) readChart(d *memberData, _ parts.Currencies) error {
	query := c.URL.Query()
	if d.Days = query.Get("days"); d.Days != "30" && d.Days != "all" {
		d.Days = "90"
	}
	query.Del("startingAfter")
	for _, p := range web.Choices("30", "30 days", "90", "90 days", "all", "All") {
		query.Set("days", p.Value)
		d.Periods = append(d.Periods, web.Period{Label: p.Label, Address: c.Prefix + c.URL.Path + "?" + query.Encode(), Current: p.Value == d.Days})
	}
	account, exists := d.account()
	if !exists {
		return nil
	}
	today := c.Now().UTC().Truncate(web.Day)
	var since time.Time
	switch d.Days {
	case "30":
		since = today.AddDate(0, 0, -29)
	case "90":
		since = today.AddDate(0, 0, -89)
	default:
		since = account.CreatedAt.UTC().Truncate(web.Day)
	}
	days := int(today.Sub(since)/web.Day) + 1
	span := web.Day * time.Duration((days+maxChartSteps-1)/maxChartSteps)
	since = spanStart(since, span) // aligned, so that spans do not move from day to day
	steps, err := c.balanceSteps(account, since, span)
	if err != nil {
		return err
	}
	spans := "day"
	if span > web.Day {
		spans = fmt.Sprintf("%d days", span/web.Day)
	}
	chart := web.DrawSteps(steps, spans, "balance")
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
func (c *call) balanceSteps(account report.Account, since time.Time, span time.Duration) ([]web.ChartStep, error) {
	scope := c.Scope.At(c.Site.ID)
	balance := account.Amount // at first the one before since; the current one if nothing has changed since then
	filter := report.EntryFilter{AccountID: account.ID, Start: since, Ascending: true, Visibility: c.Visibility()}
	first, err := c.Report.Entries(c.Context(), scope, filter, laurel.PageRequest{Limit: 1})
	if err != nil {
		return nil, err
	}
	for _, e := range first.Data {
		if e.StartAmount != nil {
			balance = *e.StartAmount
		}
	}
	changes, err := c.Report.Balances(c.Context(), scope, report.BalanceFilter{
		AccountID: account.ID, Since: since, Span: span, Visibility: filter.Visibility,
	})
	if err != nil {
		return nil, err
	}
	var steps []web.ChartStep
	for at := since; !at.After(c.Now()); at = at.Add(span) {
		step := web.ChartStep{At: at, Label: at.Format("Mon 2 Jan 2006")}
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

// readLots reads the open and pending lots of the chosen account, at most SideListLimit. Only roles that see concealed
// amounts get them, as lots would reveal what hidden bids hold.
func (c *call) readLots(d *memberData, _ parts.Currencies) error {
	account, exists := d.account()
	if !exists || !c.Visibility().All {
		return nil
	}
	states := []string{string(lots.StatePending), string(lots.StateOpen)}
	page := laurel.PageRequest{Limit: web.SideListLimit}
	list, err := c.Expiry.List(c.Context(), c.Scope.At(c.Site.ID), account.ID, states, page)
	if err != nil {
		return err
	}
	ids := make([]laurel.ID, len(list.Data))
	for i, lot := range list.Data {
		ids[i] = lot.RuleID
	}
	rules, err := c.RulesByID(ids)
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

// maxExpiring bounds the moments at which points expire that a member's page shows.
const maxExpiring = 5

// readExpiring reads when points of the chosen account expire next. Roles that do not see lots do not see this either.
func (c *call) readExpiring(d *memberData, _ parts.Currencies) error {
	account, exists := d.account()
	if !exists || !c.Visibility().All {
		return nil
	}
	page, err := c.Expiry.Expiring(c.Context(), c.Scope.At(c.Site.ID), account.ID, expiry.ExpiringFilter{}, maxExpiring)
	for _, e := range page.Data {
		d.Expiring = append(d.Expiring, expiringRow{At: lots.TimeOrZero(&e.ExpiresAt), Amount: e.Amount})
	}
	d.MoreExpiring = page.HasNextPage
	return err
}

// readMultipliers reads the member's multipliers with the names of their currencies, at most SideListLimit.
func (c *call) readMultipliers(d *memberData, currencies parts.Currencies) error {
	filter := report.MultiplierFilter{Users: parts.UserFilter(d.ID)}
	page := laurel.PageRequest{Limit: web.SideListLimit}
	list, err := c.Report.Multipliers(c.Context(), c.Scope.At(c.Site.ID), filter, page)
	for _, multiplier := range list.Data {
		row := multiplierRow{Multiplier: multiplier, For: "All currencies"}
		if ids := multiplier.CurrencyIDs; len(ids) > 0 {
			row.For = currencies.JoinNames(ids)
		}
		d.Multipliers = append(d.Multipliers, row)
	}
	return err
}

// readStreaks reads the member's streaks, at most SideListLimit, and the count of the longest of them that is not over.
func (c *call) readStreaks(d *memberData, _ parts.Currencies) error {
	list, err := c.Report.Streaks(c.Context(), c.Scope.At(c.Site.ID), report.StatusFilter{Users: parts.UserFilter(d.ID)},
		laurel.PageRequest{Limit: web.SideListLimit})
	if err != nil {
		return err
	}
	ids := make([]laurel.ID, len(list.Data))
	for i, streak := range list.Data {
		ids[i] = streak.RuleID
	}
	rules, err := c.RulesByID(ids)
	for _, streak := range list.Data {
		row := streakRow{Streak: streak, RuleName: rules[streak.RuleID].Name}
		if !streak.ExpiresAt.IsZero() {
			row.Ends = streak.ExpiresAt.Time
			row.Over = !row.Ends.After(c.Now())
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

// readProgress reads the member's progress with rules, at most SideListLimit of them.
func (c *call) readProgress(d *memberData, _ parts.Currencies) error {
	list, err := c.Report.Processing(c.Context(), c.Scope.At(c.Site.ID),
		report.StatusFilter{Users: parts.UserFilter(d.ID)},
		laurel.PageRequest{Limit: web.SideListLimit})
	if err != nil {
		return err
	}
	ids := make([]laurel.ID, len(list.Data))
	for i, processing := range list.Data {
		ids[i] = processing.RuleID
	}
	rules, err := c.RulesByID(ids)
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

// readGroup reads the member's group and its other members, at most SideListLimit.
func (c *call) readGroup(d *memberData, _ parts.Currencies) error {
	var err error
	if d.Group, err = c.Identity.Person(c.Context(), c.Scope.At(c.Site.ID), identity.Ref{UserID: d.ID}); err != nil {
		return err
	}
	var groupMembers []laurel.ID
	for _, id := range d.Group.Group {
		if id != d.ID && len(groupMembers) < web.SideListLimit {
			groupMembers = append(groupMembers, id)
		}
	}
	people, err := c.ReadPeople(groupMembers)
	for _, id := range groupMembers {
		d.GroupMembers = append(d.GroupMembers, people[id])
	}
	return err
}

// maxReferees bounds the referred members on the page of a member.
const maxReferees = 5

// readReferrals reads who referred the member, and the newest members that this one referred, at most maxReferees.
func (c *call) readReferrals(d *memberData, _ parts.Currencies) error {
	scope := c.Scope.At(c.Site.ID)
	referrers, err := c.Report.Referrers(c.Context(), scope, []laurel.ID{d.ID})
	if err != nil {
		return err
	}
	filter := report.ReferralFilter{Users: parts.UserFilter(d.ID)}
	list, err := c.Report.Referrals(c.Context(), scope, filter, laurel.PageRequest{Limit: maxReferees})
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
	people, err := c.ReadPeople(ids)
	for _, referral := range referrers[d.ID] {
		d.Referrers = append(d.Referrers, people[referral.ReferrerID])
	}
	for _, referral := range list.Data {
		paid := referral.ReferrerBonus + referral.Tier1 + referral.Tier2
		d.Referees = append(d.Referees, refereeRow{people[referral.RefereeID], !referral.EligibleAt.IsZero(), paid})
	}
	return err
}

// exportMemberEntries exports as CSV the entries of a member that the filters of the page match.
func exportMemberEntries(c *call) (web.View, error) {
	_, member, err := c.GetMember()
	if err != nil {
		return web.View{}, err
	}
	filter, err := c.EntryFilter()
	if err != nil {
		return web.View{}, err
	}
	filter.Users = parts.UserFilter(member.ID)
	return c.ExportEntries("entries-"+member.ID.String()+".csv", filter)
}
