package members

import (
	"strconv"
	"strings"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/parts"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/points/ledger"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/catalog"
)

var memberRoutes = []route{
	web.Get("/members", admins.SeeMembers, "members", membersPage),
	web.Get("/members/members.csv", admins.SeeMembers, "members", exportMembers),
	web.Get("/members/new", admins.AdjustMembers, "members", newMemberPage),
	web.Post("/members", admins.AdjustMembers, "members", "added a member", addMember),
	web.Get("/members/{user}", admins.SeeMembers, "members", memberPage),
	web.Get("/members/{user}/edit", admins.AdjustMembers, "members", editMemberPage),
	web.Post("/members/{user}/edit", admins.AdjustMembers, "members", "changed a member", saveMember),
	web.Get("/members/{user}/multipliers/new", admins.AdjustFreely, "members", newMultiplierPage),
	web.Post("/members/{user}/multipliers", admins.AdjustFreely, "members",
		"granted a multiplier", grantMultiplier),
	web.Get("/members/{user}/multipliers/{multiplier}/end", admins.AdjustFreely, "members", confirmEndMultiplier),
	web.Post("/members/{user}/multipliers/{multiplier}/end", admins.AdjustFreely, "members",
		"revoked a multiplier", endMultiplier),
	web.Get("/members/{user}/badges", admins.SeeMembers, "members", memberBadgesPage),
	web.Get("/members/{user}/badges.csv", admins.SeeMembers, "members", exportMemberBadges),
	web.Get("/members/{user}/entries.csv", admins.SeeMembers, "members", exportMemberEntries),
	web.Get("/members/{user}/lots.csv", admins.SeeMembers, "members", exportMemberLots),
	web.Get("/members/{user}/streaks.csv", admins.SeeMembers, "members", exportMemberStreaks),
	web.Get("/members/{user}/progress.csv", admins.SeeMembers, "members", exportMemberProgress),
	web.Get("/members/{user}/multipliers.csv", admins.SeeMembers, "members", exportMemberMultipliers),
	web.Get("/members/{user}/adjust", admins.AdjustMembers, "members", adjustPage),
	web.Post("/members/{user}/adjust", admins.AdjustMembers, "members", "adjusted a balance", adjustBalance),
	web.Get("/members/{user}/block", admins.AdjustMembers, "members", blockMemberPage),
	web.Post("/members/{user}/block", admins.AdjustMembers, "members",
		"blocked or unblocked a member", blockMember),
	web.Get("/members/{user}/unlink", admins.AdjustMembers, "members", confirmUnlink),
	web.Post("/members/{user}/unlink", admins.AdjustMembers, "members", "unlinked a wallet of a member", unlinkMember),
	web.Get("/members/{user}/accounts/{platform}/unlink", admins.AdjustMembers, "members", confirmUnlinkAccount),
	web.Post("/members/{user}/accounts/{platform}/unlink", admins.AdjustMembers, "members",
		"unlinked an account of a member", unlinkAccount),
	web.Get("/members/{user}/attributes", admins.AdjustMembers, "members", attributesPage),
	web.Post("/members/{user}/attributes", admins.AdjustMembers, "members",
		"changed attributes of a member", saveAttributes),
	web.Get("/members/{user}/delegations/{delegation}/delete", admins.AdjustMembers, "members", confirmDeleteDelegation),
	web.Post("/members/{user}/delegations/{delegation}/delete", admins.AdjustMembers, "members",
		"deleted a delegation to a member", deleteDelegation),
	web.Get("/search", admins.SeeMembers, "members", searchPage),
}

type memberRow struct {
	parts.Person
	Balance laurel.Amount
	Joined  any
}

type membersData struct {
	Rows        []memberRow
	Pager       web.Pager
	Query       string
	SearchedAll bool // a search looked at the names of all members
	Found       bool // Rows are the results of a search, which has no pages
	Blocked     bool
	Currency    ledger.Currency
	Rules       []catalog.Rule // of a search
	Contacts    bool           // e-mail and phone are looked for, too
}

// membersPage shows a page of the members, newest first: all or the blocked ones. With a search in the query it shows
// the results of the search, which have one page.
func membersPage(c *call) (web.View, error) {
	query := strings.TrimSpace(c.URL.Query().Get("q"))
	data := membersData{
		Query: query, Blocked: c.URL.Query().Get("state") == "blocked", Contacts: c.May(admins.SeeContacts),
	}
	var users []report.User
	if query != "" {
		var err error
		if users, data.SearchedAll, err = c.SearchMembers(query); err != nil {
			return web.View{}, err
		}
		data.Found = true
	} else {
		page, err := c.PageRequest()
		if err != nil {
			return web.View{}, err
		}
		list, err := c.Report.Users(c.Context(), c.Scope.At(c.Site.ID), report.UserListFilter{Blocked: data.Blocked}, page)
		if err != nil {
			return web.View{}, err
		}
		users = list.Data
		data.Pager = c.Pager(page, list.HasNextPage, web.LastID(list, func(u report.User) laurel.ID { return u.ID }))
	}
	var err error
	if data.Rows, data.Currency, err = c.memberRows(users); err != nil {
		return web.View{}, err
	}
	return web.Show("members", "Members", data)
}

// memberRows adds to each user the profile and the balance in the website's first currency, and returns that currency.
func (c *call) memberRows(users []report.User) ([]memberRow, ledger.Currency, error) {
	ids := make([]laurel.ID, len(users))
	for i, user := range users {
		ids[i] = user.ID
	}
	currencies, err := c.ReadCurrencies()
	if err != nil {
		return nil, ledger.Currency{}, err
	}
	currency := currencies.Choose("") // the first one
	people, err := c.ReadPeople(ids)
	if err != nil {
		return nil, currency, err
	}
	holdings, err := c.Ledger.VisibleBalances(
		c.Context(), c.Scope.At(c.Site.ID), c.Visibility(), ids, []laurel.ID{currency.ID})
	if err != nil {
		return nil, currency, err
	}
	joined, err := c.joinedAt(users...)
	if err != nil {
		return nil, currency, err
	}
	rows := make([]memberRow, len(users))
	for i, user := range users {
		rows[i] = memberRow{Person: people[user.ID], Balance: holdings.Sum(currency.ID, ids[i:i+1]), Joined: joined[i]}
	}
	return rows, currency, nil
}

// joinedAt returns when users joined the website, in their order. An import may say that it was before the user was
// created here.
func (c *call) joinedAt(users ...report.User) ([]time.Time, error) {
	ids, out := make([]laurel.ID, len(users)), make([]time.Time, len(users))
	for i, user := range users {
		ids[i], out[i] = user.ID, user.CreatedAt()
	}
	since, err := c.Identity.MembersSince(c.Context(), c.Scope.At(c.Site.ID), ids)
	for i, id := range ids {
		if at, isMember := since[id]; isMember {
			out[i] = at
		}
	}
	return out, err
}

// exportMembers exports members as CSV: all, the blocked ones, or the results of a search. A search has one page of
// results.
func exportMembers(c *call) (web.View, error) {
	rows := func(users []report.User) ([][]string, error) {
		found, currency, err := c.memberRows(users)
		var out [][]string
		for _, row := range found {
			out = append(out, []string{
				web.IdCell(row.ID), row.Name, row.Wallet, web.TextCell(row.Profile.ExternalIdentifier),
				web.TextCell(row.Profile.EmailAddress), web.TextCell(row.Profile.PhoneNumber), row.Balance.String(), currency.Name,
				strconv.FormatBool(row.Blocked), web.TimeCell(row.Joined),
			})
		}
		return out, err
	}
	filter := report.UserListFilter{Blocked: c.URL.Query().Get("state") == "blocked"}
	list := func(page laurel.PageRequest) (laurel.Page[report.User], error) {
		if query := c.URL.Query().Get("q"); query != "" {
			users, _, err := c.SearchMembers(query)
			return laurel.Page[report.User]{Data: users}, err
		}
		return c.Report.Users(c.Context(), c.Scope.At(c.Site.ID), filter, page)
	}
	head := []string{
		"member", "name", "walletAddress", "externalIdentifier", "email", "phone", "balance", "currency", "blocked", "joined",
	}
	return web.ExportCSV("members.csv", head, web.PagedRows(list, func(u report.User) laurel.ID { return u.ID }, rows))
}
