package members

import (
	"strings"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/report"
	"laurel.example/laurel/internal/rules/catalog"
)

// maxRulesSearched bounds the rules whose names are searched.
const maxRulesSearched = 1000

// searchRules returns the rules whose names contain a text, at most PageSize. It looks at the newest maxRulesSearched
// rules.
func (c *call) searchRules(query string) ([]catalog.Rule, error) {
	var out []catalog.Rule
	wanted, page := report.FoldSearch(query), laurel.PageRequest{Limit: 200}
	for searched := 0; searched < maxRulesSearched; {
		list, err := c.Rules.List(c.Context(), c.Scope.At(c.Site.ID), catalog.Filter{}, page)
		if err != nil {
			return nil, err
		}
		for _, rule := range list.Data {
			if wanted.In(rule.Name) && len(out) < web.PageSize {
				out = append(out, rule)
			}
		}
		if !list.HasNextPage {
			break
		}
		searched += len(list.Data)
		page.StartingAfter = web.LastID(list, func(r catalog.Rule) laurel.ID { return r.ID })
	}
	return out, nil
}

// searchPage redirects to the member, rule or transaction with the searched id, or to the only result of the search;
// otherwise it shows the results. An empty search leads to the members.
func searchPage(c *call) (web.View, error) {
	query := strings.TrimSpace(c.URL.Query().Get("q"))
	if query == "" {
		return c.Redirect(c.SitePath("members"), "")
	}
	if id, err := laurel.ParseID(query); err == nil {
		if address, err := c.recordPath(id); err != nil || address != "" {
			return web.View{RedirectTo: address}, err
		}
	}
	users, searchedAll, err := c.SearchMembers(query)
	if err != nil {
		return web.View{}, err
	}
	rules, err := c.searchRules(query)
	if err != nil {
		return web.View{}, err
	}
	switch {
	case len(users) == 1 && len(rules) == 0:
		return web.View{RedirectTo: c.SitePath("members", users[0].ID)}, nil
	case len(rules) == 1 && len(users) == 0:
		return web.View{RedirectTo: c.SitePath("rules", rules[0].ID)}, nil
	}
	data := membersData{
		Query: query, Found: true, SearchedAll: searchedAll, Rules: rules, Contacts: c.May(admins.SeeContacts),
	}
	if data.Rows, data.Currency, err = c.memberRows(users); err != nil {
		return web.View{}, err
	}
	return web.Show("search", "Search", data)
}

// recordPath returns the path of the page of the member, rule or transaction with an id; empty if there is none.
func (c *call) recordPath(id laurel.ID) (string, error) {
	scope := c.Scope.At(c.Site.ID)
	filter := report.UserListFilter{Users: report.UserFilter{IDs: []laurel.ID{id}}}
	users, err := c.Report.Users(c.Context(), scope, filter, laurel.PageRequest{Limit: 1})
	if err != nil || len(users.Data) > 0 {
		return c.SitePath("members", id), err
	}
	for _, kind := range []struct {
		page string
		read func() error
	}{
		{"rules", func() error { _, err := c.Rules.Rule(c.Context(), scope, id); return err }},
		{"ledger", func() error { _, err := c.Ledger.Transaction(c.Context(), scope, id); return err }},
	} {
		if err := kind.read(); err == nil {
			return c.SitePath(kind.page, id), nil
		} else if laurel.CodeOf(err) != laurel.NotFound {
			return "", err
		}
	}
	return "", nil
}
