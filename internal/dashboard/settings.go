package dashboard

import (
	"laurel/internal/admins"
)

var settingsRoutes = []route{
	get("/settings", admins.SeeProgram, "settings", settingsPage),
	post("/settings", admins.ChangeSettings, "settings", "changed the website’s settings", saveWebsite),
	post("/settings/organization", admins.ManageAdmins, "settings",
		"renamed the organization", renameOrganization),
	post("/settings/terms", admins.ManageAdmins, "settings",
		"recorded the signature of the website’s terms", signTerms),
	get("/settings/website", admins.ManageAdmins, "settings", newWebsitePage),
	post("/settings/website", admins.ManageAdmins, "settings", "created a website", idempotent(createWebsite)),
}

// settingsData is the data of the page of settings.
type settingsData struct {
	Version            string
	Licences           []licence
	In                 map[string]string // the form of the website
	BaseVersion        string            // how the website was when the form was made
	Conflicts          []fieldConflict   // fields that someone else has saved meanwhile
	Name               string            // of the organization, as typed
	IsOwner            bool              // of the organization
	Faults             map[string]string // of the website
	Error              string
	OrganizationFaults map[string]string // faults of the organization
}

// newSettingsData returns the data of the page of settings, with the website as it is saved.
func (c *request) newSettingsData() settingsData {
	return settingsData{
		Version: c.d.Version, Licences: c.d.licences, In: siteTexts(c.site), BaseVersion: versionOf(c.site.UpdatedAt),
		Name: c.siteOrganization.Organization.Name, IsOwner: isOwner(c.siteOrganization.Membership),
	}
}

// settingsPage shows the settings of the website and the organization, and the licences.
func settingsPage(c *request) (view, error) {
	return pageView("settings", "Settings", c.newSettingsData())
}
