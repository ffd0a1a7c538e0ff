package members

import (
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report"
)

var leaderboardRoutes = []route{
	web.Get("/leaderboard", admins.SeeProgram, "leaderboard", leaderboardPage),
	web.Get("/leaderboard/members.csv", admins.SeeProgram, "leaderboard", exportLeaderboard),
}

type leaderRow struct {
	parts.Person
	Rank   string // empty: none
	Amount laurel.Amount
}

type leadersData struct {
	Currencies []web.Choice
	Currency   ledger.Currency
	Rows       []leaderRow
	Pager      web.Pager
	At         string // as typed
	Moment     time.Time
	Problem    string // why the moment cannot be shown
}

// leaderboardPage shows a page of the members with the highest balances of a currency, now or at a moment of the past.
// If that moment cannot be shown, the page says why.
func leaderboardPage(c *call) (web.View, error) {
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return web.View{}, err
	}
	query := c.URL.Query()
	data := leadersData{Currency: currencies.Choose(query.Get("currency")), At: query.Get("at")}
	for _, currency := range currencies.Live {
		data.Currencies = append(data.Currencies, web.Choice{Value: currency.ID.String(), Label: currency.Name})
	}
	page, err := c.PageRequest()
	if err != nil {
		return web.View{}, err
	}
	more, last, err := c.readLeaders(&data, page)
	data.Pager = c.Pager(page, more, last)
	if data.At != "" && laurel.CodeOf(err) == laurel.Invalid {
		data.Problem = "Choose an earlier time."
		if _, malformed := form.ParseTime(data.At); malformed != nil {
			data.Problem = "Choose a date with a time, such as 2026-11-23T14:00."
		} else if text := refusalText(err); text != "" {
			data.Problem = "Choose another time: " + text + "."
		}
		if moment, _ := form.ParseTime(data.At); moment.After(c.Now()) {
			data.Problem = "Choose an earlier time: this one is in the future."
		}
		return web.Refused("leaderboard", "Leaderboard", data), nil
	}
	if err != nil {
		return web.View{}, err
	}
	return web.Show("leaderboard", "Leaderboard", data)
}

// refusalText returns the first fault of a refusal as the end of a sentence; empty if the error is no refusal.
func refusalText(err error) string {
	refused := web.AsRefusal(err)
	if refused == nil {
		return ""
	}
	for _, fault := range refused.Faults {
		return "it " + strings.TrimPrefix(fault.Message, fault.Path+" ")
	}
	return refused.Message
}

// exportLeaderboard exports the whole leaderboard of a currency, now or at a moment of the past, as CSV.
func exportLeaderboard(c *call) (web.View, error) {
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return web.View{}, err
	}
	query := c.URL.Query()
	readPage := func(page laurel.PageRequest) (web.SheetPart, error) {
		data := leadersData{Currency: currencies.Choose(query.Get("currency")), At: query.Get("at")}
		more, last, err := c.readLeaders(&data, page)
		if err != nil {
			return web.SheetPart{}, err
		}
		part := web.SheetPart{HasMore: more, LastID: last}
		for _, row := range data.Rows {
			part.Rows = append(part.Rows, []string{
				row.Rank, web.IdCell(row.ID), row.Name, row.Wallet, data.Currency.Name, row.Amount.String(),
				web.TimeCell(data.Moment),
			})
		}
		return part, nil
	}
	head := []string{"rank", "member", "name", "walletAddress", "currency", "amount", "at"}
	return web.ExportCSV("leaderboard.csv", head, readPage)
}

// readLeaders reads a page of the leaderboard into data, as it is now or was at the moment in data.At. It returns
// whether there are more accounts, and the id of the last one of the page. Without a currency it reads nothing. A
// malformed moment, or one that cannot be shown, is Invalid.
func (c *call) readLeaders(data *leadersData, page laurel.PageRequest) (more bool, last laurel.ID, err error) {
	if data.Currency.ID.IsZero() {
		return false, last, nil
	}
	scope, listPage := c.Scope.At(c.Site.ID), page
	filter := report.AccountFilter{CurrencyID: data.Currency.ID, Visibility: c.Visibility()}
	if data.At != "" {
		if filter.At, err = form.ParseTime(data.At); err != nil {
			var faults laurel.Faults
			faults.Add("at", "%s", err)
			return false, last, faults.Err()
		}
		moment := ledger.Moment{Time: filter.At, Visibility: filter.Visibility}
		ids, fromSnapshot, err := c.Ledger.LeadersAt(c.Context(), scope, filter.CurrencyID, moment, page)
		if err != nil {
			return false, last, err
		}
		if fromSnapshot { // ids are the page's accounts: the list below only reads and orders them
			filter.IDs, listPage.StartingAfter = ids, laurel.ID{}
		}
		data.Moment = filter.At
	}
	list, err := c.Report.Accounts(c.Context(), scope, filter, listPage)
	if err != nil {
		return false, last, err
	}
	ids := make([]laurel.ID, len(list.Data))
	for i, a := range list.Data {
		ids[i] = a.UserID
	}
	people, err := c.ReadPeople(ids)
	if err != nil {
		return false, last, err
	}
	data.Rows = make([]leaderRow, len(list.Data))
	for i, a := range list.Data {
		data.Rows[i] = leaderRow{Person: people[a.UserID], Amount: a.Amount}
	}
	last = web.LastID(list, func(a report.Account) laurel.ID { return a.ID })
	return list.HasNextPage, last, c.rankLeaders(data, list.Data)
}

// rankLeaders numbers the accounts of a page, highest balance first. Equal balances share a rank; blocked members and
// balances of zero have none. It asks the ledger only for the ranks of the two highest different balances. The accounts
// with the highest may begin on the page before, so they cannot be counted; all accounts from the second one on are on
// this page, and the ranks after it follow by counting.
func (c *call) rankLeaders(data *leadersData, list []report.Account) error {
	lookups, rank := 0, ledger.Rank{}
	tied, balance := 0, laurel.Amount(0) // tied: how many accounts so far have the current balance
	for i, a := range list {
		if data.Rows[i].Blocked || a.Amount <= 0 {
			continue
		}
		if lookups == 0 || a.Amount != balance {
			balance = a.Amount
			if lookups < 2 {
				var err error
				if rank, err = c.rankOf(a, data.Moment); err != nil {
					return err
				}
				lookups, tied = lookups+1, 0
			} else if !rank.Beyond {
				if rank.Place += tied; rank.Place > ledger.MaxRank {
					rank = ledger.Rank{Beyond: true}
				}
				tied = 0
			}
		}
		tied++
		data.Rows[i].Rank = rank.String()
	}
	return nil
}

// rankOf returns the rank of an account in its currency at a moment, or now if the moment is zero.
func (c *call) rankOf(account report.Account, moment time.Time) (ledger.Rank, error) {
	if moment.IsZero() {
		return c.Ledger.Rank(c.Context(), c.Scope.At(c.Site.ID), c.Visibility(), account.ID, account.CurrencyID)
	}
	at := ledger.Moment{Time: moment, Visibility: c.Visibility()}
	return c.Ledger.RankAt(c.Context(), c.Scope.At(c.Site.ID), account.ID, account.CurrencyID, at)
}
