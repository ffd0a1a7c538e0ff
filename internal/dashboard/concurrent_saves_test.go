package dashboard_test

import (
	"fmt"
	"html"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"sync"
	"testing"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/app"
	"laurel.example/laurel/internal/dev/apptest"
	"laurel.example/laurel/internal/dev/storetest"
	"laurel.example/laurel/internal/rules/catalog"
	"laurel.example/laurel/internal/tenancy"
)

// savedForm is a form of a record that others may save at the same time.
type savedForm struct {
	path  string // of the page
	field string // whose value is typed
	api   string // the operation that saves the same record; empty: there is none
	param string // its property
}

// savedForms makes a record for each form that holds the version which it was opened with, by the form's template.
func savedForms(s *apptest.Server) map[string]savedForm {
	s.T.Helper()
	made := func(path string, body object) string { return s.Post(path, body).JSON()["id"].(string) }
	currency := s.LoyaltyCurrencyID.String()
	rule, poll, group := s.Rule("check_in", nil), s.Rule("poll", nil), made("/api/loyalty/rule_groups/create", object{"name": "Group"})
	question := made("/api/loyalty/questions", object{"loyaltyRuleId": poll, "questionText": "Why?",
		"loyaltyQuestionAnswers": []object{{"text": "So"}, {"text": "No"}}})
	badge, function := s.CreateBadge(), made("/api/stratus/functions", object{"name": "A function", "code": greets})
	subscription := made("/api/stratus/subscriptions", object{
		"name": "CRM", "organizationId": s.OrganizationID, "websiteId": s.WebsiteID, "callbackUrl": "https://crm.example/hook",
		"platformSubscriptions": []object{{"tableNames": []string{"User"}}},
	})
	section := made("/api/page_sections", object{"placement": "global", "durationStart": "2025-01-01T00:00:00Z"})
	layout := s.Post("/api/loyalty/website_page_sections", object{"websitePageSections": []object{{"type": "hero"}}})
	block := layout.Data()[0]["id"].(string)
	contract := made("/api/minting/contracts", object{"name": "Posters", "contractKind": "OFFCHAIN", "isListed": true})
	item := made("/api/minting/assets", object{"mintingContractId": contract, "name": "Poster", "price": 1,
		"loyaltyCurrencyId": currency, "quantity": 0, "unlimitedQty": true, "isListed": true})
	auction := made("/api/auctions", object{"name": "A poster", "type": "english", "startsAt": apptest.Noon,
		"endsAt": apptest.Noon.AddDate(1, 0, 0), "loyaltyCurrencyId": currency, "minBidAmount": "1", "mintingContractId": contract})
	token := made("/api/contracts", object{"name": "A token", "address": apptest.Bob, "chainId": 8453, "type": "erc20"})
	claim := made("/api/token_claims", object{"name": "A season", "contractId": token})
	member := s.Post("/api/users/metadatas", object{"walletAddress": apptest.Alice}).OK()["userId"].(string)
	other := s.Post("/api/users/metadatas", object{"walletAddress": apptest.Bob}).OK()["userId"].(string)
	attribute := s.Post("/api/website_user_attributes", object{"data": []object{{"label": "Diet"}}}).Data()[0]["id"].(string)
	return map[string]savedForm{
		"member-attributes":     {"/members/" + member + "/attributes", attribute, "", ""},
		"badge-form":            {"/badges/" + badge + "/settings", "name", apptest.BadgesPath + "/" + badge, "name"},
		"block-form":            {"/pages/blocks/" + block, "title", "", ""},
		"section-form":          {"/pages/sections/" + section, "title", "/api/page_sections/" + section, "title"},
		"function-settings":     {"/functions/" + function + "/settings", "name", "/api/stratus/functions/" + function, "name"},
		"subscription-settings": {"/subscriptions/" + subscription + "/settings", "name", "/api/stratus/subscriptions/" + subscription, "name"},
		"currency":              {"/currencies/" + currency, "name", "/api/loyalty/currencies/" + currency, "name"},
		"member-edit":           {"/members/" + member + "/edit", "displayName", "", ""},
		"member-block":          {"/members/" + other + "/block", "reason", "", ""},
		"group":                 {"/groups/" + group, "name", "/api/loyalty/rule_groups/" + group, "name"},
		"rule-question":         {"/rules/" + poll + "/question", "questionText", "/api/loyalty/questions/" + question, "questionText"},
		"rule":                  {"/rules/" + rule, "name", "/api/loyalty/rules/" + rule, "name"},
		"settings":              {"/settings", "name", "/api/websites/" + s.WebsiteID.String(), "name"},
		"auction-form":          {"/auctions/" + auction + "/settings", "name", "/api/auctions/" + auction, "name"},
		"claim-form":            {"/claims/" + claim + "/settings", "name", "/api/token_claims/" + claim, "name"},
		"store-form":            {"/store/" + contract + "/settings", "name", "/api/minting/contracts/" + contract, "name"},
		"store-item-form":       {"/store/" + contract + "/items/" + item + "/settings", "name", "/api/minting/assets/" + item, "name"},
	}
}

var formAction = regexp.MustCompile(`<form[^>]* action="([^"]*)"`)

// typed returns where the form of a page is posted, and what is posted with a value typed into a field.
func (f savedForm) typed(p apptest.Page, value string) (address string, fields []string) {
	p.T.Helper()
	above, _, found := strings.Cut(p.Body, `name="seen"`)
	actions := formAction.FindAllStringSubmatch(above, -1)
	if !found || len(actions) == 0 {
		p.T.Fatalf("%s has no form with a version: %d", f.path, p.Status)
	}
	address, _, _ = strings.Cut(html.UnescapeString(actions[len(actions)-1][1]), "?")
	if f.field == "reason" {
		return address, with(formOn(p), "do", "block", "reason", value)
	}
	return address, with(formOn(p), f.field, value)
}

// values returns two values that two admins type.
func (f savedForm) values(round int) [2]string {
	if f.field == "reason" {
		return [2]string{"abuse_manipulation", "other"}
	}
	return [2]string{fmt.Sprintf("Mine %d", round), fmt.Sprintf("Yours %d", round)}
}

const othersChanged = "while you were editing" // of pages with conflicts

// saveAtOnce saves a form that is open in two browsers, at one moment, and expects that one save is shown the other.
func (f savedForm) saveAtOnce(t *testing.T, browsers [2]*apptest.Browser, round int) {
	t.Helper()
	var pages [2]apptest.Page
	for i, b := range browsers {
		pages[i] = b.Get(b.Site(f.path))
	}
	var saves sync.WaitGroup
	for i, b := range browsers {
		address, fields := f.typed(pages[i], f.values(round)[i])
		saves.Go(func() { pages[i] = b.Post(address, fields...) })
	}
	saves.Wait()
	saved, refused := 0, 1
	if pages[0].Status == 400 {
		saved, refused = 1, 0
	}
	if pages[saved].Status != 303 {
		t.Fatalf("%s: %d and %d: %s", f.path, pages[0].Status, pages[1].Status, pages[saved].Body)
	}
	pages[refused].Shows(400, othersChanged)
	if f.field != "reason" {
		pages[refused].Shows(400, f.values(round)[saved], f.values(round)[refused])
		if got := formOn(browsers[refused].Get(browsers[refused].Site(f.path))).Get(f.field); got != f.values(round)[saved] {
			t.Errorf("%s: %q is saved instead of %q", f.path, got, f.values(round)[saved])
		}
	}
}

// saveWithAPI saves a form at the moment at which the API changes the record, both for the version that they have read,
// and expects that one of them is refused.
func (f savedForm) saveWithAPI(t *testing.T, b *apptest.Browser, api *apptest.Server, round int) {
	t.Helper()
	values := f.values(100 + round)
	page, body := b.Get(b.Site(f.path)), object{f.param: values[1]}
	if f.field == "questionText" {
		body["loyaltyQuestionAnswers"] = []object{{"text": "So"}, {"text": "No"}}
	}
	old := api.Call(api.OrganizationAPIKey, "POST", f.api, body, "If-Match", `"2020-01-01T00:00:00.000Z"`)
	version := old.Refused(400, "Record was changed meanwhile")["current"].(object)["updatedAt"].(string)
	var saves sync.WaitGroup
	var answer apptest.Response
	address, fields := f.typed(page, values[0])
	saves.Go(func() { page = b.Post(address, fields...) })
	saves.Go(func() { answer = api.Call(api.OrganizationAPIKey, "POST", f.api, body, "If-Match", `"`+version+`"`) })
	saves.Wait()
	if page.Status == 303 {
		answer.Refused(400, "Record was changed meanwhile")
		return
	}
	answer.OK()
	page.Shows(400, othersChanged, values[0], values[1])
}

func TestOfSavesAtOneMomentOneIsShownTheOther(t *testing.T) {
	t.Parallel()
	for _, e := range storetest.Engines() {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			var nodes []*apptest.Server
			if e.Name == "postgres" {
				nodes = apptest.Nodes(t)
			} else {
				one := apptest.OpenAtNoon(t, e.URL(t), app.Config{NoRateLimits: true})
				nodes = []*apptest.Server{one, one}
			}
			browsers := [2]*apptest.Browser{nodes[0].SignInAdmin(tenancy.RoleSuperAdmin), nodes[1].SignInAdmin(tenancy.RoleSuperAdmin)}
			forms := savedForms(nodes[0])
			for _, template := range versionedTemplates(t) {
				f, known := forms[template]
				if !known {
					t.Errorf("the form of the template %s is not saved here", template)
					continue
				}
				for round := range 3 {
					if f.api != "" {
						f.saveWithAPI(t, browsers[round%2], nodes[1-round%2], round)
					}
					if round == 0 || f.field != "reason" {
						f.saveAtOnce(t, browsers, round)
					}
				}
			}
		})
	}
}

// Others change the group all the time, and nothing that its form shows: there is no conflict to show, and the save
// comes too late each time.
func TestAFormThatOthersOutrunKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		made := s.Post("/api/loyalty/rule_groups/create", object{"name": "Group"}).JSON()["id"].(string)
		id, err := laurel.ParseID(made)
		if err != nil {
			t.Fatal(err)
		}
		stop := make(chan struct{})
		var others sync.WaitGroup
		for n := range int64(8) {
			others.Go(func() {
				for sort := n; ; sort += 8 {
					select {
					case <-stop:
						return
					default:
					}
					in := catalog.GroupPatch{}.With("sortId", sort%1e6)
					if _, err := s.App.Rules.UpdateGroup(t.Context(), s.WebsiteScope(), id, in); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		b, f := s.SignInAdmin(tenancy.RoleSuperAdmin), savedForm{path: "/groups/" + made, field: "name"}
		page, typed, isOutrun := b.Get(b.Site(f.path)), "", false
		for i := 0; i < 100 && !isOutrun; i++ {
			typed = fmt.Sprintf("Typed %d", i)
			address, fields := f.typed(page, typed)
			if page = b.Post(address, fields...); page.Status == 303 {
				page = b.Get(b.Site(f.path))
				continue
			}
			isOutrun = true
		}
		close(stop)
		others.Wait()
		if !isOutrun {
			t.Fatal("no save came too late")
		}
		page.Shows(400, "Others changed the same thing in this moment. Save again", `value="`+typed+`"`)
		address, fields := f.typed(page, typed)
		b.Post(address, fields...).FollowsTo(b.Site("/groups"))
		if got := formOn(b.Get(b.Site(f.path))).Get("name"); got != typed {
			t.Errorf("%q is saved", got)
		}
	})
}

// versionedTemplates returns the names of the templates with a form that holds the version it was opened with.
func versionedTemplates(t *testing.T) (names []string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".html" {
			return err
		}
		text, err := os.ReadFile(name)
		if strings.Contains(string(text), `name="seen"`) {
			names = append(names, strings.TrimSuffix(path.Base(name), ".html"))
		}
		return err
	})
	if err != nil || len(names) < 16 {
		t.Fatalf("%v: %v", names, err)
	}
	return names
}
