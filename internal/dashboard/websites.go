package dashboard

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"laurel"
	"laurel/internal/admins"
	"laurel/internal/program"
	"laurel/internal/tenancy"
)

// maxSwitchSites bounds the websites of an organization that the switch in the menu lists. A page lists all of them.
const maxSwitchSites = 20

// listSites reads websites of an organization in which an admin has a role. The page that is returned begins after the
// last of them; it has no cursor where there are no more.
func (c *request) listSites(
	m admins.Membership,
	f tenancy.WebsiteFilter,
	page laurel.PageRequest,
) (out []tenancy.Website, next laurel.PageRequest, err error) {
	scope := laurel.Scope{OrganizationID: m.OrganizationID, Role: laurel.RoleOrganization, ActorID: m.UserID}
	if m.Role == "" {
		f.IDs = slices.SortedFunc(maps.Keys(m.Websites), laurel.ID.Compare)
	}
	list, err := c.d.Tenancy.ListWebsites(c.Context(), scope, f, page)
	if err != nil {
		return nil, next, err
	}
	if list.HasNextPage {
		next = laurel.PageRequest{Limit: page.Limit, StartingAfter: list.Data[len(list.Data)-1].ID}
	}
	return list.Data, next, nil
}

// ManySites reports whether the switch does not hold all websites.
func (s screen) ManySites() bool {
	for _, h := range s.organizations {
		if h.HasMoreSites {
			return true
		}
	}
	return false
}

// websitesData is the page of all websites.
type websitesData struct {
	Query         string
	Organizations []organizationSites
}

type organizationSites struct {
	organizationAccess
	Older string
}

// Name is what the organization is called.
func (h organizationSites) Name() string { return h.Organization.Name }

// List are the websites on this page.
func (h organizationSites) List() []tenancy.Website { return h.Sites }

// websitesPage lists the websites in which the admin has a role, by organization; or those whose name has a text in it.
func websitesPage(c *request) (view, error) {
	query := c.URL.Query()
	data := websitesData{Query: query.Get("q")}
	page, err := c.pageRequest()
	if err != nil {
		return view{}, err
	}
	for _, h := range c.organizations {
		at := laurel.PageRequest{Limit: page.Limit}
		if !page.StartingAfter.IsZero() {
			if query.Get("organization") != h.OrganizationID.String() {
				continue
			}
			at = page
		}
		found := organizationSites{organizationAccess: h}
		if found.Sites, at, err = c.listSites(h.Membership, tenancy.WebsiteFilter{Name: data.Query}, at); err != nil {
			return view{}, err
		}
		if !at.StartingAfter.IsZero() {
			query.Set("organization", h.OrganizationID.String())
			query.Set("startingAfter", at.StartingAfter.String())
			found.Older = c.d.path("websites") + "?" + query.Encode()
		}
		if len(found.Sites) > 0 {
			data.Organizations = append(data.Organizations, found)
		}
	}
	return pageView("websites", "Websites", data)
}

// labeledField is a field of a form with its label.
type labeledField struct{ Name, Label string }

// siteFields are the settings of a website that are texts, in the order of the form.
var siteFields = []labeledField{
	{"name", "Name"}, {"homeUrl", "Home page"}, {"chatServerUrl", "Chat server"}, {"messengerUrl", "Messenger"},
	{"microblogUsername", "Microblog account"}, {"photoPlatformUsername", "Photo platform account"},
	{"trustClientUsers", "Browser keys can act for any member"},
}

// siteTexts is what the form of a website holds.
func siteTexts(w tenancy.Website) map[string]string {
	out := map[string]string{
		"name": w.Name, "homeUrl": textCell(w.HomeURL), "chatServerUrl": textCell(w.ChatServerURL),
		"messengerUrl": textCell(w.MessengerURL), "microblogUsername": textCell(w.MicroblogUsername),
		"photoPlatformUsername": textCell(w.PhotoPlatformUsername), "trustClientUsers": "",
	}
	if w.TrustClientUsers {
		out["trustClientUsers"] = "true"
	}
	return out
}

func (c *request) settings() settingsData {
	return settingsData{
		Version: c.d.Version, Licences: c.d.licences, In: siteTexts(c.site), BaseVersion: versionOf(c.site.UpdatedAt),
		Name: c.siteOrganization.Organization.Name, Owner: isOwner(c.siteOrganization.Membership),
	}
}

// versionOf is what a form carries of when the thing that it changes had changed last.
func versionOf(at time.Time) string { return strconv.FormatInt(at.UnixMicro(), 10) }

// baseUpdatedAt reads what seen wrote. What is no number was never seen.
func (c *request) baseUpdatedAt() time.Time {
	micros, err := strconv.ParseInt(c.PostFormValue("seen"), 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMicro(micros)
}

func settingsPage(c *request) (view, error) { return pageView("settings", "Settings", c.settings()) }

func saveWebsite(c *request) (view, error) {
	text := func(name string) *string {
		if text := c.PostFormValue(name); text != "" {
			return &text
		}
		return nil
	}
	in := tenancy.CreateWebsiteInput{
		Name: c.PostFormValue("name"), HomeURL: text("homeUrl"), ChatServerURL: text("chatServerUrl"),
		MessengerURL: text("messengerUrl"), MicroblogUsername: text("microblogUsername"),
		PhotoPlatformUsername: text("photoPlatformUsername"), TrustClientUsers: c.PostFormValue("trustClientUsers") != "",
	}
	err := c.d.Tenancy.UpdateWebsite(c.Context(), c.scope, c.site.ID, in, c.baseUpdatedAt())
	data := c.settings() // with the website as it is: a form that is sent once more is made from that
	data.In = map[string]string{}
	for _, f := range siteFields {
		data.In[f.Name] = c.PostFormValue(f.Name)
	}
	if errors.Is(err, tenancy.ErrChangedMeanwhile) {
		data.Conflicts = findConflicts(siteTexts(c.site), data.In, siteFields)
		return view{template: "settings", title: "Error: Settings", status: http.StatusBadRequest, data: data}, nil
	}
	if err != nil {
		return c.showRefused(err, "settings", "Settings", func(faults map[string]string, text string) any {
			data.Faults, data.Error = faults, text
			return data
		})
	}
	return c.redirect(c.sitePath("settings"), "Changes saved. They apply to browser keys within a few seconds.")
}

// fieldConflict is a setting for which somebody else saved another value than the form holds.
type fieldConflict struct{ Label, Typed, Current string }

// findConflicts compares what is saved with what was typed.
func findConflicts(current, typed map[string]string, fields []labeledField) []fieldConflict {
	var out []fieldConflict
	for _, f := range fields {
		if current[f.Name] != typed[f.Name] {
			out = append(out, fieldConflict{f.Label, typed[f.Name], current[f.Name]})
		}
	}
	return out
}

// errOnlyOwners refuses what concerns the organization to people whose role is on single websites.
func errOnlyOwners(what string) error {
	return laurel.Errorf(laurel.Forbidden, "Only owners of the organization can %s.", what)
}

// signTerms records that the terms of the website are signed now.
func signTerms(c *request) (view, error) {
	if _, err := c.d.Tenancy.SignTerms(c.Context(), c.scope, c.scope.WebsiteID, time.Time{}); err != nil {
		return view{}, err
	}
	return c.redirect(c.sitePath("settings"), "Signature recorded.")
}

func renameOrganization(c *request) (view, error) {
	if !isOwner(c.siteOrganization.Membership) {
		return view{}, errOnlyOwners("rename it")
	}
	if err := c.d.Tenancy.RenameOrganization(c.Context(), c.scope, c.PostFormValue("name")); err != nil {
		return c.showRefused(err, "settings", "Settings", func(faults map[string]string, text string) any {
			data := c.settings()
			data.Name, data.OrganizationFaults = c.PostFormValue("name"), map[string]string{"organization": cmp.Or(faults["name"], text)}
			return data
		})
	}
	return c.redirect(c.sitePath("settings"), "Organization renamed.")
}

// newWebsiteData is the form of a further website.
type newWebsiteData struct {
	In     program.Input
	Faults map[string]string
	Error  string
}

func newWebsitePage(c *request) (view, error) {
	if !isOwner(c.siteOrganization.Membership) {
		return view{}, errOnlyOwners("create websites")
	}
	return pageView("website-new", "New website", newWebsiteData{})
}

// createWebsite makes a website with its first currency in the organization.
func createWebsite(c *request) (view, error) {
	if !isOwner(c.siteOrganization.Membership) {
		return view{}, errOnlyOwners("create websites")
	}
	in := program.Input{
		Website: c.PostFormValue("website"), Currency: c.PostFormValue("currency"), Symbol: c.PostFormValue("symbol"),
	}
	made, err := program.Add(c.Context(), c.d.Tenancy, c.d.Ledger, c.scope, in)
	if err != nil {
		return c.showRefused(err, "website-new", "New website", func(faults map[string]string, text string) any {
			return newWebsiteData{in, faults, text}
		})
	}
	return c.redirect(c.d.path(made.WebsiteID, "keys", "new"), "Website created. Now create the API key for its server.")
}

// formVersion tells texts of a form from others, so that a form can carry what it was made from.
func formVersion(texts map[string]string) string {
	names := slices.Sorted(maps.Keys(texts))
	hash := sha256.New()
	for _, name := range names {
		_, _ = fmt.Fprintf(hash, "%q=%q\n", name, texts[name])
	}
	return hex.EncodeToString(hash.Sum(nil))
}
