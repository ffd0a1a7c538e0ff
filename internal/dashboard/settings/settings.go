package settings

import (
	"laurel.example/laurel/internal/admins"
	"laurel.example/laurel/internal/dashboard/form"
	"laurel.example/laurel/internal/dashboard/web"
)

var settingsRoutes = []route{
	web.Get("/settings", admins.SeeProgram, "settings", settingsPage),
	web.Post("/settings", admins.ChangeSettings, "settings", "changed the website’s settings", saveWebsite),
	web.Post("/settings/organization", admins.ManageAdmins, "settings",
		"renamed the organization", renameOrganization),
	web.Post("/settings/terms", admins.ManageAdmins, "settings",
		"recorded the signature of the website’s terms", signTerms),
	web.Get("/settings/website", admins.ManageAdmins, "settings", newWebsitePage),
	web.Post("/settings/website", admins.ManageAdmins, "settings", "created a website", web.Idempotent(createWebsite)),
}

// settingsData is the data of the page of settings.
type settingsData struct {
	web.Refusal
	form.Base
	Version            string
	Licences           []web.Licence
	In                 map[string]string // the form of the website
	Name               string            // of the organization, as typed
	IsOwner            bool              // of the organization
	OrganizationFaults map[string]string // faults of the organization
}

// newSettingsData returns the data of the page of settings, with the website as it is saved.
func (c *call) newSettingsData() settingsData {
	saved := siteTable.Saved(c.Site)
	return settingsData{
		Version: c.Version, Licences: c.Licences, In: saved, Base: form.BaseOf(saved),
		Name: c.SiteOrganization.Organization.Name, IsOwner: web.IsOwner(c.SiteOrganization.Membership),
	}
}

// settingsPage shows the settings of the website and the organization, and the licences.
func settingsPage(c *call) (web.View, error) {
	return web.Show("settings", "Settings", c.newSettingsData())
}
