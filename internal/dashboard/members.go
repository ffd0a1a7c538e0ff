package dashboard

import (
	"strings"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/identity"
	"laurel/internal/points/ledger"
	"laurel/internal/report"
	"laurel/internal/rules/catalog"
)

var memberRoutes = []route{
	get("/members", admins.SeeMembers, "members", membersPage),
	get("/members/members.csv", admins.SeeMembers, "members", exportMembers),
	get("/members/new", admins.AdjustMembers, "members", newMemberPage),
	post("/members", admins.AdjustMembers, "members", "added a member", addMember),
	get("/members/{user}", admins.SeeMembers, "members", memberPage),
	get("/members/{user}/edit", admins.AdjustMembers, "members", editMemberPage),
	post("/members/{user}/edit", admins.AdjustMembers, "members", "changed a member", saveMember),
	get("/members/{user}/multipliers/new", admins.AdjustFreely, "members", newMultiplierPage),
	post("/members/{user}/multipliers", admins.AdjustFreely, "members",
		"granted a multiplier", grantMultiplier),
	get("/members/{user}/multipliers/{multiplier}/end", admins.AdjustFreely, "members", confirmEndMultiplier),
	post("/members/{user}/multipliers/{multiplier}/end", admins.AdjustFreely, "members",
		"revoked a multiplier", endMultiplier),
	get("/members/{user}/badges", admins.SeeMembers, "members", memberBadgesPage),
	get("/members/{user}/badges.csv", admins.SeeMembers, "members", exportMemberBadges),
	get("/members/{user}/entries.csv", admins.SeeMembers, "members", exportMemberEntries),
	get("/members/{user}/lots.csv", admins.SeeMembers, "members", exportMemberLots),
	get("/members/{user}/streaks.csv", admins.SeeMembers, "members", exportMemberStreaks),
	get("/members/{user}/progress.csv", admins.SeeMembers, "members", exportMemberProgress),
	get("/members/{user}/multipliers.csv", admins.SeeMembers, "members", exportMemberMultipliers),
	get("/members/{user}/adjust", admins.AdjustMembers, "members", adjustPage),
	post("/members/{user}/adjust", admins.AdjustMembers, "members", "adjusted a balance", adjustBalance),
	get("/members/{user}/block", admins.AdjustMembers, "members", blockMemberPage),
	post("/members/{user}/block", admins.AdjustMembers, "members",
		"blocked or unblocked a member", blockMember),
	get("/search", admins.SeeMembers, "members", searchPage),
}

type memberRow struct {
	person
	Balance laurel.Amount
	Joined  any
}

type membersData struct {
	Rows        []memberRow
	Pager       pager
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
func membersPage(c *request) (view, error) {
	query := strings.TrimSpace(c.URL.Query().Get("q"))
	data := membersData{
		Query: query, Blocked: c.URL.Query().Get("state") == "blocked", Contacts: c.may(admins.SeeContacts),
	}
	var users []report.User
	if query != "" {
		var err error
		if users, data.SearchedAll, err = c.searchMembers(query); err != nil {
			return view{}, err
		}
		data.Found = true
	} else {
		page, err := c.pageRequest()
		if err != nil {
			return view{}, err
		}
		list, err := c.d.Report.Users(c.Context(), c.scope.At(c.site.ID), report.UserListFilter{Blocked: data.Blocked}, page)
		if err != nil {
			return view{}, err
		}
		users = list.Data
		data.Pager = c.pager(page, list.HasNextPage, lastID(list, func(u report.User) laurel.ID { return u.ID }))
	}
	var err error
	if data.Rows, data.Currency, err = c.memberRows(users); err != nil {
		return view{}, err
	}
	return pageView("members", "Members", data)
}

// memberRows adds to each user the profile and the balance in the website's first currency, and returns that currency.
func (c *request) memberRows(users []report.User) ([]memberRow, ledger.Currency, error) {
	ids := make([]laurel.ID, len(users))
	for i, user := range users {
		ids[i] = user.ID
	}
	currencies, err := c.readCurrencies()
	if err != nil {
		return nil, ledger.Currency{}, err
	}
	currency := currencies.choose("") // the first one
	people, err := c.readPeople(ids)
	if err != nil {
		return nil, currency, err
	}
	holdings, err := c.d.Ledger.VisibleBalances(
		c.Context(), c.scope.At(c.site.ID), c.visibility(), ids, []laurel.ID{currency.ID})
	if err != nil {
		return nil, currency, err
	}
	rows := make([]memberRow, len(users))
	for i, user := range users {
		rows[i] = memberRow{person: people[user.ID], Balance: holdings.Sum(currency.ID, ids[i:i+1]), Joined: user.CreatedAt()}
	}
	return rows, currency, nil
}

// searchableFields are the profile fields in which members are searched, in addition to wallet, e-mail and phone.
var searchableFields = []string{
	"externalIdentifier", "microblogUser", "chatServerUser", "messengerUsername", "shortVideoUser",
	"forumPlatformUser", "codeHostUser", "gameStoreUsername",
}

// searchMembers searches members by id, wallet, external identifier, account name or part of the display name, and by
// e-mail and phone for roles that may see these. Each kind of search returns at most pageSize members. searchedAll is
// false if there was no time to look at all names.
func (c *request) searchMembers(query string) (found []report.User, searchedAll bool, err error) {
	var filters []report.UserListFilter
	if id, err := laurel.ParseID(query); err == nil {
		filters = append(filters, report.UserListFilter{Users: report.UserFilter{IDs: []laurel.ID{id}}})
	}
	if c.visibleWallet(query) != "" { // it is no e-mail address, or the role may see these
		wallet := identity.NormalizeWallet(query)
		filters = append(filters, report.UserListFilter{Users: report.UserFilter{Wallets: []string{wallet}}})
	}
	fields := searchableFields
	if c.may(admins.SeeContacts) {
		fields = append([]string{"emailAddress", "phoneNumber"}, fields...)
	}
	if c.hidesContact(query) { // finding it would confirm an e-mail address
		fields = nil
	}
	for _, field := range fields {
		filters = append(filters, report.UserListFilter{Identifiers: map[string]string{field: query}})
	}
	matches, searchedAll, err := c.d.Report.SearchUsersByName(c.Context(), c.scope.At(c.site.ID), query, pageSize,
		func(u report.NamedUser) bool { return !c.hidesContact(u.Name) })
	if err != nil {
		return nil, false, err
	}
	if len(matches) > 0 {
		ids := mapSlice(matches, func(u report.NamedUser) laurel.ID { return u.ID })
		filters = append(filters, report.UserListFilter{Users: report.UserFilter{IDs: ids}})
	}
	var results []report.User
	isFound := map[laurel.ID]bool{}
	for _, f := range filters {
		page, err := c.d.Report.Users(c.Context(), c.scope.At(c.site.ID), f, laurel.PageRequest{Limit: pageSize})
		if err != nil {
			return nil, false, err
		}
		for _, u := range page.Data {
			if !isFound[u.ID] {
				isFound[u.ID] = true
				results = append(results, u)
			}
		}
	}
	return results, searchedAll, nil
}

// maxRulesSearched bounds the rules whose names are searched.
const maxRulesSearched = 1000

// searchRules returns the rules whose names contain a text, at most pageSize. It looks at the newest maxRulesSearched
// rules.
func (c *request) searchRules(query string) ([]catalog.Rule, error) {
	var out []catalog.Rule
	wanted, page := report.FoldSearch(query), laurel.PageRequest{Limit: 200}
	for searched := 0; searched < maxRulesSearched; {
		list, err := c.d.Rules.List(c.Context(), c.scope.At(c.site.ID), catalog.Filter{}, page)
		if err != nil {
			return nil, err
		}
		for _, rule := range list.Data {
			if wanted.In(rule.Name) && len(out) < pageSize {
				out = append(out, rule)
			}
		}
		if !list.HasNextPage {
			break
		}
		searched += len(list.Data)
		page.StartingAfter = lastID(list, func(r catalog.Rule) laurel.ID { return r.ID })
	}
	return out, nil
}

// searchPage redirects to the member, rule or transaction with the searched id, or to the only result of the search;
// otherwise it shows the results. An empty search leads to the members.
func searchPage(c *request) (view, error) {
	query := strings.TrimSpace(c.URL.Query().Get("q"))
	if query == "" {
		return c.redirect(c.sitePath("members"), "")
	}
	if id, err := laurel.ParseID(query); err == nil {
		if address, err := c.recordPath(id); err != nil || address != "" {
			return view{redirectTo: address}, err
		}
	}
	users, searchedAll, err := c.searchMembers(query)
	if err != nil {
		return view{}, err
	}
	rules, err := c.searchRules(query)
	if err != nil {
		return view{}, err
	}
	switch {
	case len(users) == 1 && len(rules) == 0:
		return view{redirectTo: c.sitePath("members", users[0].ID)}, nil
	case len(rules) == 1 && len(users) == 0:
		return view{redirectTo: c.sitePath("rules", rules[0].ID)}, nil
	}
	data := membersData{
		Query: query, Found: true, SearchedAll: searchedAll, Rules: rules, Contacts: c.may(admins.SeeContacts),
	}
	if data.Rows, data.Currency, err = c.memberRows(users); err != nil {
		return view{}, err
	}
	return pageView("search", "Search", data)
}

// recordPath returns the path of the page of the member, rule or transaction with an id; empty if there is none.
func (c *request) recordPath(id laurel.ID) (string, error) {
	scope := c.scope.At(c.site.ID)
	filter := report.UserListFilter{Users: report.UserFilter{IDs: []laurel.ID{id}}}
	users, err := c.d.Report.Users(c.Context(), scope, filter, laurel.PageRequest{Limit: 1})
	if err != nil || len(users.Data) > 0 {
		return c.sitePath("members", id), err
	}
	for _, kind := range []struct {
		page string
		read func() error
	}{
		{"rules", func() error { _, err := c.d.Rules.Rule(c.Context(), scope, id); return err }},
		{"ledger", func() error { _, err := c.d.Ledger.Transaction(c.Context(), scope, id); return err }},
	} {
		if err := kind.read(); err == nil {
			return c.sitePath(kind.page, id), nil
		} else if laurel.CodeOf(err) != laurel.NotFound {
			return "", err
		}
	}
	return "", nil
}
