package dashboard

import (
	"net/http"
	"strings"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/points/ledger"
	"laurel/internal/report"
)

var leaderboardRoutes = []route{
	{onWebsite, admins.SeeProgram, "leaderboard", get, "/leaderboard", leaderboardPage},
	{onWebsite, admins.SeeProgram, "leaderboard", get, "/leaderboard/members.csv", exportLeaderboard},
}

type leaderRow struct {
	person
	Rank   string // empty: none
	Amount laurel.Amount
}

type leadersData struct {
	Currencies []choice
	Currency   ledger.Currency
	Rows       []leaderRow
	Pager      pager
	At         string // as typed
	Moment     time.Time
	Problem    string // why the moment cannot be shown
}

// leaderboardPage lists the members with the highest balances of a currency, now or at a moment of the past.
func leaderboardPage(c *request) (view, error) {
	m, err := c.readCurrencies()
	if err != nil {
		return view{}, err
	}
	query := c.URL.Query()
	data := leadersData{Currency: m.choose(query.Get("currency")), At: query.Get("at")}
	for _, currency := range m.Live {
		data.Currencies = append(data.Currencies, choice{currency.ID.String(), currency.Name})
	}
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	more, last, err := c.readLeaders(&data, page)
	data.Pager = c.pager(page, more, last)
	if data.At != "" && laurel.CodeOf(err) == laurel.Invalid {
		data.Problem = "Choose an earlier time."
		if _, malformed := time.Parse(dateTimeLayout, data.At); malformed != nil {
			data.Problem = "Choose a date with a time, such as 2026-11-23T14:00."
		} else if text := refusalText(err); text != "" {
			data.Problem = "Choose another time: " + text + "."
		}
		if m, _ := time.Parse(dateTimeLayout, data.At); m.After(c.d.Now()) {
			data.Problem = "Choose an earlier time: this one is in the future."
		}
		return view{template: "leaderboard", title: "Error: Leaderboard", status: http.StatusBadRequest, data: data}, nil
	}
	if err != nil {
		return view{}, err
	}
	return pageView("leaderboard", "Leaderboard", data)
}

// refusalText returns the first fault of a refusal as the end of a sentence; empty if the error is no refusal.
func refusalText(err error) string {
	refused := asRefusal(err)
	if refused == nil {
		return ""
	}
	for _, fault := range refused.Faults {
		return "it " + strings.TrimPrefix(fault.Message, fault.Path+" ")
	}
	return refused.Message
}

// exportLeaderboard exports the whole leaderboard, now or at a moment, as CSV.
func exportLeaderboard(c *request) (view, error) {
	m, err := c.readCurrencies()
	if err != nil {
		return view{}, err
	}
	query := c.URL.Query()
	read := func(page laurel.PageRequest) (sheetPart, error) {
		data := leadersData{Currency: m.choose(query.Get("currency")), At: query.Get("at")}
		more, last, err := c.readLeaders(&data, page)
		if err != nil {
			return sheetPart{}, err
		}
		out := sheetPart{hasMore: more, lastID: last}
		for _, row := range data.Rows {
			out.rows = append(out.rows, []string{
				row.Rank, idCell(row.ID), row.Name, row.Wallet, data.Currency.Name, row.Amount.String(), timeCell(data.Moment),
			})
		}
		return out, nil
	}
	head := []string{"rank", "member", "name", "walletAddress", "currency", "amount", "at"}
	return c.exportCSV(sheet{"leaderboard.csv", head, read})
}

// readLeaders reads a page of the leaderboard into data. It returns whether there are more accounts, and the last one
// of the page.
func (c *request) readLeaders(data *leadersData, page laurel.PageRequest) (more bool, last laurel.ID, err error) {
	if data.Currency.ID.IsZero() {
		return false, last, nil
	}
	scope, request := c.scope.At(c.site.ID), page
	f := report.AccountFilter{CurrencyID: data.Currency.ID, Visibility: c.visibility()}
	if data.At != "" {
		if f.At, err = time.Parse(dateTimeLayout, data.At); err != nil {
			var faults laurel.Faults
			faults.Add("at", "must be a date with a time, such as 2026-11-23T14:00")
			return false, last, faults.Err()
		}
		at := ledger.Moment{Time: f.At, Visibility: f.Visibility}
		ids, fromSnapshot, err := c.d.Ledger.LeadersAt(c.Context(), scope, f.CurrencyID, at, page)
		if err != nil {
			return false, last, err
		}
		if fromSnapshot { // a rank snapshot has the page's accounts; the list orders them
			f.IDs, request.StartingAfter = ids, laurel.ID{}
		}
		data.Moment = f.At
	}
	list, err := c.d.Report.Accounts(c.Context(), scope, f, request)
	if err != nil {
		return false, last, err
	}
	ids := make([]laurel.ID, len(list.Data))
	for i, a := range list.Data {
		ids[i] = a.UserID
	}
	people, err := c.readPeople(ids)
	if err != nil {
		return false, last, err
	}
	data.Rows = make([]leaderRow, len(list.Data))
	for i, a := range list.Data {
		data.Rows[i] = leaderRow{person: people[a.UserID], Amount: a.Amount}
	}
	last = lastID(list, func(a report.Account) laurel.ID { return a.ID })
	return list.HasNextPage, last, c.rankLeaders(data, list.Data)
}

// rankLeaders numbers the accounts of a page. Equal balances share a rank; blocked members and balances of zero have
// none. Only the ranks of the first two balances come from the ledger: all accounts with the second and lower balances
// are on the page, so that their ranks follow by counting.
func (c *request) rankLeaders(data *leadersData, list []report.Account) error {
	lookups, rank := 0, ledger.Rank{}
	tied, amount := 0, laurel.Amount(0)
	for i, a := range list {
		if data.Rows[i].Blocked || a.Amount <= 0 {
			continue
		}
		if lookups == 0 || a.Amount != amount {
			amount = a.Amount
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

// rankOf returns the rank of an account, now or at a moment.
func (c *request) rankOf(a report.Account, at time.Time) (ledger.Rank, error) {
	if at.IsZero() {
		return c.d.Ledger.Rank(c.Context(), c.scope.At(c.site.ID), c.visibility(), a.ID, a.CurrencyID)
	}
	return c.d.Ledger.RankAt(
		c.Context(), c.scope.At(c.site.ID), a.ID, a.CurrencyID, ledger.Moment{Time: at, Visibility: c.visibility()})
}
