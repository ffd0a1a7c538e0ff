package settings

import (
	"cmp"
	"time"

	"laurel.example/laurel"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
	"laurel.example/laurel/internal/program"
	"laurel.example/laurel/internal/tenancy"
)

// siteTable has the settings of a website.
var siteTable = form.NewTable[tenancy.Website, tenancy.WebsitePatch](form.Fields(
	"name", "Name", "homeUrl", "Home page", "chatServerUrl", "Chat server", "messengerUrl", "Messenger",
	"microblogUsername", "Microblog account", "photoPlatformUsername", "Photo platform account",
	"trustClientUsers", "Let browser keys act on behalf of any member",
))

// saveWebsite saves the settings of the website. An empty field clears its setting. If someone else has saved other
// values since the form was opened, nothing is written and the conflicts are shown.
func saveWebsite(c *call) (web.View, error) {
	var err error
	if c.Site, err = c.Tenancy.Website(c.Context(), c.Scope, c.Site.ID); err != nil {
		return web.View{}, err
	}
	data := c.newSettingsData()
	saved := data.In
	if data.In = siteTable.Typed(c.PostForm); data.FindConflicts(c.PostForm, saved, data.In, siteTable.Fields) {
		return web.Refused("settings", "Settings", data), nil
	}
	in := siteTable.Input(form.Changes{Saved: saved, Typed: data.In})
	_, err = c.Tenancy.ChangeWebsite(c.Context(), c.Scope.IfUnchanged(c.Site.ID, c.Site.UpdatedAt.Time), c.Site.ID, in)
	if err != nil {
		return c.ShowRefused(err, "settings", "Settings", func(r web.Refusal) any { data.Refusal = r; return data })
	}
	return c.Redirect(c.SitePath("settings"), "Changes saved. They apply to browser keys within a few seconds.")
}

// errOnlyOwners refuses admins whose role is on single websites. what says what only owners do.
func errOnlyOwners(what string) error {
	return laurel.Errorf(laurel.Forbidden, "Only owners of the organization can %s.", what)
}

// signTerms records that the terms of the website are signed now.
func signTerms(c *call) (web.View, error) {
	if _, err := c.Tenancy.SignTerms(c.Context(), c.Scope, c.Scope.WebsiteID, time.Time{}); err != nil {
		return web.View{}, err
	}
	return c.Redirect(c.SitePath("settings"), "Signature recorded.")
}

// renameOrganization renames the organization of the website. Only its owners may.
func renameOrganization(c *call) (web.View, error) {
	if !web.IsOwner(c.SiteOrganization.Membership) {
		return web.View{}, errOnlyOwners("rename it")
	}
	if err := c.Tenancy.RenameOrganization(c.Context(), c.Scope, c.PostFormValue("name")); err != nil {
		return c.ShowRefused(err, "settings", "Settings", func(refusal web.Refusal) any {
			data := c.newSettingsData()
			data.Name, data.OrganizationFaults = c.PostFormValue("name"), map[string]string{"organization": cmp.Or(refusal.Faults["name"], refusal.Error)}
			return data
		})
	}
	return c.Redirect(c.SitePath("settings"), "Organization renamed.")
}

// newWebsiteData is the form of a further website.
type newWebsiteData struct {
	web.Refusal
	In program.Input
}

// newWebsitePage shows the form of a further website of the organization. Only owners of the organization may see it.
func newWebsitePage(c *call) (web.View, error) {
	if !web.IsOwner(c.SiteOrganization.Membership) {
		return web.View{}, errOnlyOwners("create websites")
	}
	return web.Show("website-new", "New website", newWebsiteData{})
}

// createWebsite creates a further website of the organization, with its first currency. Only owners of the organization
// may.
func createWebsite(c *call) (web.View, error) {
	if !web.IsOwner(c.SiteOrganization.Membership) {
		return web.View{}, errOnlyOwners("create websites")
	}
	in := program.Input{
		Website: c.PostFormValue("website"), Currency: c.PostFormValue("currency"), Symbol: c.PostFormValue("symbol"),
	}
	made, err := program.AddWebsite(c.Context(), c.Tenancy, c.Ledger, c.Scope, in)
	if err != nil {
		return c.ShowRefused(err, "website-new", "New website", func(refusal web.Refusal) any {
			return newWebsiteData{refusal, in}
		})
	}
	return c.Redirect(c.Path(made.WebsiteID, "keys", "new"), "Website created. Now create the API key for its server.")
}
